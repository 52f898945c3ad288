/* Numbers that depend on time. Another kind needs a code, a row of reals and a case
   in `history_at`. */

#ifndef BONDLINE_HISTORY_H
#define BONDLINE_HISTORY_H

enum HistoryKind {
    HISTORY_CONSTANT,   /* value */
    HISTORY_POLYNOMIAL, /* t0, then n coefficients */
    HISTORY_HARMONIC,   /* a0, omega, t0, n cosines, n sines */
    HISTORY_TABLE,      /* n times, n values */
    HISTORY_FORMULA     /* n instructions, each with a number */
};

typedef struct History {
    int kind, n;
    const double *reals;
} History;

double history_at(const History *history, double t);

double formula_at(const double *program, int n, double t); /* formula.c */

#endif

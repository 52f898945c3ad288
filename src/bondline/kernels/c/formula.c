/* Formulas in t: instructions with a number each, operands first
   (leaves/mbd/formula.py). */

#include <math.h>

#include "history.h"

enum { DEPTH = 32 };

enum Instruction { NUMBER, TIME, MINUS, ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, SIN,
                   COS, TAN, TANH, ATAN, EXP, LOG, SQRT, ABS, STEP, MIN, MAX };

static double of_one(int instruction, double x)
{
    switch (instruction) {
    case MINUS: return -x;
    case SIN: return sin(x);
    case COS: return cos(x);
    case TAN: return tan(x);
    case TANH: return tanh(x);
    case ATAN: return atan(x);
    case EXP: return exp(x);
    case LOG: return log(x);
    case SQRT: return sqrt(x);
    case ABS: return fabs(x);
    default: return x >= 0.0 ? 1.0 : 0.0; /* STEP */
    }
}

static double of_two(int instruction, double x, double y)
{
    switch (instruction) {
    case ADD: return x + y;
    case SUBTRACT: return x - y;
    case MULTIPLY: return x * y;
    case DIVIDE: return x / y;
    case POWER: return pow(x, y);
    case MIN: return x <= y ? x : y;
    default: return x >= y ? x : y; /* MAX */
    }
}

static int takes_two(int instruction)
{
    return (instruction >= ADD && instruction <= POWER) || instruction >= MIN;
}

double formula_at(const double *program, int n, double t)
{
    double held[DEPTH + 1] = {0.0};
    int top = 0; /* held[top] is the last result */
    for (int k = 0; k < n; k++, program += 2) {
        int instruction = (int)program[0];
        if (instruction <= TIME) {
            if (top == DEPTH) return NAN; /* no program is written so deep */
            held[++top] = instruction == TIME ? t : program[1];
        } else if (takes_two(instruction)) {
            if (top < 2) return NAN;
            top--;
            held[top] = of_two(instruction, held[top], held[top + 1]);
        } else {
            held[top] = of_one(instruction, held[top]);
        }
    }
    return held[top];
}

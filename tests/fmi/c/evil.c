/* What no FMU should do; `deed` says what, and `done` counts what it got away with. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
enum { DEED, DONE, NV };
#define NX 1
#define MISBEHAVE misbehave(c)
#include "model.h"
static void misbehave(State *s);
static void begin(State *s) {}
static void rates(const State *s, double *dx) { dx[0] = 0.0; }
static void outputs(State *s) {}
static void event(State *s) {}
static void misbehave(State *s)
{
    double *done = &s->v[DONE];
    *done = 0.0;
    switch ((int)s->v[DEED]) {
    case 1: *(volatile int *)0 = 1; break;
    case 2: exit(0); break;
    case 3: for (;;) {}
    case 4: abort(); break;
    case 5: { /* more processes: some are enough to see that they can be had */
        for (int k = 0; k < 20; k++) {
            pid_t child = fork();
            if (child == 0) _exit(0);
            if (child > 0) { *done += 1.0; waitpid(child, NULL, 0); }
        }
        break;
    }
    case 6: { /* the network, another program, tracing */
        char *const none[] = {NULL}, *const args[] = {"true", NULL};
        if (socket(AF_INET, SOCK_STREAM, 0) >= 0) *done += 1.0;
        if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0) *done += 1.0;
        if (ptrace(PTRACE_TRACEME, 0, 0, 0) >= 0) *done += 1.0;
        if (kill(getppid(), 0) == 0) *done += 1.0;
        execve("/usr/bin/true", args, none);
        break;
    }
    case 7: { /* files of others */
        if (open("/etc/passwd", O_RDONLY) >= 0) *done += 1.0;
        if (open(SECRET, O_RDONLY) >= 0) *done += 1.0;
        if (open(SECRET, O_WRONLY | O_CREAT, 0600) >= 0) *done += 1.0;
        if (open("/usr/evil", O_WRONLY | O_CREAT, 0600) >= 0) *done += 1.0;
        break;
    }
    case 8: { /* the habits of its process */
        for (int k = 0; k < 20000; k++) { puts("flood"); fputs("flood", stderr); }
        fesetround(FE_DOWNWARD);
        setlocale(LC_ALL, "de_DE.UTF-8");
        signal(SIGTERM, SIG_IGN);
        *done = chdir("/");
        break;
    }
    case 9: { /* memory without end */
        while (malloc(1 << 28)) *done += 1.0;
        break;
    }
    }
}
#include FRAME

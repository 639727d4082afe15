/* Runs a command and says what it cost.
 *
 *   measure REPORT COMMAND [ARGUMENT...]
 *
 * Writes to REPORT one line: exit status, user seconds, system seconds, wall seconds, peak RSS in KB. The seconds are those of all
 * processes that the command leaves behind, too: it adopts them and waits for them. A worker that its parent does not wait for would
 * cost nothing otherwise.
 * A small process of its own, because on Linux a child's peak RSS also counts the memory of the
 * process it was forked from, and a Python with three imaging libraries loaded is large.
 */
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    if (prctl(PR_SET_CHILD_SUBREAPER, 1)) return 2;
    double start = now();
    pid_t child = fork();
    if (child < 0) return 2;
    if (child == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    int status;
    struct rusage u;
    if (waitpid(child, &status, 0) < 0) return 2;
    double wall = now() - start;
    while (wait(NULL) > 0) continue;
    if (getrusage(RUSAGE_CHILDREN, &u)) return 2;
    FILE *report = fopen(argv[1], "w");
    if (!report) return 2;
    fprintf(report, "%d %.6f %.6f %.6f %ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            u.ru_utime.tv_sec + u.ru_utime.tv_usec / 1e6, u.ru_stime.tv_sec + u.ru_stime.tv_usec / 1e6, wall,
            u.ru_maxrss);
    return fclose(report) ? 2 : 0;
}

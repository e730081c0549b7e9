/* A child measures and prints the rate: it ends, and its threads and OpenBLAS with it. */
#include "experiments/plan/sgemm_rate.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/base.h"
#include "core/base/file.h"

/* `sanlab doctor sgemm`; what it says when it cannot is not ours to say. */
static void measure(const char *program, int threads, bool cpu_time, bool blas, int out)
{
    char *team = heap_print("%d", threads);
    setenv("OMP_NUM_THREADS", team, 1);
    if (blas) setenv("SANLAB_PRODUCTS", "blas", 1);
    if (blas) unsetenv("OPENBLAS_CORETYPE");
    dup2(out, STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    execl(program, "sanlab", "doctor", "sgemm", cpu_time ? "--cpu-time" : (char *)NULL,
          (char *)NULL);
    _exit(127);
}

double sgemm_rate_measure(int threads, bool cpu_time, bool blas)
{
    char *program = heap_print("%s/sanlab", file_program_folder());
    int ends[2];
    double rate = 0;
    if (file_exists(program) && pipe(ends) == 0) {
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) measure(program, threads, cpu_time, blas, ends[1]);
        close(ends[1]);
        FILE *in = fdopen(ends[0], "r");
        if (child < 0 || fscanf(in, "%lf", &rate) != 1) rate = 0;
        fclose(in);
        if (child > 0) waitpid(child, NULL, 0);
    }
    free(program);
    return rate;
}

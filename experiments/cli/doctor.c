/* sanlab doctor: prints the environment on which results and speed depend, and its problems. */
#include <jansson.h>
#include <omp.h>
#include <openssl/opensslv.h>
#include <sqlite3.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utf8proc.h>
#include <yaml.h>

#include "core/base/file.h"
#include "core/base/file_system.h"
#include "core/base/jail.h"
#include "core/bench/measure.h"
#include "core/cpu/blas.h"
#include "core/cpu/product_choice.h"
#include "core/model/device_choice.h"
#include "experiments/cli/verbs.h"
#include "experiments/plan/plan.h"
#include "experiments/stage/environment.h"
#include "experiments/stage/machine.h"
#include "plots/gnuplot.h"
#include "results/sheet/number_format.h"
#include "results/store/store.h"

static int findings; /* number of lines that complain has printed */

/* Prints a finding below the line to which it belongs. */
static void PRINTF(1, 2) complain(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("  !! ", stdout);
    vprintf(format, list);
    putchar('\n');
    va_end(list);
    findings++;
}

static void print_processor(void)
{
    json_auto_t *environment = environment_describe(DEVICE_CPU);
    int cores = machine_cores();
    printf("processor  %s; this process may use %d of %ld cores%s\n",
           json_string_value(json_object_get(environment, "processor")), cores,
           sysconf(_SC_NPROCESSORS_ONLN), getenv("SANLAB_CORES") ? ", by SANLAB_CORES" : "");
    printf("kernels    %s\n", device_ops(DEVICE_CPU)->name);
    printf("threads    %d of OpenMP\n", omp_get_max_threads());
    const double memory = machine_memory();
    if (memory >= 0) printf("memory     %.1f GB free\n", memory / 1e9);
    if (omp_get_max_threads() > cores)
        complain("more threads than cores: they will wait for one another");
}

/* Measures the active products and OpenBLAS in turns, because the load by other programs may
 * change. */
static void print_products(void)
{
    enum { TURNS = 3 };
    const bool own = !blas_asked();
    const int threads = omp_get_max_threads();
    const char *why, *best = blas_best_core();
    const struct blas *blas = blas_try(&why);
    double rate = 0, blas_rate = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        rate = fmax(rate, sgemm_rate_measure(threads, false, false));
        if (blas) blas_rate = fmax(blas_rate, sgemm_rate_measure(threads, false, true));
    }
    printf("products   %s\n", own ? "our own, 1: the same bytes on every machine"
                                  : "OpenBLAS's, by SANLAB_PRODUCTS=blas");
    printf("sgemm      %.1f GFLOP/s on %d threads (512 x 2048 x 512)\n", rate / 1e9, threads);
    if (!(rate > 0)) complain("sgemm could not be measured");
    if (!blas) {
        printf("OpenBLAS   cannot be opened: %s\n", why);
        printf("           only SANLAB_PRODUCTS=blas needs it (libopenblas0-openmp)\n");
        return;
    }
    printf("OpenBLAS   %s; kernels of %s%s\n", blas->config(), blas->core(),
           getenv("OPENBLAS_CORETYPE") ? ", by OPENBLAS_CORETYPE" : "");
    printf("           %.1f GFLOP/s with kernels of %s\n", blas_rate / 1e9, best);
    if (!own && strcmp(blas->core(), best) != 0 && blas_rate > rate)
        complain("kernels of %s on a processor that can run those of %s, which do %.2f times as "
                 "much; unset OPENBLAS_CORETYPE",
                 blas->core(), best, blas_rate / rate);
}

/* Prints the products of a device and, each in its own line, its facts "one; two". */
static void print_described(const char *label, const char *device, const json_t *environment)
{
    const char *facts = json_string_value(json_object_get(environment, "facts"));
    printf("%-10s %s: %s\n", label, device,
           json_string_value(json_object_get(environment, "products")));
    for (size_t length; facts && *facts; facts += length, facts += strspn(facts, "; ")) {
        length = strcspn(facts, ";");
        printf("           %.*s\n", (int)length, facts);
    }
}

/* Prints the device that would compute, and a GPU if there is a plug-in for it. */
static void print_device(void)
{
    char why[MESSAGE_BYTES];
    const bool is_gpu = !strcmp(device_used(), "cuda");
    if (!is_gpu) {
        json_auto_t *environment = environment_ask(device_word());
        print_described("device", device_word(), environment);
        if (!device_there("cuda")) {
            puts("GPU        sanlab-cuda.so is missing; `make cuda` builds it (CUDA 13)");
            return;
        }
    }
    json_auto_t *gpu = environment_try(is_gpu ? device_word() : "cuda", why);
    if (gpu)
        print_described("GPU", is_gpu ? device_word() : "cuda", gpu);
    else
        printf("GPU        sanlab-cuda.so is here, but --device cuda does not work:\n"
               "           %s\n",
               why);
    if (!gpu && is_gpu) complain("the GPU does not work");
}

static void print_libraries(void)
{
    printf("libraries  libyaml %s, SQLite %s, jansson %s, %s, utf8proc %s\n",
           yaml_get_version_string(), sqlite3_libversion(), jansson_version_str(),
           OPENSSL_VERSION_TEXT, utf8proc_version());
    puts("compiler   " ENVIRONMENT_COMPILER);
}

/* Prints the file system of `path`, which need not exist. */
static void print_file_system(const char *path)
{
    SCOPED(arena_free) struct arena arena = {0};
    SCOPED(heap_free) char *place = plan_disk_parent(path);
    enum file_system where;
    const char *name = file_system_name(place, &where, &arena);
    printf("%s%s\n", name ? ", " : "", name ? name : "");
    if (where == FILE_SYSTEM_NETWORK)
        complain("a network file system: stages are safe there (leases), but SQLite's locks may "
                 "not hold between machines: query it from one machine at a time");
}

static void print_gnuplot(void)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *gnuplot = gnuplot_find(&arena);
    const bool jail = jail_available();
    printf("figures    gnuplot %s%s\n", gnuplot ? gnuplot : "is not on the PATH",
           jail ? ", in a sandbox in which it cannot start programs" : "");
    if (!gnuplot) complain("without gnuplot there are tables, but no figures: install gnuplot-nox");
    if (!jail) complain("no seccomp filter here: a script of gnuplot could start programs");
}

static void print_folders(const char *runs)
{
    const char *data = getenv("SANLAB_DATA");
    if (data && !*data) data = NULL; /* the search for text also ignores an empty name */
    printf("data       %s%s%s\n", data ? "$SANLAB_DATA is " : "data/ (SANLAB_DATA is not set)",
           data ? data : "",
           file_is_folder(data ? data : "data") ? "" : ": this folder is missing");
    if (data && !file_is_folder(data)) complain("SANLAB_DATA is not a folder");

    const bool there = file_is_folder(runs);
    const double spare = plan_disk_spare(runs);
    SCOPED(arena_free) struct arena arena = {0};
    printf("disk       %s free for %s%s", spare < 0 ? "unknown space" : number_bytes(&arena, spare),
           runs, there ? "" : " (does not exist yet)");
    print_file_system(runs);
    if (spare >= 0 && spare < 1e9) complain("less than 1 GB: checkpoints will soon fill the disk");
    if (there && access(runs, W_OK) != 0) complain("%s cannot be written", runs);
}

static int run(struct verb_call *call)
{
    if (call->words) {
        if (strcmp(call->word[0], "sgemm"))
            die("doctor: expected nothing or sgemm, got \"%s\"", call->word[0]);
        printf("%.0f\n", products_rate(verb_switch(call, "--cpu-time") ? measure_cpu_seconds
                                                                       : clock_seconds));
        return 0;
    }
    print_processor();
    print_products();
    print_device();
    printf("           %s", verb_text("doctor_gpu"));
    print_libraries();
    print_gnuplot();
    print_folders(verb_value(call, "--runs"));
    if (findings)
        printf("%d finding%s, marked !!\n", findings, findings > 1 ? "s" : "");
    else
        puts("all is well");
    return findings ? 1 : 0;
}

const struct verb verb_doctor = {.name = "doctor", .run = run, .words = {0, 1}};

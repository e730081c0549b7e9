/* Tests OpenBLAS as sanlab opens it. Child processes run this program with another environment, and
 * print the core that OpenBLAS selects. Rates of products are in a plausible range. A training is
 * not continued with other products. */
#include "tests/support/test.h"

#include "core/cpu/blas.h"
#include "core/cpu/processor.h"
#include "core/cpu/product_choice.h"

/* The core for this processor, and another one. */
#ifdef __x86_64__
#define BEST (processor_has_v4() ? "SkylakeX" : "Haswell")
#define OTHER "Nehalem"
#else
#define BEST "armv8"
#define OTHER "neoversen1"
#endif

static void skip_without_blas(void)
{
    const char *why;
    if (blas_try(&why)) return;
    test_skip("OpenBLAS: %s", why);
}

/* Main function of the child process. Prints the core, the number of threads, and 1 if
 * OPENBLAS_CORETYPE is unchanged. */
static int report_main(void)
{
    omp_set_num_threads(3);
    const char *before = getenv("OPENBLAS_CORETYPE");
    const char *core = blas_open()->core(), *after = getenv("OPENBLAS_CORETYPE");
    printf("%s %d %d\n", core, omp_get_max_threads(),
           before ? after && !strcmp(before, after) : !after);
    return 0;
}

static void core_with(const char *wish, char core[32])
{
    int ends[2], threads, status, same;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        wish ? setenv("OPENBLAS_CORETYPE", wish, 1) : unsetenv("OPENBLAS_CORETYPE");
        dup2(ends[1], STDOUT_FILENO);
        execl("/proc/self/exe", "blas_test", "report", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    assert_int_equal(fscanf(in, "%31s %d %d", core, &threads, &same), 3);
    fclose(in);
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_int_equal(threads, 3);
    assert_true(same); /* a child must not take sanlab's choice for the user's */
}

TEST(the_core_is_the_processors_or_the_users)
{
    skip_without_blas();
    char core[32];
    core_with(NULL, core);
    assert_string_equal(core, BEST);
    core_with(OTHER, core);
    assert_string_equal(core, OTHER);
}

TEST(products_have_a_rate)
{
    omp_set_num_threads(1);
    assert_in_range((uint64_t)products_rate(clock_seconds), 100000000, 100000000000000);
    assert_string_equal(products_name(), "1");
    skip_without_blas();
    setenv("SANLAB_PRODUCTS", "blas", 1);
    assert_in_range((uint64_t)products_rate(clock_seconds), 100000000, 100000000000000);
    assert_non_null(strstr(products_name(), blas_open()->core()));
    assert_int_equal(omp_get_max_threads(), 1);
    unsetenv("SANLAB_PRODUCTS");
}

/* tests/cli/products.sh tests other values of SANLAB_PRODUCTS, and trainings that began with other
 * products. */
TEST(other_products_are_refused)
{
    char saved[96], setting[96];
    snprintf(saved, sizeof saved, "OpenBLAS 0.3.21 USE_OPENMP %s MAX_THREADS=64", BEST);
    snprintf(setting, sizeof setting, "use SANLAB_PRODUCTS=blas OPENBLAS_CORETYPE=%s, or", BEST);
    setenv("SANLAB_PRODUCTS", "", 1);
    EXPECT_DIE("expected own or blas, got \"\"", blas_asked());
    unsetenv("SANLAB_PRODUCTS");
    setenv("OPENBLAS_CORETYPE", OTHER, 1);
    EXPECT_DIE(setting, products_refuse("ckpt", saved));
    unsetenv("OPENBLAS_CORETYPE");
    EXPECT_DIE("our own (2), this process has products of our own (1): the results would differ "
               "from an uninterrupted run; use SANLAB_ANY_NUMERICS=1 to continue anyway",
               products_refuse("ckpt", "2"));
    skip_without_blas();
    setenv("SANLAB_PRODUCTS", "blas", 1);
    EXPECT_DIE("use SANLAB_ANY_NUMERICS=1", /* no setting gives the products of another release */
               products_refuse("ckpt", saved));
    unsetenv("SANLAB_PRODUCTS");
}

int main(int count, char **word)
{
    if (count > 1) return report_main();
    unsetenv("SANLAB_PRODUCTS");
    return tests_run();
}

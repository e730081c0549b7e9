/* Tests sanlab's matrix products against their definition, in which every element of gemm and
 * gemm_weight is a loop over fmaf. Both tables give its bits with any number of threads, for any
 * shape and alignment. */
#include "tests/support/test.h"

#include <sys/mman.h>

#include "core/base/pcg64.h"
#include "core/cpu/blas.h"
#include "core/cpu/cpu.h"

enum { CUT = 256, FRONT = 16 };

/* Kinds of numbers. HUGE_ONES has infinities, whose sums may be NaN. TINY has products that are
 * subnormal or 0. SIGNS has zeros and small numbers of both signs, so that a product may be -0. */
enum values { PLAIN, TINY, HUGE_ONES, SIGNS, VALUES };

static float number(struct pcg64 *random, enum values values)
{
    static const float signs[] = {0.0f, -0.0f, 1.0f, -1.0f, 1e-30f, -1e-30f};
    const float x = (float)(2 * pcg64_uniform(random) - 1);
    if (values == TINY) return ldexpf(x, -(int)pcg64_below(random, 26) - 50);
    if (values == HUGE_ONES)
        return pcg64_below(random, 400) ? ldexpf(x, (int)pcg64_below(random, 30) + 36)
                                        : copysignf(INFINITY, x);
    return values == SIGNS ? signs[pcg64_below(random, COUNT_OF(signs))] : x;
}

/* A matrix whose rows are ld numbers apart. NaN fills the memory before the matrix and between its
 * rows. After its last number, there is an inaccessible page. */
struct matrix {
    int rows, columns, ld;
    float *x;
    size_t count; /* numbers from the first to the last */
    char *page;
    size_t bytes; /* of the accessible pages */
};

static struct matrix matrix_new(int rows, int columns, int ld)
{
    struct matrix m = {.rows = rows, .columns = columns, .ld = ld};
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    m.count = rows && columns ? (size_t)(rows - 1) * (size_t)ld + (size_t)columns : 0;
    m.bytes = ((FRONT + m.count) * sizeof *m.x + page - 1) / page * page;
    m.page = mmap(NULL, m.bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(m.page != MAP_FAILED);
    assert_int_equal(mprotect(m.page + m.bytes, page, PROT_NONE), 0);
    m.x = (float *)(void *)(m.page + m.bytes) - m.count;
    memset(m.page, 0xff, m.bytes);
    return m;
}

static void matrix_close(struct matrix *m)
{
    munmap(m->page, m->bytes + (size_t)sysconf(_SC_PAGESIZE));
}

static void matrix_fill(struct matrix *m, struct pcg64 *random, enum values values)
{
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->columns; j++) m->x[(int64_t)i * m->ld + j] = number(random, values);
}

/* Returns a matrix that a product reads and must not write. */
static struct matrix input(struct pcg64 *random, int rows, int columns, enum values values)
{
    const int extra = pcg64_below(random, 2) ? 0 : 1 + (int)pcg64_below(random, 40);
    struct matrix m = matrix_new(rows, columns, columns + extra);
    matrix_fill(&m, random, values);
    assert_int_equal(mprotect(m.page, m.bytes, PROT_READ), 0);
    return m;
}

static float *floats(const struct act *x)
{
    return (float *)(uintptr_t)x;
}

static struct act *acts(const float *x)
{
    return (struct act *)(uintptr_t)x;
}

/* A product and its matrices. `before` has the content of C before the product. gemm_weight is
 * stored as a gemm whose A is transposed, and whose K is T. */
struct product {
    struct gemm g;
    bool weight;
    struct matrix a, b, c, bias, before;
};

/* Returns element (i, j) by definition. c: the element before the product. */
static float element(const struct gemm *g, int i, int j, float c)
{
    const float *a = floats(g->a), *b = floats(g->b);
    if (!g->add) c = 0;
    for (int from = 0; from < g->K; from += CUT) {
        float s = 0;
        for (int k = from; k < g->K && k < from + CUT; k++) {
            const float x =
                g->transpose_a ? a[(int64_t)k * g->lda + i] : a[(int64_t)i * g->lda + k];
            const float y =
                g->transpose_b ? b[(int64_t)j * g->ldb + k] : b[(int64_t)k * g->ldb + j];
            s = fmaf(x, y, s);
        }
        const float scaled = g->scale * s;
        c = g->add || from ? c + scaled : scaled;
    }
    return g->bias ? c + ((const real *)(const void *)g->bias)[j] : c;
}

static void multiply(const struct ops *ops, const struct gemm *g, bool weight)
{
    if (weight)
        ops->gemm_weight(&(struct gemm_weight){.T = g->K,
                                               .M = g->M,
                                               .N = g->N,
                                               .a = g->a,
                                               .lda = g->lda,
                                               .b = g->b,
                                               .ldb = g->ldb,
                                               .c = floats(g->c),
                                               .add = g->add,
                                               .scale = g->scale});
    else
        ops->gemm(g);
}

/* Multiplies with B packed in the order of this table. */
static void multiply_packed(const struct ops *ops, const struct gemm *g)
{
    struct gemm packed = *g;
    const size_t columns = (size_t)((g->N + ops->panel - 1) / ops->panel * ops->panel);
    const size_t bytes = (size_t)g->K * columns * sizeof(float);
    struct act *b = ops->alloc(bytes);
    ops->pack(&(struct pack){.transpose_b = g->transpose_b,
                             .N = g->N,
                             .K = g->K,
                             .b = g->b,
                             .ldb = g->ldb,
                             .packed = b});
    packed.packed = b;
    packed.b = NULL;
    ops->gemm(&packed);
    ops->release(b, bytes);
}

static void put(const struct matrix *to, const struct matrix *from)
{
    memcpy(to->page, from->page, from->bytes);
}

static struct product product_new(struct pcg64 *random, const struct gemm *what, bool weight,
                                  bool biased, enum values values)
{
    struct product p = {.g = *what, .weight = weight};
    struct gemm *g = &p.g;
    p.a = g->transpose_a ? input(random, g->K, g->M, values) : input(random, g->M, g->K, values);
    p.b = g->transpose_b ? input(random, g->N, g->K, values) : input(random, g->K, g->N, values);
    p.bias = input(random, 1, g->N, values);
    g->ldc = g->N + (weight ? 0 : (int)pcg64_below(random, 20));
    p.c = matrix_new(g->M, g->N, g->ldc);
    p.before = matrix_new(g->M, g->N, g->ldc);
    if (g->add) matrix_fill(&p.before, random, values);
    put(&p.c, &p.before);
    g->a = acts(p.a.x), g->lda = p.a.ld;
    g->b = acts(p.b.x), g->ldb = p.b.ld;
    g->c = acts(p.c.x);
    g->bias = biased ? acts(p.bias.x) : NULL;
    return p;
}

static void product_close(struct product *p)
{
    matrix_close(&p->a);
    matrix_close(&p->b);
    matrix_close(&p->c);
    matrix_close(&p->bias);
    matrix_close(&p->before);
}

/* Compares the pages of C with `want`, bit for bit, and fails at the first difference. Within C,
 * any NaN equals any other NaN. */
static void same(const struct product *p, const struct matrix *want, const char *who)
{
    const struct matrix *got = &p->c;
    const struct gemm *g = &p->g;
    if (!memcmp(got->page, want->page, want->bytes)) return;
    const int64_t front = got->x - (const float *)(const void *)got->page;
    for (int64_t at = -front; at < (int64_t)got->count; at++) {
        const bool inside = at >= 0 && at % g->ldc < g->N;
        if (!memcmp(got->x + at, want->x + at, sizeof *got->x)) continue;
        if (inside && isnan(got->x[at]) && isnan(want->x[at])) continue;
        const char *where = inside ? "" : at < 0 ? ", before it" : ", between its rows";
        fail_msg("%s%s%s, M %d, N %d, K %d, lda %d, ldb %d, ldc %d%s, scale %g%s; %s: "
                 "C[%lld, %lld]%s is %a, expected %a",
                 p->weight ? "gemm_weight" : "gemm", g->transpose_a && !p->weight ? ", A^T" : "",
                 g->transpose_b ? ", B^T" : "", g->M, g->N, g->K, g->lda, g->ldb, g->ldc,
                 g->add ? ", add" : "", (double)g->scale, g->bias ? ", bias" : "", who,
                 (long long)(at < 0 ? 0 : at / g->ldc), (long long)(at < 0 ? at : at % g->ldc),
                 where, (double)got->x[at], (double)want->x[at]);
    }
}

static const int team[] = {1, 2, 3, 7};

/* Checks that every table gives `want`, with every step-th number of threads in `team`. */
static void all_same(struct product *p, const struct matrix *want, size_t step)
{
    const struct ops *ops[CPU_TABLES];
    for (int t = 0; t < cpu_tables(ops); t++)
        for (size_t i = 0; i < COUNT_OF(team); i += step) {
            char who[64];
            snprintf(who, sizeof who, "%s, %d threads", ops[t]->name, team[i]);
            omp_set_num_threads(team[i]);
            put(&p->c, &p->before);
            multiply(ops[t], &p->g, p->weight);
            same(p, want, who);
            if (p->weight) continue;
            snprintf(who, sizeof who, "%s, %d threads, packed", ops[t]->name, team[i]);
            put(&p->c, &p->before);
            multiply_packed(ops[t], &p->g);
            same(p, want, who);
        }
}

static void holds(struct product *p)
{
    const struct gemm *g = &p->g;
    struct matrix want = matrix_new(g->M, g->N, g->ldc);
    put(&want, &p->before);
    for (int i = 0; i < g->M; i++)
        for (int j = 0; j < g->N; j++) {
            float *c = want.x + (int64_t)i * g->ldc + j;
            *c = element(g, i, j, *c);
        }
    all_same(p, &want, 1);
    matrix_close(&want);
}

static const int rows[] = {1, 6, 12, 13, 16, 17, 33, 240, 241, 481};
static const int columns[] = {1, 15, 16, 17, 31, 32, 33, 64, 100, 145};
static const int depths[] = {0, 1, 255, 256, 257, 4096};
static const float scales[] = {.37f, -1.5f, 0.125f, 0};
static const double most_work =
    2e6; /* maximum of M N K, so that the loops of the definition are fast */

/* Tests every combination of flags with every depth. bits: number of flags; the flags are add,
 * scale, bias and the two transpositions. */
static void choices(bool weight, int bits, int rounds)
{
    struct pcg64 random = pcg64_seed(weight ? 11 : 10);
    for (size_t d = 0; d < COUNT_OF(depths); d++)
        for (int round = 0; round < rounds; round++)
            for (int flags = 0; flags < 1 << bits; flags++) {
                struct gemm g = {.K = depths[d], .add = flags & 1, .scale = 1};
                do {
                    g.M = rows[pcg64_below(&random, COUNT_OF(rows))];
                    g.N = columns[pcg64_below(&random, COUNT_OF(columns))];
                } while ((double)g.M * g.N * g.K > most_work);
                if (flags & 2) g.scale = scales[pcg64_below(&random, COUNT_OF(scales))];
                g.transpose_a = weight || flags & 8;
                g.transpose_b = flags & 16;
                struct product p = product_new(&random, &g, weight, flags & 4,
                                               (enum values)pcg64_below(&random, VALUES));
                holds(&p);
                product_close(&p);
            }
}

TEST(gemm_is_defined)
{
    choices(false, 5, 2);
}

TEST(gemm_weight_is_defined)
{
    choices(true, 2, 12);
}

/* Empty products must not read or write. */
TEST(nothing_is_nothing)
{
    const struct ops *ops[CPU_TABLES];
    for (int t = 0; t < cpu_tables(ops); t++)
        for (int weight = 0; weight < 2; weight++) {
            multiply(ops[t], &(struct gemm){.M = 0, .N = 5, .K = 3, .scale = 1}, weight);
            multiply(ops[t], &(struct gemm){.M = 5, .N = 0, .K = 3, .scale = 1}, weight);
        }
}

/* Tests products that a kernel may cut into several blocks. Some elements are compared with the
 * definition. All elements must be equal in all tables, with one thread and with seven. The last
 * size is tested only for gemm, because valgrind takes minutes. */
TEST(large_ones_are_defined)
{
    static const int size[][3] = {{250, 1030, 257}, {5, 2100, 520},  {2100, 5, 520},
                                  {40, 1025, 16},   {1300, 20, 520}, {1, 4099, 300},
                                  {5, 400, 2700},   {250, 4200, 260}};
    enum { LOOKED_AT = 2000 };
    struct pcg64 random = pcg64_seed(12);
    const struct ops *ops[CPU_TABLES];
    cpu_tables(ops);
    for (uint32_t flags = 0; flags < 2 * COUNT_OF(size) - 1; flags++) {
        const int *at = size[flags % COUNT_OF(size)];
        const bool weight = flags >= COUNT_OF(size);
        struct gemm g = {.M = at[0], .N = at[1], .K = at[2], .add = flags & 1, .scale = 1};
        g.transpose_a = weight || flags & 2;
        g.transpose_b = !weight && flags & 1;
        struct product p = product_new(&random, &g, weight, !weight, PLAIN);
        multiply(ops[0], &p.g, weight);
        for (int n = 0; n < LOOKED_AT; n++) {
            const int i = (int)pcg64_below(&random, (uint32_t)g.M);
            const int j = (int)pcg64_below(&random, (uint32_t)g.N);
            const int64_t place = (int64_t)i * p.g.ldc + j;
            const float want = element(&p.g, i, j, p.before.x[place]);
            if (memcmp(&want, p.c.x + place, sizeof want))
                fail_msg("M %d, N %d, K %d: C[%d, %d] is %a, expected %a", g.M, g.N, g.K, i, j,
                         (double)p.c.x[place], (double)want);
        }
        struct matrix whole = matrix_new(g.M, g.N, p.g.ldc);
        put(&whole, &p.c);
        all_same(&p, &whole, COUNT_OF(team) - 1);
        matrix_close(&whole);
        product_close(&p);
    }
}

/* Computes rows from..to and columns left..right of a product separately. They must equal the same
 * part of the whole product. */
static void part_is_of_whole(struct product *p, const struct ops *ops, const int at[4])
{
    const int from = at[0], to = at[1], left = at[2], right = at[3];
    const int64_t place = (int64_t)from * p->g.ldc + left;
    struct gemm part = p->g;
    struct matrix want = matrix_new(p->g.M, p->g.N, p->g.ldc);
    part.M = to - from, part.N = right - left;
    part.a = acts(p->a.x + (part.transpose_a ? from : (int64_t)from * part.lda));
    part.b = acts(p->b.x + (part.transpose_b ? (int64_t)left * part.ldb : left));
    part.c = acts(p->c.x + place);
    if (part.bias) part.bias = acts(p->bias.x + left);
    put(&want, &p->before);
    put(&p->c, &p->before);
    multiply(ops, &p->g, false);
    for (int i = 0; i < part.M; i++)
        memcpy(want.x + place + (int64_t)i * p->g.ldc, p->c.x + place + (int64_t)i * p->g.ldc,
               (size_t)part.N * sizeof *want.x);
    put(&p->c, &p->before);
    multiply(ops, &part, false);
    same(p, &want, "a part of it alone");
    matrix_close(&want);
}

TEST(place_decides_nothing)
{
    enum { TRIALS = 200 };
    const struct ops *ops[CPU_TABLES];
    const int count = cpu_tables(ops);
    struct pcg64 random = pcg64_seed(13);
    omp_set_num_threads(2);
    for (int trial = 0; trial < TRIALS; trial++) {
        struct gemm g = {.transpose_a = trial & 1,
                         .transpose_b = trial & 2,
                         .add = trial & 4,
                         .scale = trial & 8 ? 1 : .7f,
                         .M = 1 + (int)pcg64_below(&random, 150),
                         .N = 1 + (int)pcg64_below(&random, 150),
                         .K = 1 + (int)pcg64_below(&random, 600)};
        struct product p = product_new(&random, &g, false, trial & 16, PLAIN);
        const int from = (int)pcg64_below(&random, (uint32_t)g.M);
        const int left = (int)pcg64_below(&random, (uint32_t)g.N);
        const int to = from + 1 + (int)pcg64_below(&random, (uint32_t)(g.M - from));
        const int right = left + 1 + (int)pcg64_below(&random, (uint32_t)(g.N - left));
        part_is_of_whole(&p, ops[trial % count], (int[]){from, to, left, right});
        product_close(&p);
    }
}

/* Returns the root mean square error of a product, compared with sums in double. */
static double error_of(const struct product *p)
{
    const struct gemm *g = &p->g;
    double squares = 0;
    for (int i = 0; i < g->M; i++)
        for (int j = 0; j < g->N; j++) {
            double sum = 0;
            for (int k = 0; k < g->K; k++)
                sum += (double)p->a.x[(int64_t)i * g->lda + k] *
                       (double)p->b.x[(int64_t)k * g->ldb + j];
            const double off = (double)p->c.x[(int64_t)i * g->ldc + j] - sum;
            squares += off * off;
        }
    return sqrt(squares / g->M / g->N);
}

/* The cores of OpenBLAS split K at other positions than sanlab. Their errors differ by up to a
 * fifth, which is the tolerance. A single chain over all of K has eight times the error. */
TEST(long_sums_are_as_exact_as_a_library)
{
    const char *why;
    if (!blas_try(&why)) test_skip("OpenBLAS: %s", why);
    struct pcg64 random = pcg64_seed(14);
    const struct gemm g = {.M = 24, .N = 48, .K = 25000, .scale = 1};
    struct product p = product_new(&random, &g, false, false, PLAIN);
    multiply(cpu_ops(), &p.g, false);
    const double own = error_of(&p);
    blas_gemm(&p.g);
    const double library = error_of(&p);
    if (!(own > 0 && own <= 1.2 * library))
        fail_msg("K %d: error %.3g, OpenBLAS's %.3g (%s)", g.K, own, library, blas_open()->core());
    product_close(&p);
}

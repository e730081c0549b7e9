/* Measures the nodes of a training step and compares them with their floors. A floor is the time
 * that this machine needs at least for the products and bytes of a node. A node far above its floor
 * can perhaps be made faster. */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "core/base/pcg64.h"
#include "core/cpu/blas.h"
#include "dev/bench_parts.h"

/* A line of the printed table: one node, or the sums of all nodes with the same role
 * (profile_role). sum.path is the path of the node, or the role. */
struct step_part {
    int count;
    struct profile_node sum;
    double floor; /* seconds of a round; 0: unknown */
};

/* ---- floors ---- */

/* Shapes whose time is known; M is rounded. */
struct floors {
    const struct bench *bench;
    double products; /* operations per second of large products */
    int shapes;
    struct {
        int M, K, N;
        double seconds[PROFILE_PASSES];
    } shape[64];
};

/* Returns a matrix of random numbers in [-1, 1). */
static real *random_matrix(const struct ops *ops, int rows, int columns)
{
    struct pcg64 random = pcg64_seed(1);
    const int64_t count = (int64_t)rows * columns;
    real *matrix = ops->alloc((size_t)count * sizeof *matrix);
    for (int64_t i = 0; i < count; i++) matrix[i] = (real)(2 * pcg64_uniform(&random) - 1);
    return matrix;
}

/* Returns the seconds of a product by OpenBLAS with its own threads, the best of a loop. */
static double sgemm_seconds(const struct floors *floors, bool transpose_a, int M, int N, int K)
{
    static const double moment = 0.03;
    const struct ops *ops = floors->bench->translating.ops;
    const struct blas *blas = blas_open();
    const int team = omp_get_max_threads(), threads = blas->get_threads();
    real *a = random_matrix(ops, M, K), *b = random_matrix(ops, K, N),
         *c = random_matrix(ops, M, N);
    double best = INFINITY, begin = 0;
    blas->set_threads(team);
    for (int call = 0; call < 2 || clock_seconds() - begin < moment; call++) {
        const double from = floors->bench->clock();
        blas->BLAS_GEMM(BLAS_ROW_MAJOR, transpose_a ? BLAS_TRANSPOSED : BLAS_PLAIN, BLAS_PLAIN, M,
                        N, K, 1, a, transpose_a ? M : K, b, N, 0, c, N);
        if (call) best = fmin(best, floors->bench->clock() - from);
        if (!call) begin = clock_seconds(); /* the first call is a warm-up */
    }
    blas->set_threads(threads);
    omp_set_num_threads(team); /* set_threads has also changed this number */
    ops->release(a, (size_t)M * (size_t)K * sizeof *a);
    ops->release(b, (size_t)K * (size_t)N * sizeof *b);
    ops->release(c, (size_t)M * (size_t)N * sizeof *c);
    return best;
}

/* Returns the seconds of a product of a large shape at the rate of large products, else those of
 * the shape itself. */
static double product_seconds(const struct floors *floors, bool transpose_a, int M, int N, int K)
{
    enum { LARGE = 256 };
    if (M >= LARGE && N >= LARGE && K >= LARGE) return 2. * M * N * K / floors->products;
    return sgemm_seconds(floors, transpose_a, M, N, K);
}

/* Returns the seconds of one call of a linear node, [passes]. */
static const double *shape_seconds(struct floors *floors, int M, int K, int N)
{
    int i = 0;
    while (i < floors->shapes &&
           (floors->shape[i].M != M || floors->shape[i].K != K || floors->shape[i].N != N))
        i++;
    double *seconds = floors->shape[i].seconds;
    if (i < floors->shapes) return seconds;
    CHECK(i < (int)COUNT_OF(floors->shape) - 1, "%d shapes of products", i);
    floors->shapes++;
    floors->shape[i].M = M, floors->shape[i].K = K, floors->shape[i].N = N;
    seconds[PROFILE_FORWARD] = product_seconds(floors, false, M, N, K);
    seconds[PROFILE_BACKWARD] =
        product_seconds(floors, true, K, N, M) + product_seconds(floors, false, M, K, N);
    return seconds;
}

static struct floors floors_open(const struct bench *bench)
{
    struct floors floors = {.bench = bench, .products = bench->products};
    if (!bench->translating.ops->mark && blas_try(NULL))
        floors.products = 2. * 2048 * 2048 * 512 / sgemm_seconds(&floors, false, 2048, 2048, 512);
    return floors;
}

/* Returns the floor of a node. A pass takes at least the time of its products, and at least the
 * time in which its bytes are copied. On a GPU, all products count at the rate of large ones. */
static double floor_of(struct floors *floors, const struct profile_node *node, int batches)
{
    const bool shaped = node->K && !floors->bench->translating.ops->mark && blas_try(NULL);
    double sum = 0;
    for (int pass = 0; pass < PROFILE_PASSES; pass++) {
        double products = node->flops[pass] / floors->products;
        if (shaped) {
            const double rows = node->flops[PROFILE_FORWARD] / 2 / node->K / node->N / batches;
            products = batches * shape_seconds(floors, (int)lrint(rows), node->K, node->N)[pass];
        }
        sum += fmax(products, node->bytes[pass] / floors->bench->copy);
    }
    return sum;
}

/* ---- the table ---- */

static int find_parts(struct bench *bench, const struct profile *training, bool nodes,
                      struct step_part *part)
{
    struct arena *arena = &bench->call->arena;
    struct floors floors = bench->no_floors ? (struct floors){0} : floors_open(bench);
    int parts = 0;
    for (int i = 0; i < training->nodes; i++) {
        const struct profile_node *node = &training->node[i];
        const char *name = nodes ? node->path : profile_role(arena, node->path);
        int p = 0;
        while (p < parts && strcmp(part[p].sum.path, name) != 0) p++;
        if (p == parts) part[parts++].sum.path = name;
        part[p].count++;
        if (!bench->no_floors) part[p].floor += floor_of(&floors, node, training->batches);
        for (int pass = 0; pass < PROFILE_PASSES; pass++) {
            part[p].sum.seconds[pass] += node->seconds[pass];
            part[p].sum.flops[pass] += node->flops[pass];
            part[p].sum.bytes[pass] += node->bytes[pass];
        }
    }
    for (int p = 0; p < parts; p++) part[parts].floor += part[p].floor;
    part[parts].count = training->nodes - PROFILE_MORE;
    part[parts].sum = (struct profile_node){
        .path = "step", .seconds = {training->seconds}, .flops = {training->flops}};
    return parts + 1;
}

static void print_parts(const struct bench *bench, const struct profile *training,
                        const struct step_part *part, int parts)
{
    enum { COLUMNS = 10 };
    static const char *const header[COLUMNS] = {"node",     "nodes", "forward ms", "backward ms",
                                                "share",    "MFLOP", "MB",         "GFLOP/s",
                                                "floor ms", "floor"};
    struct arena *arena = &bench->call->arena;
    struct sheet *sheet = sheet_headed(arena, parts, COLUMNS, header, 1);
    sheet->missing = "";
    for (int i = 0; i < parts; i++) {
        const struct profile_node *sum = &part[i].sum;
        const double forward = sum->seconds[PROFILE_FORWARD] / training->batches;
        const double backward = sum->seconds[PROFILE_BACKWARD] / training->batches;
        const double seconds = forward + backward, step = training->seconds / training->batches;
        const double flops = (sum->flops[0] + sum->flops[1]) / training->batches;
        const double bytes = (sum->bytes[0] + sum->bytes[1]) / training->batches;
        const double floor = part[i].floor / training->batches;
        bench_cells(arena, sheet, i, 0, "%s|%d|%.2f", sum->path, part[i].count, 1e3 * forward);
        if (backward > 0) bench_cells(arena, sheet, i, 3, "%.2f", 1e3 * backward);
        bench_cells(arena, sheet, i, 4, "%.1f%%", 100 * seconds / step);
        if (flops > 0) {
            bench_cells(arena, sheet, i, 5, "%.0f", flops / 1e6);
            bench_cells(arena, sheet, i, 7, "%.1f", flops / seconds / 1e9);
        }
        if (bytes > 0) bench_cells(arena, sheet, i, 6, "%.1f", bytes / 1e6);
        if (floor > 0)
            bench_cells(arena, sheet, i, 8, "%.2f|%.0f%%", 1e3 * floor, 100 * floor / seconds);
    }
    sheet->rule[parts - 1] = true;
    sheet_text(sheet, stdout);
}

void bench_nodes(struct bench *bench)
{
    struct arena *arena = &bench->call->arena;
    bench->no_floors = verb_switch(bench->call, "--no-floors");
    const struct profile training = bench_step(bench);
    struct step_part *part = ARENA_ARRAY(arena, struct step_part, training.nodes + 1);
    const int parts = find_parts(bench, &training, verb_switch(bench->call, "--nodes"), part);
    putchar('\n');
    print_parts(bench, &training, part, parts);
    puts("\nMB: minimum of bytes read and written\n"
         "floor: the time of the products by OpenBLAS, or of copying as many bytes from memory, in "
         "percent of\nthe node's time; a product of three sides of at least 256 counts at the rate "
         "of 2048 x 2048 x 512,\nanother by its own shape in a loop. It exceeds 100% if the bytes "
         "are in caches");
}

/* Compares sanlab's own matrix products with OpenBLAS, alternately on the same operands: the speed
 * for shapes of training steps and other shapes, and the errors. */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "core/base/pcg64.h"
#include "core/bench/random_corpus.h"
#include "core/cpu/blas.h"
#include "core/cpu/gemm_each.h"
#include "core/model/device_choice.h"
#include "dev/bench_parts.h"

enum racer { OWN, PACKED, BLAS, RACERS };

struct race {
    /* section: heading in the table, for the first product of a preset; else NULL. what: formula of
     * the product */
    const char *section, *node, *what;
    /* shape of the product. The operands are in struct operands. bias: NULL or not NULL, for a
     * product with bias */
    struct gemm g;
    bool weight;         /* sanlab's product is a gemm_weight */
    bool packed;         /* sanlab's product is also measured with B packed in advance */
    double best[RACERS]; /* seconds per call */
};

/* Operands of all races. */
enum { A, B, BIAS, C, PANELS, OPERANDS }; /* PANELS: packed B */
struct operands {
    const struct ops *ops;
    int64_t count[OPERANDS];
    real *at[OPERANDS];
};

/* ---- races ---- */

/* Returns a formula, such as "C + A B' + bias". An apostrophe means transposed. */
static const char *formula(struct arena *arena, const struct gemm *g)
{
    return arena_print(arena, "%sA%s B%s%s", g->add ? "C + " : "", g->transpose_a ? "'" : "",
                       g->transpose_b ? "'" : "", g->bias ? " + bias" : "");
}

static struct race shape(int M, int N, int K, bool transpose_a)
{
    struct race race = {.g = {.transpose_a = transpose_a, .M = M, .N = N, .K = K, .scale = 1}};
    race.g.lda = transpose_a ? M : K, race.g.ldb = race.g.ldc = N;
    return race;
}

/* Entry for the next recorded product. It is global because an op has no context argument. */
static struct gemm *next;

static void take_gemm(const struct gemm *g)
{
    *next++ = *g;
}

static void take_gemm_weight(const struct gemm_weight *g)
{
    *next++ = cpu_gemm_of_weight(g);
}

/* Adds the products of linear nodes in the first batch of a training: the node of the logits, and
 * the nodes of encoder layer 1. The other encoder layers have the same shapes. The nodes run with
 * an op table whose products record their arguments and compute nothing. */
static int add_training(const struct bench *bench, const char *preset, const struct corpus *corpus,
                        struct race *race)
{
    enum { WEIGHT = 1, PASSES = 3 };
    /* Order of a node's products. */
    static const char *const pass[PASSES] = {"forward", "dW", "dx"};
    struct arena *arena = &bench->call->arena, scratch = {0};
    struct bench model = *bench;
    int races = 0;
    bench_take_preset(&model, preset, NULL, 0);
    const struct translating translating =
        settings_translating(model.settings, device_ops(DEVICE_CPU), corpus, 1);
    struct learner *learner = translating_open_micro(&scratch, &translating);
    struct graph *graph = learner->list;
    const struct ops *ops = graph->ops;
    struct ops taking = *ops;
    taking.gemm = take_gemm;
    taking.gemm_weight = take_gemm_weight;
    graph->ops = &taking;
    graph_load(graph, learner->step(learner->context, 0, 0, &scratch).micro);
    for (int i = 0; i < graph->nodes; i++) {
        struct node *node = graph->node[i];
        struct gemm product[PASSES];
        if (strcmp(node->type->name, "linear") != 0 ||
            (strncmp(node->path, "encoder.1.", 10) != 0 && strcmp(node->path, "logits") != 0))
            continue;
        next = product;
        node->type->forward(graph, node);
        node->type->backward(graph, node);
        CHECK(next == product + PASSES, "%s: %d products", node->path, (int)(next - product));
        for (int p = 0; p < PASSES; p++)
            race[races++] = (struct race){
                .node = arena_text(arena, node->path),
                .what = arena_print(arena, "%s: %s", pass[p], formula(arena, &product[p])),
                .g = product[p],
                .weight = p == WEIGHT};
    }
    graph->ops = ops;
    translating_close(learner);
    arena_free(&scratch);
    race->section = model.name;
    return races;
}

static int add_shapes(struct arena *arena, struct race *race)
{
    static const struct {
        int M, N, K;
        bool transpose_a;
    } list[] = {{2048, 2048, 512, false}, {2048, 1024, 256, false}, {2048, 256, 1024, false},
                {2048, 8192, 256, false}, {256, 8192, 256, false},  {64, 8192, 256, false},
                {64, 768, 256, false},    {64, 1024, 256, false},   {16, 1024, 256, false},
                {1, 1024, 256, false},    {256, 4096, 128, false},  {64, 512, 128, false},
                {256, 1024, 2048, false}, {1024, 256, 2048, false}, {256, 1024, 4096, false},
                {128, 512, 4096, false},  {8192, 256, 2048, true},  {2048, 33, 256, false}};
    for (size_t i = 0; i < COUNT_OF(list); i++) {
        race[i] = shape(list[i].M, list[i].N, list[i].K, list[i].transpose_a);
        race[i].what = formula(arena, &race[i].g);
        race[i].packed = true;
    }
    race->section = "other shapes";
    return (int)COUNT_OF(list);
}

/* ---- operands ---- */

/* Allocates operands large enough for all races, uniform in [-1, 1). */
static void operands_open(struct operands *operands, const struct race *race, int races)
{
    const int panel = operands->ops->panel;
    struct pcg64 random = pcg64_seed(1);
    for (int r = 0; r < races; r++) {
        const struct gemm *g = &race[r].g;
        const int64_t count[OPERANDS] = {[A] = (int64_t)(g->transpose_a ? g->K : g->M) * g->lda,
                                         [B] = (int64_t)(g->transpose_b ? g->N : g->K) * g->ldb,
                                         [BIAS] = g->N,
                                         [C] = (int64_t)g->M * g->ldc,
                                         [PANELS] = (int64_t)g->K * (g->N + panel - 1)};
        for (int i = 0; i < OPERANDS; i++)
            if (operands->count[i] < count[i]) operands->count[i] = count[i];
    }
    for (int i = 0; i < OPERANDS; i++) {
        operands->at[i] = operands->ops->alloc((size_t)operands->count[i] * sizeof(real));
        for (int64_t k = 0; k < operands->count[i]; k++)
            operands->at[i][k] = (real)(2 * pcg64_uniform(&random) - 1);
    }
}

static void operands_close(struct operands *operands)
{
    for (int i = 0; i < OPERANDS; i++)
        operands->ops->release(operands->at[i], (size_t)operands->count[i] * sizeof(real));
}

static struct act *act(real *x)
{
    return (struct act *)(void *)x;
}

/* ---- products ---- */

static void multiply_own(const struct race *race, const struct operands *operands, enum racer racer)
{
    struct gemm g = race->g;
    g.a = act(operands->at[A]), g.b = act(operands->at[B]), g.c = act(operands->at[C]);
    g.packed = racer == PACKED ? act(operands->at[PANELS]) : NULL;
    if (g.bias) g.bias = act(operands->at[BIAS]);
    if (!race->weight) {
        operands->ops->gemm(&g);
        return;
    }
    struct gemm_weight w = {.T = g.K, .M = g.M, .N = g.N, .add = g.add, .scale = g.scale};
    w.a = g.a, w.lda = g.lda, w.b = g.b, w.ldb = g.ldb, w.c = operands->at[C];
    operands->ops->gemm_weight(&w);
}

/* Multiplies by OpenBLAS, which divides the product among its threads. OpenBLAS has no bias, so
 * adding the bias needs a second pass over C. */
static void multiply_blas(const struct race *race, const struct operands *operands)
{
    const struct gemm *g = &race->g;
    blas_open()->BLAS_GEMM(BLAS_ROW_MAJOR, g->transpose_a ? BLAS_TRANSPOSED : BLAS_PLAIN,
                           g->transpose_b ? BLAS_TRANSPOSED : BLAS_PLAIN, g->M, g->N, g->K,
                           g->scale, operands->at[A], g->lda, operands->at[B], g->ldb,
                           g->add ? 1 : 0, operands->at[C], g->ldc);
    if (!g->bias) return;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < g->M; i++) {
        real *restrict c = operands->at[C] + (int64_t)i * g->ldc;
#pragma omp simd
        for (int j = 0; j < g->N; j++) c[j] += operands->at[BIAS][j];
    }
}

static void multiply(const struct race *race, const struct operands *operands, enum racer racer)
{
    if (racer == BLAS)
        multiply_blas(race, operands);
    else
        multiply_own(race, operands, racer);
}

/* ---- time ---- */

/* Runs the racers in turns for 0.03 s, after one warm-up turn. In a turn, each racer computes a
 * small product many times, so that the caches have the operands of this racer. If `once` is true,
 * runs a single turn, without warm-up. */
static void run_turns(struct race *race, const struct operands *operands, measure_clock *clock,
                      bool once)
{
    static const double moment = 0.03;
    const struct gemm *g = &race->g;
    const int calls = 1 + (int)(1e8 / g->M / g->N / g->K);
    const double begin = clock_seconds();
    struct pack pack = {.transpose_b = g->transpose_b, .N = g->N, .K = g->K, .ldb = g->ldb};
    pack.b = act(operands->at[B]), pack.packed = act(operands->at[PANELS]);
    if (race->packed) operands->ops->pack(&pack);
    for (int turn = once; turn < 2 || (!once && clock_seconds() - begin < moment); turn++)
        for (int racer = OWN; racer < RACERS; racer++)
            for (int call = 0; call < (racer == PACKED && !race->packed ? 0 : calls); call++) {
                const double from = clock();
                multiply(race, operands, (enum racer)racer);
                const double seconds = clock() - from;
                if (turn && seconds < race->best[racer]) race->best[racer] = seconds;
            }
}

/* Runs every race once per round, so that other processes affect all races equally. */
static void run_races(struct race *race, int races, const struct operands *operands, int rounds,
                      measure_clock *clock)
{
    enum { LEAST = 3, A_MINUTE = 55 };
    const double begin = clock_seconds();
    for (int i = 0; i < races; i++)
        for (int racer = OWN; racer < RACERS; racer++) race[i].best[racer] = INFINITY;
    for (int round = 0;
         round < (rounds ? rounds : LEAST) || (!rounds && clock_seconds() - begin < A_MINUTE);
         round++)
        for (int i = 0; i < races; i++) run_turns(&race[i], operands, clock, rounds == 1);
}

double bench_sgemm_seconds(const struct gemm *g, measure_clock *clock)
{
    static const double moment = 0.03;
    const struct blas *blas = blas_open();
    const int team = omp_get_max_threads(), threads = blas->get_threads();
    const struct race race = {.g = *g};
    struct operands operands = {.ops = device_ops(DEVICE_CPU)};
    double best = INFINITY;
    operands_open(&operands, &race, 1);
    blas->set_threads(team);
    multiply_blas(&race, &operands); /* warm-up */
    for (const double begin = clock_seconds(); clock_seconds() - begin < moment;) {
        const double from = clock();
        multiply_blas(&race, &operands);
        best = fmin(best, clock() - from);
    }
    blas->set_threads(threads);
    omp_set_num_threads(team); /* set_threads has also changed this number */
    operands_close(&operands);
    return best;
}

/* ---- tables ---- */

/* Returns the speed of `racer` relative to OpenBLAS. */
static double ratio_of(const struct race *race, enum racer racer)
{
    return race->best[BLAS] / race->best[racer];
}

static double rate_of(const struct race *race, enum racer racer)
{
    return 2e-9 * race->g.M * race->g.N * race->g.K / race->best[racer];
}

static void print_races(struct arena *arena, const struct race *race, int races, int trained)
{
    static const char *const header[] = {"node", "product", "M",        "N",   "K",
                                         "own",  "packed",  "OpenBLAS", "own", "packed"};
    struct sheet *sheet = sheet_headed(arena, races, COUNT_OF(header), header, 2);
    double ratio[MEASURE_ROUNDS], least = INFINITY;
    sheet->missing = "";
    for (int row = 0; row < races; row++) {
        const struct race *r = &race[row];
        sheet->section[row] = r->section;
        bench_cells(arena, sheet, row, 0, "%s|%s|%d|%d|%d|%.1f", r->node ? r->node : "", r->what,
                    r->g.M, r->g.N, r->g.K, rate_of(r, OWN));
        bench_cells(arena, sheet, row, 7, "%.1f|%.2f", rate_of(r, BLAS), ratio_of(r, OWN));
        if (r->packed) {
            bench_cells(arena, sheet, row, 6, "%.1f", rate_of(r, PACKED));
            bench_cells(arena, sheet, row, 9, "%.2f", ratio_of(r, PACKED));
        }
        if (row >= trained) continue;
        ratio[row] = ratio_of(r, OWN);
        least = fmin(least, ratio[row]);
    }
    sheet_group(arena, sheet, 5, 3, "GFLOP/s");
    sheet_group(arena, sheet, 8, 2, "of OpenBLAS");
    puts("\nproducts of presets: in place, as in training; packed: with B packed in advance, as in "
         "a frozen model");
    sheet_text(sheet, stdout);
    printf("of OpenBLAS: minimum %.2f, median %.2f in training; both with the bias, which a "
           "separate loop adds for OpenBLAS; ' is transposed\n",
           least, measure_median(ratio, trained));
}

/* Measures the errors of C after a product. The error of an element is relative to its sum of |a
 * b|. */
static void measure_errors(const struct race *race, const struct operands *operands, double *rms,
                           double *largest)
{
    const struct gemm *g = &race->g;
    double squares = 0;
    *largest = 0;
    for (int i = 0; i < g->M; i++)
        for (int j = 0; j < g->N; j++) {
            double exact = 0, size = 0;
            for (int k = 0; k < g->K; k++) {
                const double ab = (double)operands->at[A][(int64_t)i * g->lda + k] *
                                  (double)operands->at[B][(int64_t)k * g->ldb + j];
                exact += ab;
                size += fabs(ab);
            }
            const double error =
                fabs((double)operands->at[C][(int64_t)i * g->ldc + j] - exact) / size;
            squares += error * error;
            *largest = fmax(*largest, error);
        }
    *rms = sqrt(squares / g->M / g->N);
}

static void print_errors(struct arena *arena, const struct race *race, int races,
                         const struct operands *operands)
{
    static const char *const header[] = {"K", "own", "OpenBLAS", "of OpenBLAS", "own", "OpenBLAS"};
    struct sheet *sheet = sheet_headed(arena, races, COUNT_OF(header), header, 0);
    for (int row = 0; row < races; row++) {
        double rms[RACERS], largest[RACERS];
        for (int racer = OWN; racer < RACERS; racer += BLAS - OWN) {
            multiply(&race[row], operands, (enum racer)racer);
            measure_errors(&race[row], operands, &rms[racer], &largest[racer]);
        }
        bench_cells(arena, sheet, row, 0, "%d|%.2e|%.2e|%.2f|%.2e|%.2e", race[row].g.K, rms[OWN],
                    rms[BLAS], rms[OWN] / rms[BLAS], largest[OWN], largest[BLAS]);
    }
    sheet_group(arena, sheet, 1, 3, "root mean square");
    sheet_group(arena, sheet, 4, 2, "largest");
    printf("\nerrors of %d x %d x K relative to sums in double, divided by the sum of |a b| "
           "(Higham 2002, section 3.5); values are uniform in [-1, 1)\n",
           race->g.M, race->g.N);
    sheet_text(sheet, stdout);
}

void bench_products(struct bench *bench)
{
    enum { RACES = 99 };
    static const int depth[] = {256, 2000, 25000};
    static const char *const preset[] = {"small", "small6"};
    if (blas_asked()) die("bench: products measures both kinds of products; unset SANLAB_PRODUCTS");
    const struct blas *blas = blas_open();
    struct arena *arena = &bench->call->arena;
    puts("our own products and OpenBLAS's in turn; best of all rounds");
    bench_print_machine(bench, device_ops(device_used()));
    printf("%s, kernels of %s, on its own threads\n", blas->config(), blas->core());
    fflush(stdout);
    struct race *race = ARENA_ARRAY(arena, struct race, RACES);
    const struct corpus *corpus = random_corpus(arena, 1, &random_multi30k);
    int trained = 0;
    for (size_t i = 0; i < COUNT_OF(preset); i++)
        trained += add_training(bench, preset[i], corpus, race + trained);
    const int raced = trained + add_shapes(arena, race + trained);
    for (size_t i = 0; i < COUNT_OF(depth); i++)
        race[raced + (int)i] = shape(64, 64, depth[i], false);
    struct operands operands = {.ops = device_ops(DEVICE_CPU)};
    operands_open(&operands, race, raced + (int)COUNT_OF(depth));
    const int team = omp_get_max_threads(), threads = blas->get_threads();
    blas->set_threads(team);
    run_races(race, raced, &operands, verb_switch(bench->call, "--rounds") ? bench->rounds : 0,
              bench->clock);
    print_races(arena, race, raced, trained);
    print_errors(arena, race + raced, (int)COUNT_OF(depth), &operands);
    blas->set_threads(threads);
    omp_set_num_threads(team); /* set_threads has also changed this number */
    operands_close(&operands);
}

/* Our own products beside OpenBLAS's, by turns on the same operands: those of training steps, other
 * shapes, and the errors of both. */
#include <jansson.h>
#include <math.h>
#include <omp.h>
#include <string.h>

#include "core/base/pcg64.h"
#include "core/cpu/blas.h"
#include "core/cpu/products.h"
#include "core/model/device.h"
#include "experiments/cli/bench.h"
#include "experiments/stage/environment.h"
#include "results/sheet/number.h"
#include "results/sheet/sheet.h"

enum racer { OWN, PACKED, BLAS, RACERS };

struct race {
    const char *section, *node, *what; /* section: of the first of a preset, else NULL */
    struct gemm g;                     /* operands are those of the room; bias NULL: none */
    bool weight;                       /* ours is a gemm_weight */
    bool packed;                       /* ours is also done with B packed before */
    double best[RACERS];               /* seconds of a call */
};

/* Operands for every race. */
enum operand { A, B, BIAS, C, PANELS, OPERANDS }; /* panels: B packed */
struct room {
    const struct ops *ops;
    int64_t count[OPERANDS];
    real *at[OPERANDS];
};

/* ---- races ---- */

/* "C + A B' + bias"; an apostrophe transposes. */
static const char *formula(struct arena *arena, const struct gemm *g)
{
    return arena_print(arena, "%sA%s B%s%s", g->add ? "C + " : "", g->transpose_a ? "'" : "",
                       g->transpose_b ? "'" : "", g->bias ? " + bias" : "");
}

static struct race shape(int M, int N, int K, bool transpose_a)
{
    return (struct race){.g = {.transpose_a = transpose_a,
                               .M = M,
                               .N = N,
                               .K = K,
                               .lda = transpose_a ? M : K,
                               .ldb = N,
                               .ldc = N,
                               .scale = 1}};
}

/* One layer of the encoder and the logits: the other layers have the same products. */
static int add_training(struct arena *arena, const char *preset, const struct corpus *corpus,
                        double (*clock)(void), struct race *race)
{
    static const char *const pass[BENCH_PRODUCTS] = {"forward", "dx", "dW"};
    struct bench_subject subject = {.corpus = corpus};
    bench_take_preset(arena, preset, NULL, 0, &subject);
    const struct bench_job job = {.translating = {.ops = device_ops(DEVICE_CPU),
                                                  .corpus = corpus,
                                                  .model = subject.model,
                                                  .train = subject.train,
                                                  .seed = 1},
                                  .batches = 1,
                                  .clock = clock};
    int linears, races = 0;
    const struct bench_linear *linear = bench_linears(&job, &linears, arena);
    for (int i = 0; i < linears; i++) {
        if (strncmp(linear[i].path, "encoder.1.", 10) && strcmp(linear[i].path, "logits")) continue;
        for (int p = 0; p < BENCH_PRODUCTS; p++) {
            const struct gemm *g = &linear[i].product[p];
            race[races++] =
                (struct race){.node = linear[i].path,
                              .what = arena_print(arena, "%s: %s", pass[p], formula(arena, g)),
                              .g = *g,
                              .weight = p == BENCH_WEIGHT_GRADIENT};
        }
    }
    race->section = subject.name;
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
    return (int)COUNT_OF(list);
}

/* ---- operands ---- */

static void room_widen(struct room *room, const struct gemm *g)
{
    const int panel = room->ops->panel;
    const int64_t count[OPERANDS] = {[A] = (int64_t)(g->transpose_a ? g->K : g->M) * g->lda,
                                     [B] = (int64_t)(g->transpose_b ? g->N : g->K) * g->ldb,
                                     [BIAS] = g->N,
                                     [C] = (int64_t)g->M * g->ldc,
                                     [PANELS] = (int64_t)g->K * (g->N + panel - 1)};
    for (int i = 0; i < OPERANDS; i++)
        if (room->count[i] < count[i]) room->count[i] = count[i];
}

/* Uniform in [-1, 1). */
static void room_open(struct room *room)
{
    struct pcg64 random = pcg64_seed(1);
    for (int i = 0; i < OPERANDS; i++) {
        room->at[i] = room->ops->alloc((size_t)room->count[i] * sizeof(real));
        for (int64_t k = 0; k < room->count[i]; k++)
            room->at[i][k] = (real)(2 * pcg64_uniform(&random) - 1);
    }
}

static void room_close(struct room *room)
{
    for (int i = 0; i < OPERANDS; i++)
        room->ops->release(room->at[i], (size_t)room->count[i] * sizeof(real));
}

static struct act *act(real *x)
{
    return (struct act *)(void *)x;
}

/* ---- products ---- */

static void multiply_own(const struct race *race, const struct room *room, bool packed)
{
    struct gemm g = race->g;
    g.a = act(room->at[A]), g.b = act(room->at[B]), g.c = act(room->at[C]);
    g.packed = packed ? act(room->at[PANELS]) : NULL;
    if (g.bias) g.bias = act(room->at[BIAS]);
    if (!race->weight)
        room->ops->gemm(&g);
    else
        room->ops->gemm_weight(&(struct gemm_weight){.T = g.K,
                                                     .M = g.M,
                                                     .N = g.N,
                                                     .a = g.a,
                                                     .lda = g.lda,
                                                     .b = g.b,
                                                     .ldb = g.ldb,
                                                     .c = room->at[C],
                                                     .add = g.add,
                                                     .scale = g.scale});
}

/* On OpenBLAS's own threads; it has no bias, which so takes a second way through C. */
static void multiply_blas(const struct race *race, const struct room *room)
{
    const struct gemm *g = &race->g;
    blas_open()->BLAS_GEMM(BLAS_ROW_MAJOR, g->transpose_a ? BLAS_TRANSPOSED : BLAS_PLAIN,
                           g->transpose_b ? BLAS_TRANSPOSED : BLAS_PLAIN, g->M, g->N, g->K,
                           g->scale, room->at[A], g->lda, room->at[B], g->ldb, g->add ? 1 : 0,
                           room->at[C], g->ldc);
    if (!g->bias) return;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < g->M; i++) {
        real *restrict c = room->at[C] + (int64_t)i * g->ldc;
#pragma omp simd
        for (int j = 0; j < g->N; j++) c[j] += room->at[BIAS][j];
    }
}

static void multiply(const struct race *race, const struct room *room, enum racer racer)
{
    if (racer == BLAS)
        multiply_blas(race, room);
    else
        multiply_own(race, room, racer == PACKED);
}

/* ---- time ---- */

/* Turns for a moment, behind one that finds the operands; of so many calls that their caches are
 * those of this product and not of the other's. */
static void run_turns(struct race *race, const struct room *room, double (*clock)(void))
{
    static const double moment = 0.08;
    const struct gemm *g = &race->g;
    const int calls = 1 + (int)(1e8 / g->M / g->N / g->K);
    const double begin = clock_seconds();
    if (race->packed)
        room->ops->pack(&(struct pack){.transpose_b = g->transpose_b,
                                       .N = g->N,
                                       .K = g->K,
                                       .b = act(room->at[B]),
                                       .ldb = g->ldb,
                                       .packed = act(room->at[PANELS])});
    for (int turn = 0; turn < 2 || clock_seconds() - begin < moment; turn++)
        for (int racer = OWN; racer < RACERS; racer++)
            for (int call = 0; call < (racer == PACKED && !race->packed ? 0 : calls); call++) {
                const double from = clock();
                multiply(race, room, (enum racer)racer);
                const double seconds = clock() - from;
                if (turn && seconds < race->best[racer]) race->best[racer] = seconds;
            }
}

/* Every race once a round, so that what the machine does meanwhile meets them all. */
static void run_races(struct race *race, int races, const struct room *room, int rounds,
                      double (*clock)(void))
{
    enum { LEAST = 3, A_MINUTE = 55 };
    const double begin = clock_seconds();
    for (int i = 0; i < races; i++)
        for (int racer = OWN; racer < RACERS; racer++) race[i].best[racer] = INFINITY;
    for (int round = 0;
         round < (rounds ? rounds : LEAST) || (!rounds && clock_seconds() - begin < A_MINUTE);
         round++)
        for (int i = 0; i < races; i++) run_turns(&race[i], room, clock);
}

/* ---- tables ---- */

/* M, N, K and the rates behind them; returns the column behind those. */
static int set_rates(struct arena *arena, struct sheet *sheet, int row, int column,
                     const struct race *race)
{
    const struct gemm *g = &race->g;
    const int size[] = {g->M, g->N, g->K};
    for (int i = 0; i < 3; i++) sheet_set(sheet, row, column++, number_fixed(arena, size[i], 0));
    for (int racer = OWN; racer < RACERS; racer++) {
        if (racer == PACKED && !race->packed) continue;
        const double rate = 2.0 * g->M * g->N * g->K / race->best[racer];
        sheet_set(sheet, row, column++, number_fixed(arena, rate / 1e9, 1));
    }
    return column;
}

/* What `racer` does while OpenBLAS does 1. */
static double ratio_of(const struct race *race, enum racer racer)
{
    return race->best[BLAS] / race->best[racer];
}

static void print_training(struct arena *arena, const struct race *race, int races)
{
    static const char *const header[] = {"node", "product", "M",        "N",
                                         "K",    "own",     "OpenBLAS", "of OpenBLAS"};
    struct sheet *sheet = sheet_headed(arena, races, COUNT_OF(header), header, 2);
    double ratio[BENCH_ROUNDS], least = INFINITY;
    for (int row = 0; row < races; row++) {
        ratio[row] = ratio_of(&race[row], OWN);
        least = fmin(least, ratio[row]);
        sheet->section[row] = race[row].section;
        sheet_set(sheet, row, 0, race[row].node);
        sheet_set(sheet, row, 1, race[row].what);
        const int column = set_rates(arena, sheet, row, 2, &race[row]);
        sheet_set(sheet, row, column, number_fixed(arena, ratio[row], 2));
    }
    sheet_group(arena, sheet, 5, 2, "GFLOP/s");
    puts("\nin place, as training does them");
    sheet_text(sheet, stdout);
    printf("of OpenBLAS: least %.2f, median %.2f; both with the bias, for OpenBLAS a loop of its "
           "own; ' is transposed\n",
           least, bench_median(ratio, races));
}

static void print_shapes(struct arena *arena, const struct race *race, int races)
{
    static const char *const header[] = {"product", "M",        "N",   "K",     "own",
                                         "packed",  "OpenBLAS", "own", "packed"};
    struct sheet *sheet = sheet_headed(arena, races, COUNT_OF(header), header, 1);
    for (int row = 0; row < races; row++) {
        sheet_set(sheet, row, 0, race[row].what);
        int column = set_rates(arena, sheet, row, 1, &race[row]);
        for (int racer = OWN; racer <= PACKED; racer++)
            sheet_set(sheet, row, column++,
                      number_fixed(arena, ratio_of(&race[row], (enum racer)racer), 2));
    }
    sheet_group(arena, sheet, 4, 3, "GFLOP/s");
    sheet_group(arena, sheet, 7, 2, "of OpenBLAS");
    puts("\nother shapes; packed: with B packed before, as a model that does not learn has it");
    sheet_text(sheet, stdout);
}

/* Errors of the C that is there, over the sum of |a b| that each is made of. */
static void measure_errors(const struct race *race, const struct room *room, double *rms,
                           double *largest)
{
    const struct gemm *g = &race->g;
    double squares = 0;
    *largest = 0;
    for (int i = 0; i < g->M; i++)
        for (int j = 0; j < g->N; j++) {
            double exact = 0, size = 0;
            for (int k = 0; k < g->K; k++) {
                const double ab = (double)room->at[A][(int64_t)i * g->lda + k] *
                                  (double)room->at[B][(int64_t)k * g->ldb + j];
                exact += ab;
                size += fabs(ab);
            }
            const double error = fabs((double)room->at[C][(int64_t)i * g->ldc + j] - exact) / size;
            squares += error * error;
            *largest = fmax(*largest, error);
        }
    *rms = sqrt(squares / g->M / g->N);
}

static void print_errors(struct arena *arena, const struct race *race, int races,
                         const struct room *room)
{
    static const char *const header[] = {"K", "own", "OpenBLAS", "of OpenBLAS", "own", "OpenBLAS"};
    struct sheet *sheet = sheet_headed(arena, races, COUNT_OF(header), header, 0);
    for (int row = 0; row < races; row++) {
        double rms[RACERS], largest[RACERS];
        for (int racer = OWN; racer < RACERS; racer += BLAS - OWN) {
            multiply(&race[row], room, (enum racer)racer);
            measure_errors(&race[row], room, &rms[racer], &largest[racer]);
        }
        sheet_set(sheet, row, 0, number_fixed(arena, race[row].g.K, 0));
        sheet_set(sheet, row, 1, arena_print(arena, "%.2e", rms[OWN]));
        sheet_set(sheet, row, 2, arena_print(arena, "%.2e", rms[BLAS]));
        sheet_set(sheet, row, 3, number_fixed(arena, rms[OWN] / rms[BLAS], 2));
        sheet_set(sheet, row, 4, arena_print(arena, "%.2e", largest[OWN]));
        sheet_set(sheet, row, 5, arena_print(arena, "%.2e", largest[BLAS]));
    }
    sheet_group(arena, sheet, 1, 3, "root mean square");
    sheet_group(arena, sheet, 4, 2, "largest");
    printf("\nerrors of %d x %d x K against sums in double, over the sum of |a b| (Higham 2002, "
           "section 3.5); values are uniform in [-1, 1)\n",
           race->g.M, race->g.N);
    sheet_text(sheet, stdout);
}

static void print_head(double (*clock)(void))
{
    json_t *environment = environment_describe(DEVICE_CPU);
    puts("our own products beside OpenBLAS's, by turns; the best of each");
    puts(json_string_value(json_object_get(environment, "processor")));
    json_decref(environment);
    bench_print_machine(clock);
    printf("%s, kernels of %s, on its own threads\n", blas_open()->config(), blas_open()->core());
    fflush(stdout);
}

void bench_print_products(struct verb_call *call, double (*clock)(void))
{
    enum { RACES = 99 };
    static const int depth[] = {256, 2000, 25000};
    static const char *const preset[] = {"small", "small6"};
    if (blas_asked()) die("bench: --products puts both kinds side by side; unset SANLAB_PRODUCTS");
    const struct blas *blas = blas_open();
    struct arena *arena = &call->arena;
    print_head(clock);
    struct race *race = ARENA_ARRAY(arena, struct race, RACES);
    const struct corpus *corpus = bench_corpus(arena, 1);
    int trained = 0;
    for (size_t i = 0; i < COUNT_OF(preset); i++)
        trained += add_training(arena, preset[i], corpus, clock, race + trained);
    const int raced = trained + add_shapes(arena, race + trained);
    for (size_t i = 0; i < COUNT_OF(depth); i++)
        race[raced + (int)i] = shape(64, 64, depth[i], false);
    struct room room = {.ops = device_ops(DEVICE_CPU)};
    for (int i = 0; i < raced + (int)COUNT_OF(depth); i++) room_widen(&room, &race[i].g);
    room_open(&room);
    const int team = omp_get_max_threads(), threads = blas->get_threads();
    blas->set_threads(team);
    run_races(race, raced, &room, verb_switch(call, "--rounds") ? verb_number(call, "--rounds") : 0,
              clock);
    print_training(arena, race, trained);
    print_shapes(arena, race + trained, raced - trained);
    print_errors(arena, race + raced, (int)COUNT_OF(depth), &room);
    blas->set_threads(threads);
    omp_set_num_threads(team); /* which the line above has set, too */
    room_close(&room);
}

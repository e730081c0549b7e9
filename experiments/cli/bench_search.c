/* Beam search on a split, or on random sentences: tokens per second, and where the time goes. Ops
 * are timed in one search of all threads; where text is translated by several (crew.h), or on a
 * device without marks between the ops, that is measured besides. */
#include <inttypes.h>
#include <string.h>

#include "core/base/file.h"
#include "core/bench/bench_ops.h"
#include "core/decode/crew.h"
#include "core/model/frozen.h"
#include "experiments/cli/bench.h"

struct search_bench {
    const struct bench *bench;
    struct frozen *frozen;
    struct crew crew;
    const int32_t **token; /* [sentences] best hypothesis of each */
    int *count;            /* [sentences] its tokens */
    struct arena arena;    /* of the tokens */
};

static struct search_bench search_open(const struct bench *bench, const struct ops *ops,
                                       const struct split *split, enum crew_kind kind)
{
    struct arena *arena = &bench->call->arena;
    const struct translating *translating = &bench->translating;
    const struct frozen_job job = {.ops = ops,
                                   .corpus = translating->corpus,
                                   .options = translating->model,
                                   .train_folder = bench->train_folder,
                                   .checkpoint = bench->train_folder ? "last" : "start",
                                   .seed = 1};
    struct search_bench search = {.bench = bench, .frozen = frozen_open(arena, &job)};
    frozen_load(search.frozen, 0);
    search.crew = crew_open(arena, search.frozen->model, &bench->beam, split, kind,
                            verb_number(bench->call, "--batch"));
    search.token = ARENA_ARRAY(arena, const int32_t *, split->sentences);
    search.count = ARENA_ARRAY(arena, int, split->sentences);
    return search;
}

static void search_close(struct search_bench *search)
{
    arena_free(&search->arena);
    crew_close(&search->crew);
    frozen_close(search->frozen);
}

static void keep_found(void *context, const int32_t *sentence,
                       const struct translation *translation, int count)
{
    struct search_bench *search = context;
    for (int i = 0; i < count; i++) {
        const struct hypothesis *best = translation[i].hypothesis;
        int32_t *token = ARENA_ARRAY(&search->arena, int32_t, best->count);
        memcpy(token, best->token, (size_t)best->count * sizeof *token);
        search->token[sentence[i]] = token;
        search->count[sentence[i]] = best->count;
    }
}

static struct search_work work_of(const struct crew *crew)
{
    struct search_work all = {0};
    for (int i = 0; i < crew->searchers; i++) {
        const struct search_work work = searcher_work(crew->searcher[i]);
        all.steps += work.steps;
        all.rows += work.rows;
        all.flops += work.flops;
    }
    return all;
}

/* What rounds over all sentences took. */
struct search_time {
    double all, median;        /* seconds */
    double first;              /* of the batches before, when all is asked for the first time */
    int batches;               /* so many */
    double rows, steps, flops; /* of a round */
    double tokens;             /* of best hypotheses */
};

static struct search_time measure(struct search_bench *search)
{
    const int rounds = search->bench->rounds, batches = search->crew.epoch.batches;
    const int warm = search->crew.searchers < batches ? search->crew.searchers : batches;
    struct search_time time = {.batches = warm};
    double seconds[MEASURE_ROUNDS];
    const double start = search->bench->clock();
    crew_search(&search->crew, 0, warm, keep_found, search);
    time.first = search->bench->clock() - start;
    const struct search_work before = work_of(&search->crew);
    bench_ops_clear();
    for (int round = 0; round < rounds; round++) {
        arena_free(&search->arena);
        const double begin = search->bench->clock();
        crew_search(&search->crew, 0, batches, keep_found, search);
        time.all += seconds[round] = search->bench->clock() - begin;
    }
    const struct search_work after = work_of(&search->crew);
    time.median = measure_median(seconds, rounds);
    time.rows = (double)(after.rows - before.rows) / rounds;
    time.steps = (double)(after.steps - before.steps) / rounds;
    time.flops = (after.flops - before.flops) / rounds;
    for (int s = 0; s < search->crew.split->sentences; s++) time.tokens += search->count[s];
    return time;
}

static void print_time(const struct search_bench *search, const struct search_time *time)
{
    const int sentences = search->crew.split->sentences;
    printf("tokens/s     %.0f target, of best hypotheses with <eos>\n",
           time->tokens / time->median);
    printf("expanded/s   %.0f hypotheses, rows of the decoder; %.1f in a step\n",
           time->rows / time->median, time->rows / time->steps);
    printf("sentences/s  %.1f\n", sentences / time->median);
    printf("GFLOP/s      %.1f of all this time, %.1f GFLOP\n", time->flops / time->median / 1e9,
           time->flops / 1e9);
    printf("median of %d rounds of %.2f s, %.0f tokens; before them %d of %d batches in %.2f s\n",
           search->bench->rounds, time->median, time->tokens, time->batches,
           search->crew.epoch.batches, time->first);
}

static void write_hypotheses(const struct search_bench *search, const char *path)
{
    struct file_writer writer = file_create(path);
    for (int s = 0; s < search->crew.split->sentences; s++) {
        for (int t = 0; t < search->count[s]; t++)
            fprintf(writer.stream, "%s%d", t ? " " : "", search->token[s][t]);
        fputc('\n', writer.stream);
    }
    file_commit(&writer);
}

/* Where the time of all rounds went. */
static void print_ops(struct arena *arena, double seconds)
{
    int count, rows = 0;
    const struct bench_op *op = bench_ops_read(&count);
    static const char *const header[] = {"op", "calls", "ms", "share"};
    struct sheet *sheet = sheet_headed(arena, count + 1, 4, header, 1);
    double rest = seconds;
    sheet->missing = "";
    for (int i = 0; i <= count; i++) {
        const double part = i < count ? op[i].seconds : rest;
        if (i < count && !op[i].calls) continue;
        rest -= part;
        bench_cells(arena, sheet, rows, 0, "%s", i < count ? op[i].name : "the search itself");
        if (i < count) bench_cells(arena, sheet, rows, 1, "%" PRId64, op[i].calls);
        bench_cells(arena, sheet, rows++, 2, "%.1f|%.1f%%", 1e3 * part, 100 * part / seconds);
    }
    sheet->rows = rows;
    sheet_text(sheet, stdout);
}

void bench_search(const struct bench *bench)
{
    const int most = verb_number(bench->call, "--sentences");
    const char *path = verb_value(bench->call, "--hypotheses");
    const struct corpus *corpus = bench->translating.corpus;
    const struct ops *ops = bench->translating.ops;
    struct split split = corpus->split[SPLIT_TEST];
    if (!split.sentences) split = corpus->split[SPLIT_TRAIN];
    if (split.sentences > most) split.sentences = most;
    struct search_bench search =
        search_open(bench, bench_ops(ops, bench->clock, NULL), &split, CREW_OF_ONE);
    printf("beam search of %s: beam %d, length penalty %g, %d sentences, %d in a batch\n",
           bench->name, bench->beam.beam, bench->beam.length_penalty, split.sentences,
           search.crew.capacity.sentences);
    printf("text: %s\n", bench->text);
    if (bench->train_folder)
        printf("weights: %s, step %" PRId64 "\n", bench->train_folder, search.frozen->step[0]);
    else
        puts("weights: as they start; few hypotheses end by themselves");
    bench_print_machine(bench, ops);
    const struct search_time time = measure(&search);
    putchar('\n');
    print_ops(&bench->call->arena, time.all);
    putchar('\n');
    print_time(&search, &time);
    if (path) write_hypotheses(&search, path);
    search_close(&search);
    search = search_open(bench, ops, &split, CREW);
    if (search.crew.searchers > 1 || ops->mark) {
        const struct search_time plain = measure(&search);
        if (ops->mark)
            printf("\nwithout marks between ops, %d search%s by turns, %d in a batch:\n",
                   search.crew.searchers, search.crew.searchers > 1 ? "es" : "",
                   search.crew.capacity.sentences);
        else
            printf("\n%d searches side by side, a thread each:\n", search.crew.searchers);
        print_time(&search, &plain);
    }
    search_close(&search);
}

/* Beam search on a split, or on random sentences: tokens per second. */
#include <inttypes.h>

#include "core/base/file.h"
#include "core/bench/bench_ops.h"
#include "core/decode/translate.h"
#include "core/model/frozen.h"
#include "experiments/cli/bench.h"

struct search_bench {
    struct frozen *frozen;
    struct searcher *searcher;
    const struct split *split;
    struct epoch epoch;
    const int32_t **token; /* [sentences] best hypothesis of each */
    int *count;            /* [sentences] its tokens */
};

static struct frozen *open_model(const struct bench *bench)
{
    const char *trained = bench->train_folder;
    const struct translating *translating = &bench->translating;
    const struct frozen_job job = {.ops = bench_ops(translating->ops, bench->clock),
                                   .corpus = translating->corpus,
                                   .options = translating->model,
                                   .train_folder = trained,
                                   .checkpoint = trained ? "last" : "start",
                                   .seed = 1};
    struct frozen *frozen = frozen_open(&bench->call->arena, &job);
    frozen_load(frozen, 0);
    if (trained)
        printf("weights: %s, step %" PRId64 "\n", trained, frozen->step[0]);
    else
        puts("weights: as they start; few hypotheses end by themselves");
    return frozen;
}

/* Translates batch b; its tokens go to the arena. */
static void search_batch(struct search_bench *search, int b, struct arena *arena)
{
    struct arena scratch = {0};
    const int32_t *sentence = search->epoch.sentence + search->epoch.begin[b];
    const int count = search->epoch.begin[b + 1] - search->epoch.begin[b];
    const struct batch batch = batch_pack(&scratch, search->split, sentence, count);
    const struct translation *translation = searcher_run(search->searcher, &batch, arena);
    for (int i = 0; i < count; i++) {
        search->token[sentence[i]] = translation[i].hypothesis->token;
        search->count[sentence[i]] = translation[i].hypothesis->count;
    }
    arena_free(&scratch);
}

static void write_hypotheses(const struct search_bench *search, const char *path)
{
    struct file_writer writer = file_create(path);
    for (int s = 0; s < search->split->sentences; s++) {
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
    struct arena *arena = &bench->call->arena;
    const int rounds = bench->rounds, most = verb_number(bench->call, "--sentences");
    const char *path = verb_value(bench->call, "--hypotheses");
    const struct corpus *corpus = bench->translating.corpus;
    struct split split = corpus->split[SPLIT_TEST];
    if (!split.sentences) split = corpus->split[SPLIT_TRAIN];
    if (split.sentences > most) split.sentences = most;
    const struct capacity capacity = searcher_capacity(split.longest[SIDE_SOURCE]);
    printf("beam search of %s: beam %d, length penalty %g, %d sentences, %d in a batch\n",
           bench->name, bench->beam.beam, bench->beam.length_penalty, split.sentences,
           capacity.sentences);
    printf("text: %s\n", bench->text);
    struct search_bench search = {.frozen = open_model(bench), .split = &split};
    bench_print_machine(bench);
    search.searcher = searcher_open(arena, search.frozen->model, &bench->beam, capacity);
    search.epoch = translate_epoch(arena, &split);
    search.token = ARENA_ARRAY(arena, const int32_t *, split.sentences);
    search.count = ARENA_ARRAY(arena, int, split.sentences);
    struct arena found = {0};
    search_batch(&search, 0, &found); /* warms up */
    double seconds[MEASURE_ROUNDS], all = 0;
    const struct search_work before = searcher_work(search.searcher);
    bench_ops_clear();
    for (int round = 0; round < rounds; round++) {
        arena_free(&found);
        const double begin = bench->clock();
        for (int b = 0; b < search.epoch.batches; b++) search_batch(&search, b, &found);
        all += seconds[round] = bench->clock() - begin;
    }
    const struct search_work after = searcher_work(search.searcher);
    const double rows = (double)(after.rows - before.rows);
    putchar('\n');
    print_ops(arena, all);
    putchar('\n');
    const double median = measure_median(seconds, rounds);
    int64_t total = 0;
    for (int s = 0; s < split.sentences; s++) total += search.count[s];
    printf("tokens/s     %.0f target, of best hypotheses with <eos>\n", (double)total / median);
    printf("expanded/s   %.0f hypotheses, rows of the decoder; %.1f in a step\n",
           rows / rounds / median, rows / (double)(after.steps - before.steps));
    printf("sentences/s  %.1f\n", split.sentences / median);
    printf("median of %d rounds of %.2f s, %" PRId64 " tokens\n", rounds, median, total);
    if (path) write_hypotheses(&search, path);
    arena_free(&found);
    searcher_close(search.searcher);
    frozen_close(search.frozen);
}

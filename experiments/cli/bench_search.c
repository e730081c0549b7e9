/* Beam search on a split, or on random sentences: tokens per second. */
#include <inttypes.h>

#include "core/base/file.h"
#include "core/decode/beam.h"
#include "core/model/frozen.h"
#include "experiments/cli/bench.h"
#include "results/sheet/number.h"
#include "results/sheet/sheet.h"

struct search_bench {
    struct frozen *frozen;
    struct searcher *searcher;
    const struct split *split;
    struct epoch epoch;
    const int32_t **token; /* [sentences] best hypothesis of each */
    int *count;            /* [sentences] its tokens */
};

static struct frozen *open_model(const struct bench_subject *subject, struct arena *arena,
                                 double (*clock)(void))
{
    const char *trained = subject->train_folder;
    const struct frozen_job job = {.ops = bench_ops(subject->ops, clock),
                                   .corpus = subject->corpus,
                                   .options = subject->model,
                                   .train_folder = trained,
                                   .checkpoint = trained ? "last" : "start",
                                   .seed = 1};
    struct frozen *frozen = frozen_open(arena, &job);
    frozen_load(frozen, 0);
    if (trained)
        printf("weights: %s, step %" PRId64 "\n", trained, frozen->step[0]);
    else
        puts("weights: as they start; few hypotheses end by themselves");
    return frozen;
}

/* Translates batch b; its tokens go to the arena. */
static void search_batch(struct search_bench *bench, int b, struct arena *arena)
{
    struct arena scratch = {0};
    const int32_t *sentence = bench->epoch.sentence + bench->epoch.begin[b];
    const int count = bench->epoch.begin[b + 1] - bench->epoch.begin[b];
    const struct batch batch = batch_pack(&scratch, bench->split, sentence, count);
    const struct translation *translation = searcher_run(bench->searcher, &batch, arena);
    for (int i = 0; i < count; i++) {
        bench->token[sentence[i]] = translation[i].hypothesis->token;
        bench->count[sentence[i]] = translation[i].hypothesis->count;
    }
    arena_free(&scratch);
}

static void write_hypotheses(const struct search_bench *bench, const char *path)
{
    struct file_writer writer = file_create(path);
    for (int s = 0; s < bench->split->sentences; s++) {
        for (int t = 0; t < bench->count[s]; t++)
            fprintf(writer.stream, "%s%d", t ? " " : "", bench->token[s][t]);
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
        sheet_set(sheet, rows, 0, i < count ? op[i].name : "the search itself");
        if (i < count) sheet_set(sheet, rows, 1, number_fixed(arena, (double)op[i].calls, 0));
        sheet_set(sheet, rows, 2, number_fixed(arena, 1e3 * part, 1));
        sheet_set(sheet, rows++, 3, arena_print(arena, "%.1f%%", 100 * part / seconds));
    }
    sheet->rows = rows;
    sheet_text(sheet, stdout);
}

void bench_print_search(struct verb_call *call, const struct bench_subject *subject,
                        double (*clock)(void))
{
    struct arena *arena = &call->arena;
    const int rounds = verb_number(call, "--rounds"), most = verb_number(call, "--sentences");
    const char *path = verb_value(call, "--hypotheses");
    const struct split *test = &subject->corpus->split[SPLIT_TEST];
    struct split split = test->sentences ? *test : subject->corpus->split[SPLIT_TRAIN];
    if (split.sentences > most) split.sentences = most;
    printf("beam search of %s: beam %d, length penalty %g, %d sentences, %d in a batch\n",
           subject->name, subject->beam.beam, subject->beam.length_penalty, split.sentences,
           SEARCH_SENTENCES);
    printf("text: %s\n", subject->text);
    struct search_bench bench = {.frozen = open_model(subject, arena, clock), .split = &split};
    bench_print_machine(clock);
    const int longest = split.longest[SIDE_SOURCE];
    const int tokens = search_tokens(longest);
    bench.searcher = searcher_open(arena, bench.frozen->model, &subject->beam, tokens,
                                   SEARCH_SENTENCES, longest);
    bench.epoch = epoch_by_length(arena, &split, tokens, SEARCH_SENTENCES);
    bench.token = ARENA_ARRAY(arena, const int32_t *, split.sentences);
    bench.count = ARENA_ARRAY(arena, int, split.sentences);
    struct arena found = {0};
    search_batch(&bench, 0, &found); /* warms up */
    double seconds[BENCH_ROUNDS], all = 0;
    bench_ops_clear();
    for (int round = 0; round < rounds; round++) {
        arena_free(&found);
        const double begin = clock();
        for (int b = 0; b < bench.epoch.batches; b++) search_batch(&bench, b, &found);
        all += seconds[round] = clock() - begin;
    }
    putchar('\n');
    print_ops(arena, all);
    putchar('\n');
    const double median = bench_median(seconds, rounds);
    int64_t total = 0;
    for (int s = 0; s < split.sentences; s++) total += bench.count[s];
    printf("tokens/s     %.0f target, of best hypotheses with <eos>\n", (double)total / median);
    printf("sentences/s  %.1f\n", split.sentences / median);
    printf("median of %d rounds of %.2f s, %" PRId64 " tokens\n", rounds, median, total);
    if (path) write_hypotheses(&bench, path);
    arena_free(&found);
    searcher_close(bench.searcher);
    frozen_close(bench.frozen);
}

/* The stage `lengths` computes BLEU of the translations of a stage `score` by the length of the
 * source sentence. */
/* sources: core/base core/text core/corpus core/decode/bleu.* core/decode/statistic.*
 * core/decode/symbols.* results/store/kept_file.* results/store/scored_text.*
 * experiments/stage/rescore.* */
/* rank: 23 */
#include <string.h>

#include "core/corpus/corpus_folder.h"
#include "core/corpus/known_words.h"
#include "experiments/stage/rescore.h"
#include "results/store/offer.h"
#include "results/table/observations.h"

/* Classes 1-10, 11-20, 21-30 and 31+, if a class has 10 lengths. */
enum { CLASSES = 4 };
struct lengths_options {
    int step; /* number of lengths of a class; the last one has no end */
};

static const struct option rows[] = {
    OPTION_INT("step", offsetof(struct lengths_options, step), "10", 1, 1000, OPTION_ID,
               "lengths of a class, in words: 10 for 1-10, 11-20, 21-30 and 31+"),
};
const struct evaluation evaluation_lengths = {
    .section = SECTION("evaluate.lengths", "BLEU by the length of the source sentence", rows,
                       struct lengths_options)};

/* Returns the number of words of each source sentence, [sentences]. */
static const int *count_words(const struct corpus *corpus, const struct split *split,
                              struct arena *arena)
{
    int *count = ARENA_ARRAY(arena, int, split->sentences);
    struct side_words words = side_words(arena, &split->side[SIDE_SOURCE], split->sentences,
                                         &corpus->vocabulary[SIDE_SOURCE]);
    for (struct token_span word; side_words_next(&words, &word);) count[words.sentence]++;
    return count;
}

/* Writes the class of each sentence to lengths.tsv. Returns the index of its class. */
static const int *write_classes(struct stage_work *work, const struct corpus *corpus,
                                const struct split *split, const char *const *class)
{
    const struct lengths_options *options = stage_options(work->stage);
    struct item *item = ARENA_ARRAY(&work->arena, struct item, split->sentences);
    int *index = ARENA_ARRAY(&work->arena, int, split->sentences);
    const int *words = count_words(corpus, split, &work->arena);
    for (int i = 0; i < split->sentences; i++) {
        const int at = words[i] ? (words[i] - 1) / options->step : 0;
        index[i] = at < CLASSES ? at : CLASSES - 1;
        item[i] = (struct item){.number = words[i], .class = class[index[i]], .stratum = ""};
    }
    stage_work_items(work, OBSERVATIONS_LENGTHS, item, split->sentences);
    return index;
}

/* Adds the mean over the sets of BLEU of the sentences of a class (-1: all). */
static void write_class(struct stage_work *work, const struct statistic *statistic,
                        const struct bleu_item *const *item, const struct scored_text *text,
                        const int *index, int class, const char *name)
{
    struct bleu_item *chosen = ARENA_ARRAY(&work->arena, struct bleu_item, text->count);
    double score = 0;
    int count = 0;
    for (int set = 0; set < text->sets; set++) {
        count = 0;
        for (int i = 0; i < text->count; i++)
            if (class < 0 || index[i] == class) chosen[count++] = item[set][i];
        score += statistic_of(statistic, (struct strata){1, &count}, chosen, NULL) / text->sets;
    }
    if (count) stage_work_value(work, "bleu", score, count, (struct value_at){.class = name});
}

static enum work_end run(struct stage_work *work)
{
    struct arena *arena = &work->arena;
    const struct lengths_options *options = stage_options(work->stage);
    const struct score_options *score =
        settings_evaluated(work->stage->settings, &evaluation_score)->fields;
    const struct corpus *corpus = corpus_open(arena, work->stage->input[RESCORE_CORPUS]->folder);
    const struct scored_text text = rescore_text(work);
    const struct score_metric metric = {.kind = METRIC_BLEU, .bleu = score_bleu(score, corpus)};
    const struct statistic statistic = metric_statistic(&metric);
    const struct bleu_item **item = ARENA_ARRAY(arena, const struct bleu_item *, text.sets);
    const char *class[CLASSES];
    char how[METRIC_TEXT];
    for (int c = 0; c < CLASSES; c++)
        class[c] = c < CLASSES - 1
                       ? arena_print(arena, "%d-%d", c * options->step + 1, (c + 1) * options->step)
                       : arena_print(arena, "%d+", c * options->step + 1);
    const int *index =
        write_classes(work, corpus, stage_work_split(work, corpus, score->split), class);
    for (int set = 0; set < text.sets; set++)
        item[set] = metric_count(&metric, text.hypothesis[set], text.reference, text.references,
                                 text.count, arena);
    for (int c = -1; c < CLASSES; c++)
        write_class(work, &statistic, item, &text, index, c, c < 0 ? NULL : class[c]);
    metric_signature(&metric, text.references, "", how);
    stage_work_text(work, "signature",
                    arena_print(arena, "%s|refs:%s|sentences:%d|lengths:%d", how, text.digest,
                                text.count, options->step));
    stage_work_real(work, "sentences", text.count);
    return WORK_DONE;
}

const struct offer offer_lengths = {
    .kind = "lengths",
    VALUES(VALUE("bleu", "BLEU", "BLEU by the number of words of the source (class)", .decimals = 2,
                 .best = COLUMN_MOST, .traits = BY_CLASS, .counted = "sentences",
                 .observations = observations_lengths, .items = "sentences")),
    .numbers = "sentences",
    .telling = "bleu",
    .section = "evaluate.lengths",
};

const struct stage_kind kind_lengths = {
    .name = "lengths",
    .evaluation = &evaluation_lengths,
    .traits = KIND_SINGLE,
    .inputs = (const char *const[]){"corpus", "score", NULL},
    .run = run,
    .check = rescore_check,
};

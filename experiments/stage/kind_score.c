/* The stage `score`: a split translated with beam search by a trained model, and its BLEU. */
/* sources: ..core/decode experiments/stage/kind_score.h */
#include <string.h>

#include "code.h"
#include "core/base/file.h"
#include "core/decode/bleu.h"
#include "core/decode/translate.h"
#include "experiments/stage/facts_model.h"
#include "experiments/stage/kind_score.h"
#include "experiments/stage/capable.h"
#include "experiments/stage/stage_work.h"
#include "results/table/observations.h"
#include "results/store/offer.h"

static const struct option rows[] = {
    ROW_CHOICE("split", offsetof(struct score_options, split), "test", "train|dev|test", OPTION_ID,
               "the sentences to translate"),
    ROW_TEXT("checkpoint", offsetof(struct score_options, checkpoint), "best", OPTION_ID,
             "best, last, average(N), mean_of_best(N) or start"),
    BEAM_OPTIONS(offsetof(struct score_options, beam)),
    ROW_CHOICE("precision", offsetof(struct score_options, precision), "fp32", PRECISION_WORDS,
               OPTION_ID, "what the search is computed in (bf16: emu only)"),
};
static const struct section score_section = {"evaluate.bleu",
                                             "translate a split with beam search and score it",
                                             rows, COUNT_OF(rows), sizeof(struct score_options)};
const struct evaluation evaluation_score = {.section = &score_section,
                                            .split = offsetof(struct score_options, split),
                                            .checkpoint =
                                                offsetof(struct score_options, checkpoint)};

static const struct score_options *options_of(const struct stage *stage)
{
    return settings_evaluated(stage->settings, &evaluation_score)->fields;
}

static enum precision precision(const struct stage *stage)
{
    return (enum precision)options_of(stage)->precision;
}

static void check_grid(const struct grid *grid)
{
    capable_check_precision(grid, "evaluate.bleu.precision");
}

static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    const struct score_options *score = options_of(stage);
    const struct corpus_facts *facts = corpus_facts(stage->input[FROZEN_CORPUS], arena);
    const double source = (double)facts->tokens[score->split][SIDE_SOURCE],
                 target = (double)facts->tokens[score->split][SIDE_TARGET];
    /* Every live hypothesis is a target; small products run at a fraction of the rate of large
     * ones. */
    return (struct estimate){
        .flops = 2 * facts_forward_flops(stage->settings, facts, source, target * score->beam.beam),
        .disk = 100. * (double)facts->sentences[score->split]};
}

static void write_hypotheses(struct stage_work *work, int set, int sets,
                             const char *const *hypothesis, int count)
{
    const char *file = "hypotheses.txt";
    if (sets > 1) file = arena_print(&work->arena, "hypotheses.%d.txt", set + 1);
    struct file_writer writer =
        file_create(arena_print(&work->arena, "%s/%s", work->stage->folder, file));
    for (int i = 0; i < count; i++) fprintf(writer.stream, "%s\n", hypothesis[i]);
    file_commit(&writer);
    stage_work_output(work, file);
}

/* The steps of the checkpoints, of the best ones the best first; 0 of the start. */
static json_t *scored_steps(const struct frozen *frozen)
{
    json_t *list = json_array();
    if (!frozen->steps) json_array_append_new(list, json_integer(0));
    for (int i = 0; i < frozen->steps; i++)
        json_array_append_new(list, json_integer(frozen->step[i]));
    return list;
}

static enum work_end run(struct stage_work *work)
{
    const struct score_options *score = options_of(work->stage);
    const enum split_name split = (enum split_name)score->split;
    struct frozen *frozen = stage_work_frozen(work, score->checkpoint);
    const struct corpus *corpus = frozen->job.corpus;
    if (!corpus->split[split].sentences)
        die("evaluate.bleu.split: the corpus has no %s split", split_names[split]);
    const char ***hypothesis = translate_split(frozen, &score->beam, split, &work->arena);
    const int sets = frozen->sets;
    frozen_close(frozen);
    int count;
    const char **reference = corpus_references(&work->arena, corpus, split, &count);
    const struct bleu_options options = bleu_options_named(corpus_bleu_tokenizer(corpus));
    double bleu = 0, bp = 0, ratio = 0, hyp_len = 0, ref_len = 0;
    for (int set = 0; set < sets; set++) {
        write_hypotheses(work, set, sets, hypothesis[set], count);
        const char *const *one = reference;
        struct bleu result = bleu_corpus(&options, hypothesis[set], &one, 1, count, NULL);
        bleu += result.score / sets;
        bp += result.bp / sets;
        ratio += result.ratio / sets;
        hyp_len += (double)result.hyp_len / sets;
        ref_len += (double)result.ref_len / sets;
        journal_metric(work->journal, &(struct metric){.name = "bleu",
                                                       .step = JOURNAL_NONE,
                                                       .value = result.score,
                                                       .layer = JOURNAL_NONE,
                                                       .head = JOURNAL_NONE,
                                                       .set = sets > 1 ? set + 1 : JOURNAL_NONE,
                                                       .n = count});
    }
    /* Scores are compared only where signatures are equal: ours names the references, too. */
    char metric[BLEU_SIGNATURE_TEXT], digest[DIGEST_TEXT];
    bleu_signature(&options, 1, metric);
    digest_file(arena_print(&work->arena, "%s/%s.reference", corpus->folder, split_names[split]),
                digest);
    const char *signature =
        arena_print(&work->arena, "%s|refs:%.8s|sentences:%d", metric, digest, count);
    json_t *summary =
        json_pack("{s:f, s:s, s:f, s:f, s:f, s:f, s:i, s:s}", "bleu", bleu, "signature", signature,
                  "bp", bp, "ratio", ratio, "hyp_len", hyp_len, "ref_len", ref_len, "sentences",
                  count, "split", split_names[split]);
    CHECK(summary, "a summary that JSON cannot hold");
    json_object_update(work->summary, summary);
    json_object_set_new(work->summary, "scored_steps", scored_steps(frozen));
    json_decref(summary);
    return WORK_DONE;
}

static const struct measure measures[] = {
    {.name = "bleu",
     .column = "bleu",
     .header = "BLEU",
     .decimals = 2,
     .best = COLUMN_MOST,
     .dimensions = 1u << DIMENSION_SET,
     .observations = observations_bleu},
};
const struct offer offer_score = {
    .kind = "score",
    .measures = COUNT_OF(measures),
    .measure = measures,
    .telling = "bleu",
    .numeric = true,
    .caption = "Translations",
    .section = "evaluate.bleu",
    .option = {{"split", ""},
               {"checkpoint", "checkpoint "},
               {"beam", "beam "},
               {"length_penalty", "length penalty "}},
};

const struct stage_kind kind_score = {
    .name = "score",
    .help = "a split translated with beam search, and its BLEU",
    .version = 1,
    .code = CODE_score,
    .evaluation = &evaluation_score,
    .computes = true,
    .rank = 20,
    .inputs = (const char *const[]){"corpus", "train", NULL},
    .estimate = estimate,
    .precision = precision,
    .run = run,
    .check_grid = check_grid,
};

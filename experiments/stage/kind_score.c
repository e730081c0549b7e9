/* The stage `score` translates a split with a trained model and beam search, and computes BLEU. It
 * also computes the loss of the reference translations, for which no search is necessary. */
/* sources: ..core/decode experiments/stage/rescore.* */
/* rank: 20 */
#include <math.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/decode/bleu.h"
#include "core/decode/likelihood.h"
#include "core/decode/translate_text.h"
#include "experiments/stage/facts.h"
#include "experiments/stage/rescore.h"
#include "experiments/stage/environment.h"
#include "experiments/stage/stage_work.h"
#include "results/table/observations.h"
#include "results/store/items.h"
#include "results/store/offer.h"

static const struct option rows[] = {
    OPTION_CHOICE("split", offsetof(struct score_options, split), "test", SECTION_SPLITS, OPTION_ID,
                  "split to translate"),
    OPTION_TEXT(
        "checkpoint", offsetof(struct score_options, checkpoint), "best", OPTION_ID,
        "parameters that translate: best (by train.select), last, average(N) of the newest N, "
        "mean_of_best(N): mean score of the best N, start: before training, or at(dev_loss = 1.9), "
        "at(step = 2000): interpolated between the validations on both sides"),
    BEAM_OPTIONS(offsetof(struct score_options, beam)),
    OPTION_CHOICE("precision", offsetof(struct score_options, precision), "fp32", PRECISION_WORDS,
                  OPTION_ID, "precision of search and loss (bf16, tf32: GPU or emu)"),
    OPTION_CHOICE("metric", offsetof(struct score_options, metric), "sacrebleu",
                  "sacrebleu|multi-bleu", OPTION_ID,
                  "BLEU of sacreBLEU, or of Moses, which splits text at blanks"),
    OPTION_CHOICE("tokenizer", offsetof(struct score_options, tokenizer), "auto",
                  "auto|" BLEU_TOKENIZERS, OPTION_ID,
                  "tokenizer of BLEU; auto: none for tokens, zh for raw Chinese, else 13a",
                  .when = "metric = sacrebleu"),
    OPTION_CHOICE("compounds", offsetof(struct score_options, compounds), "keep", BLEU_COMPOUNDS,
                  OPTION_ID, "split: a hyphen within a word is a word of its own (tensor2tensor)",
                  .when = "metric = multi-bleu"),
};
const struct evaluation evaluation_score = {
    .section = SECTION("evaluate.bleu", "translation of a split with beam search, and its score",
                       rows, struct score_options)};

static void check(struct kind_check *check)
{
    capable_check(check->resolved, "evaluate.bleu.precision");
}

static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    const struct score_options *score = stage_options(stage);
    const struct corpus_facts *facts = corpus_facts(stage->input[FROZEN_CORPUS], arena);
    const double source = (double)facts->tokens[score->split][SIDE_SOURCE],
                 target = (double)facts->tokens[score->split][SIDE_TARGET];
    /* Each hypothesis of the beam costs as much as a target. The factors 3 and 2 are for the small
     * products of a search, which run more slowly than large ones. The loss needs one more pass. */
    struct estimate all =
        facts_forward(stage, 3 * source, (2 * score->beam.beam + 1) * target, arena);
    const struct search_facts search =
        search_facts(stage->settings, stage->input[FROZEN_CORPUS], stage_precision(stage),
                     &score->beam, (enum split_name)score->split, arena);
    all.memory = search.memory, all.device = search.device;
    all.disk = 120. * (double)facts->sentences[score->split];
    return all;
}

static void write_hypotheses(struct stage_work *work, int set, int sets,
                             const char *const *hypothesis, int count)
{
    const char *file = "hypotheses.txt";
    if (sets > 1) file = arena_print(&work->arena, "hypotheses.%d.txt", set + 1);
    struct file_writer writer = stage_work_create(work, file);
    for (int i = 0; i < count; i++) fprintf(writer.stream, "%s\n", hypothesis[i]);
    stage_work_commit(work, &writer, file);
}

/* Writes the loss of each set per target token, and one item per sentence. The signature has a
 * digest of the target tokens, because losses per token are comparable only for the same tokens.
 * Another BPE splits the same text into other tokens. Returns false if a loss is not finite. A set
 * with this loss gets no items. */
static bool write_losses(struct stage_work *work, struct frozen *frozen, const struct split *split)
{
    struct arena *arena = &work->arena;
    bool finite = true;
    char targets[DIGEST_TEXT];
    const int64_t all = split->side[SIDE_TARGET].start[split->sentences];
    for (int set = 0; set < frozen->sets; set++) {
        SCOPED(arena_free) struct arena scratch = {0};
        frozen_load(frozen, set);
        const struct likelihood *of = likelihood_split(frozen, split, &scratch);
        struct item *item = ARENA_ARRAY(&scratch, struct item, split->sentences);
        double nats = 0;
        int64_t tokens = 0;
        for (int i = 0; i < split->sentences; i++) {
            item[i] = (struct item){of[i].nats, "", "", of[i].tokens};
            nats += of[i].nats;
            tokens += of[i].tokens;
        }
        stage_work_set(work, "test_loss", nats / (double)tokens, set, frozen->sets, tokens);
        finite &= isfinite(nats);
        if (isfinite(nats))
            stage_work_items(work, items_file(set, frozen->sets, arena), item, split->sentences);
    }
    if (!finite) return false;
    digest_bytes(split->side[SIDE_TARGET].token, (size_t)all * sizeof(int32_t), targets);
    stage_work_text(
        work, "loss_signature",
        arena_print(arena, "nats per token|targets:%.8s|tokens:%lld", targets, (long long)all));
    stage_work_real(work, "items", split->sentences);
    return true;
}

/* Returns eight digits of the digest of each reference, joined by +. */
static const char *references_digest(struct stage_work *work, const struct corpus *corpus,
                                     enum split_name split)
{
    const char *all = "";
    for (int r = 0; r < corpus->references[split]; r++) {
        char digest[DIGEST_TEXT];
        digest_file(corpus_reference_file(&work->arena, corpus->folder, split_names[split], r),
                    digest);
        all = arena_print(&work->arena, "%s%s%.8s", all, r ? "+" : "", digest);
    }
    return all;
}

static enum work_end run(struct stage_work *work)
{
    const struct score_options *score = stage_options(work->stage);
    const enum split_name split = (enum split_name)score->split;
    struct frozen *frozen = stage_work_frozen(work, score->checkpoint);
    const struct corpus *corpus = frozen->job.corpus;
    if (!write_losses(work, frozen, stage_work_split(work, corpus, split))) {
        frozen_close(frozen);
        return WORK_DIVERGED;
    }
    int blank;
    const char ***hypothesis = translate_split(frozen, &score->beam, split, &blank, &work->arena);
    const int sets = frozen->sets;
    frozen_close(frozen);
    int count;
    const int references = corpus->references[split];
    const char *const **reference = ARENA_ARRAY(&work->arena, const char *const *, references);
    for (int r = 0; r < references; r++)
        reference[r] = corpus_reference(&work->arena, corpus, split, r, &count);
    const struct bleu_options options = score_bleu(score, corpus);
    for (int set = 0; set < sets; set++) {
        write_hypotheses(work, set, sets, hypothesis[set], count);
        struct bleu result =
            bleu_corpus(&options, hypothesis[set], reference, references, count, NULL);
        stage_work_mean(work, "bp", result.bp, sets);
        stage_work_mean(work, "ratio", result.ratio, sets);
        stage_work_mean(work, "hyp_len", (double)result.hyp_len, sets);
        stage_work_mean(work, "ref_len", (double)result.ref_len, sets);
        stage_work_set(work, "bleu", result.score, set, sets, count);
    }
    /* Scores are compared only if their signatures are equal. So the signature includes the
     * references. */
    char metric[BLEU_SIGNATURE_TEXT];
    bleu_signature(&options, references, "", metric);
    const char *signature = arena_print(&work->arena, "%s|refs:%s|sentences:%d", metric,
                                        references_digest(work, corpus, split), count);
    stage_work_text(work, "signature", signature);
    stage_work_real(work, "sentences", count);
    stage_work_text(work, "split", split_names[split]);
    json_t *steps = json_array(); /* steps of the checkpoints; 0: before training */
    for (int i = 0; i < (frozen->steps ? frozen->steps : 1); i++)
        json_array_append_new(steps, json_integer(frozen->steps ? frozen->step[i] : 0));
    json_object_set_new(work->texts, "scored_steps", steps);
    if (!blank) return WORK_DONE;
    stage_work_real(work, "blank_sources", blank);
    stage_work_text(work, "blank",
                    arena_print(&work->arena, "%d blank source line%s stayed blank", blank,
                                blank == 1 ? "" : "s"));
    return WORK_DONE;
}

const struct offer offer_score = {
    .kind = "score",
    VALUES(VALUE("bleu", "BLEU", NULL, .column = "bleu", .decimals = 2, .best = COLUMN_MOST,
                 .traits = BY_SET, .observations = observations_bleu),
           VALUE("test_loss", "Test loss",
                 "nats per target token of the scored sentences, by the checkpoints that "
                 "translated them, "
                 "computed as dev_loss",
                 .column = "test_loss", .decimals = 4, .best = COLUMN_LEAST, .traits = BY_SET,
                 .counted = "tokens", .observations = observations_items, .items = "sentences",
                 .signature = "loss_signature")),
    .numbers = "items sentences bp ratio hyp_len ref_len blank_sources",
    .telling = "bleu",
    .section = "evaluate.bleu",
    .caption = "Translations: {split}, checkpoint {checkpoint}, beam {beam}, length penalty "
               "{length_penalty}; blank",
    .doubt =
        "bp < 0.9: Short translations, which lower BLEU (brevity penalty, score.bp, below 0.9)",
};

const struct stage_kind kind_score = {
    .name = "score",
    .evaluation = &evaluation_score,
    READS_FROZEN,
    .estimate = estimate,
    .run = run,
    .check = check,
};

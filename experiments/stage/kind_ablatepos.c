/* The stage `ablatepos` measures how much the loss rises if gates are held constant at the words of
 * one part of speech (probes/ablate.h). The constant is 0 in the part `shut` of the stage, and 1 in
 * the part `open`. The text is parallel and has part-of-speech tags. */
/* sources: ..core/model core/decode/likelihood.* core/decode/resample.* core/decode/statistic.*
 * probes/ablate.* probes/gates.* probes/gates_pos.*
 * experiments/stage/ablation.* */
/* rank: 38 */
#include <math.h>
#include <string.h>

#include "core/corpus/corpus_sources.h"
#include "core/corpus/rewrite.h"
#include "experiments/stage/ablation.h"
#include "experiments/stage/gates_text.h"
#include "experiments/stage/stage_digest.h"
#include "experiments/stage/stage_frozen.h"
#include "probes/gates_pos.h"

struct ablatepos_options {
    struct texts gates;     /* parts: "shut", "open" or both */
    const char *checkpoint; /* checkpoint choice that means a single encoder */
    const char *text, *references;
    struct tag_reading read;
    const char *rules;
    bool lowercase;
};
#define FIELD(member) offsetof(struct ablatepos_options, member)

static const struct option rows[] = {
    OPTION_TEXTS("gates", FIELD(gates), "[shut, open]", OPTION_NO_ID,
                 "values at which gates are held, one stage each: shut: 0; open: 1"),
    OPTION_ENCODER(FIELD(checkpoint)),
    OPTION_TEXT("text", FIELD(text), "", OPTION_NO_ID, "treebank of the source, in CoNLL-U"),
    OPTION_TEXT(
        "references", FIELD(references), "", OPTION_NO_ID,
        "treebank of the translation, sentence by sentence, in CoNLL-U; its tags do not matter"),
    OPTION_CHOICE("tagset", FIELD(read.own), "universal", "universal|own", OPTION_ID,
                  "tag set: the twelve tags of Xu et al., or the treebank's own"),
    OPTION_CHOICE("sconj", FIELD(read.sconj), "ADP", "ADP|CONJ", OPTION_ID,
                  "tag that SCONJ becomes (tagset: universal)", .when = "tagset = universal"),
    OPTION_TEXT(
        "rules", FIELD(rules), "", OPTION_NO_ID,
        "rules that first rewrite tokens of the source: moses, tatoeba, a path to a .tsv, or none"),
    OPTION_BOOL("lowercase", FIELD(lowercase), "false", OPTION_ID,
                "lower-casing of both texts, for a corpus that was lower-cased"),
};

static struct texts parts(const void *fields, struct arena *arena)
{
    const struct ablatepos_options *options = fields;
    for (int i = 0; i < options->gates.count; i++)
        if (strcmp(options->gates.text[i], "shut") && strcmp(options->gates.text[i], "open"))
            die_at(options->gates.location[i],
                   "evaluate.ablatepos.gates: \"%s\": expected shut or open",
                   options->gates.text[i]);
    return options->gates;
}

const struct evaluation evaluation_ablatepos = {
    .section = SECTION("evaluate.ablatepos",
                       "rise of the loss with gates held at the words of one part of speech", rows,
                       struct ablatepos_options),
    .parts = parts};

/* ---- before anything runs ---- */

static const char rules_option[] = "evaluate.ablatepos.rules";

static void check_lines(const struct treebank *text, const struct treebank *references)
{
    if (text->sentences != references->sentences)
        die("%s: %d sentences; expected %d, as many as %s has", references->path,
            references->sentences, text->sentences, text->path);
}

/* Checks the options. Also reads the files that exist, so that an invalid file is found before any
 * stage runs. */
static void check(struct kind_check *check)
{
    SCOPED(arena_free) struct arena arena = {0};
    const struct ablatepos_options *options = check->options;
    if (!*options->text || !*options->references)
        die_at(kind_check_place(check, ""),
               "evaluate.ablatepos: %s is missing: expected a treebank in CoNLL-U, and the "
               "translation of its sentences",
               *options->text ? "references" : "text");
    stage_frozen_check(check, options->checkpoint);
    const char *text = corpus_find_file(&arena, options->text);
    const char *references = corpus_find_file(&arena, options->references);
    stage_check_rules(check->resolved->options, options->rules, rules_option, &arena);
    if (text) {
        const struct treebank tagged = treebank_read(&arena, text, false);
        gates_text_check_tags(&tagged, options->read, &arena);
        if (references) {
            const struct treebank target = treebank_read(&arena, references, true);
            check_lines(&tagged, &target);
        }
    }
}

static void find_files(struct stage *stage, const struct stage *planned, struct arena *arena)
{
    const struct ablatepos_options *options = stage_options(stage);
    stage_digest_text(stage, "text", options->text, arena);
    stage_digest_text(stage, "references", options->references, arena);
    stage_digest_rules(stage, planned, options->rules, rules_option, arena);
}

/* ---- the work ---- */

static const struct tagged_text *read_text(struct stage_work *work, const struct corpus *corpus)
{
    struct arena *arena = &work->arena;
    const struct ablatepos_options *options = stage_options(work->stage);
    const struct tokenized_reading reading =
        stage_reading(work->stage, options->rules, rules_option, options->lowercase, arena);
    const struct treebank source =
        treebank_read(arena, stage_text_file(options->text, arena), false);
    const struct treebank target =
        treebank_read(arena, stage_text_file(options->references, arena), true);
    check_lines(&source, &target);
    struct tagged_text *text = tagged_read(arena, corpus, &reading, &source, options->read);
    const struct tokenized_reading as_written = {NULL, options->lowercase};
    const int *line;
    const char **translation = treebank_sentences(&target, &line, arena);
    tokenized_side(&text->split, corpus, SIDE_TARGET, &as_written, translation, target.path, line,
                   arena);
    return text;
}

/* Returns the mean gate of a layer over the words of a class, for a part that holds these gates;
 * NaN for all other parts. */
static double gate_at(const struct gates *gates, const struct ablation *part)
{
    const struct tagged_text *text = gates->text;
    double sum = 0;
    int64_t words = 0;
    for (int l = 0; l < gates->layers && part->class; l++)
        for (int32_t w = 0; w < text->words && gates->layer[l] == part->layer; w++) {
            if (!text->pieces[w] || text->class[w] != part->class - 1) continue;
            sum += gates_of_word(gates, -1, l, w);
            words++;
        }
    return sum / (double)words;
}

static enum work_end run(struct stage_work *work)
{
    struct arena *arena = &work->arena;
    const struct ablatepos_options *options = stage_options(work->stage);
    struct frozen *frozen = stage_work_frozen(work, options->checkpoint);
    const struct tagged_text *text = read_text(work, frozen->job.corpus);
    const bool shut = !strcmp(work->stage->part, "shut");
    frozen_load(frozen, 0);
    const struct ablations all = ablate_classes(frozen, text, shut ? 0 : 1, arena);
    const struct gates gates = gates_measure(frozen, NULL, text, arena);
    double *gate = ARENA_ARRAY(arena, double, all.count);
    for (int i = 0; i < all.count; i++) gate[i] = gate_at(&gates, &all.of[i]);
    frozen_close(frozen);
    stage_work_text(
        work, "signature",
        arena_print(arena, "nats per word|gates:%s|text:%s|references:%s", work->stage->part,
                    stage_file_signature(stage_file(work->stage, "text"), arena),
                    stage_file_signature(stage_file(work->stage, "references"), arena)));
    stage_work_real(work, "words", text->words - text->lost);
    stage_work_real(work, "lost_words", text->lost);
    ablation_write(work, &all, gate);
    return WORK_DONE;
}

const struct offer offer_ablatepos = {
    .kind = "ablatepos",
    .traits = OFFER_PARTS,
    VALUES(ABLATION_MEASURES("words")),
    .numbers = "rise_se rise_low rise_high ranked sentences words lost_words",
};

const struct stage_kind kind_ablatepos = {
    .name = "ablatepos",
    .evaluation = &evaluation_ablatepos,
    READS_FROZEN,
    .lacks = gates_text_lacks,
    .find_files = find_files,
    .check = check,
    .passes = 100,
    .run = run,
};

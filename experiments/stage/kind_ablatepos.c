/* The stage `ablatepos`: how much the loss rises when gates are held at 0 (part `shut`) or 1 (part
 * `open`) at the words of one part of speech alone (probes/ablate.h), on tagged parallel text. */
/* sources: ..core/model core/decode/likelihood.* core/decode/resample.* core/decode/statistic.*
 * probes/ablate.* probes/gates.* probes/gates_pos.* results/stats/rank.*
 * experiments/stage/ablation.* */
#include <string.h>

#include "code.h"
#include "core/base/file.h"
#include "core/corpus/corpus_sources.h"
#include "core/corpus/rewrite.h"
#include "experiments/stage/ablation.h"
#include "experiments/stage/facts_model.h"
#include "experiments/stage/gates_text.h"
#include "experiments/stage/stage_digest.h"
#include "experiments/stage/stage_frozen.h"
#include "probes/gates_pos.h"

struct ablatepos_options {
    struct texts gates;     /* "shut", "open": the parts */
    const char *checkpoint; /* of one encoder */
    const char *text, *references;
    struct tag_reading read;
    const char *rules;
    bool lowercase;
};
#define FIELD(member) offsetof(struct ablatepos_options, member)

static const struct option rows[] = {
    ROW_TEXTS("gates", FIELD(gates), "[shut, open]", OPTION_NO_ID,
              "what gates are held at, a stage each: shut, 0; open, 1"),
    ROW_TEXT("checkpoint", FIELD(checkpoint), "best", OPTION_ID,
             "best, last, average(N) or start: as evaluate.bleu has it"),
    ROW_TEXT("text", FIELD(text), "", OPTION_NO_ID, "a treebank in CoNLL-U, of the source"),
    ROW_TEXT("references", FIELD(references), "", OPTION_NO_ID,
             "its translation, sentence by sentence, in CoNLL-U: whatever its tags"),
    ROW_CHOICE("tagset", FIELD(read.own), "universal", "universal|own", OPTION_ID,
               "tags become the twelve of Xu et al., or stay as they stand"),
    ROW_CHOICE("sconj", FIELD(read.sconj), "ADP", "ADP|CONJ", OPTION_ID, "what SCONJ becomes",
               .when = "tagset = universal"),
    ROW_TEXT("rules", FIELD(rules), "", OPTION_NO_ID,
             "how tokens of the source are rewritten: moses, tatoeba, a path to a .tsv, or none"),
    ROW_BOOL("lowercase", FIELD(lowercase), "false", OPTION_ID,
             "both texts are lower-cased, as the corpus came"),
};
static const struct section section = {"evaluate.ablatepos",
                                       "what the loss becomes when gates are held at words of one "
                                       "part of speech",
                                       rows, COUNT_OF(rows), sizeof(struct ablatepos_options)};

static struct texts parts(const void *fields, struct arena *arena)
{
    (void)arena;
    const struct ablatepos_options *options = fields;
    for (int i = 0; i < options->gates.count; i++)
        if (strcmp(options->gates.text[i], "shut") && strcmp(options->gates.text[i], "open"))
            die_at(options->gates.place[i],
                   "evaluate.ablatepos.gates: \"%s\": expected shut or open",
                   options->gates.text[i]);
    return options->gates;
}

const struct evaluation evaluation_ablatepos = {
    .section = &section, .split = -1, .checkpoint = FIELD(checkpoint), .parts = parts};

static const struct ablatepos_options *options_at(const struct settings *settings)
{
    return settings_evaluated(settings, &evaluation_ablatepos)->fields;
}

static bool wanted(const struct settings *settings)
{
    return gates_any(&settings->translator.encoder);
}

/* ---- before anything runs ---- */

static const char rules_option[] = "evaluate.ablatepos.rules";

static void check_lines(const struct treebank *text, const struct treebank *references)
{
    if (text->sentences != references->sentences)
        die("%s: %d sentences; expected %d, as many as %s has", references->path,
            references->sentences, text->sentences, text->path);
}

/* Files that are there are read before anything is computed for them. */
static void check_options(const struct ablatepos_options *options, const struct tree *point)
{
    struct arena arena = {0};
    if (!*options->text || !*options->references)
        die_at(tree_place(point, section.name),
               "evaluate.ablatepos: %s is missing: expected a treebank in CoNLL-U, and the "
               "translation of its sentences",
               *options->text ? "references" : "text");
    stage_frozen_check(point, section.name, options->checkpoint);
    const char *text = corpus_find_file(&arena, options->text);
    const char *references = corpus_find_file(&arena, options->references);
    const char *rules =
        rewrite_file(&arena, options->rules, tree_place(point, rules_option), rules_option);
    if (rules) rewrite_read(&arena, rules);
    if (text) {
        const struct treebank tagged = treebank_read(&arena, text);
        gates_text_check_tags(&tagged, options->read, &arena);
        if (references) {
            const struct treebank target = treebank_read_written(&arena, references);
            check_lines(&tagged, &target);
        }
    }
    arena_free(&arena);
}

static void check_point(const struct grid *grid, const struct grid_point *point,
                        const struct stage_kind *kind)
{
    (void)grid, (void)kind;
    check_options(options_at(&point->settings), point->options);
}

static void find_files(struct stage *stage, struct arena *arena)
{
    const struct ablatepos_options *options = options_at(stage->settings);
    const char *rules = stage_rules_file(stage, options->rules, rules_option, arena);
    stage->files = 0;
    stage->file = ARENA_ARRAY(arena, struct input_file, 3);
    stage_digest_file(stage, "text", options->text, corpus_find_file(arena, options->text), arena);
    stage_digest_file(stage, "references", options->references,
                      corpus_find_file(arena, options->references), arena);
    stage_digest_rules(stage, options->rules, rules, arena);
}

static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    enum { CLASSES = 13 }; /* about */
    const struct ablatepos_options *options = options_at(stage->settings);
    const struct encoder_options *encoder = &stage->settings->translator.encoder;
    int passes = 1 + CLASSES;
    for (int l = 0; l < encoder->layers; l++) passes += gates_at(encoder, l) ? CLASSES : 0;
    const double pieces = gates_text_pieces(options->text);
    const struct translator_cost cost =
        facts_forward_cost(stage->settings, corpus_facts(stage->input[FROZEN_CORPUS], arena),
                           passes * pieces, passes * pieces);
    return (struct estimate){.flops = cost.flops, .work = cost.work, .disk = 1e6};
}

/* ---- the work ---- */

static const struct tagged_text *read_text(struct stage_work *work, const struct corpus *corpus)
{
    struct arena *arena = &work->arena;
    const struct ablatepos_options *options = options_at(work->stage->settings);
    const char *rules = stage_rules_file(work->stage, options->rules, rules_option, arena);
    const struct tokenized_reading reading = {rules ? rewrite_read(arena, rules) : NULL,
                                              options->lowercase};
    const struct treebank source = treebank_read(arena, stage_text_file(options->text, arena));
    const struct treebank target =
        treebank_read_written(arena, stage_text_file(options->references, arena));
    check_lines(&source, &target);
    struct tagged_text *text = tagged_read(arena, corpus, &reading, &source, options->read);
    const struct tokenized_reading as_written = {NULL, options->lowercase};
    const int *line;
    const char **translation = treebank_sentences(&target, &line, arena);
    tokenized_side(&text->split, corpus, SIDE_TARGET, &as_written, translation, target.path, line,
                   arena);
    return text;
}

/* The mean gate of a class's words in a layer (index into gates->layer). */
static double mean_gate(const struct gates *gates, int layer, int class)
{
    const struct tagged_text *text = gates->text;
    double sum = 0;
    int64_t words = 0;
    for (int32_t w = 0; w < text->words; w++) {
        if (!text->pieces[w] || text->class[w] != class) continue;
        sum += gates_of_word(gates, -1, layer, w);
        words++;
    }
    return sum / (double)words;
}

static void write_all(struct stage_work *work, const struct ablated_classes *all,
                      const struct gates *gates)
{
    struct arena *arena = &work->arena;
    const struct tagged_text *text = gates->text;
    const int sentences = text->split.sentences;
    double *gate = ARENA_ARRAY(arena, double, all->layers * all->classes + 1);
    double *risen = ARENA_ARRAY(arena, double, all->layers * all->classes + 1);
    int places = 0;
    struct file_writer writer =
        file_create(arena_print(arena, "%s/" ABLATION_TSV, work->stage->folder));
    struct ablation_rows to = {.work = work, .sentences = sentences, .tsv = writer.stream};
    const struct rise *rise = all->rise;
    fputs(ABLATION_HEADER, writer.stream);
    for (int r = 0; r <= all->layers; r++)
        for (int c = -1; c < all->classes; c++, rise += sentences) {
            const struct ablation_site site = {c < 0 ? "" : text->name[c],
                                               r ? all->layer[r - 1] : 0, 0};
            const struct rise_mean mean = rise_mean(rise, sentences);
            ablation_row(&to, &site, rise);
            if (!r || c < 0 || !mean.tokens) continue;
            gate[places] = mean_gate(gates, r - 1, c);
            risen[places++] = mean.mean;
        }
    file_commit(&writer);
    ablation_end(&to, gate, risen, places);
}

static enum work_end run(struct stage_work *work)
{
    struct arena *arena = &work->arena;
    const struct ablatepos_options *options = options_at(work->stage->settings);
    struct frozen *frozen = stage_work_frozen(work, options->checkpoint);
    const struct tagged_text *text = read_text(work, frozen->job.corpus);
    const bool shut = !strcmp(work->stage->part, "shut");
    frozen_load(frozen, 0);
    const struct ablated_classes all = ablate_classes(frozen, text, shut ? 0 : 1, arena);
    const struct gates gates = gates_measure(frozen, NULL, text, arena);
    frozen_close(frozen);
    json_object_set_new(
        work->summary, "signature",
        json_string(
            arena_print(arena, "nats per word|gates:%s|text:%s|references:%s", work->stage->part,
                        stage_file_signature(stage_file(work->stage, "text"), arena),
                        stage_file_signature(stage_file(work->stage, "references"), arena))));
    stage_work_count(work, "words", text->words - text->lost);
    stage_work_count(work, "lost_words", text->lost);
    write_all(work, &all, &gates);
    return WORK_DONE;
}

static const struct measure measures[] = {
    ABLATION_MEASURES("words", "Rise of the loss (nats per word)")};
const struct offer offer_ablatepos = {
    .kind = "ablatepos",
    .parts = true,
    .measures = COUNT_OF(measures),
    .measure = measures,
    .numbers = "rise_se rise_low rise_high ranked sentences words lost_words",
    .numeric = true};

const struct stage_kind kind_ablatepos = {
    .name = "ablatepos",
    .help = "rise of the loss with gates held at 0 or 1 at words of one part of speech",
    .version = 1,
    .code = CODE_ablatepos,
    .evaluation = &evaluation_ablatepos,
    .computes = true,
    .rank = 38,
    .inputs = (const char *const[]){"corpus", "train", NULL},
    .wanted = wanted,
    .needs = "a fusion with gates",
    .find_files = find_files,
    .check_point = check_point,
    .estimate = estimate,
    .run = run,
};

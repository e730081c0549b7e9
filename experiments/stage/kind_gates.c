/* The stage `gates` measures the mean weights of the branches in the fusions of a trained encoder
 * (probes/gates.h). */
/* sources: ..core/model core/decode/resample.* core/decode/statistic.* probes/gates.*
 * probes/gates_pos.* */
/* rank: 30 */
#include "core/model/checkpoint_choice.h"
#include "experiments/stage/gates_text.h"
#include "probes/gates_pos.h"
#include "results/store/items.h"
#include "results/store/offer.h"
#include "results/table/observations.h"

const struct evaluation evaluation_gates = {.section = &gates_section};

/* Writes a value. Its name is `name` (the weight, such as "gate" or "branch_1_start"), followed by
 * `end` (the statistic, such as "_sd"). */
static void write_value(struct stage_work *work, const char *name, const char *end, double value,
                        int64_t n, struct value_at at)
{
    stage_work_value(work, arena_print(&work->arena, "%s%s", name, end), value, n, at);
}

/* Writes the mean over all gates and its sample standard deviation; if requested, also by layer and
 * by head of a layer. n is the number of gates. `set` is one checkpoint of mean_of_best(N); -1: all
 * of them together. */
static void write_rows(struct stage_work *work, const char *name, const struct gates *gates,
                       int set)
{
    const struct gates_options *options = stage_options(work->stage);
    const int layers = options->by & GATES_BY_LAYER ? gates->layers : 0;
    for (int l = -1; l < layers; l++) {
        const bool split = l >= 0 && options->by & GATES_BY_HEAD && gates->heads[l] > 1;
        for (int h = -1; h < (split ? gates->heads[l] : 0); h++) {
            const struct moments over = gates_over(gates, set, l, h);
            const struct value_at at = {set + 1, l < 0 ? 0 : gates->layer[l], h + 1, NULL};
            write_value(work, name, "", moments_mean(&over), over.n, at);
            write_value(work, name, "_sd", moments_deviation(&over), over.n, at);
        }
    }
}

/* Writes the means by part of speech, if requested: over all gated layers and, if requested, by
 * layer. n is the number of words. */
static void write_classes(struct stage_work *work, const char *name, const struct gates *gates,
                          int set)
{
    const struct gates_options *options = stage_options(work->stage);
    if (!(options->by & GATES_BY_POS)) return;
    const struct gates_pos pos = gates_by_pos(gates, set, &work->arena);
    for (int r = 0; r <= pos.layers && (!r || options->by & GATES_BY_LAYER); r++) {
        struct value_at at = {.set = set + 1, .layer = r ? gates->layer[r - 1] : 0};
        for (int c = 0; c < pos.classes; c++) {
            const struct gates_class *of = &pos.of[r * pos.classes + c];
            at.class = gates->text->name[c];
            if (!of->words) continue;
            write_value(work, name, "", of->mean, of->words, at);
            write_value(work, name, "_se", of->error, of->words, at);
        }
        if (!pos.controlled) continue;
        at = (struct value_at){.layer = at.layer};
        write_value(work, name, "_between", pos.between[r], JOURNAL_NONE, at);
        write_value(work, name, "_shuffles", pos.reached[r], GATES_SHUFFLES, at);
    }
}

/* Writes the values of each checkpoint of mean_of_best(N), then of all of them together. */
static void write_gates(struct stage_work *work, const char *name, const struct gates *gates)
{
    for (int i = gates->sets > 1 ? 0 : gates->sets; i <= gates->sets; i++) {
        const int set = i < gates->sets ? i : -1;
        write_rows(work, name, gates, set);
        write_classes(work, name, gates, set);
    }
}

/* Writes the sums of each sentence of tagged text, by layer and class. The means over words are
 * computed from these sums. */
static void write_clusters(struct stage_work *work, const struct gates *gates)
{
    const struct tagged_text *text = gates->text;
    const int sentences = text->split.sentences;
    struct cluster_sum *sum = NULL;
    int count = 0;
    for (int s = 0; s < sentences; s++)
        for (int l = -1; l < gates->layers; l++)
            for (int c = -1; c < text->classes; c++) {
                const struct ratio_item share = gates_of_sentence(gates, s, l, c);
                if (!(share.weight > 0)) continue;
                ARENA_ADD(&work->arena, sum, count,
                          (struct cluster_sum){s + 1, l < 0 ? 0 : gates->layer[l],
                                               c < 0 ? "" : text->name[c], share.weight,
                                               share.number});
            }
    tsv_write(stage_work_path(work, CLUSTERS_FILE), &clusters_form, sum, count);
    stage_work_output(work, CLUSTERS_FILE);
    stage_work_real(work, "sentences", sentences);
}

static void summarize_text(struct stage_work *work, const struct tagged_text *text)
{
    stage_work_real(work, "words", text->words - text->lost);
    stage_work_real(work, "lost_words", text->lost);
    stage_work_share(work, "unknown_words", text->unknown_words, text->read);
    stage_work_share(work, "unknown_pieces", text->unknown_pieces, text->all_pieces);
    stage_work_real(work, "ranges", text->ranges);
    stage_work_real(work, "empty_nodes", text->empty);
    stage_work_text(work, "signature", gates_text_signature(work->stage, &work->arena));
}

static void summarize(struct stage_work *work, const struct frozen *frozen,
                      const struct gates *gates)
{
    const struct gates_options *options = stage_options(work->stage);
    if (gates->layers) stage_work_real(work, "gates", gates_over(gates, -1, -1, -1).n);
    stage_work_text(work, "split", *options->text ? options->text : split_names[options->split]);
    stage_work_text(work, "checkpoints",
                    frozen->steps ? arena_numbers(&work->arena, frozen->step, frozen->steps, ", ")
                                  : "start");
    for (int l = 0; l < gates->layers; l++) {
        struct moments layer = gates_over(gates, -1, l, -1);
        stage_work_real(work, arena_print(&work->arena, "gate.%d", gates->layer[l]),
                        moments_mean(&layer));
    }
}

/* Measures the weights with the parameters of a checkpoint. Writes them as "gate" and "branch_1",
 * "branch_2", .., followed by `end`. Returns the gates, which are the weights of second branches.
 * The result has no layers if the encoder has no gates. */
static struct gates measure(struct stage_work *work, struct frozen *frozen, const char *end,
                            const struct tagged_text *text)
{
    const struct gates_options *options = stage_options(work->stage);
    const struct encoder_options *encoder = &frozen->job.options->encoder;
    const struct corpus *corpus = frozen->job.corpus;
    struct arena *arena = &work->arena;
    const struct split *split =
        text ? &corpus->split[options->split] : stage_work_split(work, corpus, options->split);
    struct gates gates = {0};
    const struct gates *branch = NULL;
    const int branches = gates_branches(encoder);
    if (gates_any(encoder)) gates = gates_measure(frozen, split, text, arena);
    if (branches) branch = gates_measure_branches(frozen, split, text, arena);
    frozen_close(frozen);
    if (gates.layers) write_gates(work, arena_print(arena, "gate%s", end), &gates);
    for (int i = 0; i < branches; i++)
        write_gates(work, arena_print(arena, "branch_%d%s", i + 1, end), &branch[i]);
    return gates;
}

static enum work_end run(struct stage_work *work)
{
    const struct gates_options *options = stage_options(work->stage);
    struct frozen *frozen = stage_work_frozen(work, options->checkpoint);
    const struct tagged_text *text = gates_text_read(work, frozen->job.corpus);
    const struct gates gates = measure(work, frozen, "", text);
    summarize(work, frozen, &gates);
    if (text) summarize_text(work, text);
    if (text && gates.layers) write_clusters(work, &gates);
    if (options->start) measure(work, stage_work_frozen(work, "start"), "_start", text);
    return WORK_DONE;
}

static const char *lacks(const struct settings *settings)
{
    return gates_branches(&settings->translator.encoder) ? NULL : gates_text_lacks(settings);
}

/* Measure for the weight of one branch, in fusions that weight each branch. There is one for each
 * of ATTENTION_BRANCHES. */
#define BRANCH(number)                                                                             \
    VALUE("branch_" number, "Weight of branch " number, "mean over elements, in a squeeze",        \
          .decimals = 4, .traits = BY_LAYER | BY_SET | BY_CLASS, .counted = "positions")

const struct offer offer_gates = {
    .kind = "gates",
    VALUES(VALUE("gate", "Mean gate", "weight of the second branch", .decimals = 4,
                 .traits = BY_LAYER | BY_HEAD | BY_SET | BY_CLASS, .counted = "gates",
                 .items = "sentences", .observations = observations_clusters),
           BRANCH("1"), BRANCH("2"), BRANCH("3"), BRANCH("4"), BRANCH("5"), BRANCH("6"),
           BRANCH("7"), BRANCH("8")),
    .numbers = "gate_sd gate_se gate_between gate_shuffles gate_start gate_start_sd gate_start_se "
               "gate_start_between gate_start_shuffles gates gate. sentences words lost_words "
               "unknown_words unknown_pieces empty_nodes ranges branch_",
};

static const struct texts *program(const struct stage *stage)
{
    const struct gates_options *options = stage_options(stage);
    return options->tags.command.count ? &options->tags.command : NULL;
}

const struct stage_kind kind_gates = {
    .name = "gates",
    .evaluation = &evaluation_gates,
    READS_FROZEN,
    .lacks = lacks,
    .program = program,
    .find_files = gates_text_files,
    .check = gates_text_check,
    .passes = 2,
    .run = run,
};

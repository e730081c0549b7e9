/* The stage `gates`: how much a trained encoder listens to its second branch (probes/gates.h). */
/* sources: ..core/model core/decode/resample.* core/decode/statistic.* probes/gates.*
 * probes/gates_pos.* */
#include <math.h>

#include "code.h"
#include "core/model/checkpoint_choice.h"
#include "experiments/stage/facts_model.h"
#include "experiments/stage/gates_text.h"
#include "probes/gates_pos.h"
#include "results/store/clusters.h"
#include "results/store/offer.h"
#include "results/table/observations.h"

const struct evaluation evaluation_gates = {.section = &gates_section,
                                            .split = offsetof(struct gates_options, split),
                                            .checkpoint =
                                                offsetof(struct gates_options, checkpoint)};

static const struct gates_options *options_of(const struct stage *stage)
{
    return settings_evaluated(stage->settings, &evaluation_gates)->fields;
}

static bool wanted(const struct settings *settings)
{
    return gates_any(&settings->translator.encoder);
}

static void check_point(const struct grid *grid, const struct grid_point *point,
                        const struct stage_kind *kind)
{
    (void)grid;
    gates_text_check(settings_evaluated(&point->settings, kind->evaluation)->fields,
                     &point->settings.corpus, point->options);
}

static void find_files(struct stage *stage, struct arena *arena)
{
    gates_text_files(stage, options_of(stage), arena);
}

static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    const struct gates_options *gates = options_of(stage);
    const struct corpus_facts *facts = corpus_facts(stage->input[FROZEN_CORPUS], arena);
    const double source = *gates->text ? gates_text_pieces(gates->text)
                                       : (double)facts->tokens[gates->split][SIDE_SOURCE];
    int count;
    const bool one_by_one = checkpoint_parse(gates->checkpoint, "evaluate.gates.checkpoint", false,
                                             &count) == CHECKPOINT_MEAN_OF_BEST;
    const struct translator_cost cost =
        facts_forward_cost(stage->settings, facts, source, 0); /* no decoder */
    const double times = (one_by_one ? count : 1) + gates->start;
    return (struct estimate){.flops = times * cost.flops, .work = times * cost.work};
}

/* Of what is measured: the trained gates, or those of the parameters that training began with. */
struct gates_names {
    const char *mean, *deviation, *error, *between, *reached;
};
static const struct gates_names trained = {"gate", "gate_sd", "gate_se", "gate_between",
                                           "gate_shuffles"},
                                untrained = {"gate_start", "gate_start_sd", "gate_start_se",
                                             "gate_start_between", "gate_start_shuffles"};

/* The mean and the sample standard deviation, with n, the gates counted. */
static void write_pair(struct stage_work *work, const struct gates_names *names, int set, int layer,
                       int head, struct moments moments)
{
    stage_work_row(work, names->mean, moments_mean(&moments), moments.n, set, layer, head);
    stage_work_row(work, names->deviation, moments_deviation(&moments), moments.n, set, layer,
                   head);
}

/* Over all, by layer, by layer and head: of one set, the checkpoint of mean_of_best(N), or with -1
 * of all together. */
static void write_rows(struct stage_work *work, const struct gates_names *names,
                       const struct gates *gates, int set)
{
    const unsigned by = options_of(work->stage)->by;
    const int place = set < 0 ? JOURNAL_NONE : set + 1;
    write_pair(work, names, place, JOURNAL_NONE, JOURNAL_NONE, gates_over(gates, set, -1, -1));
    for (int l = 0; l < gates->layers && by & GATES_BY_LAYER; l++) {
        write_pair(work, names, place, gates->layer[l], JOURNAL_NONE,
                   gates_over(gates, set, l, -1));
        for (int h = 0; h < gates->heads[l] && by & GATES_BY_HEAD && gates->heads[l] > 1; h++)
            write_pair(work, names, place, gates->layer[l], h + 1, gates_over(gates, set, l, h));
    }
}

/* By part of speech, n being words: of all gated layers together and, if asked for, of each. */
static void write_classes(struct stage_work *work, const struct gates_names *names,
                          const struct gates *gates, int set)
{
    const unsigned by = options_of(work->stage)->by;
    if (!(by & GATES_BY_POS)) return;
    const struct gates_pos pos = gates_by_pos(gates, set, &work->arena);
    for (int r = 0; r <= pos.layers && (!r || by & GATES_BY_LAYER); r++) {
        const int layer = r ? gates->layer[r - 1] : JOURNAL_NONE;
        for (int c = 0; c < pos.classes; c++) {
            const struct gates_class *of = &pos.of[r * pos.classes + c];
            struct metric metric = {.name = names->mean,
                                    .step = JOURNAL_NONE,
                                    .value = of->mean,
                                    .layer = layer,
                                    .head = JOURNAL_NONE,
                                    .set = set < 0 ? JOURNAL_NONE : set + 1,
                                    .class = gates->text->name[c],
                                    .n = of->words};
            if (!of->words) continue;
            journal_metric(work->journal, &metric);
            metric.name = names->error;
            metric.value = of->error;
            if (isfinite(of->error)) journal_metric(work->journal, &metric);
        }
        if (!pos.controlled) continue;
        stage_work_row(work, names->between, pos.between[r], JOURNAL_NONE, JOURNAL_NONE, layer,
                       JOURNAL_NONE);
        stage_work_row(work, names->reached, pos.reached[r], GATES_SHUFFLES, JOURNAL_NONE, layer,
                       JOURNAL_NONE);
    }
}

static void write_gates(struct stage_work *work, const struct gates_names *names,
                        const struct gates *gates)
{
    for (int set = 0; gates->sets > 1 && set < gates->sets; set++) {
        write_rows(work, names, gates, set);
        write_classes(work, names, gates, set);
    }
    write_rows(work, names, gates, -1);
    write_classes(work, names, gates, -1);
}

/* What stands behind the means of tagged text, sentence by sentence. */
static void write_clusters(struct stage_work *work, const struct gates *gates)
{
    const struct tagged_text *text = gates->text;
    const int sentences = text->split.sentences;
    struct cluster_sum *sum = NULL;
    int count = 0;
    for (int s = 0; s < sentences; s++)
        for (int l = -1; l < gates->layers; l++)
            for (int c = -1; c < text->classes; c++) {
                const struct gates_share share = gates_of_sentence(gates, s, l, c);
                ARENA_MORE(&work->arena, sum, count);
                sum[count++] = (struct cluster_sum){s + 1, l < 0 ? 0 : gates->layer[l],
                                                    c < 0 ? "" : text->name[c], (double)share.count,
                                                    share.sum};
            }
    clusters_write(work->stage->folder, sum, count);
    stage_work_output(work, CLUSTERS_FILE);
    stage_work_count(work, "sentences", sentences);
}

static double share_of(int64_t part, int64_t all)
{
    return all ? 100. * (double)part / (double)all : 0;
}

static void summarize_text(struct stage_work *work, const struct tagged_text *text)
{
    json_t *summary = work->summary;
    json_object_set_new(summary, "words", json_integer(text->words - text->lost));
    json_object_set_new(summary, "lost_words", json_integer(text->lost));
    json_object_set_new(summary, "unknown_words",
                        json_real(share_of(text->unknown_words, text->read)));
    json_object_set_new(summary, "unknown_pieces",
                        json_real(share_of(text->unknown_pieces, text->all_pieces)));
    json_object_set_new(summary, "ranges", json_integer(text->ranges));
    json_object_set_new(summary, "empty_nodes", json_integer(text->empty));
    const char *signature =
        gates_text_signature(work->stage, options_of(work->stage), &work->arena);
    json_object_set_new(summary, "signature", json_string(signature));
}

static void summarize(struct stage_work *work, const struct frozen *frozen,
                      const struct gates *gates)
{
    struct moments all = gates_over(gates, -1, -1, -1);
    const struct gates_options *options = options_of(work->stage);
    stage_work_real(work, "gate", moments_mean(&all));
    stage_work_real(work, "gate_sd", moments_deviation(&all));
    stage_work_count(work, "gates", all.n);
    stage_work_text(work, "split", *options->text ? options->text : split_names[options->split]);
    const char *steps = frozen->steps ? "" : "start";
    for (int i = 0; i < frozen->steps; i++)
        steps =
            arena_print(&work->arena, "%s%s%lld", steps, i ? ", " : "", (long long)frozen->step[i]);
    stage_work_text(work, "checkpoints", steps);
    for (int l = 0; l < gates->layers; l++) {
        struct moments layer = gates_over(gates, -1, l, -1);
        stage_work_real(work, arena_print(&work->arena, "gate.%d", gates->layer[l]),
                        moments_mean(&layer));
    }
    if (gates->text) summarize_text(work, gates->text);
}

static struct gates measure(struct stage_work *work, struct frozen *frozen,
                            const struct tagged_text *text)
{
    const int which = options_of(work->stage)->split;
    const struct split *split = &frozen->job.corpus->split[which];
    if (!text && !split->sentences)
        die("evaluate.gates.split: the corpus has no %s split", split_names[which]);
    return gates_measure(frozen, split, text, &work->arena);
}

/* The gates of the parameters that the training began with. */
static void measure_start(struct stage_work *work, const struct tagged_text *text)
{
    struct frozen *frozen = stage_work_frozen(work, "start");
    const struct gates gates = measure(work, frozen, text);
    const struct moments all = gates_over(&gates, -1, -1, -1);
    frozen_close(frozen);
    write_gates(work, &untrained, &gates);
    stage_work_real(work, untrained.mean, moments_mean(&all));
}

static enum work_end run(struct stage_work *work)
{
    const struct gates_options *options = options_of(work->stage);
    struct frozen *frozen = stage_work_frozen(work, options->checkpoint);
    const struct tagged_text *text = gates_text_read(work, options, frozen->job.corpus);
    const struct gates gates = measure(work, frozen, text);
    frozen_close(frozen);
    write_gates(work, &trained, &gates);
    summarize(work, frozen, &gates);
    if (text) write_clusters(work, &gates);
    if (options->start) measure_start(work, text);
    return WORK_DONE;
}

static const struct measure measures[] = {
    {.name = "gate",
     .header = "Mean gate",
     .help = "the weight of the second branch",
     .decimals = 4,
     .dimensions =
         1u << DIMENSION_LAYER | 1u << DIMENSION_HEAD | 1u << DIMENSION_SET | 1u << DIMENSION_CLASS,
     .deviation = "gate_sd",
     .error = "gate_se",
     .start = "gate_start",
     .items = "sentences",
     .clusters = observations_clusters,
     .counted = "gates",
     .classed = "words",
     .unknown = "unknown_words",
     .points = "mean gate (weight of the second branch) over positions and heads",
     .layers = "Encoder layer",
     .high = 1,
     .middle = 0.5,
     .balance = "both branches weigh the same"},
};
const struct offer offer_gates = {
    .kind = "gates",
    .measures = COUNT_OF(measures),
    .measure = measures,
    .numbers = "gate_sd gate_se gate_between gate_shuffles gate_start gate_start_sd gate_start_se "
               "gate_start_between gate_start_shuffles gates gate. sentences words lost_words "
               "unknown_words unknown_pieces empty_nodes ranges",
    .numeric = true,
};

static const struct texts *program(const struct stage *stage)
{
    const struct texts *command = &options_of(stage)->tags.command;
    return command->count ? command : NULL;
}

const struct stage_kind kind_gates = {
    .name = "gates",
    .help = "mean weights of the second branch, by layer, head and part of speech",
    .version = 1,
    .code = CODE_gates,
    .evaluation = &evaluation_gates,
    .computes = true,
    .rank = 30,
    .inputs = (const char *const[]){"corpus", "train", NULL},
    .wanted = wanted,
    .needs = "a fusion with gates",
    .program = program,
    .find_files = find_files,
    .check_point = check_point,
    .estimate = estimate,
    .run = run,
};

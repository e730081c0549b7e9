/* The stage `inference`: a classifier of pairs of statements of logic on the vectors of a frozen
 * encoder, which reads them as text; beside the same on the encoder before it was trained. */
/* sources: ..core/model core/corpus/labeled.* core/corpus/known_words.* logic probes/vectors.*
 * probes/classifier* probes/protocol.* core/train/relating.* experiments/stage/inference_text.*
 * experiments/stage/logic_files.* experiments/stage/logic_report.* */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/random.h"
#include "core/model/checkpoint.h"
#include "core/train/relating.h"
#include "experiments/stage/facts_model.h"
#include "experiments/stage/inference_options.h"
#include "experiments/stage/inference_text.h"
#include "experiments/stage/logic_files.h"
#include "experiments/stage/logic_report.h"
#include "experiments/stage/stage_digest.h"
#include "logic/ids.h"
#include "probes/classifier.h"
#include "probes/vectors.h"

const struct evaluation evaluation_inference = {.section = &inference_section,
                                                .split = -1,
                                                .checkpoint =
                                                    offsetof(struct inference_options, checkpoint)};

#define RULES "rules" /* among the files of a stage */

static const struct inference_options *options_of(const struct stage *stage)
{
    return inference_options_at(stage->settings);
}

/* ---- before anything runs ---- */

/* Where the rules lie: as was planned, or as the point says; NULL: there are none. */
static const char *rules_of(const struct stage *stage, struct arena *arena)
{
    for (int i = 0; i < stage->files; i++)
        if (!strcmp(stage->file[i].name, RULES)) return stage->file[i].path;
    return inference_rules(options_of(stage), stage->options, arena);
}

static void find_files(struct stage *stage, struct arena *arena)
{
    const char *rules = rules_of(stage, arena);
    char digest[DIGEST_TEXT];
    logic_files_find(stage, &options_of(stage)->logic, arena);
    if (!rules) return;
    struct input_file *all = ARENA_ARRAY(arena, struct input_file, stage->files + 1);
    for (int i = 0; i < stage->files; i++) all[i] = stage->file[i];
    if (file_exists(rules)) stage_digest(rules, digest);
    all[stage->files++] =
        (struct input_file){RULES, rules, file_exists(rules) ? arena_text(arena, digest) : NULL};
    stage->file = all;
}

static struct place place_of(const struct tree *point, const char *path)
{
    const struct tree *value = tree_find(point, path);
    return value ? value->place : point->place;
}

static void check_point(const struct tree *point, const struct inference_options *options)
{
    struct arena arena = {0};
    int count;
    if (checkpoint_parse(options->checkpoint, "evaluate.inference.checkpoint", false, &count) ==
        CHECKPOINT_MEAN_OF_BEST)
        die_at(place_of(point, "evaluate.inference.checkpoint"),
               "evaluate.inference.checkpoint: %s is several encoders; expected one: best, last, "
               "average(N) or start",
               options->checkpoint);
    logic_files_check(point, "evaluate.inference.data", &options->logic);
    const char *rules = inference_rules(options, point, &arena);
    if (rules) {
        const struct formula_names names = logic_files_names(&options->logic);
        inference_check_rules(rewrite_read(&arena, rules), rules, &names,
                              place_of(point, "evaluate.inference.rules"));
    }
    arena_free(&arena);
}

static void check_grid(const struct grid *grid)
{
    for (int i = 0; i < grid->rows * grid->seeds; i += grid->seeds) {
        const struct grid_point *point = &grid->point[i];
        if (point->options && settings_evaluated(&point->settings, &evaluation_inference)->asked)
            check_point(point->options, inference_options_at(&point->settings));
    }
}

/* About as many statements and pieces as the published files have for so many pairs. */
static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    enum { STATEMENTS = 80000, TESTED = 37000, EPOCHS = 40, SETTINGS = 4 };
    static const double pieces = 25. * STATEMENTS, rate = 1.5e11;
    const struct inference_options *options = options_of(stage);
    const struct corpus_facts *facts = corpus_facts(stage->input[FROZEN_CORPUS], arena);
    const struct translator_cost cost = facts_forward_cost(stage->settings, facts, pieces, 0);
    const double D = stage->settings->translator.model.width,
                 parts = options->logic.features ? 4 : 2, passes = 1 + options->start,
                 hidden = fmax(1, protocols[options->protocol].hidden[0]);
    return (struct estimate){
        .flops = passes * cost.flops,
        .work = passes * cost.work,
        .seconds = passes * 6 * SETTINGS * EPOCHS * options->train * parts * D * hidden / rate,
        .memory = (STATEMENTS + parts * (1.1 * options->train + TESTED)) * D * sizeof(float),
        .disk = 40. * TESTED};
}

/* ---- which pairs ---- */

/* Pairs that are learned from, chosen by and tested, one behind the other. */
struct chosen {
    int count;
    int32_t *pair; /* [count] */
    struct probe_items items[PROBE_ROLES];
};

/* Some of a part, drawn without replacement, as they stand in the file. */
static void choose(struct chosen *chosen, enum probe_role role, const struct relating_part *part,
                   int most, int seed, struct arena *arena)
{
    const int count = part->count < most ? part->count : most;
    int32_t *order = ARENA_ARRAY(arena, int32_t, part->count + 1),
            *item = ARENA_ARRAY(arena, int32_t, count + 1);
    bool *taken = ARENA_ARRAY(arena, bool, part->count + 1);
    random_permute((struct random_key){(uint32_t)seed, random_stream("inference.pairs")},
                   (uint32_t)role, order, part->count);
    for (int i = 0; i < count; i++) taken[order[i]] = true;
    for (int i = 0, n = 0; i < part->count; i++)
        if (taken[i]) {
            item[n++] = chosen->count;
            chosen->pair[chosen->count++] = part->pair[i];
        }
    chosen->items[role] = (struct probe_items){item, count};
}

static struct chosen choose_pairs(const struct inference_options *options,
                                  const struct labeled *data, const struct logic_tested *tested,
                                  struct arena *arena)
{
    const struct logic_section *logic = &options->logic;
    struct relating_parts parts =
        relating_parts(arena, data, logic->bins.first, logic->bins.last, logic->dev);
    const struct relating_part test = {tested->count, tested->pair};
    struct chosen chosen = {.pair = ARENA_ARRAY(arena, int32_t, data->pairs)};
    if (!parts.train.count || !parts.dev.count)
        die("no %s pairs of %d to %d operators", parts.train.count ? "held-out" : "training",
            logic->bins.first, logic->bins.last);
    choose(&chosen, PROBE_TRAIN, &parts.train, options->train, logic->seed, arena);
    choose(&chosen, PROBE_DEV, &parts.dev, options->train / 10, logic->seed, arena);
    choose(&chosen, PROBE_TEST, &test, test.count, logic->seed, arena);
    return chosen;
}

/* ---- vectors ---- */

/* Rows of features of the chosen pairs: [u; v], and [u v; |u - v|] with match. */
static float *features(const struct chosen *chosen, const struct labeled *data,
                       const struct inference_text *text, const struct vectors *vectors, bool match,
                       struct arena *arena)
{
    const int64_t D = vectors->columns, columns = (match ? 4 : 2) * D;
    float *all = ARENA_ARRAY(arena, float, chosen->count *columns);
    for (int i = 0; i < chosen->count; i++) {
        const struct labeled_pair *pair = &data->pair[chosen->pair[i]];
        const float *u = vectors->number + text->row[pair->side[0]] * D,
                    *v = vectors->number + text->row[pair->side[1]] * D;
        float *to = all + i * columns;
        memcpy(to, u, (size_t)D * sizeof *to);
        memcpy(to + D, v, (size_t)D * sizeof *to);
        for (int64_t k = 0; match && k < D; k++) {
            to[2 * D + k] = u[k] * v[k];
            to[3 * D + k] = fabsf(u[k] - v[k]);
        }
    }
    return all;
}

static void scored(int epochs, int going_on, void *context)
{
    char text[64];
    snprintf(text, sizeof text, "classifiers, epoch %d, %d settings", epochs, going_on);
    stage_work_progress(context, 0, 1, text);
}

/* A classifier on what the encoder makes of the statements with these parameters; its chosen
 * setting. */
static struct probe_trained learn(struct stage_work *work, const char *checkpoint,
                                  const struct inference_text *text, const struct labeled *data,
                                  const struct chosen *chosen)
{
    static const char *const path[] = {"encoder.output"};
    struct arena *arena = &work->arena;
    const struct inference_options *options = options_of(work->stage);
    const struct vectors_form form = {(enum pooling)options->pool, options->end};
    struct frozen *frozen = stage_work_frozen(work, checkpoint);
    frozen_load(frozen, 0);
    const struct vectors *vectors = vectors_measure(frozen, &text->split, form, path, 1, arena);
    frozen_close(frozen);
    int32_t *label = ARENA_ARRAY(arena, int32_t, chosen->count);
    for (int i = 0; i < chosen->count; i++) label[i] = data->pair[chosen->pair[i]].label;
    const bool match = options->logic.features;
    struct probe_data given = {
        .N = chosen->count,
        .D = (match ? 4 : 2) * vectors->columns,
        .classes = RELATIONS,
        .vector = features(chosen, data, text, vectors, match, arena),
        .label = label,
        .items = {chosen->items[PROBE_TRAIN], chosen->items[PROBE_DEV], chosen->items[PROBE_TEST]}};
    const struct probe_job job = {.ops = work->ops,
                                  .protocol = &protocols[options->protocol],
                                  .standardize = options->standardize,
                                  .seed = 1,
                                  .data = &given,
                                  .calls = {.scored = scored, .context = work}};
    const struct probe_result result = probe_train(&job, arena);
    return result.trained[result.chosen];
}

/* ---- what is told ---- */

static void say(struct stage_work *work, const char *name, double value)
{
    json_object_set_new(work->summary, name, json_real(value));
}

static const double *judge(struct stage_work *work, const struct probe_trained *trained,
                           const struct logic_tested *tested)
{
    double *number = ARENA_ARRAY(&work->arena, double, tested->count);
    for (int i = 0; i < tested->count; i++)
        number[i] =
            trained->predicted[PROBE_TEST][i] == logic_tested_at(tested, i)->label ? 100 : 0;
    return number;
}

static void write_confusion(struct stage_work *work, const struct probe_trained *trained,
                            const struct logic_tested *tested)
{
    int(*count)[RELATIONS][RELATIONS] = arena_alloc(&work->arena, LOGIC_BINS * sizeof *count);
    for (int i = 0; i < tested->count; i++) {
        const struct labeled_pair *pair = logic_tested_at(tested, i);
        count[pair->group][pair->label][trained->predicted[PROBE_TEST][i]]++;
    }
    logic_report_confusion(work, count);
}

static void write_text(struct stage_work *work, const struct inference_text *text,
                       const struct formula_names *names)
{
    for (int s = 0; s < names->symbols; s++)
        journal_mean(work->journal, "occurrences", (double)text->of[s], JOURNAL_NONE,
                     names->name[s], text->words);
    json_object_set_new(work->summary, "statements", json_integer(text->split.sentences));
    json_object_set_new(work->summary, "words", json_integer(text->words));
    say(work, "unknown_pieces", 100. * (double)text->unknown / (double)text->pieces);
}

/* Of the texts and labels of all chosen pairs. */
static const char *pairs_digest(const struct chosen *chosen, const struct labeled *data,
                                const struct logic_pairs *pairs, struct arena *arena)
{
    struct digest digest;
    char *said = arena_alloc(arena, DIGEST_TEXT);
    digest_open(&digest);
    for (int i = 0; i < chosen->count; i++) {
        const struct labeled_pair *pair = &data->pair[chosen->pair[i]];
        for (int side = 0; side < 2; side++) {
            const struct logic_statement *statement = &pairs->statement[pair->side[side]];
            digest_add(&digest, statement->text, statement->bytes);
            digest_add(&digest, "\t", 1);
        }
        digest_add(&digest, relation_names[pair->label], 1);
    }
    digest_close(&digest, said);
    return said;
}

static const char *signature(const struct inference_options *options, const struct chosen *chosen,
                             const char *digest, struct arena *arena)
{
    return arena_print(arena, "accuracy|protocol:%s%s|features:%s|train:%d|pairs:%.8s|number:%d",
                       protocols[options->protocol].name,
                       options->standardize ? "|standardized" : "",
                       options->logic.features ? "match" : "concat",
                       chosen->items[PROBE_TRAIN].count, digest, chosen->items[PROBE_TEST].count);
}

static enum work_end run(struct stage_work *work)
{
    struct arena *arena = &work->arena;
    const struct stage *stage = work->stage;
    const struct inference_options *options = options_of(stage);
    const struct formula_names names = logic_files_names(&options->logic);
    const char *rules = rules_of(stage, arena);
    const struct tokenized_reading reading = {.rules = rules ? rewrite_read(arena, rules) : NULL};
    struct logic_pairs pairs = {.names = &names};
    logic_files_read(stage, &options->logic, &pairs, arena);
    const struct labeled data = logic_labeled(arena, &pairs, logic_files_protocol(&options->logic));
    const struct logic_tested tested = logic_tested_pairs(&data, arena);
    const struct chosen chosen = choose_pairs(options, &data, &tested, arena);
    bool *wanted = ARENA_ARRAY(arena, bool, pairs.statements + 1);
    for (int i = 0; i < chosen.count; i++)
        for (int side = 0; side < 2; side++) wanted[data.pair[chosen.pair[i]].side[side]] = true;
    struct corpus *corpus = corpus_open(arena, stage->input[FROZEN_CORPUS]->folder);
    const struct inference_text text = inference_text_read(arena, corpus, &reading, &pairs, wanted);
    corpus_close(corpus);
    const struct probe_trained trained = learn(work, options->checkpoint, &text, &data, &chosen);
    const double *number = judge(work, &trained, &tested);
    logic_report_accuracy(work, &tested, number, "", JOURNAL_NONE);
    logic_report_relations(work, &tested, number);
    logic_report_majority(work, &tested);
    logic_report_items(work, &tested, number, 0, 1);
    write_confusion(work, &trained, &tested);
    if (options->start) {
        const struct probe_trained untrained = learn(work, "start", &text, &data, &chosen);
        logic_report_accuracy(work, &tested, judge(work, &untrained, &tested), "start_",
                              JOURNAL_NONE);
    }
    write_text(work, &text, &names);
    say(work, "dev", 100. * trained.right[PROBE_DEV] / chosen.items[PROBE_DEV].count);
    say(work, "updates", (double)trained.updates);
    json_object_set_new(work->summary, "undertrained", json_integer(probe_undertrained(&trained)));
    json_object_set_new(work->summary, "items", json_integer(tested.count));
    json_object_set_new(work->summary, "signature",
                        json_string(signature(options, &chosen,
                                              pairs_digest(&chosen, &data, &pairs, arena), arena)));
    logic_pairs_free(&pairs);
    return WORK_DONE;
}

static const struct measure measures[] = {
    LOGIC_MEASURES,
    {.name = "start_accuracy",
     .header = "Start",
     .help = "the same with the parameters that the training began with",
     .dimensions = 1u << DIMENSION_CLASS,
     LOGIC_ACCURACY},
    {.name = "start_short", .header = "Start, 1-6", .help = "likewise", LOGIC_ACCURACY},
    {.name = "start_long", .header = "Start, 7-12", .help = "likewise", LOGIC_ACCURACY},
    {.name = "occurrences",
     .header = "Occurrences",
     .help = "of each symbol, which are its classes, as a word of the encoder's source text",
     .form = COLUMN_EXACT,
     .dimensions = 1u << DIMENSION_CLASS},
    {.name = "unknown_pieces",
     .header = "Unknown pieces",
     .help = "% of the statements' pieces that are <unk>",
     .decimals = 1},
    {.name = "dev", .header = "Dev", .help = "accuracy of the pairs chosen by", .decimals = 1},
};
const struct offer offer_inference = {
    .kind = "inference",
    .measures = COUNT_OF(measures),
    .measure = measures,
    .telling = "long short accuracy",
    .numeric = true,
    .caption = "Frozen pairs",
    .doubt = "undertrained",
    .doubted = "Undertrained classifiers of pairs",
    .section = "evaluate.inference",
    .option = {{"bins", "learned on operators "},
               {"checkpoint", "checkpoint "},
               {"rules", "rules "}},
};

const struct stage_kind kind_inference = {
    .name = "inference",
    .help = "logical inference on the vectors of a frozen encoder",
    .version = 1,
    .code = CODE_inference,
    .evaluation = &evaluation_inference,
    .computes = true,
    .rank = 48,
    .inputs = (const char *const[]){"corpus", "train", NULL},
    .find_files = find_files,
    .check_grid = check_grid,
    .estimate = estimate,
    .run = run,
};

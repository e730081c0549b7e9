/* The stage `inference` trains and tests a classifier of pairs of logical statements on the vectors
 * of a frozen encoder (kind_statements.c). As a control, it also does this on the vectors of the
 * encoder before training. */
/* sources: core/base core/tensor core/corpus/labeled.* core/train/relating.* logic
 * probes/classifier* probes/protocol.* experiments/stage/inference_pairs.*
 * experiments/stage/logic_files.* experiments/stage/logic_report.* */
/* rank: 68 */
#include <math.h>
#include <string.h>

#include "core/base/npy.h"
#include "experiments/stage/inference_pairs.h"
#include "experiments/stage/logic_options.h"
#include "experiments/stage/logic_report.h"
#include "probes/classifier.h"
#include "results/sheet/number_format.h"
#include "results/store/items.h"

enum { INPUT_STATEMENTS };

const struct evaluation evaluation_inference = {.section = &inference_section};

/* ---- the classifier ---- */

/* Returns the features of the chosen pairs: [u; v], or with `match` [u; v; u v; |u - v|]. u and v
 * are the vectors of the two statements. */
static float *features(const struct inference_pairs *pairs, const struct npy *vectors, bool match,
                       struct arena *arena)
{
    const int64_t D = vectors->columns, columns = (match ? 4 : 2) * D;
    float *all = ARENA_ARRAY(arena, float, pairs->count *columns);
    for (int i = 0; i < pairs->count; i++) {
        const struct labeled_pair *pair = &pairs->data.pair[pairs->pair[i]];
        const float *u = vectors->number + pairs->row[pair->side[0]] * D,
                    *v = vectors->number + pairs->row[pair->side[1]] * D;
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

/* Trains a classifier on the vectors in NAME.npy, with each setting of the protocol. Returns the
 * result of the chosen setting. */
static struct probe_trained learn(struct stage_work *work, const char *name,
                                  const struct inference_pairs *pairs)
{
    struct arena *arena = &work->arena;
    const struct stage *statements = work->stage->input[INPUT_STATEMENTS];
    const struct inference_options *options = stage_options(work->stage);
    const bool match = options->logic.features;
    const char *path = arena_print(arena, "%s/%s.npy", statements->folder, name);
    struct npy vectors = npy_open(path);
    if (vectors.rows != pairs->statements)
        die("%s: %lld rows; expected %d, one for each statement", path, (long long)vectors.rows,
            pairs->statements);
    int32_t *label = ARENA_ARRAY(arena, int32_t, pairs->count);
    for (int i = 0; i < pairs->count; i++) label[i] = pairs->data.pair[pairs->pair[i]].label;
    struct probe_data given = {.N = pairs->count,
                               .D = (match ? 4 : 2) * (int)vectors.columns,
                               .labels = RELATIONS,
                               .vector = features(pairs, &vectors, match, arena),
                               .label = label};
    memcpy(given.items, pairs->items, sizeof given.items);
    npy_close(&vectors);
    const struct probe_job job = {.ops = work->ops,
                                  .protocol = &protocols[options->protocol],
                                  .standardize = options->standardize,
                                  .seed = 1,
                                  .data = &given,
                                  .calls = {.scored = scored, .context = work}};
    const struct probe_result result = probe_train(&job, arena);
    return result.trained[result.chosen];
}

/* ---- results ---- */

static const char *signature(const struct inference_options *options,
                             const struct inference_pairs *pairs, struct arena *arena)
{
    return arena_print(arena, "accuracy|protocol:%s%s|features:%s|train:%d|pairs:%.8s|number:%d",
                       protocols[options->protocol].name,
                       options->standardize ? "|standardized" : "",
                       section_choice(&inference_section, "features", options, arena),
                       pairs->items[PROBE_TRAIN].count, inference_pairs_digest(pairs, arena),
                       pairs->items[PROBE_TEST].count);
}

static void summarize(struct stage_work *work, const struct inference_pairs *pairs,
                      const struct probe_trained *trained)
{
    const int found = pairs->items[PROBE_TRAIN].count,
              asked = ((const struct inference_options *)stage_options(work->stage))->train;
    if (found < asked)
        stage_work_text(work, "fewer",
                        arena_print(&work->arena, "%s training pairs found, %s asked for",
                                    number_count(&work->arena, found),
                                    number_count(&work->arena, asked)));
    stage_work_real(work, "dev", 100. * trained->right[PROBE_DEV] / pairs->items[PROBE_DEV].count);
    stage_work_real(work, "updates", (double)trained->updates);
    stage_work_real(work, "undertrained", probe_undertrained(trained));
    stage_work_real(work, "items", pairs->tested.count);
    stage_work_text(work, "signature", signature(stage_options(work->stage), pairs, &work->arena));
}

static enum work_end run(struct stage_work *work)
{
    const struct inference_options *options = stage_options(work->stage);
    struct inference_pairs *pairs = inference_pairs_read(&work->arena, work->stage);
    const struct logic_tested *tested = &pairs->tested;
    const struct probe_trained trained = learn(work, INFERENCE_TRAINED, pairs);
    int(*count)[RELATIONS][RELATIONS] = arena_alloc(&work->arena, LOGIC_BINS * sizeof *count);
    const double *number = logic_report_right(work, tested, trained.predicted[PROBE_TEST], count);
    logic_report(work, tested, number, count);
    logic_report_items(work, tested, number, items_file(0, 1, &work->arena));
    if (options->start) {
        const struct probe_trained untrained = learn(work, INFERENCE_START, pairs);
        const double *before =
            logic_report_right(work, tested, untrained.predicted[PROBE_TEST], NULL);
        logic_report_accuracy(work, tested, before, START_OF, 0);
        logic_report_items(work, tested, before, "start.tsv");
    }
    summarize(work, pairs, &trained);
    return WORK_DONE;
}

const struct offer offer_inference = {
    .kind = "inference",
    VALUES(LOGIC_MEASURES,
           VALUE(START_OF "accuracy", "Start", "accuracy with the parameters before training",
                 LOGIC_TESTED_BY(BY_CLASS)),
           VALUE(START_OF "short", "Start, 1-6", "likewise", .classes = logic_short_bins,
                 LOGIC_TESTED_BY(0u)),
           VALUE(START_OF "long", "Start, 7-12", "likewise", .classes = logic_long_bins,
                 LOGIC_TESTED_BY(0u)),
           VALUE("dev", "Dev", "accuracy on the pairs by which the classifier is chosen",
                 .decimals = 1)),
    .numbers = "majority relation items updates undertrained",
    .telling = "long short accuracy",
    .section = "evaluate.inference",
    .caption = "Frozen pairs: learned on operators {bins}, checkpoint {checkpoint}, rules {rules}, "
               "training pairs {train}, protocol {protocol}, features {features}, standardize "
               "{standardize}, pool {pool}; fewer",
    .doubt = "undertrained > 0: Undertrained classifiers of pairs",
};

const struct stage_kind kind_inference = {
    .name = "inference",
    .evaluation = &evaluation_inference,
    .traits = KIND_COMPUTES,
    .inputs = (const char *const[]){"statements", NULL},
    .ask = inference_ask,
    .find_files = logic_files_find,
    .passes = 10,
    .run = run,
};

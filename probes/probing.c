/* Probes one task. Runs the trainings one after another and counts the right predictions of each
 * item. */
#include "probes/probing.h"

#include "core/base/mean.h"
#include "probes/folds.h"

/* State shared by all trainings of a job. */
struct shared {
    const struct probing_job *job;
    int32_t *label;     /* [items] */
    int *tokens;        /* [items] */
    const int *fold;    /* [items]; NULL without folds */
    int32_t *predicted; /* [seeds][items] */
    struct probing_choice *choice;
    int64_t right_on_dev, dev; /* right dev predictions and dev items, over all trainings */
};

int probing_trainings(const struct probing_job *job)
{
    return job->seeds * (job->folds ? job->folds : 1);
}

/* Returns the data of the training that is tested on fold `fold`. */
static struct probe_data data_of(const struct shared *shared, int fold, struct arena *arena)
{
    static const enum task_split split_of[] = {
        [PROBE_TRAIN] = TASK_TR, [PROBE_DEV] = TASK_VA, [PROBE_TEST] = TASK_TE};
    const struct probing_job *job = shared->job;
    const struct task_data part =
        shared->fold ? folds_part(job->data, shared->fold, job->folds, fold, arena) : *job->data;
    const struct task_data *data = &part;
    struct probe_data probe = {.N = data->items,
                               .D = shared->job->columns,
                               .labels = data->labels,
                               .vector = shared->job->vector,
                               .label = shared->label};
    for (int role = 0; role < PROBE_ROLES; role++) {
        int32_t *item = ARENA_ARRAY(arena, int32_t, data->items);
        int count = 0;
        for (int i = 0; i < data->items; i++)
            if (data->item[i].split == split_of[role]) item[count++] = i;
        probe_order(item, count, shared->tokens, shared->label);
        probe.items[role] = (struct probe_items){item, count};
    }
    return probe;
}

static void add_code(struct online_code *mean, const struct online_code *code, int trainings)
{
    mean->bits += code->bits / trainings;
    mean->uniform += code->uniform / trainings;
    if (!mean->shares || code->shares < mean->shares) mean->shares = code->shares;
    for (int k = 0; k < code->shares; k++) {
        if (!mean->share[k].items) mean->share[k].items = code->share[k].items;
        mean->share[k].accuracy += code->share[k].accuracy / trainings;
    }
}

/* Runs training number `training`. Returns the number of right test predictions. */
static int train(struct shared *shared, int training, struct probing *probing)
{
    SCOPED(arena_free) struct arena arena = {0};
    const struct probing_job *job = shared->job;
    const int folds = job->folds ? job->folds : 1, fold = training % folds;
    const uint32_t seed = (uint32_t)(training / folds) + 1;
    const struct probe_data data = data_of(shared, fold, &arena);
    struct probe_job one = job->each;
    one.seed = seed;
    one.data = &data;
    if (job->begins) job->begins(training, &data, one.calls.context);
    const struct probe_result result = probe_train(&one, &arena);
    const struct probe_trained *chosen = &result.trained[result.chosen];
    const struct probe_items *test = &data.items[PROBE_TEST];
    int32_t *predicted = shared->predicted + (size_t)(seed - 1) * job->data->items;
    for (int i = 0; i < test->count; i++)
        predicted[test->item[i]] = chosen->predicted[PROBE_TEST][i];
    shared->right_on_dev += chosen->right[PROBE_DEV];
    shared->dev += data.items[PROBE_DEV].count;
    probing->updates += (double)chosen->updates / probing_trainings(job);
    probing->undertrained += probe_undertrained(chosen);
    shared->choice[training] = (struct probing_choice){
        .seed = (int)seed,
        .fold = job->folds ? fold + 1 : 0,
        .setting = chosen->setting,
        .updates = chosen->updates,
        .dev = 100. * chosen->right[PROBE_DEV] / data.items[PROBE_DEV].count,
        .test = 100. * chosen->right[PROBE_TEST] / test->count};
    if (job->code) {
        const struct online_code code = online_code_measure(&one, chosen);
        add_code(&probing->code, &code, probing_trainings(job));
    }
    return chosen->right[PROBE_TEST];
}

/* Collects the tested items, their predictions, and the share of seeds that predict each item
 * right. */
static void gather(const struct shared *shared, struct probing *probing, struct arena *arena)
{
    const int items = shared->job->data->items, seeds = shared->job->seeds;
    int32_t *item = ARENA_ARRAY(arena, int32_t, items);
    int count = 0;
    for (int i = 0; i < items; i++)
        if (shared->fold || shared->job->data->item[i].split == TASK_TE) item[count++] = i;
    int32_t *predicted = ARENA_ARRAY(arena, int32_t, seeds * count);
    double *right = ARENA_ARRAY(arena, double, count);
    for (int i = 0; i < count; i++) {
        int seeds_right = 0;
        for (int s = 0; s < seeds; s++) {
            const int32_t label = shared->predicted[(size_t)s * items + item[i]];
            predicted[s * count + i] = label;
            seeds_right += label == shared->label[item[i]];
        }
        right[i] = (double)seeds_right / seeds;
    }
    probing->tested = count;
    probing->item = item;
    probing->right = right;
    probing->predicted = predicted;
    probing->choice = shared->choice;
}

struct probing probing_run(const struct probing_job *job, struct arena *arena)
{
    const struct task_data *data = job->data;
    const int folds = job->folds ? job->folds : 1;
    struct shared shared = {.job = job,
                            .label = ARENA_ARRAY(arena, int32_t, data->items),
                            .tokens = ARENA_ARRAY(arena, int, data->items),
                            .fold = job->folds ? folds_of(data, job->folds, arena) : NULL,
                            .predicted = ARENA_ARRAY(arena, int32_t, job->seeds * data->items),
                            .choice =
                                ARENA_ARRAY(arena, struct probing_choice, probing_trainings(job))};
    struct probing probing = {0};
    double *of_seed = ARENA_ARRAY(arena, double, job->seeds);
    for (int i = 0; i < data->items; i++) {
        shared.label[i] = data->item[i].label;
        shared.tokens[i] = data->item[i].tokens;
    }
    for (int s = 0; s < job->seeds; s++) {
        int right = 0;
        for (int f = 0; f < folds; f++) right += train(&shared, s * folds + f, &probing);
        of_seed[s] = right;
    }
    gather(&shared, &probing, arena);
    for (int s = 0; s < job->seeds; s++) {
        of_seed[s] *= 100. / probing.tested;
        probing.accuracy += of_seed[s] / job->seeds;
    }
    probing.of_seed = of_seed;
    probing.deviation = mean_deviation(of_seed, job->seeds);
    probing.dev = 100. * (double)shared.right_on_dev / (double)shared.dev;
    return probing;
}

/* Trains the classifiers of a task of words and of its control task. */
#include "probes/word_probe.h"

#include <string.h>

#include "core/base/elementary.h"
#include "core/base/random.h"
#include "probes/classifier.h"
#include "probes/word_heads.h"

/* Returns the items of a role that have labels. Further test words are in the role test. */
static struct probe_items items_of(const struct words *words, const int32_t *label,
                                   enum probe_role role, struct arena *arena)
{
    int32_t *item = ARENA_ARRAY(arena, int32_t, words->words);
    int count = 0;
    for (int w = 0; w < words->words; w++) {
        const enum words_set set = words->sentence[words->of[w]].set;
        const enum probe_role own = set == WORDS_FURTHER ? PROBE_TEST : (enum probe_role)set;
        if (own == role && label[w] >= 0) item[count++] = w;
    }
    return (struct probe_items){item, count};
}

/* Writes train in the order of the online code: whole documents, in random order. */
static struct online_order order_of(const struct words *words, const struct probe_items *train,
                                    struct arena *arena)
{
    const struct random_key key = {1, random_stream("words.code")};
    int32_t *document = ARENA_ARRAY(arena, int32_t, words->documents);
    int *begin = ARENA_ARRAY(arena, int, words->documents + 1);
    int32_t *item = ARENA_ARRAY(arena, int32_t, train->count);
    int wanted[ONLINE_CODE_SHARES], count = 0, next = 0;
    struct online_order order = {.item = item};
    const int shares = online_code_ends(train->count, wanted);
    for (int i = 0; i < train->count; i++)
        begin[words->sentence[words->of[train->item[i]]].document + 1]++;
    for (int d = 0; d < words->documents; d++) begin[d + 1] += begin[d];
    random_permute(key, 0, document, words->documents);
    for (int d = 0; d < words->documents; d++) {
        const int of = document[d], before = count;
        for (int i = begin[of]; i < begin[of + 1]; i++) item[count++] = train->item[i];
        if (count == before || count < wanted[next]) continue;
        order.end[order.shares++] = count;
        while (next < shares && wanted[next] <= count) next++;
        if (next == shares) break;
    }
    return order;
}

/* Returns the bits of train's values by their entropy. value[words] is between 0 and `values`. */
static double entropy_of(const struct probe_items *train, const int32_t *value, int values,
                         struct arena *arena)
{
    int *count = ARENA_ARRAY(arena, int, values + 1);
    double bits = 0;
    for (int i = 0; i < train->count; i++) count[value[train->item[i]]]++;
    for (int v = 0; v <= values; v++)
        if (count[v])
            bits -= count[v] * elementary_log((double)count[v] / train->count) / elementary_log(2);
    return bits;
}

/* Trains all sizes of a job, and writes their predictions by word. */
static struct probe_result train(const struct word_probe_job *job, const struct probe_job *one,
                                 struct word_trained *trained, struct arena *arena)
{
    const struct probe_result result = probe_train(one, arena);
    for (int s = 0; s < result.settings; s++) {
        const struct probe_trained *from = &result.trained[s];
        trained[s].predicted = ARENA_ARRAY(arena, int32_t, job->words->words);
        for (enum probe_role role = PROBE_DEV; role <= PROBE_TEST; role++)
            for (int i = 0; i < one->data->items[role].count; i++)
                trained[s].predicted[one->data->items[role].item[i]] = from->predicted[role][i];
        trained[s].dev = 100. * from->right[PROBE_DEV] / one->data->items[PROBE_DEV].count;
        trained[s].undertrained = probe_undertrained(from);
    }
    return result;
}

static void choose(struct word_probe *probe)
{
    for (int s = 1; s < WORD_SIZES; s++) {
        const struct word_trained *task = probe->task, *control = probe->control;
        if (task[s].dev > task[probe->best].dev) probe->best = s;
        if (task[s].dev - control[s].dev >
            task[probe->selective].dev - control[probe->selective].dev)
            probe->selective = s;
    }
}

/* ---- labels of words ---- */

static void run_labels(const struct word_probe_job *job, const struct probe_items *items,
                       struct word_probe *probe, struct arena *arena)
{
    struct probe_data task = {.N = job->words->words,
                              .D = job->columns,
                              .labels = job->labels->labels,
                              .vector = job->vector,
                              .label = job->labels->label};
    memcpy(task.items, items, sizeof task.items);
    struct probe_data control = task;
    control.label = job->control->label;
    const struct probe_job one = {
        .ops = job->ops, .protocol = &word_protocol, .seed = 1, .data = &task, .calls = job->calls};
    struct probe_job other = one;
    other.data = &control;
    const struct probe_result of_task = train(job, &one, probe->task, arena);
    const struct probe_result of_control = train(job, &other, probe->control, arena);
    choose(probe);
    if (!job->code) return;
    const struct online_order order = order_of(job->words, &items[PROBE_TRAIN], arena);
    probe->code = online_code_of(&one, &of_task.trained[probe->best], &order);
    probe->control_code = online_code_of(&other, &of_control.trained[probe->best], &order);
    probe->entropy = entropy_of(&items[PROBE_TRAIN], task.label, task.labels, arena);
    probe->control_entropy = entropy_of(&items[PROBE_TRAIN], control.label, task.labels, arena);
}

/* ---- heads ---- */

/* Returns the online code of heads, and sets *entropy. */
static struct online_code code_heads(const struct word_probe_job *job, const int32_t *head,
                                     int hidden, const struct probe_items *train, double *entropy,
                                     struct arena *arena)
{
    const struct words *words = job->words;
    const struct online_order order = order_of(words, train, arena);
    int32_t *sentence = ARENA_ARRAY(arena, int32_t, words->sentences),
            *distance = ARENA_ARRAY(arena, int32_t, words->words);
    struct online_code code = {.shares = order.shares};
    for (int k = 0, i = 0, count = 0, before = 0; k < order.shares; before = count, k++) {
        double uniform = 0;
        for (; i < order.end[k]; i++) {
            const int32_t of = words->of[order.item[i]];
            if (!count || sentence[count - 1] != of) sentence[count++] = of;
            uniform += elementary_log(words->first[of + 1] - words->first[of]) / elementary_log(2);
        }
        struct word_trained trained = {0};
        code.uniform += uniform;
        code.share[k].items = order.end[k];
        code.bits += k ? word_heads_train(
                             job, head, hidden, (struct word_heads_text){sentence, before},
                             &trained, (struct word_heads_text){sentence + before, count - before})
                       : uniform;
    }
    int longest = 0;
    for (int s = 0; s < words->sentences; s++)
        if (words->first[s + 1] - words->first[s] > longest)
            longest = words->first[s + 1] - words->first[s];
    for (int w = 0; w < words->words; w++)
        distance[w] = longest + head[w] - (w - words->first[words->of[w]]);
    *entropy = entropy_of(train, distance, 2 * longest, arena);
    return code;
}

static void run_heads(const struct word_probe_job *job, const struct probe_items *items,
                      struct word_probe *probe, struct arena *arena)
{
    const struct words *words = job->words;
    const int32_t *const head[] = {job->labels->head, job->control->head};
    struct word_trained *const all[] = {probe->task, probe->control};
    int32_t *sentence = ARENA_ARRAY(arena, int32_t, words->sentences);
    int count = 0;
    while (count < words->sentences && words->sentence[count].set == WORDS_TRAIN)
        sentence[count] = count, count++;
    const struct word_heads_text train = {sentence, count}, none = {NULL, 0};
    for (int c = 0; c < 2; c++)
        for (int s = 0; s < WORD_SIZES; s++) {
            all[c][s].predicted = ARENA_ARRAY(arena, int32_t, words->words);
            word_heads_train(job, head[c], probe->hidden[s], train, &all[c][s], none);
        }
    choose(probe);
    if (!job->code) return;
    const int hidden = probe->hidden[probe->best];
    probe->code = code_heads(job, head[0], hidden, &items[PROBE_TRAIN], &probe->entropy, arena);
    probe->control_code =
        code_heads(job, head[1], hidden, &items[PROBE_TRAIN], &probe->control_entropy, arena);
}

struct word_probe word_probe_run(const struct word_probe_job *job, struct arena *arena)
{
    struct word_probe probe = {0};
    struct probe_items items[PROBE_ROLES];
    for (enum probe_role role = 0; role < PROBE_ROLES; role++)
        items[role] = items_of(job->words, job->labels->label, role, arena);
    for (int s = 0; s < WORD_SIZES; s++) probe.hidden[s] = word_protocol.hidden[s];
    (job->labels->head ? run_heads : run_labels)(job, items, &probe, arena);
    return probe;
}

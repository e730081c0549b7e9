/* The classifier of a probing task on vectors from a file, for timing and for
 * scripts/compare/senteval.sh, which compares it with SentEval.
 *
 *   probe VECTORS.npy TASK.txt PROTOCOL [key=value ...]
 *     seed=1  linear=0  standardize=0  cache=0   fields of struct probe_job
 *     hidden=200  dropout=0  l2=1e-5             one setting, instead of the protocol's
 *     most=8                                     maximum number of epochs
 *     predictions=FILE                           of the chosen setting, dev then test
 *     trace=probe                                argument of --trace
 *
 * Row i of the vectors is line i + 1 of the task. Prints one line per setting and one for the
 * chosen setting. */
#include <stdlib.h>
#include <string.h>

#include "core/base/npy.h"
#include "core/cpu/cpu.h"
#include "probes/classifier.h"
#include "probes/task_data.h"
#include "tests/support/protocol_find.h"

struct words {
    struct probe_job job;
    struct protocol protocol;
    const char *predictions;
};

static void take_word(struct words *words, const char *word)
{
    const char *is = strchr(word, '=');
    if (!is) die("%s: expected key=value", word);
    const size_t key = (size_t)(is - word);
    const double value = strtod(is + 1, NULL);
    struct protocol *p = &words->protocol;
#define KEY(name) (key == strlen(name) && !strncmp(word, name, key))
    if (KEY("seed"))
        words->job.seed = (uint32_t)value;
    else if (KEY("linear"))
        words->job.linear = value > 0;
    else if (KEY("standardize"))
        words->job.standardize = value > 0;
    else if (KEY("cache"))
        words->job.cache = (size_t)value;
    else if (KEY("hidden"))
        p->hiddens = 1, p->hidden[0] = (int)value;
    else if (KEY("dropout"))
        p->dropouts = 1, p->dropout[0] = value;
    else if (KEY("l2"))
        p->l2s = 1, p->l2[0] = value;
    else if (KEY("most"))
        p->most = (int)value;
    else if (KEY("predictions"))
        words->predictions = is + 1;
    else if (KEY("trace"))
        trace_enable(is + 1);
    else
        die("%s: unknown key", word);
#undef KEY
}

/* Takes the items of each split in SentEval's order. */
static void take_items(struct probe_data *data, const struct task_data *task, struct arena *arena)
{
    int *tokens = ARENA_ARRAY(arena, int, task->items);
    int32_t *label = ARENA_ARRAY(arena, int32_t, task->items);
    for (int i = 0; i < task->items; i++)
        tokens[i] = task->item[i].tokens, label[i] = task->item[i].label;
    for (int split = 0; split < TASK_SPLITS; split++) {
        int32_t *item = ARENA_ARRAY(arena, int32_t, task->count[split]);
        int count = 0;
        for (int i = 0; i < task->items; i++)
            if ((int)task->item[i].split == split) item[count++] = i;
        probe_order(item, count, tokens, label);
        data->items[split] = (struct probe_items){item, count};
    }
    data->label = label;
}

static double percent(const struct probe_trained *trained, const struct probe_data *data,
                      enum probe_role role)
{
    return probe_percent(trained->right[role], data->items[role].count);
}

static void write_predictions(const char *path, const struct probe_trained *trained,
                              const struct probe_data *data)
{
    FILE *out = fopen(path, "w");
    if (!out) die("%s: cannot be written", path);
    for (int role = PROBE_DEV; role < PROBE_ROLES; role++)
        for (int i = 0; i < data->items[role].count; i++)
            fprintf(out, "%d\n", trained->predicted[role][i]);
    fclose(out);
}

int main(int count, char **word)
{
    struct arena arena = {0};
    if (count < 4) die("expected VECTORS.npy TASK.txt PROTOCOL [key=value ...]");
    struct npy npy = npy_open(word[1]);
    const struct task_data task = task_data_read(&arena, word[2]);
    const struct protocol *protocol = protocol_find(word[3]);
    if (!protocol) die("%s: no such protocol", word[3]);
    if (npy.rows != task.items)
        die("%s: %lld rows, expected %d", word[1], (long long)npy.rows, task.items);
    struct probe_data data = {
        .N = task.items, .D = (int)npy.columns, .labels = task.labels, .vector = npy.number};
    struct words words = {.job = {.ops = cpu_ops(), .seed = 1, .data = &data},
                          .protocol = *protocol};
    words.job.protocol = &words.protocol;
    for (int i = 4; i < count; i++) take_word(&words, word[i]);
    take_items(&data, &task, &arena);
    const double begin = clock_seconds();
    const struct probe_result result = probe_train(&words.job, &arena);
    const double seconds = clock_seconds() - begin;
    for (int s = 0; s < result.settings; s++) {
        const struct probe_trained *t = &result.trained[s];
        printf("setting %d hidden %d dropout %g l2 %g dev %.2f test %.2f best %d of %d updates "
               "%lld\n",
               s, t->setting.hidden, t->setting.dropout, t->setting.l2,
               percent(t, &data, PROBE_DEV), percent(t, &data, PROBE_TEST), t->best, t->evaluations,
               (long long)t->updates);
    }
    const struct probe_trained *chosen = &result.trained[result.chosen];
    printf("chosen %d dev %.2f test %.2f %.2f s%s\n", result.chosen,
           percent(chosen, &data, PROBE_DEV), percent(chosen, &data, PROBE_TEST), seconds,
           probe_undertrained(chosen) ? " undertrained" : "");
    if (words.predictions) write_predictions(words.predictions, chosen, &data);
    npy_close(&npy);
    arena_free(&arena);
    return 0;
}

/* Predictions: items of a list in pieces, each by all members that are asked. */
#include <stdlib.h>

#include "probes/classifier_group.h"

/* Logits of the loaded batch, without dropout. */
static void infer(const struct probe_group *group, const struct probe_member *member, int rows)
{
    const struct act *x = group->x;
    if (group->hidden) {
        probe_layer_forward(group, member, &member->hidden, rows, x, group->unit);
        struct dropout_sigmoid s = {.step = group->step, .T = rows, .N = group->hidden};
        s.rows = probe_group_rows(group);
        s.x = s.out = group->unit;
        group->job->ops->dropout_sigmoid(&s);
        x = group->unit;
    }
    probe_layer_forward(group, member, &member->output, rows, x, group->logits);
}

/* The likeliest class of each row: of equal ones the first. */
static void choose(const struct probe_group *group, int count, int32_t *class)
{
    const struct ops *ops = group->job->ops;
    struct top_tokens top = {.rows = count, .k = 1, .logits = group->logits};
    top.V = top.ld = group->job->data->classes;
    top.score = group->score, top.token = group->class;
    ops->top_tokens(&top);
    ops->download(class, group->class, (size_t)count * sizeof *class);
}

/* What the label's probability is. */
static void read_likelihood(const struct probe_group *group, int rows, int count, float *likelihood)
{
    SCOPED(heap_free) real *minus = heap_alloc((size_t)count * sizeof *minus);
    probe_group_lose(group, rows, false);
    group->job->ops->download(minus, group->likelihood, (size_t)count * sizeof *minus);
    for (int t = 0; t < count; t++) likelihood[t] = (float)-minus[t];
}

/* Items from `at` on that are scored at once. */
static int piece(const struct probe_group *group, const struct probe_items *items, int at)
{
    return items->count - at < group->room ? items->count - at : group->room;
}

void probe_group_score_dev(struct probe_group *group)
{
    const struct probe_items *items = &group->job->data->items[PROBE_DEV];
    for (int at = 0; at < items->count; at += group->room) {
        const int count = piece(group, items, at);
        const int rows = probe_group_load(group, items->item + at, count);
        for (int k = 0; k < group->going; k++) {
            infer(group, group->go[k], rows);
            choose(group, count, group->go[k]->predicted + at);
        }
    }
}

void probe_group_score_test(struct probe_group *group)
{
    const struct probe_items *items = &group->job->data->items[PROBE_TEST];
    for (int m = 0; m < group->members; m++) {
        struct parameters *p = &group->member[m].parameters;
        p->ops->upload(p->master, group->member[m].best, (size_t)p->slab * sizeof(real));
        parameters_refresh(p);
    }
    for (int at = 0; at < items->count; at += group->room) {
        const int count = piece(group, items, at);
        const int rows = probe_group_load(group, items->item + at, count);
        for (int m = 0; m < group->members; m++) {
            const struct probe_member *member = &group->member[m];
            infer(group, member, rows);
            choose(group, count, member->trained->predicted[PROBE_TEST] + at);
            read_likelihood(group, rows, count, member->trained->likelihood + at);
        }
    }
}

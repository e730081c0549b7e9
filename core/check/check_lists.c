/* Checks inference and training lists. The outputs of a sentence must not depend on its batch,
 * logits not on later tokens, and gradients not on the number of threads. */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "core/check/model_check.h"
#include "core/cpu/blas.h"
#include "core/cpu/product_choice.h"

void check_alone(struct check_subject *subject, struct finding *finding)
{
    static const char *const paths[] = {"encoder.output", "logits"};
    enum { B = 6, SEEDS = 2 };
    const struct step step = check_step(1);
    const bool exact = sizeof(real) == sizeof(float) && !blas_asked();
    finding->limit = exact ? 0 : check_rounding;
    for (int p = 0; p < 2; p++) {
        SCOPED(arena_free) struct arena arena = {0};
        struct graph *list = check_list(subject->model, &arena, GRAPH_INFER, paths[p]);
        const int columns = graph_find(list, paths[p])->columns;
        const enum field_name side = graph_find(list, paths[p])->rows->field;
        for (uint32_t seed = 0; seed < SEEDS; seed++) {
            const struct batch batch = check_batch(&arena, seed, B, seed ? 8 : 20);
            check_poison(list);
            check_forward(list, &step, &batch);
            const real *together = check_read(&arena, list, paths[p]);
            for (int b = 0; b < B; b++) {
                const struct batch one = check_batch_part(&arena, &batch, b, b + 1);
                check_poison(list);
                check_forward(list, &step, &one);
                finding_rows(finding, check_read(&arena, list, paths[p]),
                             together + (int64_t)batch.field[side].start[b] * columns,
                             (int64_t)one.field[side].T * columns,
                             arena_print(&arena, "%s of sentence %d alone", paths[p], b));
            }
        }
        graph_release(list);
    }
}

/* Compares the rows of logits before and after a change of token t of sentence b. */
static void compare_futures(struct finding *finding, const struct field *target, int b, int t,
                            const real *before, const real *after)
{
    for (int row = 0; row < target->T; row++) {
        double most = 0;
        for (int64_t i = (int64_t)row * CHECK_WORDS; i < (row + 1) * CHECK_WORDS; i++)
            most = fmax(most, fabs((double)after[i] - (double)before[i]));
        /* With every kind of attention, the next row reads the changed token, so its logits must
         * change. */
        const bool next = row == t + 1 && row < target->start[b + 1];
        const bool free = row > t && row < target->start[b + 1];
        if (next ? most > 0 : free) continue;
        if (finding_add(finding, next ? INFINITY : most))
            snprintf(finding->where, sizeof finding->where,
                     "token %d of sentence %d was changed: the logits of row %d %s",
                     t - target->start[b], b, row - target->start[b],
                     next ? "did not change" : "changed, too");
    }
}

void check_causality(struct check_subject *subject, struct finding *finding)
{
    const struct step step = check_step(1);
    SCOPED(arena_free) struct arena arena = {0};
    struct graph *list = check_list(subject->model, &arena, GRAPH_INFER, "logits");
    struct batch batch = check_batch(&arena, 4, 5, 12);
    const struct field target = batch.field[FIELD_TARGET];
    check_forward(list, &step, &batch);
    const real *before = check_read(&arena, list, "logits");
    for (int b = 0; b < target.B; b++)
        for (int t = target.start[b]; t < target.start[b + 1]; t++) {
            int32_t *token = ARENA_ARRAY(&arena, int32_t, target.T);
            memcpy(token, target.token, (size_t)target.T * sizeof *token);
            token[t] = (token[t] + 1) % CHECK_WORDS;
            batch.field[FIELD_TARGET].token = token;
            check_poison(list);
            check_forward(list, &step, &batch);
            compare_futures(finding, &target, b, t, before, check_read(&arena, list, "logits"));
        }
    graph_release(list);
}

/* Returns loss and gradients of a batch, computed with `threads` threads, in the arena. */
static real *gradients_of(struct check_subject *subject, int threads, double *loss,
                          struct arena *arena)
{
    const struct parameters *parameters = &subject->model->parameters;
    const struct step step = check_step(1);
    const struct batch batch = check_batch(arena, 3, 6, 20);
    const int before = omp_get_max_threads();
    real *slab = ARENA_ARRAY(arena, real, parameters->slab);
    omp_set_num_threads(threads);
    check_poison(subject->train);
    *loss = check_forward(subject->train, &step, &batch);
    graph_backward(subject->train, false);
    omp_set_num_threads(before);
    parameters->ops->download(slab, parameters->gradient, (size_t)parameters->slab * sizeof *slab);
    return slab;
}

void check_threads(struct check_subject *subject, struct finding *finding)
{
    const struct parameters *parameters = &subject->model->parameters;
    SCOPED(arena_free) struct arena arena = {0};
    double loss[2];
    const real *one = gradients_of(subject, 1, &loss[0], &arena);
    const real *three = gradients_of(subject, 3, &loss[1], &arena);
    if (finding_add(finding, fabs(loss[0] - loss[1])))
        snprintf(finding->where, sizeof finding->where, "the loss: %.9g and %.9g", loss[0],
                 loss[1]);
    for (int p = 0; p < parameters->count; p++) {
        const struct parameter *parameter = parameters->item[p];
        for (int64_t i = 0; i < (int64_t)parameter->rows * parameter->columns; i++)
            if (finding_add(finding, fabs((double)one[parameter->offset + i] -
                                          (double)three[parameter->offset + i])))
                snprintf(finding->where, sizeof finding->where, "gradient of %s, element %lld",
                         parameter->path, (long long)i);
    }
}

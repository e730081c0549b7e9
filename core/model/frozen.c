/* Loads frozen models and runs passes. The slabs have only masters and operands. Loading a
 * checkpoint discards packed weights, so the weights are packed again at the beginning of every
 * pass. */
#include "core/model/frozen.h"

#include "core/model/checkpoint.h"
#include "core/model/checkpoint_choice.h"

struct frozen *frozen_open(struct arena *arena, const struct frozen_job *job)
{
    int count;
    const bool one_by_one =
        checkpoint_parse(job->checkpoint, "checkpoint", false, &count) == CHECKPOINT_MEAN_OF_BEST;
    int64_t *step = ARENA_ARRAY(arena, int64_t, count + 1);
    const int steps = checkpoint_select(job->train_folder, job->checkpoint, step, count);
    struct frozen *frozen = ARENA_NEW(arena, struct frozen);
    struct model *model = job->model;
    if (!model) model = translator_of(arena, job->ops, job->options, job->corpus, 0);
    *frozen = (struct frozen){.job = *job,
                              .model = model,
                              .sets = one_by_one ? steps : 1,
                              .steps = steps,
                              .step = step,
                              .set = -1};
    parameters_place(&frozen->model->parameters, job->ops, false);
    return frozen;
}

void frozen_load(struct frozen *frozen, int set)
{
    struct parameters *parameters = &frozen->model->parameters;
    const char *folder = frozen->job.train_folder;
    CHECK(set >= 0 && set < frozen->sets, "set %d of %d", set, frozen->sets);
    frozen->set = set;
    if (!frozen->steps)
        parameters_start(parameters, frozen->job.seed);
    else if (frozen->sets > 1)
        checkpoint_load(folder, frozen->step[set], parameters, false);
    else
        checkpoint_load_mean(folder, frozen->step, frozen->steps, parameters);
}

void frozen_close(struct frozen *frozen)
{
    model_release(frozen->model);
}

void frozen_progress(const struct frozen *frozen, int64_t done, int64_t total)
{
    if (!frozen) return;
    CHECK(frozen->set >= 0, "nothing is loaded");
    if (!frozen->job.progress) return;
    frozen->job.progress(frozen->job.progress_context, frozen->set * total + done,
                         frozen->sets * total);
}

struct pass pass_open(const struct frozen *frozen, struct graph *graph, const struct split *split,
                      struct pass_form form)
{
    const int source = split->longest[SIDE_SOURCE], target = split->longest[SIDE_TARGET];
    const int longest = source > target ? source : target;
    struct pass pass = {.graph = graph,
                        .split = split,
                        .tokens = longest > form.tokens ? longest : form.tokens,
                        .frozen = frozen,
                        .form = form};
    pass.epoch = form.order == PASS_BY_LENGTH
                     ? epoch_by_length(&pass.arena, split, pass.tokens, form.sentences)
                     : epoch_of_some(&pass.arena, split, NULL, pass.tokens, form.sentences);
    graph_plan(graph, (struct capacity){{pass.tokens, pass.tokens}, form.sentences, longest});
    return pass;
}

void pass_choose(struct pass *pass, const bool *wanted)
{
    CHECK(!pass->next, "a pass is at batch %d", pass->next);
    pass->epoch =
        epoch_of_some(&pass->arena, pass->split, wanted, pass->tokens, pass->form.sentences);
}

static void begin(struct graph *graph)
{
    if (!graph->memory) graph_place(graph);
    graph_pack(graph);
    graph_set_step(graph, &(struct step){.normalizer = 1});
}

const struct batch *pass_next(struct pass *pass)
{
    const int32_t *first = pass->epoch.begin + pass->next;
    arena_free(&pass->loaded);
    if (pass->next) frozen_progress(pass->frozen, *first, pass->split->sentences);
    if (pass->next == pass->epoch.batches) {
        pass->next = 0;
        return NULL;
    }
    CHECK(!pass->frozen || pass->frozen->set >= 0, "nothing is loaded");
    if (!pass->next) begin(pass->graph);
    pass->batch = batch_pack(&pass->loaded, pass->split, pass->epoch.sentence + first[0],
                             first[1] - first[0]);
    graph_load(pass->graph, &pass->batch);
    if (pass->before) pass->before(pass->before_context, &pass->batch);
    graph_forward(pass->graph);
    pass->next++;
    return &pass->batch;
}

void pass_close(struct pass *pass)
{
    graph_release(pass->graph);
    arena_free(&pass->arena);
    arena_free(&pass->loaded);
}

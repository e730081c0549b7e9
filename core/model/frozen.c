/* Loads frozen models and runs passes. The slabs have only masters and operands. Loading a
 * checkpoint discards packed weights, so the weights are packed again at the beginning of every
 * pass. */
#include "core/model/frozen.h"

#include <omp.h>

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

/* Computes batch b of the epoch. */
static void compute(struct pass *pass, int b)
{
    const int32_t *first = pass->epoch.begin + b;
    arena_free(&pass->loaded);
    pass->batch = batch_pack(&pass->loaded, pass->split, pass->epoch.sentence + first[0],
                             first[1] - first[0]);
    graph_load(pass->graph, &pass->batch);
    if (pass->before) pass->before(pass->before_context, &pass->batch);
    graph_forward(pass->graph);
}

const struct batch *pass_next(struct pass *pass)
{
    const int32_t *first = pass->epoch.begin + pass->next;
    if (pass->next) frozen_progress(pass->frozen, *first, pass->split->sentences);
    if (pass->next == pass->epoch.batches) {
        pass->next = 0;
        return NULL;
    }
    CHECK(!pass->frozen || pass->frozen->set >= 0, "nothing is loaded");
    if (!pass->next) begin(pass->graph);
    compute(pass, pass->next++);
    return &pass->batch;
}

void pass_close(struct pass *pass)
{
    graph_release(pass->graph);
    arena_free(&pass->arena);
    arena_free(&pass->loaded);
}

/* Upper bound of the memory of all lists of pass_all, in bytes. */
static const size_t PASSES_MOST = (size_t)2 << 30;

/* Returns the number of lists that compute batches at the same time. With OpenBLAS it is 1, because
 * OpenBLAS starts its own threads. With fewer than two batches per thread, threads would wait for
 * each other. */
static int lists_of(const struct pass *pass)
{
    const struct graph *graph = pass->graph;
    const size_t most = PASSES_MOST / (graph->memory_bytes + graph->fixed_bytes + 1);
    const int batches = pass->epoch.batches / 2;
    int lists = graph->ops->send || !graph->ops->panel ? 1 : omp_get_max_threads();
    if (lists > batches) lists = batches;
    if ((size_t)lists > most) lists = (int)most;
    return lists > 1 ? lists : 1;
}

/* A pass of several lists. */
struct pass_lists {
    const struct frozen *frozen;
    const struct pass_use *use;
    struct pass *pass;  /* [lists] */
    int lists;          /* that were opened */
    int64_t done, told; /* computed sentences; those at the end of the round */
};

/* Opens another list with the batches and the capacity of the first. */
static void add_list(struct pass_lists *all, struct arena *arena)
{
    struct pass *pass = &all->pass[all->lists++];
    *pass = all->pass[0];
    pass->graph = all->use->list(all->use->context, arena);
    pass->arena = pass->loaded = (struct arena){0};
    graph_plan(pass->graph, all->pass[0].graph->capacity);
    begin(pass->graph);
}

/* Computes batch b. The last report of a round comes after the round, because a reported number of
 * sentences may change the number of threads. */
static void use_batch(struct pass_lists *all, struct pass *pass, int b)
{
    compute(pass, b);
    all->use->found(all->use->context, pass->graph, &pass->batch);
#pragma omp critical(pass)
    {
        all->done += pass->epoch.begin[b + 1] - pass->epoch.begin[b];
        if (all->done < all->told) frozen_progress(all->frozen, all->done, pass->split->sentences);
    }
}

/* Computes batches [from, to) with one list for each thread. A region of one thread would make the
 * regions of its ops nested, and so start new threads for each of them. So one list has no
 * region. */
static void use_round(struct pass_lists *all, int lists, int from, int to)
{
    all->told = all->pass->epoch.begin[to];
    if (lists == 1) {
        for (int b = from; b < to; b++) use_batch(all, all->pass, b);
    } else {
#pragma omp parallel num_threads(lists)
        {
            omp_set_num_threads(1); /* ops called by this thread then use no other threads */
#pragma omp for schedule(dynamic)
            for (int b = from; b < to; b++) use_batch(all, all->pass + omp_get_thread_num(), b);
        }
    }
    frozen_progress(all->frozen, all->done, all->pass->split->sentences);
}

void pass_all(const struct frozen *frozen, const struct split *split, struct pass_form form,
              const struct pass_use *use)
{
    enum { ROUND = 16 }; /* batches of a thread, after which the number of threads may change */
    SCOPED(arena_free) struct arena arena = {0};
    struct pass first = pass_open(frozen, use->list(use->context, &arena), split, form);
    const int batches = first.epoch.batches;
    struct pass_lists all = {frozen, use, ARENA_ARRAY(&arena, struct pass, batches + 1),
                             .lists = 1};
    CHECK(frozen->set >= 0, "nothing is loaded");
    all.pass[0] = first;
    begin(first.graph);
    for (int b = 0, end; b < batches; b = end) {
        const int lists = lists_of(&first);
        while (all.lists < lists) add_list(&all, &arena);
        end = batches - b < ROUND * lists ? batches : b + ROUND * lists;
        use_round(&all, lists, b, end);
    }
    for (int i = 0; i < all.lists; i++) pass_close(&all.pass[i]);
}

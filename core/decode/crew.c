/* Batches go to whoever comes first, the longest first, so that all end at about the same time. */
#include "core/decode/crew.h"

#include <omp.h>

static const size_t CREW_MOST = (size_t)2 << 30; /* bytes that searches side by side may take */

/* Rows of many sentences read the weights less often, in particular when only few are left. */
static struct capacity capacity_of(enum crew_kind kind, const struct split *split)
{
    enum { TOKENS = 4096, SENTENCES = 128 };
    const int longest = split->longest[SIDE_SOURCE];
    if (kind == CREW_FRUGAL) return searcher_capacity(longest);
    return (struct capacity){{longest > TOKENS ? longest : TOKENS}, SENTENCES, longest};
}

static struct epoch epoch_of(struct arena *arena, const struct split *split,
                             struct capacity capacity)
{
    return epoch_by_length(arena, split, capacity.tokens[FIELD_SOURCE], capacity.sentences);
}

static size_t bytes_of(const struct epoch *epoch, struct capacity capacity, struct model *model,
                       const struct beam_options *options, const struct split *split)
{
    const int64_t *start = split->side[SIDE_SOURCE].start;
    int64_t slots = 0;
    for (int b = 0; b < epoch->batches; b++) {
        const int32_t first = epoch->sentence[epoch->begin[b]]; /* the longest of the batch */
        const int64_t rows = (int64_t)(epoch->begin[b + 1] - epoch->begin[b]) * options->beam;
        const int64_t steps = start[first + 1] - start[first] + options->extra;
        if (rows * steps > slots) slots = rows * steps;
    }
    return searcher_bytes(model, options, capacity, slots);
}

size_t crew_bytes(struct model *model, const struct beam_options *options,
                  const struct split *split)
{
    struct arena scratch = {0};
    const struct capacity capacity = capacity_of(CREW_FRUGAL, split);
    const struct epoch epoch = epoch_of(&scratch, split, capacity);
    const size_t bytes = bytes_of(&epoch, capacity, model, options, split);
    arena_free(&scratch);
    return bytes;
}

/* Of ops only those of our own table on the host may be called by several threads at a time: a
 * device has one queue, and a library its own threads. */
static bool shares_ops(const struct ops *ops)
{
    return ops->panel > 0;
}

struct crew crew_open(struct arena *arena, struct model *model, const struct beam_options *options,
                      const struct split *split, enum crew_kind kind)
{
    const struct capacity capacity = capacity_of(kind, split);
    struct crew crew = {split, capacity, epoch_of(arena, split, capacity), 1, NULL};
    const int threads = omp_get_max_threads();
    /* At least two batches each: with fewer some would wait for the others. */
    if (kind == CREW && shares_ops(model->ops) && crew.epoch.batches >= 2 * threads &&
        bytes_of(&crew.epoch, capacity, model, options, split) <= CREW_MOST / (size_t)threads)
        crew.searchers = threads;
    crew.searcher = ARENA_ARRAY(arena, struct searcher *, crew.searchers);
    for (int i = 0; i < crew.searchers; i++)
        crew.searcher[i] = searcher_open(arena, model, options, capacity);
    crew_want(&crew, 1);
    return crew;
}

void crew_want(const struct crew *crew, int hypotheses)
{
    for (int i = 0; i < crew->searchers; i++) searcher_want(crew->searcher[i], hypotheses);
}

void crew_close(struct crew *crew)
{
    for (int i = 0; i < crew->searchers; i++) searcher_close(crew->searcher[i]);
}

static void search_batch(const struct crew *crew, struct searcher *searcher, int b,
                         crew_found *found, void *context)
{
    struct arena arena = {0};
    const int32_t *sentence = crew->epoch.sentence + crew->epoch.begin[b];
    const int count = crew->epoch.begin[b + 1] - crew->epoch.begin[b];
    const struct batch batch = batch_pack(&arena, crew->split, sentence, count);
    const struct translation *translation = searcher_run(searcher, &batch, &arena);
#pragma omp critical(crew)
    found(context, sentence, translation, count);
    arena_free(&arena);
}

void crew_search(const struct crew *crew, int from, int to, crew_found *found, void *context)
{
    if (crew->searchers == 1) {
        for (int b = from; b < to; b++) search_batch(crew, crew->searcher[0], b, found, context);
        return;
    }
#pragma omp parallel num_threads(crew->searchers)
    {
        omp_set_num_threads(1); /* of the ops that this thread calls */
#pragma omp for schedule(dynamic)
        for (int b = from; b < to; b++)
            search_batch(crew, crew->searcher[omp_get_thread_num()], b, found, context);
    }
}

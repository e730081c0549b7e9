/* Beam search of a split. The batches with the longest sentences come first, and a search takes the
 * next batch when it has finished one. So all searches end at about the same time. */
#include "core/decode/crew.h"

#include <omp.h>

enum {
    TURNS = 2,       /* number of searches that alternate on a device */
    SENTENCES = 128, /* default sentences per batch */
    /* Maximum number of rows of a batch on a device. A step of many rows takes about the time of a
     * step of a few rows. The number of steps of a batch depends only on its longest sentence. So a
     * few large batches are faster than many small batches. */
    ROWS = 2048,
    /* A batch for at most n sentences has room for TOKENS * n source tokens. It has more room only
     * if the longest sentence of the split needs more. */
    TOKENS = 32
};
/* Upper bound of the host memory of all searches, in bytes. */
static const size_t CREW_MOST = (size_t)2 << 30;

/* Returns the number of sentences per batch. Each step of a batch reads all weights, even if only a
 * few sentences of the batch are unfinished. So larger batches read the weights less often. */
static int sentences_of(const struct ops *ops, const struct split *split, int beam)
{
    const int turn = (split->sentences + TURNS - 1) / TURNS, most = ROWS / beam;
    const int sentences = turn < most ? turn : most;
    return ops->send && sentences > SENTENCES ? sentences : SENTENCES;
}

static struct capacity capacity_of(const struct split *split, int sentences)
{
    const int longest = split->longest[SIDE_SOURCE], tokens = TOKENS * sentences;
    return (struct capacity){{longest > tokens ? longest : tokens}, sentences, longest};
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
        /* The first sentence of a batch is its longest. */
        const int32_t first = epoch->sentence[epoch->begin[b]];
        const int64_t rows = (int64_t)(epoch->begin[b + 1] - epoch->begin[b]) * options->beam;
        const int64_t steps = start[first + 1] - start[first] + options->extra;
        if (rows * steps > slots) slots = rows * steps;
    }
    return searcher_bytes(model, options, capacity, slots);
}

/* Returns the largest useful number of searches. On the host, several threads can call ops at the
 * same time if the op table uses sanlab's own matrix products. With OpenBLAS they cannot, because
 * OpenBLAS starts its own threads. A device has one queue, and two searches alternate. */
static int searchers_of(const struct ops *ops)
{
    return ops->send ? TURNS : ops->panel ? omp_get_max_threads() : 1;
}

static size_t bytes_most(const struct ops *ops)
{
    return ops->memory ? ops->memory() / 8 : CREW_MOST;
}

/* Makes batches of `sentences` sentences. If `searchers` searches with such batches need too much
 * memory, makes smaller batches, but not smaller than SENTENCES. Returns true if the searches fit
 * into memory. */
static bool cut(struct crew *crew, struct arena *arena, struct model *model,
                const struct beam_options *options, int sentences, int searchers)
{
    for (;;) {
        crew->capacity = capacity_of(crew->split, sentences);
        crew->epoch = epoch_of(arena, crew->split, crew->capacity);
        const bool fit = bytes_of(&crew->epoch, crew->capacity, model, options, crew->split) <=
                         bytes_most(model->ops) / (size_t)searchers;
        if (fit || sentences <= SENTENCES) return fit;
        sentences = sentences > 2 * SENTENCES ? sentences / 2 : SENTENCES;
    }
}

static struct crew choose(struct arena *arena, struct model *model,
                          const struct beam_options *options, const struct split *split,
                          enum crew_kind kind, int sentences)
{
    struct crew crew = {.split = split, .searchers = 1, .by_turns = model->ops->send};
    const int most = searchers_of(model->ops);
    if (kind == CREW_FRUGAL) {
        crew.capacity = searcher_capacity(split->longest[SIDE_SOURCE]);
        crew.epoch = epoch_of(arena, split, crew.capacity);
        return crew;
    }
    if (!sentences) sentences = sentences_of(model->ops, split, options->beam);
    const bool fit = cut(&crew, arena, model, options, sentences, most);
    /* On the host, several searches need two batches per thread. With fewer batches, threads would
     * wait for each other. */
    if (kind == CREW && fit && crew.epoch.batches >= (crew.by_turns ? 1 : 2) * most)
        crew.searchers = most;
    return crew;
}

size_t crew_bytes(struct model *model, const struct beam_options *options,
                  const struct split *split, enum crew_kind kind)
{
    SCOPED(arena_free) struct arena scratch = {0};
    const struct crew crew = choose(&scratch, model, options, split, kind, 0);
    const size_t bytes = bytes_of(&crew.epoch, crew.capacity, model, options, split);
    return (size_t)crew.searchers * bytes;
}

struct crew crew_open(struct arena *arena, struct model *model, const struct beam_options *options,
                      const struct split *split, enum crew_kind kind, int sentences)
{
    struct crew crew = choose(arena, model, options, split, kind, sentences);
    crew.searcher = ARENA_ARRAY(arena, struct searcher *, crew.searchers);
    for (int i = 0; i < crew.searchers; i++)
        crew.searcher[i] = searcher_open(arena, model, options, crew.capacity);
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

/* A batch during search. */
struct turn {
    struct arena arena;
    struct batch batch;
    const int32_t *sentence; /* NULL: no batch */
    int count;
    const struct translation *translation;
};

static void turn_begin(const struct crew *crew, struct searcher *searcher, int b, struct turn *turn)
{
    turn->sentence = crew->epoch.sentence + crew->epoch.begin[b];
    turn->count = crew->epoch.begin[b + 1] - crew->epoch.begin[b];
    turn->batch = batch_pack(&turn->arena, crew->split, turn->sentence, turn->count);
    turn->translation = searcher_begin(searcher, &turn->batch, &turn->arena);
}

static void turn_end(struct turn *turn, crew_found *found, void *context)
{
#pragma omp critical(crew)
    found(context, turn->sentence, turn->translation, turn->count);
    arena_free(&turn->arena);
    turn->sentence = NULL;
}

/* Alternates between searches: a turn is one step of one search. */
static void search_by_turns(const struct crew *crew, struct searcher *const *searcher,
                            int searchers, int from, int to, crew_found *found, void *context)
{
    struct turn turn[TURNS] = {{.count = 0}};
    int begun = from, ended = from;
    for (int i = 0; ended < to; i = (i + 1) % searchers) {
        if (turn[i].sentence && !searcher_next(searcher[i])) {
            turn_end(&turn[i], found, context);
            ended++;
        }
        if (!turn[i].sentence && begun < to) turn_begin(crew, searcher[i], begun++, &turn[i]);
    }
}

void crew_search(const struct crew *crew, int from, int to, crew_found *found, void *context)
{
    struct searcher *const *searcher = crew->searcher;
    if (crew->by_turns || crew->searchers == 1) {
        search_by_turns(crew, searcher, crew->searchers, from, to, found, context);
        return;
    }
#pragma omp parallel num_threads(crew->searchers)
    {
        omp_set_num_threads(1); /* ops called by this thread then use no other threads */
#pragma omp for schedule(dynamic)
        for (int b = from; b < to; b++)
            search_by_turns(crew, searcher + omp_get_thread_num(), 1, b, b + 1, found, context);
    }
}

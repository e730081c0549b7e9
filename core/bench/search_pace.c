/* Measures the speed of beam search as in translation: one search, or several searches in parallel
 * (core/decode/crew.h). */
#include "core/bench/search_pace.h"

#include <string.h>

#include "core/bench/bench_ops.h"

static void keep_found(void *context, const int32_t *sentence,
                       const struct translation *translation, int count)
{
    const struct search_pace *pace = context;
    for (int i = 0; i < count; i++) {
        const struct hypothesis *best = translation[i].hypothesis;
        int32_t *token = ARENA_ARRAY(pace->arena, int32_t, best->count);
        memcpy(token, best->token, (size_t)best->count * sizeof *token);
        pace->found[sentence[i]] = (struct translated_ids){token, best->count};
    }
}

static struct search_work work_of(const struct crew *crew)
{
    struct search_work all = {0};
    for (int i = 0; i < crew->searchers; i++) {
        const struct search_work work = searcher_work(crew->searcher[i]);
        all.steps += work.steps;
        all.rows += work.rows;
        all.flops += work.flops;
    }
    return all;
}

struct search_pace search_pace(const struct search_pace_job *job, struct arena *arena)
{
    const int rounds = job->rounds, sentences = job->split->sentences;
    struct frozen *frozen = frozen_open(arena, &job->frozen);
    frozen_load(frozen, 0);
    struct crew crew =
        crew_open(arena, frozen->model, job->beam, job->split, job->kind, job->batch);
    const int batches = crew.epoch.batches;
    struct search_pace pace = {.searchers = crew.searchers,
                               .batch = crew.capacity.sentences,
                               .batches = batches,
                               .step = frozen->steps ? frozen->step[0] : 0,
                               .warm = crew.searchers < batches ? crew.searchers : batches,
                               .sentences = sentences,
                               .arena = arena,
                               .found = ARENA_ARRAY(arena, struct translated_ids, sentences)};
    double seconds[MEASURE_ROUNDS];
    const double start = job->clock();
    crew_search(&crew, 0, pace.warm, keep_found, &pace);
    pace.first = job->clock() - start;
    const struct search_work before = work_of(&crew);
    bench_ops_clear();
    for (int round = 0; round < rounds; round++) {
        const double begin = job->clock();
        crew_search(&crew, 0, batches, keep_found, &pace);
        pace.all += seconds[round] = job->clock() - begin;
    }
    const struct search_work after = work_of(&crew);
    pace.median = measure_median(seconds, rounds);
    pace.rows = (double)(after.rows - before.rows) / rounds;
    pace.steps = (double)(after.steps - before.steps) / rounds;
    pace.flops = (after.flops - before.flops) / rounds;
    for (int s = 0; s < sentences; s++) pace.tokens += pace.found[s].count;
    crew_close(&crew);
    frozen_close(frozen);
    return pace;
}

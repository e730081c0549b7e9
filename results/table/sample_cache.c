/* Caches the samples of columns. Rows with the same trainings are not independent, so only the
 * variance of the first of these rows is used. */
#include "results/table/sample_cache.h"

#include "core/config/word.h"
#include "experiments/grid/tune.h"

/* A row with a variance between its seeds. */
struct member {
    int row;
    const char *training; /* id of the training of the row's first seed; NULL: none */
    struct pooled_row varies;
};

struct sample_cache {
    struct sample_cache *next;
    struct column column;
    struct sample *sample; /* [rows] total 0: not read yet */
    int members;           /* -1: not computed yet */
    struct member *member;
    struct pooled_row *others; /* [members] result for the last pair */
};

static struct sample_cache *cache_of(struct sampler *sampler, const struct column *column)
{
    struct sample_cache *cache = sampler->samples;
    while (cache && !column_is_same(&cache->column, column)) cache = cache->next;
    if (cache) return cache;
    cache = ARENA_NEW(sampler->arena, struct sample_cache);
    *cache = (struct sample_cache){
        .next = sampler->samples,
        .column = *column,
        .members = -1,
        .sample = ARENA_ARRAY(sampler->arena, struct sample, sampler->grid->rows)};
    return sampler->samples = cache;
}

const struct sample *sample_cached(struct sampler *sampler, const struct column *column, int row)
{
    struct sample *sample = &cache_of(sampler, column)->sample[row];
    if (!sample->total) *sample = sample_row(sampler, column, row);
    return sample;
}

/* Computes the variance of a row's values. Returns false if there is none: the row has fewer than
 * two values, mixed signatures, or one stage for all seeds. */
static bool varies(const struct sample *sample, struct pooled_row *row)
{
    if (sample->count < 2 || sample->mixed || sample_is_one(sample)) return false;
    *row = pooled_row(sample->known, sample->count);
    return true;
}

/* Lists the members. Of several rows with the same trainings and signature only the first is a
 * member. */
static void list_members(struct sampler *sampler, struct sample_cache *cache)
{
    const int rows = sampler->grid->rows;
    cache->members = 0;
    cache->member = ARENA_ARRAY(sampler->arena, struct member, rows);
    cache->others = ARENA_ARRAY(sampler->arena, struct pooled_row, rows);
    if (column_has(&cache->column, COLUMN_AXIS) || column_is_size(&cache->column))
        return; /* means over an axis share values between rows; sizes have no variance */
    for (int row = 0; row < rows; row++) {
        struct member one = {.row = row, .training = sample_training_of(&sampler->grid->row[row])};
        const struct sample *sample = sample_cached(sampler, &cache->column, row);
        bool fresh = varies(sample, &one.varies);
        for (int i = 0; fresh && one.training && i < cache->members; i++)
            fresh = !word_same(cache->member[i].training, one.training) ||
                    !sample_same_signature(&cache->sample[cache->member[i].row], sample);
        if (fresh) cache->member[cache->members++] = one;
    }
}

const struct pooled_row *sample_cache_others(struct sampler *sampler, const struct column *column,
                                             const int *row, int rows, int *others)
{
    struct sample_cache *cache = cache_of(sampler, column);
    const struct sample *sample = sample_cached(sampler, column, *row);
    if (cache->members < 0) list_members(sampler, cache);
    *others = 0;
    for (int i = 0; i < cache->members; i++) {
        const struct member *one = &cache->member[i];
        /* The variance between searches is larger than that between seeds. */
        bool left = (tuned_searches(&sampler->grid->row[one->row]) > 1) !=
                    (tuned_searches(&sampler->grid->row[*row]) > 1);
        for (int k = 0; k < rows; k++)
            left |= one->row == row[k] ||
                    (one->training &&
                     word_same(one->training, sample_training_of(&sampler->grid->row[row[k]])));
        if (!left && sample_same_signature(&cache->sample[one->row], sample))
            cache->others[(*others)++] = one->varies;
    }
    return cache->others;
}

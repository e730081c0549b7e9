/* Cache of the samples of a column. Rows with the same trainings are not independent, and count
 * once. */
#include "results/table/family.h"

#include <math.h>

#include "core/config/word.h"

/* A row with a variance between its seeds. */
struct member {
    int row;
    const char *training; /* of the row's first seed; NULL: none */
    struct pooled_row varies;
};

struct family {
    struct family *next;
    struct column column;
    struct sample *sample; /* [rows] total 0: not read yet */
    int members;           /* -1: not computed yet */
    struct member *member;
    struct pooled_row *others; /* [members] result for the last pair */
};

static struct family *family_of(struct sampler *sampler, const struct column *column)
{
    struct family *family = sampler->family;
    while (family && !column_is_same(&family->column, column)) family = family->next;
    if (family) return family;
    family = ARENA_NEW(sampler->arena, struct family);
    *family =
        (struct family){.next = sampler->family,
                        .column = *column,
                        .members = -1,
                        .sample = ARENA_ARRAY(sampler->arena, struct sample, sampler->grid->rows)};
    return sampler->family = family;
}

const struct sample *family_sample(struct sampler *sampler, const struct column *column, int row)
{
    struct sample *sample = &family_of(sampler, column)->sample[row];
    if (!sample->total) *sample = sample_row(sampler, column, row);
    return sample;
}

/* Computes the variance of a row's values; false if the row has too few values. */
static bool varies(const struct sample *sample, struct pooled_row *row, struct arena *arena)
{
    if (sample->count < 2 || sample->mixed || sample_is_one(sample)) return false;
    double *value = ARENA_ARRAY(arena, double, sample->count);
    int count = 0;
    for (int i = 0; i < sample->total; i++)
        if (isfinite(sample->value[i])) value[count++] = sample->value[i];
    *row = pooled_row(value, count);
    return true;
}

/* Lists the members. Of several rows with the same trainings and signature only the first is a
 * member. */
static void list_members(struct sampler *sampler, struct family *family)
{
    const int rows = sampler->grid->rows;
    family->members = 0;
    family->member = ARENA_ARRAY(sampler->arena, struct member, rows);
    family->others = ARENA_ARRAY(sampler->arena, struct pooled_row, rows);
    if (column_has(&family->column, COLUMN_AXIS) || column_is_size(&family->column))
        return; /* rows share values */
    for (int row = 0; row < rows; row++) {
        struct member one = {.row = row, .training = sample_training_of(&sampler->grid->row[row])};
        const struct sample *sample = family_sample(sampler, &family->column, row);
        bool fresh = varies(sample, &one.varies, sampler->arena);
        for (int i = 0; fresh && one.training && i < family->members; i++)
            fresh = !word_same(family->member[i].training, one.training) ||
                    !sample_same_signature(&family->sample[family->member[i].row], sample);
        if (fresh) family->member[family->members++] = one;
    }
}

const struct pooled_row *family_others(struct sampler *sampler, const struct column *column,
                                       int row, int other_row, int *others)
{
    struct family *family = family_of(sampler, column);
    const struct sample *sample = family_sample(sampler, column, row);
    const char *pair[] = {sample_training_of(&sampler->grid->row[row]),
                          sample_training_of(&sampler->grid->row[other_row])};
    if (family->members < 0) list_members(sampler, family);
    *others = 0;
    for (int i = 0; i < family->members; i++) {
        const struct member *one = &family->member[i];
        bool own = one->row == row || one->row == other_row;
        for (int k = 0; k < 2; k++) own |= one->training && word_same(one->training, pair[k]);
        if (!own && sample_same_signature(&family->sample[one->row], sample))
            family->others[(*others)++] = one->varies;
    }
    return family->others;
}

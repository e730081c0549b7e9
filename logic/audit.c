/* Audits pairs of statements. A table maps each pair to bits. There is one bit for each split that
 * has the pair. The bit TRAINED is set if a trained bin has the pair. */
#include "logic/audit.h"

#include "core/base/hash_table.h"

enum { TRAINED = 1 << LOGIC_SPLITS };

struct logic_auditor {
    const struct logic_pairs *pairs;
    struct hash_table *seen; /* maps (premise, hypothesis) to bits */
    bool *familiar;          /* [statements] true if a trained pair has the statement */
};

/* Key of the table: the indices of the two statements. struct logic_pair begins with the same
 * members. */
struct logic_sides {
    int32_t premise, hypothesis;
};
_Static_assert(offsetof(struct logic_pair, hypothesis) == sizeof(int32_t), "no hole in the key");

static void enter(struct logic_auditor *auditor, const struct logic_file *file, bool trained,
                  struct logic_count *count)
{
    for (int i = file->first; i < file->first + file->count; i++) {
        const struct logic_pair *pair = &auditor->pairs->pair[i];
        int64_t *bits =
            hash_table_at(auditor->seen, (const char *)pair, sizeof(struct logic_sides), 0);
        count->pairs++;
        count->relation[pair->relation]++;
        count->duplicates += *bits >> file->split & 1;
        *bits |= 1 << file->split | (trained ? TRAINED : 0);
        if (trained) auditor->familiar[pair->premise] = auditor->familiar[pair->hypothesis] = true;
    }
}

static bool is_trained(const struct logic_auditor *auditor, struct logic_sides sides)
{
    const int64_t bits = hash_table_get(auditor->seen, (const char *)&sides, sizeof sides);
    return bits != HASH_TABLE_ABSENT && (bits & TRAINED);
}

static void compare(const struct logic_auditor *auditor, const struct logic_file *file,
                    struct logic_count *count)
{
    for (int i = file->first; i < file->first + file->count; i++) {
        const struct logic_pair *pair = &auditor->pairs->pair[i];
        const int32_t premise = pair->premise, hypothesis = pair->hypothesis;
        count->repeated += is_trained(auditor, (struct logic_sides){premise, hypothesis});
        count->mirrored += is_trained(auditor, (struct logic_sides){hypothesis, premise});
        count->familiar += auditor->familiar[premise] && auditor->familiar[hypothesis];
    }
}

struct logic_audit logic_audit(const struct logic_pairs *pairs, struct logic_bins trained)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct logic_audit audit = {0};
    struct logic_auditor auditor = {.pairs = pairs,
                                    .seen = hash_table_new(&arena, (size_t)pairs->pairs),
                                    .familiar = ARENA_ARRAY(&arena, bool, pairs->statements)};
    for (int i = 0; i < pairs->files; i++) {
        const struct logic_file *file = &pairs->file[i];
        audit.there[file->split][file->bin] = true;
        enter(&auditor, file,
              file->split == LOGIC_TRAIN && file->bin >= trained.first && file->bin <= trained.last,
              &audit.count[file->split][file->bin]);
    }
    for (int i = 0; i < pairs->files; i++) {
        const struct logic_file *file = &pairs->file[i];
        if (file->split != LOGIC_TRAIN)
            compare(&auditor, file, &audit.count[file->split][file->bin]);
    }
    return audit;
}

void logic_count_add(struct logic_count *sum, const struct logic_count *more)
{
    for (int relation = 0; relation < RELATIONS; relation++)
        sum->relation[relation] += more->relation[relation];
    sum->pairs += more->pairs;
    sum->duplicates += more->duplicates;
    sum->repeated += more->repeated;
    sum->mirrored += more->mirrored;
    sum->familiar += more->familiar;
}

enum logic_relation logic_majority(const struct logic_count *count)
{
    int majority = 0;
    for (int relation = 1; relation < RELATIONS; relation++)
        if (count->relation[relation] > count->relation[majority]) majority = relation;
    return (enum logic_relation)majority;
}

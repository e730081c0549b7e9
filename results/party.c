#include "results/party.h"

#include <string.h>

struct party party_new(int room, struct arena *arena)
{
    return (struct party){.evidence = ARENA_ARRAY(arena, const struct evidence *, room)};
}

void party_add(struct party *party, const struct evidence *evidence)
{
    party->evidence[party->count++] = evidence;
}

const char *party_score(struct sampler *sampler, int row, int seed)
{
    const struct summary_seed *from = &sampler->grid->row[row].seed[seed];
    const struct sample_stage *stage = sample_stages(sampler, row)[seed];
    for (int i = 0; i < from->count; i++)
        if (!strcmp(from->stage[i].kind, "score") && !strcmp(stage[i].status, "done"))
            return from->stage[i].id;
    return NULL;
}

const char *const party_numeric[] = {"device", "products", NULL};

/* In which of the numerics two seeds of rows differ ("other device: ..."), or NULL. */
static const char *numerics_differ(struct sampler *sampler, int row, int seed, int other_row,
                                   int other_seed)
{
    const struct summary_seed *a = &sampler->grid->row[row].seed[seed],
                              *b = &sampler->grid->row[other_row].seed[other_seed];
    const struct sample_stage *at = sample_stages(sampler, row)[seed],
                              *bt = sample_stages(sampler, other_row)[other_seed];
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++) {
            const char *kind = a->stage[i].kind;
            if (strcmp(kind, b->stage[k].kind) || (strcmp(kind, "train") && strcmp(kind, "score")))
                continue;
            for (int n = 0; party_numeric[n]; n++) {
                const char *key = party_numeric[n];
                const char *ours = sample_environment(sampler, at[i].number, key),
                           *theirs = sample_environment(sampler, bt[k].number, key);
                if (!ours || !theirs || strcmp(ours, theirs) == 0) continue;
                return arena_print(sampler->arena, "other %s: %s, not %s", key, ours, theirs);
            }
        }
    return NULL;
}

const char *party_rows(struct sampler *sampler, int row, int other_row, struct party *ours,
                       struct party *theirs)
{
    const struct summary_row *a = &sampler->grid->row[row], *b = &sampler->grid->row[other_row];
    for (int i = 0; i < a->count; i++) {
        const char *id = party_score(sampler, row, i);
        for (int k = 0; id && k < b->count; k++) {
            const char *other = party_score(sampler, other_row, k);
            if (!other || a->seed[i].seed != b->seed[k].seed) continue;
            const char *problem = numerics_differ(sampler, row, i, other_row, k);
            if (problem) return problem;
            party_add(ours, evidence_stats(sampler->store, id));
            party_add(theirs, evidence_stats(sampler->store, other));
        }
    }
    return NULL;
}

const char *party_check(const struct party *party, const struct evidence *first)
{
    for (int i = 0; i < party->count; i++) {
        const struct evidence *one = party->evidence[i];
        if (one->problem) return one->problem;
        if (strcmp(one->signature, first->signature) || one->sentences != first->sentences)
            return "another signature";
        if (one->sets != party->evidence[0]->sets) return "seeds with unequal sets of hypotheses";
    }
    return NULL;
}

struct significance_system party_system(const struct party *party, struct arena *arena)
{
    int sets = party->evidence[0]->sets;
    const void **item = ARENA_ARRAY(arena, const void *, party->count *sets);
    for (int i = 0; i < party->count; i++)
        for (int k = 0; k < sets; k++) item[i * sets + k] = party->evidence[i]->item[k];
    return (struct significance_system){party->count, sets, item};
}

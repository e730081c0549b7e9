#include <string.h>

#include "results/compare_parts.h"
#include "results/find.h"

/* The score stages of a row in the newest record of a grid, by seed. */
static const char row_scores[] =
    "SELECT DISTINCT seed, stage FROM member WHERE grid = (SELECT number FROM grid WHERE grid = ?1 "
    "ORDER BY modified DESC, number DESC LIMIT 1) AND row = ?2 AND kind = 'score' ORDER BY seed";
static const char train_scores[] =
    "SELECT position, id FROM input JOIN stage ON stage = number WHERE input = ? AND kind = "
    "'score' ORDER BY id";

/* Appends what a question gives in its second column. */
static void add_scores(struct store *store, sqlite3_stmt *ask, struct compare_system *system,
                       struct arena *arena)
{
    enum { MOST = 1000 };
    system->party = party_new(MOST, arena);
    while (system->party.count < MOST && store_next(ask))
        party_add(&system->party, evidence_stats(store, store_text(ask, 1, arena)));
    store_finish(ask);
}

static bool find_row(struct store *store, struct compare_system *system, struct arena *arena)
{
    const char *slash = strchr(system->word, '/');
    if (!slash) return false;
    const char *grid = arena_text_range(arena, system->word, (size_t)(slash - system->word));
    add_scores(store, store_ask(store, row_scores, "ss", grid, slash + 1), system, arena);
    return system->party.count > 0;
}

static void find_stages(struct store *store, struct compare_system *system, struct arena *arena)
{
    struct found found;
    const char *list = "";
    if (find_stage_try(store, system->word, "score", &found, arena)) {
        system->party = party_new(1, arena);
        party_add(&system->party, evidence_stats(store, found.id));
        return;
    }
    if (!find_stage_try(store, system->word, "train", &found, arena)) {
        found = find_stage(store, system->word, NULL, arena);
        die("%s is a stage %s; expected one that is a score or train, or GRID/ROW", found.folder,
            found.kind);
    }
    add_scores(store, store_ask(store, train_scores, "s", found.id), system, arena);
    for (int i = 0; i < system->party.count; i++)
        list = arena_print(arena, "%s %s", list, system->party.evidence[i]->name);
    if (system->party.count > 1)
        die("%s has several scores; name one of them:%s", found.folder, list);
    if (!system->party.count) die("%s is not scored yet", found.folder);
}

struct compare_system compare_find(struct store *store, const char *word, struct arena *arena)
{
    struct compare_system system = {.word = word};
    if (!find_row(store, &system, arena)) find_stages(store, &system, arena);
    const struct party *party = &system.party;
    for (int i = 0; i < party->count; i++)
        if (party->evidence[i]->problem) die("%s: %s", word, party->evidence[i]->problem);
    for (int i = 0; i < party->count; i++) system.runs += party->evidence[i]->sets;
    system.hypothesis = ARENA_ARRAY(arena, const char *const *, system.runs);
    const struct bleu_stats **stats = ARENA_ARRAY(arena, const struct bleu_stats *, system.runs);
    for (int i = 0, run = 0; i < party->count; i++)
        for (int set = 0; set < party->evidence[i]->sets; set++, run++) {
            system.hypothesis[run] = party->evidence[i]->hypothesis[set];
            stats[run] = party->evidence[i]->stats[set];
        }
    system.stats = stats;
    return system;
}

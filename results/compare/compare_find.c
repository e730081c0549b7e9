/* A word is a place in a grid, whose scores are given, a score, or a training with one score. */

#include "results/compare/compare_parts.h"
#include "results/query/find_stage.h"
#include "results/store/offer.h"

static const char of_training[] =
    "SELECT position, id FROM input JOIN stage ON stage = number WHERE input = ?1 AND kind = ?2 "
    "ORDER BY id";

/* The stages whose value is BLEU. */
struct scores {
    const char *kind, *value;
};

static const struct observations *score_of(struct store *store, const struct scores *scores,
                                           const char *id)
{
    return observations_bleu(store, scores->kind, id, scores->value, NULL);
}

/* Appends what a question gives in its second column. */
static void add_scores(struct store *store, const struct scores *scores, sqlite3_stmt *ask,
                       struct compare_system *system, struct arena *arena)
{
    while (store_next(ask))
        replicates_add(&system->replicates, score_of(store, scores, store_text(ask, 1, arena)),
                       arena);
    store_finish(ask);
}

static void find_scores(struct store *store, const struct scores *scores,
                        struct compare_system *system, struct arena *arena)
{
    struct found_stage found;
    const char *list = "", *train = NULL;
    if (find_stage_try(store, system->word, scores->kind, &found, arena)) {
        replicates_add(&system->replicates, score_of(store, scores, found.id), arena);
        return;
    }
    for (const struct offer *const *offer = offers(); *offer && !train; offer++)
        if ((*offer)->validation) train = (*offer)->kind;
    if (!train || !find_stage_try(store, system->word, train, &found, arena)) {
        found = find_stage(store, system->word, NULL, arena);
        die("%s is a stage %s; expected one that is a score or train, or GRID/ROW", found.folder,
            found.kind);
    }
    add_scores(store, scores, store_ask(store, of_training, "ss", found.id, scores->kind), system,
               arena);
    for (int i = 0; i < system->replicates.count; i++)
        list = arena_print(arena, "%s %s", list, system->replicates.seed[i]->name);
    if (system->replicates.count > 1)
        die("%s has several scores; name one of them:%s", found.folder, list);
    if (!system->replicates.count) die("%s is not scored yet", found.folder);
}

struct compare_system compare_find(struct store *store, const char *word,
                                   const struct compare_place *place, struct arena *arena)
{
    struct compare_system system = {.word = word};
    struct scores scores;
    const struct measure *bleu = offer_read_by(observations_bleu, &scores.kind);
    CHECK(bleu, "no kind of stage has BLEU");
    scores.value = bleu->name;
    for (int i = 0; i < place->count; i++)
        replicates_add(&system.replicates, score_of(store, &scores, place->id[i]), arena);
    if (!place->count) find_scores(store, &scores, &system, arena);
    const struct replicates *replicates = &system.replicates;
    const char *problems = replicates_problems(replicates, &(struct replicates){0}, arena);
    if (problems) die("%s: %s", word, problems);
    for (int i = 0; i < replicates->count; i++) system.runs += replicates->seed[i]->sets;
    system.hypothesis = ARENA_ARRAY(arena, const char *const *, system.runs);
    const struct bleu_stats **stats = ARENA_ARRAY(arena, const struct bleu_stats *, system.runs);
    for (int i = 0, run = 0; i < replicates->count; i++)
        for (int set = 0; set < replicates->seed[i]->sets; set++, run++) {
            system.hypothesis[run] = replicates->seed[i]->text->hypothesis[set];
            stats[run] = replicates->seed[i]->text->stats[set];
        }
    system.stats = stats;
    return system;
}

/* A word is a place in a grid, whose scores are given, a score, or a training with one score. */

#include "results/compare/compare.h"
#include "results/compare/compare_parts.h"
#include "results/query/find_stage.h"
#include "results/sheet/cell.h"
#include "results/store/offer.h"

static const char of_training[] =
    "SELECT position, id FROM input JOIN stage ON stage = number WHERE input = ?1 AND kind = ?2 "
    "ORDER BY id";

/* The stages whose value is BLEU. */
struct scores {
    const char *kind, *value;
};

static void add_score(struct store *store, const struct scores *scores, const char *id,
                      struct compare_system *system, struct arena *arena)
{
    struct compared_side *side = &system->scores;
    int values = side->seeds;
    ARENA_MORE(arena, side->value, values);
    ARENA_MORE(arena, side->of, side->seeds);
    side->of[side->seeds] = observations_bleu(store, scores->kind, id, scores->value, NULL);
    side->value[side->seeds] = side->of[side->seeds]->score;
    side->seeds++;
}

static void find_scores(struct store *store, const struct scores *scores,
                        struct compare_system *system, struct arena *arena)
{
    struct found_stage found;
    const char *list = "", *train = NULL;
    if (find_stage_try(store, system->word, scores->kind, &found, arena)) {
        add_score(store, scores, found.id, system, arena);
        return;
    }
    for (const struct offer *const *offer = offers(); *offer && !train; offer++)
        if ((*offer)->validation) train = (*offer)->kind;
    if (!train || !find_stage_try(store, system->word, train, &found, arena)) {
        found = find_stage(store, system->word, NULL, arena);
        die("%s is a stage %s; expected one that is a score or train, or GRID/ROW", found.folder,
            found.kind);
    }
    sqlite3_stmt *ask = store_ask(store, of_training, "ss", found.id, scores->kind);
    while (store_next(ask)) add_score(store, scores, store_text(ask, 1, arena), system, arena);
    for (int i = 0; i < system->scores.seeds; i++)
        list = arena_print(arena, "%s %s", list, system->scores.of[i]->name);
    if (system->scores.seeds > 1)
        die("%s has several scores; name one of them:%s", found.folder, list);
    if (!system->scores.seeds) die("%s is not scored yet", found.folder);
}

struct compare_system compare_find(struct store *store, const char *word,
                                   const struct compare_place *place, struct arena *arena)
{
    struct compare_system system = {.word = word};
    struct scores scores;
    const struct measure *bleu = offer_read_by(observations_bleu, &scores.kind);
    CHECK(bleu, "no kind of stage has BLEU");
    scores.value = bleu->name;
    for (int i = 0; i < place->count; i++) add_score(store, &scores, place->id[i], &system, arena);
    if (!place->count) find_scores(store, &scores, &system, arena);
    const struct compared_side *side = &system.scores;
    const char *problems = NULL;
    for (int i = 0; i < side->seeds; i++) {
        if (side->of[i]->problem)
            problems = arena_append(arena, problems, "; ", side->of[i]->problem);
        system.runs += side->of[i]->sets;
    }
    if (problems) die("%s: %s", word, problems);
    system.hypothesis = ARENA_ARRAY(arena, const char *const *, system.runs);
    const struct bleu_stats **stats = ARENA_ARRAY(arena, const struct bleu_stats *, system.runs);
    for (int i = 0, run = 0; i < side->seeds; i++)
        for (int set = 0; set < side->of[i]->sets; set++, run++) {
            system.hypothesis[run] = side->of[i]->text->hypothesis[set];
            stats[run] = side->of[i]->text->stats[set];
        }
    system.stats = stats;
    return system;
}

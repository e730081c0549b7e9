/* Rows and seeds for tests of columns. Stages of kind `quiz` have parts, views and the controls
 * start and bag; stages of kind `lesson` do not. Include this file once per program. */
#pragma once

#include "core/base/journal.h"
#include "results/store/items.h"
#include "results/store/offer.h"
#include "results/table/observations.h"
#include "tests/support/scored.h"
#include "tests/support/grid_table.h"
#include "tests/support/test.h"
#include "tests/support/world.h"

extern const struct offer offer_train;
static const char *const views[] = {"out", "start", "bag", NULL};
static const struct offer offer_quiz = {
    .kind = "quiz",
    .traits = OFFER_PARTS | OFFER_EXACT,
    .views = views,
    VALUES({.name = "right",
            .header = "Right",
            .decimals = 1,
            .best = COLUMN_MOST,
            .observations = observations_items,
            .traits = RIGHT_OR_WRONG},
           {.name = "guess", .header = "Guess", .decimals = 1, .traits = BASELINE}),
    .section = "evaluate.quiz",
    .caption = "Quizzes; caption",
    .doubt = "guessed > 0: Guessed"};

static const struct offer offer_lesson = {
    .kind = "lesson",
    .traits = OFFER_PARTS,
    VALUES({.name = "guess", .header = "Guess", .decimals = 1},
           {.name = "length", .header = "Length", .decimals = 1, .traits = BASELINE})};

const struct offer *const *offers(void)
{
    static const struct offer *const all[] = {&offer_train, &offer_lesson, &offer_quiz, NULL};
    return all;
}

enum { ITEMS = 80, SEEDS = 3 };

/* Makes `rows` of the rows Base, Better and Third; no seed has a stage yet. */
static inline struct world *quiz_world(const char *name, int rows, int seeds)
{
    static const char *const names[] = {"Base", "Better", "Third"};
    struct world *world = world_new(name);
    for (int r = 0; r < rows; r++) world_add_row(world, names[r], seeds);
    return world;
}

/* Adds the next stage to a seed of a row. */
static inline struct run add_reader(struct world *world, int r, int s, const char *kind,
                                    const char *part, const char *input)
{
    const char *text = arena_print(&arena, "%s %s of row %d seed %d", kind, part, r, s);
    const struct run run = run_new(world->runs, kind, text, "{}", input, text);
    world_add_stage(world, r, s, kind, run)->part = *part ? part : NULL;
    return run;
}

static inline struct run add_stage(struct world *world, int r, int s, const char *kind,
                                   const char *part)
{
    return add_reader(world, r, s, kind, part, NULL);
}

/* Adds a part whose first `wrong` items are wrong. It reads the stage `input`, or none. */
static inline void add_part_of(struct world *world, int r, int s, const char *part, int wrong,
                               const char *input)
{
    const struct run run = add_reader(world, r, s, "quiz", part, input);
    struct item *item = ARENA_ARRAY(&arena, struct item, ITEMS);
    for (int i = 0; i < ITEMS; i++) item[i] = (struct item){i < wrong ? 0 : 100, "", "", 0};
    items_write(run.folder, "items.tsv", item, ITEMS);
    scored_items(&run,
                 arena_print(&arena,
                             "{\"right\": %.17g, \"items\": %d, \"guessed\": %d, \"caption\": \"by "
                             "heart\", \"signature\": \"quiz|task:%.*s|v1|items:%d\"}",
                             100. * (ITEMS - wrong) / ITEMS, ITEMS, wrong > 70,
                             (int)strcspn(part, "@"), part, ITEMS),
                 1);
}

static inline void add_part(struct world *world, int r, int s, const char *part, int wrong)
{
    add_part_of(world, r, s, part, wrong, NULL);
}

static inline void add_failed(struct world *world, int r, int s, const char *part)
{
    const struct run run = add_stage(world, r, s, "quiz", part);
    struct journal *journal = journal_open(run.folder);
    journal_event(journal, "failed", JOURNAL_NONE, "no such split");
    journal_close(journal);
}

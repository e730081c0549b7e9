/* Warnings about trainings that are too short: the verdicts of claims about them are undecided
 * (results/table/training.h), so a user hears of it before the hours are spent. */
#include <string.h>

#include "experiments/plan/plan.h"
#include "results/sheet/number.h"
#include "results/store/offer.h"
#include "results/table/name_list.h"

/* What is warned of, each text once: where it stands first, and the rows. */
struct short_trainings {
    struct arena *arena;
    struct name_groups text;
    struct place *place; /* [text.count] */
};

static void add(struct short_trainings *found, struct place place, const char *text,
                const char *row)
{
    const int known = found->text.count;
    name_groups_add(&found->text, text, row);
    if (found->text.count == known) return;
    int places = known;
    ARENA_MORE(found->arena, found->place, places);
    found->place[known] = place;
}

/* The training of a row's first point; NULL: it has none. */
static const struct task *training_of(const struct plan *plan, int row)
{
    const struct plan_point *point = &plan->point[row * plan->grid->seeds];
    for (int i = 0; i < point->count; i++) {
        const struct offer *offer = offer_of(point->task[i]->stage.kind->name);
        if (offer && offer->validation) return point->task[i];
    }
    return NULL;
}

/* "12 epochs", "1,800 steps", "12 epochs or 1,800 steps". */
static const char *budget_text(const struct train_options *train, struct arena *arena)
{
    const char *steps = arena_print(arena, "%s steps", number_count(arena, train->steps));
    if (!train->epochs) return steps;
    return arena_print(arena, "%d epoch%s%s%s", train->epochs, train->epochs == 1 ? "" : "s",
                       train->steps ? " or " : "", train->steps ? steps : "");
}

/* The option that ends a training. */
static struct place budget_place(const struct grid_point *point)
{
    const char *key = tree_find(point->options, "train.steps") ? "train.steps" : "train.epochs";
    return tree_place(point->options, key);
}

static void look_at_warmup(struct short_trainings *found, const struct grid_point *point,
                           const struct task *task, const char *row)
{
    struct arena *arena = found->arena;
    const struct train_options *train = &point->settings.train;
    const int64_t steps = task->estimate.steps;
    if (train->schedule != SCHEDULE_RSQRT || !steps || steps >= train->warmup) return;
    const char *set = tree_find(point->options, "train.warmup") ? "" : ", the default,";
    add(found, budget_place(point),
        arena_print(arena,
                    "the warm-up of %s steps%s does not end within the budget of %s steps, and "
                    "verdicts of claims will be \"inconclusive (undertrained)\"",
                    number_count(arena, train->warmup), set, number_count(arena, (double)steps)),
        row);
}

/* What the row's recipe says of its budget; false: nothing. */
static bool recipe_budget(const struct tree *recipe, struct train_options *train,
                          struct arena *arena)
{
    const struct tree *fragment = grid_preset(arena, "recipe", recipe);
    if (!tree_find(fragment, "train.epochs") && !tree_find(fragment, "train.steps")) return false;
    section_read(&train_section, tree_find(fragment, "train"), train, arena);
    return true;
}

/* Where one of them is in epochs and the other in steps, they are compared by their steps on the
 * row's text. */
static bool is_below(const struct task *task, const struct train_options *recipe,
                     struct arena *arena)
{
    const struct train_options *own = &task->stage.settings->train;
    if (!own->steps && !recipe->steps) return own->epochs < recipe->epochs;
    if (!own->epochs && !recipe->epochs) return own->steps < recipe->steps;
    struct settings settings = *task->stage.settings;
    struct stage stage = task->stage;
    settings.train.epochs = recipe->epochs;
    settings.train.steps = recipe->steps;
    stage.settings = &settings;
    return task->estimate.steps < stage.kind->estimate(&stage, arena).steps;
}

static void look_at_recipe(struct short_trainings *found, const struct grid_point *point,
                           const struct task *task, const char *row)
{
    struct arena *arena = found->arena;
    const struct tree *recipe = tree_get(point->options, "recipe");
    const struct train_options *own = &point->settings.train;
    struct train_options train;
    if (!recipe || !recipe_budget(recipe, &train, arena)) return;
    if (!is_below(task, &train, arena)) return;
    add(found, budget_place(point),
        arena_print(arena, "the budget of %s is below that of the recipe %s, %s",
                    budget_text(own, arena), recipe->text, budget_text(&train, arena)),
        row);
}

void plan_warn_training(struct arena *arena, const struct plan *plan)
{
    struct short_trainings found = {.arena = arena, .text.arena = arena};
    for (int r = 0; r < plan->grid->rows; r++) {
        const struct grid_point *point = grid_row_point(plan->grid, r);
        const struct task *task = point ? training_of(plan, r) : NULL;
        if (!task) continue;
        look_at_warmup(&found, point, task, plan->grid->row[r]);
        look_at_recipe(&found, point, task, plan->grid->row[r]);
    }
    for (int i = 0; i < found.text.count; i++) {
        const struct name_list *rows = &found.text.group[i].names;
        warn_at(found.place[i], "%s: %s", found.text.group[i].text, name_list_text(rows));
    }
}

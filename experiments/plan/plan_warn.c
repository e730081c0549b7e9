/* Prints the warnings of a plan. Equal warnings are merged into one. Options without effect are
 * reported, because the user expects an effect. Trainings that are too short are reported before
 * they take hours. */
#include <string.h>

#include "core/base/hash_table.h"
#include "core/config/expression.h"
#include "experiments/plan/plan.h"
#include "experiments/stage/facts.h"
#include "results/sheet/number_format.h"

/* A text about corpora or rows, or about an option. */
struct remark {
    const char *text, *name;  /* name of the first corpus or row */
    struct location location; /* first location */
    int count;                /* number of corpora, rows or locations */
    bool works;               /* the option has an effect in some row */
};
struct remarks {
    struct arena *arena;
    struct hash_table *known; /* maps a text to its index */
    int count;
    struct remark *remark; /* [count] */
};

static struct remark *remark_add(struct remarks *all, const char *text, struct location location,
                                 const char *name)
{
    if (!all->known) all->known = hash_table_new(all->arena, 64);
    const int64_t at = *hash_table_at(all->known, text, strlen(text), all->count);
    if (at == all->count) {
        ARENA_ADD(all->arena, all->remark, all->count, (struct remark){text, name, location, 0, 0});
    }
    all->remark[at].count++;
    return &all->remark[at];
}

/* ---- text ---- */

/* Collects the remarks on the corpora of a plan. `text` returns the remark on a corpus; NULL if
 * there is none. */
static struct remarks remarks_of(const struct plan *plan, struct arena *arena,
                                 const char *(*text)(struct stage *corpus, struct arena *arena))
{
    struct remarks remarks = {.arena = arena};
    for (int i = 0; i < plan->count; i++) {
        struct stage *stage = &plan->task[i]->stage;
        const bool estimated = strcmp(stage->kind->name, "corpus") == 0 && stage->facts;
        const char *one = estimated ? text(stage, arena) : NULL;
        if (one) remark_add(&remarks, one, (struct location){0}, stage->name);
    }
    return remarks;
}

/* Returns "corpus-0123 (and 2 more)". */
static const char *names_text(const struct remark *remark, struct arena *arena)
{
    const int more = remark->count - 1;
    return more ? arena_print(arena, "%s (and %d more)", remark->name, more) : remark->name;
}

static const char *pieces_text(struct stage *corpus, struct arena *arena)
{
    const struct text_findings *findings = corpus_findings(corpus, arena);
    return findings ? text_findings_pieces(findings, arena) : NULL;
}

void plan_warn_pieces(struct arena *arena, const struct plan *plan)
{
    const struct remarks remarks = remarks_of(plan, arena, pieces_text);
    for (int i = 0; i < remarks.count; i++)
        warn("%s: its text is already split into pieces, as \"ein@@ es\" (%s of train): scores "
             "would count pieces as words; expected words (sed 's/@@ //g' joins pieces)",
             names_text(&remarks.remark[i], arena), remarks.remark[i].text);
}

static const char *overlap_text(struct stage *corpus, struct arena *arena)
{
    const struct text_findings *findings = corpus_findings(corpus, arena);
    const char *text = NULL;
    if (!findings)
        return corpus->facts->corpus ? "not recorded by the version that prepared it" : NULL;
    for (int split = SPLIT_DEV; split < SPLITS; split++)
        if (findings->sentences[split])
            text = arena_print(arena, "%s%s%s %.1f%% of the sources, %.1f%% of the targets",
                               text ? text : "", text ? "; " : "", split_names[split],
                               text_findings_shared(findings, (enum split_name)split, SIDE_SOURCE),
                               text_findings_shared(findings, (enum split_name)split, SIDE_TARGET));
    return text;
}

void plan_print_overlap(struct arena *arena, const struct plan *plan, FILE *out)
{
    const struct remarks remarks = remarks_of(plan, arena, overlap_text);
    for (int i = 0; i < remarks.count; i++) {
        const struct remark *remark = &remarks.remark[i];
        fprintf(out, "overlap with train, lower-cased");
        if (remarks.count > 1) fprintf(out, " (%s)", names_text(remark, arena));
        fprintf(out, ": %s\n", remark->text);
    }
}

void plan_print_power(struct arena *arena, const struct plan *plan, FILE *out)
{
    struct hash_table *known = hash_table_new(arena, 0);
    for (int i = 0; i < plan->count; i++) {
        const struct stage *stage = &plan->task[i]->stage;
        if (!stage->kind->power || stage->missing) continue;
        const char *key = arena_print(arena, "%s %.*s", stage->kind->name,
                                      (int)strcspn(stage->part, "@"), stage->part);
        for (int f = 0; f < stage->files; f++)
            key = arena_print(arena, "%s %s", key, stage->file[f].digest);
        if ((*hash_table_at(known, key, strlen(key), 0))++) continue;
        const char *line = stage->kind->power(stage, arena);
        if (line) fprintf(out, "%s\n", line);
    }
}

/* ---- trainings ---- */

/* Returns the training of the first point of a row; NULL if there is none. */
static const struct task *training_of(const struct plan *plan, int row)
{
    const struct plan_point *point = &plan->point[row * plan->grid->seeds];
    for (int i = 0; i < point->count; i++)
        if (offer_trains(offer_of(point->task[i]->stage.kind->name))) return point->task[i];
    return NULL;
}

/* Returns "12 epochs", "1,800 steps" or "12 epochs or 1,800 steps". */
static const char *budget_text(const struct train_options *train, struct arena *arena)
{
    const char *steps = arena_print(arena, "%s steps", number_count(arena, train->steps));
    if (!train->epochs) return steps;
    return arena_print(arena, "%d epoch%s%s%s", train->epochs, train->epochs == 1 ? "" : "s",
                       train->steps ? " or " : "", train->steps ? steps : "");
}

/* Returns the location of the option that limits a training. */
static struct location budget_place(const struct grid_resolved *resolved)
{
    const char *key = tree_find(resolved->options, "train.steps") ? "train.steps" : "train.epochs";
    return tree_location(resolved->options, key);
}

static void look_at_warmup(struct remarks *found, const struct grid_resolved *resolved,
                           const struct task *task, const char *row)
{
    struct arena *arena = found->arena;
    const struct train_options *train = &resolved->settings->train;
    const int64_t steps = task->estimate.steps;
    if (train->schedule == SCHEDULE_CONSTANT || !steps || steps >= train->warmup) return;
    const char *set = tree_find(resolved->options, "train.warmup") ? "" : ", the default,";
    remark_add(
        found,
        arena_print(arena,
                    "the warm-up of %s steps%s does not end within the budget of %s steps, and "
                    "verdicts of claims will be \"inconclusive (undertrained)\"",
                    number_count(arena, train->warmup), set, number_count(arena, (double)steps)),
        budget_place(resolved), row);
}

/* True if the budget of a training is below the budget of its recipe. If one budget is in epochs
 * and the other one is in steps, compares the estimated steps on the row's text. */
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
    return task->estimate.steps < stage_estimate(&stage, arena).steps;
}

static void look_at_recipe(struct remarks *found, const struct grid_resolved *resolved,
                           const struct task *task, const char *row)
{
    struct arena *arena = found->arena;
    const struct tree *recipe = tree_get(resolved->options, "recipe");
    const struct train_options *own = &resolved->settings->train;
    const struct tree *says = recipe ? grid_preset(arena, "recipe", recipe) : NULL;
    struct train_options train;
    if (!says || (!tree_find(says, "train.epochs") && !tree_find(says, "train.steps"))) return;
    section_read(&train_section, tree_find(says, "train"), &train, arena);
    if (!is_below(task, &train, arena)) return;
    remark_add(found,
               arena_print(arena, "the budget of %s is below that of the recipe %s, %s",
                           budget_text(own, arena), recipe->text, budget_text(&train, arena)),
               budget_place(resolved), row);
}

void plan_warn_training(struct arena *arena, const struct plan *plan)
{
    struct remarks found = {.arena = arena};
    for (int r = 0; r < plan->grid->rows; r++) {
        const struct grid_resolved *resolved = plan->grid->row[r].resolved;
        const struct task *task = resolved ? training_of(plan, r) : NULL;
        if (!task) continue;
        look_at_warmup(&found, resolved, task, plan->grid->row[r].name);
        look_at_recipe(&found, resolved, task, plan->grid->row[r].name);
    }
    for (int i = 0; i < found.count; i++)
        warn_at(found.remark[i].location, "%s: %s", found.remark[i].text,
                names_text(&found.remark[i], arena));
}

/* ---- options that change nothing ---- */

struct without_effect {
    const struct plan *plan;
    struct arena *arena;
    const struct tree *defaults;
    struct remarks options; /* with texts "NAME\nREASON\nPLACE" */
};

/* Records if an option has an effect in one row. `why` states when it has an effect. Values that
 * are set in preset files are ignored. */
static void note(struct without_effect *idle, const char *name, struct location location,
                 bool works, const char *why)
{
    if (location.line && strcmp(location.file, idle->plan->grid->path) != 0) return;
    const char *key = arena_print(idle->arena, "%s\n%s\n%s:%d:%d", name, why, location.file,
                                  location.line, location.column);
    remark_add(&idle->options, key, location, NULL)->works |= works;
}

static bool answer(void *context, const struct expression_term *term)
{
    const struct tree *const *options = context;
    return expression_term_holds_in(term, *options);
}

/* Checks an option that has an effect only under a condition, option->when, in every row that sets
 * the option. */
static void look_beside(struct without_effect *idle, const char *name, const struct option *option)
{
    struct arena *arena = idle->arena;
    const struct grid *grid = idle->plan->grid;
    const size_t length = strlen(name) - strlen(option->key) - 1;
    const char *section = arena_text_range(arena, name, length);
    const char *why = arena_print(arena, "it has an effect where %s", option->when);
    const struct tree *defaults = tree_find(idle->defaults, section);
    const struct expression *when =
        expression_parse(arena, (struct location){.file = name}, option->when);
    for (int r = 0; r < grid->rows; r++) {
        const struct grid_resolved *resolved = grid->row[r].resolved;
        const struct tree *map = resolved ? tree_find(resolved->options, section) : NULL;
        const struct tree *value = tree_get(map, option->key);
        if (!value) continue;
        const struct tree *all = tree_merge(arena, defaults, map);
        note(idle, name, value->location, expression_holds(when, answer, &all), why);
    }
}

/* Checks if the stages of a point read the options of model and training. A stage reads an option
 * if its canonical text has the option. Options with default values are not checked, because
 * canonical texts omit them. */
static void look_for_readers(struct without_effect *idle, const struct grid_resolved *resolved,
                             const struct plan_point *tasks)
{
    struct arena *arena = idle->arena;
    ARENA_STREAM(text);
    settings_canonical(resolved->settings, SETTINGS_MODEL | SETTINGS_TRAIN, NULL, text.out);
    for (const char *line = arena_stream_close(arena, &text); *line;
         line += strcspn(line, "\n") + 1) {
        const char *name = arena_text_range(arena, line, strcspn(line, "="));
        const struct tree *value = tree_find(resolved->options, name);
        const char *own = arena_print(arena, "\n%s=", name);
        bool works = false;
        for (int i = 0; i < tasks->count; i++)
            works |= strstr(tasks->task[i]->stage.canonical, own) != NULL;
        if (value)
            note(idle, name, value->location, works,
                 arena_print(arena, "the task %s does not use it", idle->plan->grid->task));
    }
}

void plan_warn_idle(const struct plan *plan)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct remarks said = {.arena = &arena}; /* one remark for each option and reason */
    struct without_effect idle = {.plan = plan,
                                  .arena = &arena,
                                  .defaults = settings_defaults(&arena),
                                  .options.arena = &arena};
    for (const char *const *name = settings_names(&arena); *name; name++) {
        const struct option *option = settings_option(*name);
        if (option->when) look_beside(&idle, *name, option);
    }
    for (int r = 0; r < plan->grid->rows; r++) {
        const struct grid_resolved *resolved = plan->grid->row[r].resolved;
        if (resolved && !plan->grid->row[r].waits)
            look_for_readers(&idle, resolved, &plan->point[r * plan->grid->seeds]);
    }
    for (int i = 0; i < idle.options.count; i++) {
        const struct remark *one = &idle.options.remark[i];
        const size_t length = (size_t)(strrchr(one->text, '\n') - one->text);
        if (!one->works)
            remark_add(&said, arena_text_range(&arena, one->text, length), one->location, NULL);
    }
    for (int i = 0; i < said.count; i++) {
        const char *name = said.remark[i].text, *end = strchr(name, '\n');
        const int more = said.remark[i].count - 1;
        warn_at(said.remark[i].location, "%.*s has no effect here%s; %s", (int)(end - name), name,
                more ? arena_print(&arena, ", nor in %d other place%s", more, more == 1 ? "" : "s")
                     : "",
                end + 1);
    }
}

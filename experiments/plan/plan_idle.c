/* An option that changes nothing is told: who wrote it expects that it does something. Either other
 * options of its section say so (struct option, when), or no stage's numbers depend on it. */
#include <string.h>

#include "core/base/table.h"
#include "core/config/expression.h"
#include "experiments/plan/plan.h"

/* An option as it is written in one place, for one row or for several. */
struct written {
    const char *name;
    struct place place;
    bool works;      /* in some row */
    const char *why; /* else */
    int more;        /* places that say the same of this option */
};

struct idle {
    const struct plan *plan;
    struct arena *arena;
    const struct tree *defaults;
    int count;
    struct written *written; /* [count] */
    struct table *known;     /* name, reason and place to the index of one */
};

/* What a preset says is nobody's mistake. */
static bool is_own(const struct grid *grid, struct place place)
{
    return !place.line || !strcmp(place.file, grid->path);
}

/* For one row: whether the option works, or else why not. */
static void note(struct idle *idle, const char *name, struct place place, bool works,
                 const char *why)
{
    if (!is_own(idle->plan->grid, place)) return;
    const char *key = arena_print(idle->arena, "%s\n%s\n%s:%d:%d", name, why, place.file,
                                  place.line, place.column);
    const int64_t i = *table_at(idle->known, key, strlen(key), idle->count);
    if (i == idle->count) {
        ARENA_MORE(idle->arena, idle->written, idle->count);
        idle->written[idle->count++] = (struct written){name, place, works, why, 0};
    }
    idle->written[i].works |= works;
}

/* ---- beside others ---- */

static bool answer(void *context, const struct expression_term *term)
{
    const struct tree *const *options = context;
    return expression_term_holds_in(term, *options);
}

/* An option that does something only where `when` holds, in every row that sets it. */
static void look_beside(struct idle *idle, const char *name, const struct option *option)
{
    struct arena *arena = idle->arena;
    const struct grid *grid = idle->plan->grid;
    const size_t length = strlen(name) - strlen(option->key) - 1;
    const char *section = arena_text_range(arena, name, length);
    const char *why = arena_print(arena, "it does where %s", option->when);
    const struct tree *defaults = tree_find(idle->defaults, section);
    const struct expression *when =
        expression_parse(arena, (struct place){.file = name}, option->when);
    for (int r = 0; r < grid->rows; r++) {
        const struct grid_point *point = grid_row_point(grid, r);
        const struct tree *map = point ? tree_find(point->options, section) : NULL;
        const struct tree *value = tree_get(map, option->key);
        if (!value) continue;
        const struct tree *all = tree_merge(arena, defaults, map);
        note(idle, name, value->place, expression_holds(when, answer, &all), why);
    }
}

/* ---- of no stage ---- */

static bool has_line(const char *canonical, const char *name)
{
    const size_t length = strlen(name);
    for (const char *line = canonical; *line; line += strcspn(line, "\n") + 1)
        if (!strncmp(line, name, length) && line[length] == '=') return true;
    return false;
}

static bool is_read(const struct plan_point *point, const char *name)
{
    for (int i = 0; i < point->count; i++)
        if (has_line(point->task[i]->stage.canonical, name)) return true;
    return false;
}

/* Of options that are not as they are by default: those are in no canonical text. */
static void look_for_readers(struct idle *idle, const struct grid_point *point,
                             const struct plan_point *tasks)
{
    struct arena *arena = idle->arena;
    struct arena_stream text;
    arena_stream_open(&text);
    settings_canonical(&point->settings, SETTINGS_MODEL | SETTINGS_TRAIN, NULL, text.out);
    for (const char *line = arena_stream_close(arena, &text); *line;
         line += strcspn(line, "\n") + 1) {
        const char *name = arena_text_range(arena, line, strcspn(line, "="));
        const struct tree *value = tree_find(point->options, name);
        if (value)
            note(idle, name, value->place, is_read(tasks, name),
                 arena_print(arena, "the task %s does not read it", idle->plan->grid->task));
    }
}

/* ---- saying ---- */

/* Of a thousand rows that say the same the first is named. */
static void count_more(struct idle *idle, int index)
{
    struct written *one = &idle->written[index];
    const char *key = arena_print(idle->arena, "%s\n%s", one->name, one->why);
    const int64_t first = *table_at(idle->known, key, strlen(key), index);
    if (first == index) return;
    idle->written[first].more++;
    one->more = -1; /* it is said there */
}

static void say(const struct written *one, struct arena *arena)
{
    const char *more = "";
    if (one->more)
        more =
            arena_print(arena, ", nor in %d other place%s", one->more, one->more == 1 ? "" : "s");
    warn_at(one->place, "%s changes nothing here%s; %s", one->name, more, one->why);
}

void plan_warn_idle(const struct plan *plan)
{
    struct arena arena = {0};
    struct idle idle = {.plan = plan,
                        .arena = &arena,
                        .defaults = settings_defaults(&arena),
                        .known = table_new(&arena, 64)};
    for (const char *const *name = settings_names(&arena); *name; name++) {
        const struct option *option = settings_option(*name);
        if (option->when) look_beside(&idle, *name, option);
    }
    for (int r = 0; r < plan->grid->rows; r++) {
        const struct grid_point *point = grid_row_point(plan->grid, r);
        if (point) look_for_readers(&idle, point, &plan->point[r * plan->grid->seeds]);
    }
    for (int i = 0; i < idle.count; i++)
        if (!idle.written[i].works) count_more(&idle, i);
    for (int i = 0; i < idle.count; i++)
        if (idle.written[i].more >= 0 && !idle.written[i].works) say(&idle.written[i], &arena);
    arena_free(&arena);
}

/* An option that changes nothing beside the others of its section is told: who wrote it expects
 * that it does something. */
#include <string.h>

#include "core/config/expression.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/settings.h"

/* An option as it is written in one place, for one row or for several. */
struct written {
    struct place place;
    bool works; /* in some row */
};

/* What a preset says is nobody's mistake. */
static bool is_own(const struct grid *grid, struct place place)
{
    return !place.line || !strcmp(place.file, grid->path);
}

static bool is_same(struct place one, struct place other)
{
    return one.line == other.line && one.column == other.column && !strcmp(one.file, other.file);
}

static struct written *written_at(struct written *written, int *count, struct place place)
{
    int i = 0;
    while (i < *count && !is_same(written[i].place, place)) i++;
    if (i == *count) written[(*count)++] = (struct written){.place = place};
    return &written[i];
}

static bool answer(void *context, const struct expression_term *term)
{
    return expression_term_holds_in(term, context);
}

/* An option of that section, wherever a row has it. */
static void warn_of(const struct grid *grid, const char *section, const struct option *option,
                    const struct tree *defaults, struct arena *arena)
{
    const char *name = arena_print(arena, "%s.%s", section, option->key);
    const struct expression *when =
        expression_parse(arena, (struct place){.file = name}, option->when);
    struct written *written = ARENA_ARRAY(arena, struct written, grid->rows);
    int count = 0;
    for (int r = 0; r < grid->rows; r++) {
        const struct tree *options = grid->point[r * grid->seeds].options;
        const struct tree *map = options ? tree_find(options, section) : NULL;
        const struct tree *value = tree_get(map, option->key);
        if (!value || !is_own(grid, value->place)) continue;
        struct written *one = written_at(written, &count, value->place);
        if (!one->works)
            one->works = expression_holds(when, answer,
                                          tree_merge(arena, tree_find(defaults, section), map));
    }
    for (int i = 0; i < count; i++)
        if (!written[i].works)
            warn_at(written[i].place, "%s changes nothing here; it does where %s", name,
                    option->when);
}

void grid_warn_idle(const struct grid *grid)
{
    struct arena arena = {0};
    const struct tree *defaults = settings_defaults(&arena);
    for (const char *const *name = settings_names(&arena); *name; name++) {
        const struct option *option = settings_option(*name);
        const size_t length = strlen(*name) - strlen(option->key) - 1;
        if (option->when)
            warn_of(grid, arena_text_range(&arena, *name, length), option, defaults, &arena);
    }
    arena_free(&arena);
}

/* Reads the space of a tuned option, and draws values from it. Random numbers are counter-based
 * (core/base/random.h), so a draw needs no state. */
#include "experiments/grid/draws.h"

#include <math.h>
#include <string.h>

#include "core/base/elementary.h"
#include "core/base/number.h"
#include "core/base/random.h"
#include "core/config/scalar.h"
#include "core/config/word.h"
#include "experiments/grid/grid_part.h"

/* In the order of enum draw_kind. */
static const char *const names[] = {"loguniform", "uniform", "int", NULL};

static void read_range(struct draw *draw, struct arena *arena)
{
    const struct location location = draw->written->location;
    const char *text = draw->written->text, *path = arena_print(arena, "tune: %s", draw->path);
    const char *name = arena_text_range(arena, text, strcspn(text, "("));
    int kind = 0;
    while (names[kind] && strcmp(names[kind], name) != 0) kind++;
    const struct tree *end = grid_arguments(arena, location, text);
    if (end && !names[kind]) word_refuse(location, path, "there is no distribution", name, names);
    if (!end || end->count != 2)
        die_at(
            location,
            "%s: expected loguniform(a, b), uniform(a, b), int(a, b), a list or a map of values, "
            "got \"%s\"%s",
            path, text,
            strchr(text, '(') && !strchr(text, ')')
                ? "; within { } and [ ] a distribution needs quotes, because a comma ends a word"
                : "");
    draw->kind = (enum draw_kind)kind;
    double *number[] = {&draw->low, &draw->high};
    for (int i = 0; i < 2; i++)
        *number[i] = kind == DRAW_INT ? scalar_int(end->item[i], path, -1e9, 1e9)
                                      : scalar_real(end->item[i], path, -INFINITY, INFINITY);
    if (!(draw->low < draw->high) || (kind == DRAW_LOGUNIFORM && !(draw->low > 0)))
        die_at(location, "%s: %s: expected a first number below the second%s", path, text,
               kind == DRAW_LOGUNIFORM ? ", and above 0" : "");
}

struct draw draw_read(const char *path, const struct tree *written, struct arena *arena)
{
    struct draw draw = {.path = path, .written = written};
    if (written->kind == TREE_SCALAR) {
        read_range(&draw, arena);
        return draw;
    }
    draw.kind = written->kind == TREE_LIST ? DRAW_LIST : DRAW_MAP;
    if (!written->count)
        die_at(written->location, "tune: %s: there is no value; expected at least one", path);
    return draw;
}

bool draw_is_range(const struct draw *draw)
{
    return draw->kind != DRAW_LIST && draw->kind != DRAW_MAP;
}

int draw_values(const struct draw *draw)
{
    return draw_is_range(draw) ? 2 : draw->written->count;
}

/* Returns a number as an option: an integer, or 4 significant digits within the range. */
static struct tree *number_tree(const struct draw *draw, double value, struct arena *arena)
{
    char text[REAL_TEXT];
    snprintf(text, sizeof text, "%.4g", value);
    if (draw->kind != DRAW_INT) value = number_read(text);
    real_print(fmin(fmax(value, draw->low), draw->high), text);
    return tree_new_text(arena, draw->written->location, arena_text(arena, text));
}

struct tree *draw_value(const struct draw *draw, int index, struct arena *arena)
{
    if (!draw_is_range(draw)) return tree_copy(arena, draw->written->item[index]);
    return number_tree(draw, index ? draw->high : draw->low, arena);
}

struct tree *draw_trial(const struct draw *draw, uint32_t draws, int trial, struct arena *arena)
{
    const struct random_key key = {draws, random_stream(draw->path)};
    const uint64_t index = (uint64_t)trial;
    const double low = draw->low, high = draw->high;
    if (!draw_is_range(draw))
        return draw_value(draw, (int)random_below(key, index, 0, (uint32_t)draw->written->count),
                          arena);
    double value;
    if (draw->kind == DRAW_INT)
        value = low + random_below(key, index, 0, (uint32_t)(high - low) + 1);
    else if (draw->kind == DRAW_UNIFORM)
        value = low + (high - low) * random_uniform(key, index, 0);
    else
        value = low * elementary_exp(random_uniform(key, index, 0) * elementary_log(high / low));
    return number_tree(draw, value, arena);
}

/* Returns 1 for ascending numbers, -1 for descending numbers, 0 for other lists. */
static int order_of(const struct tree *list)
{
    double before = 0, value;
    int sign = 0;
    for (int i = 0; i < list->count; i++, before = value) {
        const struct tree *item = list->item[i];
        if (item->kind != TREE_SCALAR || !real_parse(item->text, &value)) return 0;
        const int step = (value > before) - (value < before);
        if (i == 1) sign = step;
        if (i && step != sign) return 0;
    }
    return sign;
}

bool draw_is_edge(const struct draw *draw, const struct tree *value)
{
    static const double outer = 0.1;
    double number, end[2] = {0};
    if (!value || value->kind != TREE_SCALAR || !real_parse(value->text, &number)) return false;
    if (draw_is_range(draw)) {
        const bool logs = draw->kind == DRAW_LOGUNIFORM;
        const double share =
            logs ? elementary_log(number / draw->low) / elementary_log(draw->high / draw->low)
                 : (number - draw->low) / (draw->high - draw->low);
        return !(share > outer && share < 1 - outer);
    }
    const struct tree *list = draw->written;
    if (draw->kind != DRAW_LIST || list->count < 3 || !order_of(list)) return false;
    for (int i = 0; i < 2; i++) real_parse(list->item[i * (list->count - 1)]->text, &end[i]);
    return number <= fmin(end[0], end[1]) || number >= fmax(end[0], end[1]);
}

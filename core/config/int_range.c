/* Reads ranges of integers. A leading dash is a minus sign, and negative numbers are refused. */
#include "core/config/int_range.h"

#include <limits.h>
#include <string.h>

#include "core/config/scalar.h"

struct int_range int_range_read(const struct tree *scalar, const char *what, struct arena *arena)
{
    const char *text = scalar->kind == TREE_SCALAR ? scalar->text : "";
    const char *dash = strchr(text, '-');
    if (!dash || dash == text) {
        const int number = scalar_int(scalar, what, 0, INT_MAX);
        return (struct int_range){number, number};
    }
    const char *first = arena_text_range(arena, text, (size_t)(dash - text));
    const struct int_range range = {
        scalar_int(tree_new_text(arena, scalar->location, first), what, 0, INT_MAX),
        scalar_int(tree_new_text(arena, scalar->location, dash + 1), what, 0, INT_MAX)};
    if (range.last < range.first)
        die_at(scalar->location, "%s: range \"%s\" is empty; expected a range such as 1-3", what,
               text);
    return range;
}

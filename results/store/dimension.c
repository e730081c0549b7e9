/* The dimensions of a metric row: layer, head, set and class. 0 or NULL means "absent". */
#include "results/store/dimension.h"

const char *const dimension_names[] = {[DIMENSION_LAYER] = "layer",
                                       [DIMENSION_HEAD] = "head",
                                       [DIMENSION_SET] = "set",
                                       [DIMENSION_CLASS] = "class",
                                       [DIMENSIONS] = NULL};

bool dimensions_have(const struct dimensions *of, enum dimension which)
{
    return which == DIMENSION_CLASS ? of->class != NULL : of->number[which] > 0;
}

bool dimensions_every(const struct dimensions *of)
{
    return of->class && !*of->class;
}

bool dimensions_some(const struct dimensions *of)
{
    bool some = false;
    for (int d = 0; d < DIMENSIONS; d++) some |= dimensions_have(of, d);
    return some;
}

const char *dimensions_text(const struct dimensions *of, struct arena *arena)
{
    const char *text = "";
    for (int d = 0; d < DIMENSION_CLASS; d++)
        if (of->number[d])
            text = arena_print(arena, "%s %s %d", text, dimension_names[d], of->number[d]);
    return of->class && *of->class ? arena_print(arena, "%s: %s", text, of->class) : text;
}

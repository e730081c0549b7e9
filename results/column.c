#include "results/column.h"

#include <string.h>

#include "core/config/option.h"
#include "results/number.h"

static const struct column known[] = {
    {"parameters", "train", "parameters", "Parameters", COLUMN_COUNT, 0, true, false},
    {"steps", "train", "steps", "Steps", COLUMN_COUNT, 0, false, false},
    {"epochs", "train", "epochs", "Epochs", COLUMN_SHORT, 0, false, false},
    {"dev_loss", "train", "dev_loss", "Dev loss", COLUMN_FIXED, 4, false, false},
    {"bleu", "score", "bleu", "BLEU", COLUMN_FIXED, 2, false, false},
    {"wall", NULL, NULL, "Time", COLUMN_SECONDS, 0, false, false},
};

const char *const column_names[] = {"parameters", "steps", "epochs", "dev_loss",
                                    "bleu",       "wall",  NULL};

bool column_find(const char *name, struct column *column, const char **nearest, struct arena *arena)
{
    size_t length = strlen(name);
    if (strncmp(name, "delta(", 6) == 0 && name[length - 1] == ')') {
        const char *inner = arena_text_range(arena, name + 6, length - 7);
        if (!column_find(inner, column, nearest, arena)) {
            if (*nearest) *nearest = arena_print(arena, "delta(%s)", *nearest);
            return false;
        }
        *nearest = NULL;
        if (column->delta) return false;
        column->delta = true;
        column->header = arena_print(arena, "Δ %s", column->header);
        return true;
    }
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (strcmp(known[i].name, name) != 0) continue;
        *column = known[i];
        return true;
    }
    const char *point = strchr(name, '.');
    if (point && point > name && point[1]) {
        *column = (struct column){.name = name,
                                  .kind = arena_text_range(arena, name, (size_t)(point - name)),
                                  .value = point + 1,
                                  .header = name,
                                  .form = COLUMN_SHORT};
        return true;
    }
    *nearest = word_nearest(name, column_names);
    return false;
}

static const char *signed_text(const char *text, double value, struct arena *arena)
{
    return value > 0 ? arena_print(arena, "+%s", text) : text;
}

const char *column_text(const struct column *column, double value, struct arena *arena)
{
    double size = column->delta && value < 0 ? -value : value;
    const char *text = "";
    switch (column->form) {
    case COLUMN_FIXED:
        if (column->delta) return number_signed(arena, value, column->decimals);
        return number_fixed(arena, value, column->decimals);
    case COLUMN_COUNT:
        text = number_count(arena, value);
        break;
    case COLUMN_SHORT:
        text = number_short(arena, value);
        break;
    case COLUMN_SECONDS:
        text = number_seconds(arena, size);
        if (size > value) text = arena_print(arena, "-%s", text);
        break;
    }
    return column->delta ? signed_text(text, value, arena) : text;
}

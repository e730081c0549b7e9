/* Points of axes that compute the same are one row: layers 1-6 and all layers, or a value of an
 * axis beside which another axis does not matter. What is compared is what ids are made of. */
#include <stdio.h>
#include <string.h>

#include "core/base/table.h"
#include "core/config/word.h"
#include "experiments/grid/grid.h"
#include "experiments/grid/grid_part.h"
#include "experiments/grid/settings.h"

/* All that a point computes: its model and its training as ids have them, and the rest as it is
 * written. */
static const char *point_text(struct arena *arena, const void *entry, const struct tree *options,
                              const struct settings *settings)
{
    struct arena_stream text;
    const unsigned canonical = SETTINGS_MODEL | SETTINGS_TRAIN;
    const char *const *section = settings_sections(canonical, NULL, arena);
    arena_stream_open(&text);
    fprintf(text.out, "%p\n", entry);
    settings_canonical(settings, canonical, NULL, text.out);
    for (int i = 0; i < options->count; i++) {
        if (word_known(options->key[i]->text, section)) continue;
        fprintf(text.out, "%s: ", options->key[i]->text);
        tree_print(options->item[i], text.out);
        fputc('\n', text.out);
    }
    return arena_stream_close(arena, &text);
}

/* Another place of a row that is there already. */
static void place_add(struct arena *arena, struct grid_row *to, const struct grid_row *from)
{
    const size_t places = (size_t)to->more + 1, one = (size_t)to->factors * sizeof *to->factor;
    if (!(places & (places - 1)))
        to->factor = memcpy(arena_alloc(arena, 2 * places * one), to->factor, places * one);
    memcpy((struct grid_factor *)to->factor + places * (size_t)to->factors, from->factor, one);
    to->more++;
}

int grid_same_next(struct grid_same *same, int row, const struct tree *options,
                   const struct settings *settings)
{
    struct grid_row *all = same->rows->row, *one = &all[row];
    if (!same->known) same->known = table_new(same->arena, (size_t)same->rows->count);
    if (options && one->factors) {
        const char *text = point_text(same->arena, one->entry, options, settings);
        const int64_t first = *table_at(same->known, text, strlen(text), same->kept);
        if (first < same->kept) {
            place_add(same->arena, &all[first], one);
            return -1;
        }
    }
    all[same->kept] = *one;
    return same->kept++;
}

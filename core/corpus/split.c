/* The names of splits and sides in files and options. */
#include "core/corpus/split.h"

#include <string.h>

const char *const split_names[SPLITS + 1] = {"train", "dev", "test", NULL};
const char *const side_names[SIDES + 1] = {"source", "target", NULL};

struct split split_chosen(struct arena *arena, const struct split *all, const int32_t *row)
{
    const struct side *from = &all->side[SIDE_SOURCE];
    int32_t *token = ARENA_ARRAY(arena, int32_t, from->start[all->sentences] + 1);
    int64_t *start = ARENA_ARRAY(arena, int64_t, all->sentences + 1);
    struct split chosen = {.side[SIDE_SOURCE] = {token, start}};
    for (int s = 0; s < all->sentences; s++) {
        const int count = (int)(from->start[s + 1] - from->start[s]);
        if (row[s] < 0) continue;
        memcpy(token + start[chosen.sentences], from->token + from->start[s],
               (size_t)count * sizeof *token);
        start[chosen.sentences + 1] = start[chosen.sentences] + count;
        chosen.sentences++;
        if (count > chosen.longest[SIDE_SOURCE]) chosen.longest[SIDE_SOURCE] = count;
    }
    return chosen;
}

/* Reads the files of attention maps. Checks all fields, because files may come from other
 * people. */
#include "probes/maps_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/text/tokenize.h"

static void choose(struct maps_file *map, const struct npy *npy)
{
    const float *end = npy->number + npy->rows * MAPS_COLUMNS;
    const bool last = !map->layer;
    bool mean = false;
    if (!map->sentence) map->sentence = (int)npy->number[MAPS_SENTENCE];
    for (const float *at = npy->number; at < end; at += MAPS_COLUMNS) {
        if (last && (int)at[MAPS_LAYER] > map->layer) map->layer = (int)at[MAPS_LAYER];
        mean |= (int)at[MAPS_HEAD] == 0;
    }
    if (!map->head && !mean) map->head = (int)npy->number[MAPS_HEAD];
}

static void read_weights(struct maps_file *map, const struct npy *npy, struct arena *arena)
{
    const float *end = npy->number + npy->rows * MAPS_COLUMNS;
    map->weight = arena_alloc(arena, MAPS_BRANCHES * sizeof *map->weight);
    for (const float *at = npy->number; at < end; at += MAPS_COLUMNS) {
        const int branch = (int)at[MAPS_BRANCH], query = (int)at[MAPS_QUERY],
                  key = (int)at[MAPS_KEY];
        if ((int)at[MAPS_SENTENCE] != map->sentence || (int)at[MAPS_LAYER] != map->layer ||
            (int)at[MAPS_HEAD] != map->head)
            continue;
        map->pieces = (int)fmax(map->pieces, fmax(query, key));
        map->branch[branch - 1] = arena_print(arena, "branch %d", branch);
        if (map->pieces <= MAPS_PIECES)
            map->weight[branch - 1][query - 1][key - 1] = at[MAPS_WEIGHT];
    }
}

/* Reads names into name[NUMBER - 1] from a file with a header line and lines "FIRST\tNUMBER\tNAME".
 * Uses only lines with FIRST = `first`. Replaces only names that are not NULL. */
static void read_names(const char *path, int first, int most, const char **name,
                       struct arena *arena)
{
    size_t bytes;
    int lines;
    char *text = file_read(arena, path, 0, &bytes), *second, *third;
    const char **line = file_cut_lines(arena, text, bytes, &lines);
    for (int i = 1; i < lines; i++) {
        if (strtol(line[i], &second, 10) != first || *second != '\t') continue;
        const long of = strtol(second + 1, &third, 10);
        if (*third == '\t' && of >= 1 && of <= most && name[of - 1]) name[of - 1] = third + 1;
    }
}

/* Returns the piece with joiners (tokenize.h) replaced by middle dots, because fonts may lack
 * joiners. */
static const char *with_dots(const char *piece, struct arena *arena)
{
    for (const char *at; (at = strstr(piece, TOKENIZE_JOINER));)
        piece =
            arena_print(arena, "%.*s·%s", (int)(at - piece), piece, at + strlen(TOKENIZE_JOINER));
    return piece;
}

static const char *read_map(struct maps_file *map, const struct npy *npy, const char *maps,
                            struct arena *arena)
{
    static const struct npy_bounds column[MAPS_COLUMNS] = {
        {1, 1e9}, {1, 64}, {1, MAPS_BRANCHES}, {0, 1024}, {1, 512}, {1, 512}, {0, 1.001}};
    const char *fault = npy_fault(npy, maps, column, MAPS_COLUMNS, arena);
    if (fault) return fault;
    choose(map, npy);
    read_weights(map, npy, arena);
    const char *head = map->head ? arena_print(arena, "head %d", map->head) : "mean over heads";
    if (!map->pieces)
        return arena_print(
            arena,
            "no weights of sentence %d, layer %d, %s; evaluate.maps selects those that are kept",
            map->sentence, map->layer, head);
    return map->pieces <= MAPS_PIECES
               ? NULL
               : arena_print(arena, "sentence %d has %d pieces; expected at most %d", map->sentence,
                             map->pieces, MAPS_PIECES);
}

const char *maps_file_read(struct maps_file *map, const char *maps, const char *pieces,
                           const char *branches, struct arena *arena)
{
    struct npy npy = npy_open(maps);
    const char *problem = read_map(map, &npy, maps, arena);
    npy_close(&npy);
    if (problem) return problem;
    for (int i = 0; i < map->pieces; i++) map->piece[i] = "?";
    read_names(pieces, map->sentence, map->pieces, map->piece, arena);
    for (int i = 0; i < map->pieces; i++) map->piece[i] = with_dots(map->piece[i], arena);
    if (branches) read_names(branches, map->layer, MAPS_BRANCHES, map->branch, arena);
    return NULL;
}

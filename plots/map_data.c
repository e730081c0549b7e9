/* maps.npy has the weights, pieces.tsv the words of the axes, branches.tsv the names of branches
 * (experiments/stage/kind_maps.c). */
#include "plots/map_data.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/npy.h"
#include "core/text/tokenize.h"
#include "results/store/kept_file.h"

enum { SENTENCE, LAYER, BRANCH, HEAD, QUERY, KEY, WEIGHT, COLUMNS };
enum { LONGEST = 512 };

struct reading {
    struct store *store;
    struct arena *arena;
    const char *kind, *id;
    struct map_data *data;
    const struct npy *npy;
};

static int number_at(const struct npy *npy, int64_t row, int column)
{
    return (int)npy->number[row * COLUMNS + column];
}

/* A stage of somebody else may have left anything. */
static const char *check(const struct npy *npy, const char *path, struct arena *arena)
{
    static const int most[COLUMNS] = {1 << 30, 64, MAP_BRANCHES, 1024, LONGEST, LONGEST, 1};
    if (npy->columns != COLUMNS)
        return arena_print(arena, "%s has %lld columns, expected %d", path, (long long)npy->columns,
                           COLUMNS);
    for (int64_t r = 0; r < npy->rows; r++)
        for (int c = 0; c < COLUMNS; c++) {
            const double value = (double)npy->number[r * COLUMNS + c];
            const double least = c == HEAD || c == WEIGHT ? 0 : 1;
            if (!(value >= least && value <= most[c] + (c == WEIGHT ? 1e-3 : 0)))
                return arena_print(arena, "%s: row %lld has %g in column %d", path,
                                   (long long)r + 1, value, c + 1);
        }
    return npy->rows ? NULL : arena_print(arena, "%s has no rows", path);
}

/* Sentence, layer and head: those that are asked for, or the ones that there are. */
static void choose(struct map_data *data, const struct npy *npy, struct map_asked asked)
{
    bool mean = false;
    data->sentence = asked.sentence ? asked.sentence : number_at(npy, 0, SENTENCE);
    data->layer = asked.layer;
    for (int64_t r = 0; r < npy->rows; r++) {
        if (!asked.layer && number_at(npy, r, LAYER) > data->layer)
            data->layer = number_at(npy, r, LAYER);
        mean |= number_at(npy, r, HEAD) == 0;
    }
    data->head = asked.head || mean ? asked.head : number_at(npy, 0, HEAD);
}

static bool is_meant(const struct map_data *data, const struct npy *npy, int64_t row)
{
    return number_at(npy, row, SENTENCE) == data->sentence &&
           number_at(npy, row, LAYER) == data->layer && number_at(npy, row, HEAD) == data->head;
}

static void take_weights(struct reading *reading)
{
    struct map_data *data = reading->data;
    const struct npy *npy = reading->npy;
    int number[MAP_BRANCHES];
    for (int64_t r = 0; r < npy->rows; r++) {
        if (!is_meant(data, npy, r)) continue;
        if (number_at(npy, r, QUERY) > data->pieces) data->pieces = number_at(npy, r, QUERY);
        if (number_at(npy, r, KEY) > data->pieces) data->pieces = number_at(npy, r, KEY);
        int b = 0;
        while (b < data->branches && number[b] != number_at(npy, r, BRANCH)) b++;
        if (b == data->branches && b < MAP_BRANCHES)
            number[data->branches++] = number_at(npy, r, BRANCH);
    }
    if (!data->branches) {
        data->problem = arena_print(
            reading->arena,
            "no weights of sentence %d, layer %d, %s; evaluate.maps says which are kept",
            data->sentence, data->layer,
            data->head ? arena_print(reading->arena, "head %d", data->head) : "mean over heads");
        return;
    }
    const int n = data->pieces;
    data->weight = ARENA_ARRAY(reading->arena, float, (size_t)data->branches *(size_t)(n * n));
    for (int64_t r = 0; r < npy->rows; r++) {
        if (!is_meant(data, npy, r)) continue;
        int b = 0;
        while (number[b] != number_at(npy, r, BRANCH)) b++;
        data->weight[(b * n + number_at(npy, r, QUERY) - 1) * n + number_at(npy, r, KEY) - 1] =
            npy->number[r * COLUMNS + WEIGHT];
    }
    for (int b = 0; b < data->branches; b++)
        data->branch[b] = arena_print(reading->arena, "branch %d", number[b]);
}

/* The lines of a file of three columns, behind its first one; *text is changed. */
static const char **lines_of(struct reading *reading, const char *name, int *count)
{
    const char *problem = NULL, *path = kept_file(reading->store, reading->kind, reading->id, name,
                                                  &problem, reading->arena);
    size_t bytes;
    *count = 0;
    if (problem) reading->data->problem = problem;
    if (!path) return NULL;
    char *text = file_read(reading->arena, path, 0, &bytes);
    const char **line = file_cut_lines(reading->arena, text, bytes, count);
    return line;
}

/* Of "3\t7\tword" both numbers and the text; NULL: it is not so. */
static const char *third_of(const char *line, int *first, int *second)
{
    char *end;
    *first = (int)strtol(line, &end, 10);
    if (*end != '\t') return NULL;
    *second = (int)strtol(end + 1, &end, 10);
    return *end == '\t' ? end + 1 : NULL;
}

/* A joiner (tokenize.h) as a sign that fonts have. */
static const char *with_dots(struct reading *reading, const char *piece)
{
    const char *text = "";
    for (const char *joiner; (joiner = strstr(piece, TOKENIZE_JOINER));
         piece = joiner + strlen(TOKENIZE_JOINER)) {
        reading->data->joined = true;
        text = arena_print(reading->arena, "%s%.*s·", text, (int)(joiner - piece), piece);
    }
    return *text ? arena_print(reading->arena, "%s%s", text, piece) : piece;
}

static void take_pieces(struct reading *reading)
{
    struct map_data *data = reading->data;
    int lines, sentence, place;
    const char **line = lines_of(reading, "pieces.tsv", &lines);
    data->piece = ARENA_ARRAY(reading->arena, const char *, data->pieces + 1);
    for (int i = 0; i < data->pieces; i++) data->piece[i] = "?";
    for (int i = 1; i < lines; i++) {
        const char *text = third_of(line[i], &sentence, &place);
        if (text && sentence == data->sentence && place >= 1 && place <= data->pieces)
            data->piece[place - 1] = with_dots(reading, text);
    }
}

/* An older stage has none: branches have their numbers then. */
static void name_branches(struct reading *reading)
{
    struct map_data *data = reading->data;
    int lines, layer, number;
    const char **line = lines_of(reading, "branches.tsv", &lines);
    data->problem = NULL;
    for (int i = 1; i < lines; i++) {
        const char *text = third_of(line[i], &layer, &number);
        const char *known = arena_print(reading->arena, "branch %d", number);
        for (int b = 0; text && layer == data->layer && b < data->branches; b++)
            if (!strcmp(data->branch[b], known)) data->branch[b] = text;
    }
}

struct map_data map_data_read(struct store *store, const char *kind, const char *id,
                              struct map_asked asked, struct arena *arena)
{
    struct map_data data = {0};
    const char *path = kept_file(store, kind, id, "maps.npy", &data.problem, arena);
    if (!path) return data;
    struct npy npy = npy_open(path);
    struct reading reading = {store, arena, kind, id, &data, &npy};
    data.problem = check(&npy, path, arena);
    if (!data.problem) choose(&data, &npy, asked);
    if (!data.problem) take_weights(&reading);
    if (!data.problem) take_pieces(&reading);
    if (!data.problem) name_branches(&reading);
    npy_close(&npy);
    return data;
}

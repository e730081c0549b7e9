/* Reads the comparisons of rows in claims: two rows, two differences, a main effect, or points
 * along an axis. Each becomes a weighted sum of rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/config/scalar.h"
#include "core/config/word.h"
#include "experiments/grid/axis.h"
#include "results/report/claims.h"

enum { SIDES = 2 };

int claim_row(const struct tree *scalar, const char *key, const struct grid *grid, int like,
              struct arena *arena)
{
    const int row = grid_row_beside(grid, scalar_text(scalar, key), like);
    if (row < 0) grid_name_require(grid, key, scalar, 0, arena);
    return row;
}

static void claim_add(struct claim *claim, struct claim_contrast contrast, const struct grid *grid,
                      struct arena *arena)
{
    for (int k = 0; k < SIDES; k++)
        if (!contrast.side[k]) contrast.side[k] = grid->row[contrast.row[k][0]].name;
    ARENA_ADD(arena, claim->contrast, claim->contrasts, contrast);
}

void claim_add_two(struct claim *claim, int first, int second, const struct grid *grid,
                   struct arena *arena)
{
    int *row = ARENA_ARRAY(arena, int, SIDES);
    row[0] = first, row[1] = second;
    claim_add(claim, (struct claim_contrast){.rows = {1, 1}, .row = {&row[0], &row[1]}}, grid,
              arena);
}

/* Returns the sum of weighted rows. A row with a positive weight is on the first side, one with a
 * negative weight on the second side. A row that is listed twice has the sum of both weights. */
static struct claim_contrast weighted(const int *row, const double *weight, int rows,
                                      struct arena *arena)
{
    struct claim_contrast contrast = {.unit = COMPARED_ROWS};
    for (int k = 0; k < SIDES; k++) {
        int *of_side = ARENA_ARRAY(arena, int, rows);
        double *heavy = ARENA_ARRAY(arena, double, rows);
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            bool first = true;
            for (int j = 0; j < rows; j++) {
                first &= j >= i || row[j] != row[i];
                if (row[j] == row[i]) sum += weight[j];
            }
            if (k) sum = -sum;
            if (!first || !(sum > 0)) continue;
            of_side[contrast.rows[k]] = row[i];
            heavy[contrast.rows[k]++] = sum;
        }
        contrast.row[k] = of_side;
        contrast.weight[k] = heavy;
    }
    return contrast;
}

/* ---- rows ---- */

static bool is_list(const struct tree *tree, int count)
{
    return tree->kind == TREE_LIST && tree->count == count;
}

/* Reads two rows. Returns false if the command line has removed a row. Commas may have split the
 * name of a row that does not exist. */
static bool read_two(const struct tree *rows, const struct grid *grid, int like, int row[SIDES],
                     struct arena *arena)
{
    if (!is_list(rows, SIDES)) {
        for (int i = 0; rows->kind == TREE_LIST && i < rows->count; i++)
            if (rows->item[i]->text && !grid_name_meant(grid, rows->item[i]->text))
                grid_name_require(grid, "compare", rows, i, arena);
        die_at(rows->location, "compare: expected two rows, as in [+ Gate, Transformer], or two "
                               "values of an axis, {window: [1, 3]}");
    }
    for (int k = 0; k < SIDES; k++) row[k] = claim_row(rows->item[k], "compare", grid, like, arena);
    return row[0] >= 0 && row[1] >= 0;
}

/* Reads the difference of two differences, [[A, B], [C, D]]. */
static void read_differences(struct claim *claim, const struct tree *compare,
                             const struct grid *grid, int like, struct arena *arena)
{
    static const double weight[] = {1, -1, -1, 1};
    int row[SIDES * SIDES];
    for (int k = 0; k < SIDES; k++) {
        int *two = &row[SIDES * k];
        if (!read_two(compare->item[k], grid, like, two, arena)) return;
        if (two[0] == two[1])
            die_at(compare->item[k]->location,
                   "compare: expected two different rows, not \"%s\" twice",
                   grid->row[two[0]].name);
    }
    struct claim_contrast contrast = weighted(row, weight, SIDES * SIDES, arena);
    if (!contrast.rows[0])
        die_at(compare->location, "compare: both differences have the same rows");
    for (int k = 0; k < SIDES; k++)
        contrast.side[k] = arena_print(arena, "%s minus %s", grid->row[row[SIDES * k]].name,
                                       grid->row[row[SIDES * k + 1]].name);
    claim_add(claim, contrast, grid, arena);
}

/* Reads a main effect, {window: [1, 3]}. */
static void read_effect(struct claim *claim, const struct tree *compare, const struct grid *grid,
                        struct arena *arena)
{
    struct claim_contrast contrast = {.unit = COMPARED_SIDES};
    const struct tree *values = compare->count == 1 ? compare->item[0] : NULL;
    if (!values || !is_list(values, SIDES))
        die_at(compare->location, "compare: expected one axis with two of its values, as in "
                                  "{window: [1, 3]}");
    const char *key = axis_meant(grid, compare->key[0]->text, arena), *value[SIDES];
    axis_check(grid, compare->key[0]->location, "compare", key, arena);
    const char *const *all = axis_values(grid_whole(grid), key, arena);
    for (int k = 0; k < SIDES; k++) {
        value[k] = tree_text(arena, values->item[k]);
        if (!word_known(value[k], all))
            word_refuse(values->item[k]->location, key, "there is no value", value[k], all);
        contrast.side[k] = arena_print(arena, "%s %s", key, value[k]);
    }
    if (!strcmp(value[0], value[1]))
        die_at(values->item[1]->location, "compare: %s: expected two values, not %s twice", key,
               value[0]);
    int(*pair)[SIDES];
    const int pairs = axis_pairs(grid, key, value, &pair, arena);
    if (!pairs && !grid->words.varied)
        die_at(compare->location,
               "compare: no row with %s has a partner with %s that agrees in all other axes",
               contrast.side[0], contrast.side[1]);
    for (int k = 0; k < SIDES; k++) {
        int *row = ARENA_ARRAY(arena, int, pairs);
        for (int i = 0; i < pairs; i++) row[i] = pair[i][k];
        contrast.rows[k] = pairs;
        contrast.row[k] = row;
    }
    if (pairs) claim_add(claim, contrast, grid, arena);
}

void claim_add_compare(struct claim *claim, const struct tree *compare, const struct grid *grid,
                       int like, struct arena *arena)
{
    int row[SIDES];
    if (compare->kind == TREE_MAP)
        read_effect(claim, compare, grid, arena);
    else if (is_list(compare, SIDES) && compare->item[0]->kind == TREE_LIST)
        read_differences(claim, compare, grid, like, arena);
    else if (read_two(compare, grid, like, row, arena))
        claim_add_two(claim, row[0], row[1], grid, arena);
}

const int *claim_rows(const struct claim *claim, int *count, struct arena *arena)
{
    int *row = NULL;
    *count = 0;
    for (int i = 0; i < SIDES * claim->contrasts; i++)
        for (int r = 0; r < claim->contrast[i / SIDES].rows[i % SIDES]; r++) {
            const int one = claim->contrast[i / SIDES].row[i % SIDES][r];
            int at = 0;
            while (at < *count && row[at] != one) at++;
            if (at == *count) ARENA_ADD(arena, row, *count, one);
        }
    return row;
}

bool claim_has_two(const struct claim *claim)
{
    const struct claim_contrast *only = claim->contrast;
    return !claim->form && !claim->alone && claim->contrasts == 1 && only->unit == COMPARED_ROWS &&
           only->rows[0] == 1 && only->rows[1] == 1;
}

/* ---- along an axis ---- */

const double *claim_heights(const double *place, int places, struct arena *arena)
{
    double *weight = ARENA_ARRAY(arena, double, places + 1);
    const double all = places > 1 ? place[places - 1] - place[0] : 1;
    for (int i = 0; i < places; i++)
        weight[i] =
            places == 1 ? 1 : (place[i + (i + 1 < places)] - place[i - (i > 0)]) / (2 * all);
    return weight;
}

struct place {
    double x;
    int row;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->x != y->x ? (x->x > y->x) - (x->x < y->x) : x->row - y->row;
}

/* The axis of a claim. */
struct along {
    const struct grid *grid;
    const char *key;
    struct location location;
    enum claim_scale scale;
    struct arena *arena;
};

/* Returns the points of a row along the axis, sorted. Returns NULL if there are fewer than two and
 * the command line has changed the rows. */
static struct place *places_of(const struct along *along, int like, int *places)
{
    const struct grid *grid = along->grid;
    int *row = ARENA_ARRAY(along->arena, int, grid->rows);
    *places = like < 0 ? 0 : axis_points(grid, along->key, like, row);
    if (*places < 2 && grid->words.varied) return NULL;
    if (*places < 2)
        die_at(along->location,
               "along: %s: the row \"%s\" has %d values of this axis; expected two or more",
               along->key, grid->row[like].name, *places);
    struct place *place = ARENA_ARRAY(along->arena, struct place, *places);
    for (int i = 0; i < *places; i++) {
        const struct grid_coordinate *at = grid_row_coordinate(&grid->row[row[i]], 0, along->key);
        double x = i + 1; /* the rank */
        if (along->scale != CLAIM_RANK && !axis_number(at, &x))
            die_at(along->location,
                   "along: %s: a slope over words: \"%s\" is no number; expected numbers, or "
                   "scale: rank, which takes the order of the sweep",
                   along->key, at->value);
        if (along->scale == CLAIM_LOG && !(x > 0))
            die_at(along->location, "scale: log: %s has the value %s; expected values above 0",
                   along->key, at->value);
        place[i] = (struct place){along->scale == CLAIM_LOG ? log2(x) : x, row[i]};
    }
    qsort(place, (size_t)*places, sizeof *place, compare_places);
    if (place[0].x == place[*places - 1].x)
        die_at(along->location, "along: %s: all values are equal", along->key);
    return place;
}

/* Adds the area between two rows. Its pairs are the points of both. */
static void add_area(const struct along *along, struct claim *claim, const struct tree *compare,
                     int like)
{
    struct arena *arena = along->arena;
    struct place *place[SIDES];
    int two[SIDES], places[SIDES], pairs = 0, *row[SIDES];
    if (!read_two(compare, along->grid, like, two, arena)) return;
    for (int k = 0; k < SIDES; k++)
        if (!(place[k] = places_of(along, two[k], &places[k]))) return;
    double *x = ARENA_ARRAY(arena, double, places[0]);
    for (int k = 0; k < SIDES; k++) row[k] = ARENA_ARRAY(arena, int, places[0]);
    for (int i = 0, k = 0; i < places[0]; i++) {
        while (k < places[1] && place[1][k].x < place[0][i].x) k++;
        if (k == places[1] || place[1][k].x != place[0][i].x) continue;
        row[0][pairs] = place[0][i].row, row[1][pairs] = place[1][k].row;
        x[pairs++] = place[0][i].x;
    }
    if (pairs < 2)
        die_at(along->location, "along: %s: expected two values or more that both rows have",
               along->key);
    struct claim_contrast area = {.unit = COMPARED_SIDES, .place = x};
    for (int k = 0; k < SIDES; k++) {
        area.rows[k] = pairs;
        area.row[k] = row[k];
        area.weight[k] = claim_heights(x, pairs, arena);
        area.side[k] = arena_print(arena, "%s along %s", compare->item[k]->text, along->key);
    }
    claim_add(claim, area, along->grid, arena);
}

/* Adds the slope of least squares: the weight of a point is (x - mean) / sum (x - mean)^2. */
static void add_slope(const struct along *along, struct claim *claim, const struct place *place,
                      int places)
{
    static const char *const unit[] = {"", ", per doubling", ", per rank"};
    struct arena *arena = along->arena;
    const struct grid_row *first = &along->grid->row[place[0].row];
    const struct grid_coordinate *const at[] = {grid_row_coordinate(first, 0, along->key), NULL};
    const char *rest = grid_row_rest(first, 0, first->line, at, arena);
    int *row = ARENA_ARRAY(arena, int, places);
    double *weight = ARENA_ARRAY(arena, double, places), mean = 0, squares = 0;
    for (int i = 0; i < places; i++) mean += place[i].x / places;
    for (int i = 0; i < places; i++) squares += pow(place[i].x - mean, 2);
    for (int i = 0; i < places; i++) {
        row[i] = place[i].row;
        weight[i] = (place[i].x - mean) / squares;
    }
    struct claim_contrast slope = weighted(row, weight, places, arena);
    slope.unit = COMPARED_SEEDS;
    slope.side[0] = arena_print(arena, "the points of %s (slope by %s%s)",
                                rest ? rest : first->name, along->key, unit[along->scale]);
    slope.side[1] = "0";
    claim_add(claim, slope, along->grid, arena);
}

void claim_add_along(struct claim *claim, const struct grid *grid, int like, enum claim_scale scale,
                     bool steps, struct arena *arena)
{
    const struct tree *key = tree_get(claim->map, "along"),
                      *compare = tree_get(claim->map, "compare");
    const struct along along = {grid, axis_meant(grid, key->text, arena), key->location, scale,
                                arena};
    int places;
    axis_check(grid, key->location, "along", along.key, arena);
    if (compare) {
        add_area(&along, claim, compare, like);
        return;
    }
    like = claim_row(tree_get(claim->map, "row"), "row", grid, like, arena);
    const struct place *place = places_of(&along, like, &places);
    if (place && !steps) add_slope(&along, claim, place, places);
    for (int i = 1; place && steps && i < places; i++)
        claim_add_two(claim, place[i].row, place[i - 1].row, grid, arena);
}

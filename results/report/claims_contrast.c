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
    const char *name = scalar_text(scalar, key);
    int row = grid_row_beside(grid, name, like);
    if (row < 0) grid_name_require(grid, key, scalar, 0, arena);
    return row;
}

/* Rows with their weights; negative ones belong to the second side. */
struct weighted {
    int rows;
    int *row;
    double *weight;
};

/* Adds a row. A row that is already there gets the sum of both weights. */
static void add_row(struct weighted *list, int row, double weight)
{
    int at = 0;
    while (at < list->rows && list->row[at] != row) at++;
    if (at == list->rows) {
        list->row[list->rows++] = row;
        list->weight[at] = 0;
    }
    list->weight[at] += weight;
}

static struct weighted weighted_new(int rows, struct arena *arena)
{
    return (struct weighted){0, ARENA_ARRAY(arena, int, rows + 1),
                             ARENA_ARRAY(arena, double, rows + 1)};
}

/* Puts the rows on the sides of their signs. Rows of weight 0 are left out. */
static struct claim_contrast contrast_of(const struct weighted *list, struct arena *arena)
{
    struct claim_contrast contrast = {.unit = COMPARED_ROWS};
    for (int k = 0; k < SIDES; k++) {
        int *row = ARENA_ARRAY(arena, int, list->rows);
        double *weight = ARENA_ARRAY(arena, double, list->rows);
        for (int i = 0; i < list->rows; i++) {
            const double signed_weight = k ? -list->weight[i] : list->weight[i];
            if (!(signed_weight > 0)) continue;
            row[contrast.rows[k]] = list->row[i];
            weight[contrast.rows[k]++] = signed_weight;
        }
        contrast.row[k] = row;
        contrast.weight[k] = weight;
    }
    return contrast;
}

static struct claim_contrast contrast_two(int first, int second, struct arena *arena)
{
    int *row = ARENA_ARRAY(arena, int, SIDES);
    row[0] = first, row[1] = second;
    return (struct claim_contrast){.rows = {1, 1}, .row = {&row[0], &row[1]}};
}

/* ---- rows ---- */

static bool is_list(const struct tree *tree, int count)
{
    return tree->kind == TREE_LIST && tree->count == count;
}

/* Dies unless a comparison is a list of two rows. Commas may have split the name of a row that does
 * not exist. */
static void check_two(const struct tree *rows, const char *expected, const struct grid *grid,
                      struct arena *arena)
{
    if (is_list(rows, SIDES)) return;
    for (int i = 0; rows->kind == TREE_LIST && i < rows->count; i++)
        if (rows->item[i]->text && !grid_name_meant(grid, rows->item[i]->text))
            grid_name_require(grid, "compare", rows, i, arena);
    die_at(rows->location, "compare: expected %s", expected);
}

/* Reads the difference of two differences, [[A, B], [C, D]]. */
static struct claim_contrast read_differences(const struct tree *compare, const struct grid *grid,
                                              int like, struct arena *arena)
{
    struct weighted list = weighted_new(SIDES * SIDES, arena);
    const char *side[SIDES];
    for (int k = 0; k < SIDES; k++) {
        const struct tree *pair = grid_names_join(grid, compare->item[k], arena);
        check_two(pair, "two rows in each difference, as in [[A, B], [C, D]]", grid, arena);
        int row[SIDES];
        for (int i = 0; i < SIDES; i++) {
            row[i] = claim_row(pair->item[i], "compare", grid, like, arena);
            if (row[i] < 0) return (struct claim_contrast){0};
            add_row(&list, row[i], i == k ? 1 : -1);
        }
        if (row[0] == row[1])
            die_at(pair->location, "compare: expected two different rows, not \"%s\" twice",
                   grid->row[row[0]].name);
        side[k] = arena_print(arena, "%s minus %s", grid->row[row[0]].name, grid->row[row[1]].name);
    }
    struct claim_contrast contrast = contrast_of(&list, arena);
    if (!contrast.rows[0])
        die_at(compare->location, "compare: both differences have the same rows");
    for (int k = 0; k < SIDES; k++) contrast.side[k] = side[k];
    return contrast;
}

/* Reads a main effect, {window: [1, 3]}. */
static struct claim_contrast read_effect(const struct tree *compare, const struct grid *grid,
                                         struct arena *arena)
{
    struct claim_contrast contrast = {.unit = COMPARED_SIDES};
    const struct tree *values = compare->count == 1 ? compare->item[0] : NULL;
    if (!values || !is_list(values, SIDES))
        die_at(compare->location, "compare: expected one axis with two of its values, as in "
                                  "{window: [1, 3]}");
    const char *key = axis_meant(grid, compare->key[0]->text, arena), *value[SIDES];
    const char *const *known = axis_values(grid, key, arena);
    bool selected = true;
    axis_check(grid, compare->key[0]->location, "compare", key, arena);
    for (int i = 0; i < SIDES; i++) {
        value[i] = tree_text(arena, values->item[i]);
        if (!word_known(value[i], known)) {
            const char *const *all = axis_values(grid_whole(grid), key, arena);
            if (!word_known(value[i], all))
                word_refuse(values->item[i]->location, key, "there is no value", value[i], all);
            selected = false;
        }
        contrast.side[i] = arena_print(arena, "%s %s", key, value[i]);
    }
    if (!selected) return (struct claim_contrast){0};
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
    return contrast;
}

struct claim_contrast claim_contrast_read(const struct tree *compare, const struct grid *grid,
                                          int like, struct arena *arena)
{
    if (compare->kind == TREE_MAP) return read_effect(compare, grid, arena);
    if (is_list(compare, SIDES) && compare->item[0]->kind == TREE_LIST &&
        compare->item[1]->kind == TREE_LIST)
        return read_differences(compare, grid, like, arena);
    check_two(compare,
              "two rows, as in [+ Gate, Transformer], or two values of an axis, {window: [1, 3]}",
              grid, arena);
    int row[SIDES];
    for (int k = 0; k < SIDES; k++)
        row[k] = claim_row(compare->item[k], "compare", grid, like, arena);
    if (row[0] < 0 || row[1] < 0) return (struct claim_contrast){0};
    return contrast_two(row[0], row[1], arena);
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

const char *claim_side(const struct grid *grid, const struct claim_contrast *contrast, int side)
{
    return contrast->side[side] ? contrast->side[side] : grid->row[contrast->row[side][0]].name;
}

/* ---- other grids ---- */

/* True if two contrasts have rows of the same names. A name may omit axes that have one value. */
static bool has_same_rows(const struct claim_contrast *contrast, const struct grid *grid,
                          const struct claim_contrast *other, const struct grid *other_grid)
{
    bool same = true;
    for (int k = 0; k < SIDES; k++) {
        same &= contrast->rows[k] == other->rows[k];
        for (int i = 0; i < contrast->rows[k] && same; i++) {
            const int row = contrast->row[k][i], its = other->row[k][i];
            same = grid_row_called(other_grid, grid->row[row].name) == its ||
                   grid_row_called(grid, other_grid->row[its].name) == row;
        }
    }
    return same;
}

int claim_match(const struct claim *claim, const struct grid *grid, struct claim *other,
                const struct grid *other_grid, struct arena *arena)
{
    struct claim_contrast *list = ARENA_ARRAY(arena, struct claim_contrast, claim->contrasts);
    for (int i = 0, k = 0; i < claim->contrasts; i++, k = 0) {
        while (k < other->contrasts &&
               !has_same_rows(&claim->contrast[i], grid, &other->contrast[k], other_grid))
            k++;
        if (k == other->contrasts) return i;
        list[i] = other->contrast[k];
    }
    other->contrast = list;
    other->contrasts = claim->contrasts;
    return -1;
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

/* Returns x of a point. Dies if the value is no number, or has no logarithm. */
static double place_of(const struct tree *along, const struct grid *grid, const char *key, int row,
                       int rank, enum claim_scale scale)
{
    const struct grid_coordinate *at = grid_row_coordinate(&grid->row[row], 0, key);
    double x;
    if (scale == CLAIM_RANK) return rank;
    if (!axis_number(at, &x))
        die_at(along->location,
               "along: %s: a slope over words: \"%s\" is no number; expected numbers, or scale: "
               "rank, which takes the order of the sweep",
               key, at->value);
    if (scale == CLAIM_LOG && !(x > 0))
        die_at(along->location, "scale: log: %s has the value %s; expected values above 0", key,
               at->value);
    return scale == CLAIM_LOG ? log2(x) : x;
}

/* Returns the slope over the points: the weight of a row is (x - mean) / sum (x - mean)^2. */
static struct claim_contrast slope_of(const struct place *place, int places, struct arena *arena)
{
    struct weighted list = weighted_new(places, arena);
    double mean = 0, squares = 0;
    for (int i = 0; i < places; i++) mean += place[i].x / places;
    for (int i = 0; i < places; i++) squares += pow(place[i].x - mean, 2);
    for (int i = 0; i < places; i++) add_row(&list, place[i].row, (place[i].x - mean) / squares);
    struct claim_contrast slope = contrast_of(&list, arena);
    slope.unit = COMPARED_SEEDS;
    return slope;
}

/* Returns the points of a row along the axis, sorted. Returns NULL if there are fewer than two and
 * the command line has changed the rows. */
static struct place *places_of(const struct tree *along, const struct grid *grid, const char *key,
                               int like, enum claim_scale scale, int *places, struct arena *arena)
{
    int *row = ARENA_ARRAY(arena, int, grid->rows);
    *places = like < 0 ? 0 : axis_points(grid, key, like, row);
    if (*places < 2 && grid->words.varied) return NULL;
    if (*places < 2)
        die_at(along->location,
               "along: %s: the row \"%s\" %s; expected a row with two values of it "
               "or more",
               key, grid->row[like].name, *places ? "has one value of this axis" : "is not on it");
    struct place *place = ARENA_ARRAY(arena, struct place, *places);
    for (int i = 0; i < *places; i++)
        place[i] = (struct place){place_of(along, grid, key, row[i], i + 1, scale), row[i]};
    qsort(place, (size_t)*places, sizeof *place, compare_places);
    if (place[0].x == place[*places - 1].x)
        die_at(along->location, "along: %s: all values are equal", key);
    return place;
}

struct claim_contrast claim_contrast_area(const struct tree *claim, const struct grid *grid,
                                          int like, enum claim_scale scale, struct arena *arena)
{
    const struct tree *along = tree_get(claim, "along"), *compare = tree_get(claim, "compare");
    const char *key = axis_meant(grid, scalar_text(along, "along"), arena);
    struct claim_contrast area = {.unit = COMPARED_SIDES};
    axis_check(grid, along->location, "along", key, arena);
    check_two(compare, "two rows with along, as in [+ Gate, Transformer]", grid, arena);
    struct place *place[SIDES];
    int places[SIDES], pairs = 0;
    for (int k = 0; k < SIDES; k++) {
        const int row = claim_row(compare->item[k], "compare", grid, like, arena);
        if (!(place[k] = places_of(along, grid, key, row, scale, &places[k], arena))) return area;
    }
    int *row[SIDES];
    double *x = ARENA_ARRAY(arena, double, places[0]);
    for (int k = 0; k < SIDES; k++) area.row[k] = row[k] = ARENA_ARRAY(arena, int, places[0]);
    for (int i = 0, k = 0; i < places[0]; i++) {
        while (k < places[1] && place[1][k].x < place[0][i].x) k++;
        if (k == places[1] || place[1][k].x != place[0][i].x) continue;
        row[0][pairs] = place[0][i].row, row[1][pairs] = place[1][k].row;
        x[pairs++] = place[0][i].x;
    }
    if (pairs < 2)
        die_at(along->location, "along: %s: expected two values or more that both rows have", key);
    for (int k = 0; k < SIDES; k++) {
        area.rows[k] = pairs;
        area.side[k] = arena_print(arena, "%s along %s", compare->item[k]->text, key);
    }
    area.place = x;
    return area;
}

int claim_contrasts_along(const struct tree *claim, const struct grid *grid, int like,
                          enum claim_scale scale, bool steps,
                          const struct claim_contrast **contrast, struct arena *arena)
{
    static const char *const unit[] = {"", ", per doubling", ", per rank"};
    const struct tree *along = tree_get(claim, "along");
    const char *key = axis_meant(grid, scalar_text(along, "along"), arena);
    int places;
    axis_check(grid, along->location, "along", key, arena);
    like = claim_row(tree_get(claim, "row"), "row", grid, like, arena);
    const struct place *place = places_of(along, grid, key, like, scale, &places, arena);
    if (!place) return 0;
    struct claim_contrast *made = ARENA_ARRAY(arena, struct claim_contrast, places);
    *contrast = made;
    for (int i = 1; i < places && steps; i++)
        made[i - 1] = contrast_two(place[i].row, place[i - 1].row, arena);
    if (steps) return places - 1;
    *made = slope_of(place, places, arena);
    const struct grid_row *first = &grid->row[place[0].row];
    const char *rest = grid_row_rest(
        first, 0, first->line,
        (const struct grid_coordinate *[]){grid_row_coordinate(first, 0, key), NULL}, arena);
    made->side[0] = arena_print(arena, "the points of %s (slope by %s%s)",
                                rest ? rest : first->name, key, unit[scale]);
    made->side[1] = "0";
    return 1;
}

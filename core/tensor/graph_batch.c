/* Loads a batch into a list: computes the numbers of rows and groups, and the integers that nodes
 * read. Also declares kinds of rows, inputs and positional tables. */
#include "core/tensor/graph_run.h"

#include <string.h>

static struct rows *rows_declare(struct graph *graph, enum rows_of of, enum field_name field,
                                 int each)
{
    for (int k = 0; k < graph->kinds; k++) {
        struct rows *rows = graph->rows[k];
        if (rows->of == of && rows->field == field && rows->each == each) return rows;
    }
    CHECK(!graph->finished && graph->kinds < ROWS_KINDS, "%d kinds of rows", graph->kinds + 1);
    struct rows *rows = ARENA_NEW(graph->arena, struct rows);
    *rows = (struct rows){.of = of, .field = field, .each = each, .index = graph->kinds};
    return graph->rows[graph->kinds++] = rows;
}

struct rows *graph_tokens(struct graph *graph, enum field_name field)
{
    return rows_declare(graph, ROWS_TOKENS, field, 1);
}

struct rows *graph_sentences(struct graph *graph, enum field_name field, int each)
{
    CHECK(each > 0, "%d rows a sentence", each);
    return rows_declare(graph, ROWS_SENTENCES, field, each);
}

struct rows *graph_pairs(struct graph *graph, enum field_name field)
{
    return rows_declare(graph, ROWS_PAIRS, field, 1);
}

struct rows *graph_fixed(struct graph *graph, int rows)
{
    return rows_declare(graph, ROWS_FIXED, 0, rows);
}

struct input *graph_input(struct graph *graph, const struct rows *rows, input_fill *fill, int least,
                          int below, const char *what)
{
    for (int i = 0; i < graph->inputs; i++) {
        struct input *input = graph->input[i];
        if (input->rows == rows && input->fill == fill && input->least == least &&
            input->below == below)
            return input;
    }
    CHECK(!graph->finished && graph->inputs < GRAPH_INPUTS, "%s: too many inputs", what);
    struct input *input = ARENA_NEW(graph->arena, struct input);
    *input = (struct input){what, fill, rows, least, below, NULL};
    return graph->input[graph->inputs++] = input;
}

struct positional *graph_positional(struct graph *graph, int columns, positional_fill *fill,
                                    double number)
{
    for (int i = 0; i < graph->positionals; i++)
        if (graph->positional[i]->fill == fill && graph->positional[i]->columns == columns &&
            graph->positional[i]->number == number)
            return graph->positional[i];
    CHECK(!graph->finished, "the list is finished");
    struct positional *positional = ARENA_NEW(graph->arena, struct positional);
    *positional = (struct positional){.fill = fill, .columns = columns, .number = number};
    return ARENA_ADD(graph->arena, graph->positional, graph->positionals, positional);
}

void input_tokens(const struct batch *batch, const struct rows *rows, int32_t *to)
{
    const struct field *field = &batch->field[rows->field];
    for (int t = 0; t < field->T; t++) to[t] = field->token[t];
}

void input_positions(const struct batch *batch, const struct rows *rows, int32_t *to)
{
    const struct field *field = &batch->field[rows->field];
    for (int b = 0; b < field->B; b++)
        for (int32_t t = field->start[b]; t < field->start[b + 1]; t++) to[t] = t - field->start[b];
}

/* Returns the first row of group g; for g = groups, the number of rows. */
static int32_t first_of(const struct batch *batch, const struct rows *rows, int g)
{
    return rows->of == ROWS_TOKENS ? batch->field[rows->field].start[g] : g * rows->each;
}

static void input_groups(const struct batch *batch, const struct rows *rows, int32_t *to)
{
    for (int g = 0; g < rows->groups; g++)
        for (int32_t t = first_of(batch, rows, g); t < first_of(batch, rows, g + 1); t++) to[t] = g;
}

static bool is_wanted(const struct graph *graph, enum ops_list list)
{
    return graph->mode != GRAPH_STEP && graph->ops && graph->ops->lists & list;
}

struct input *graph_groups(struct graph *graph, const struct rows *rows)
{
    if (!is_wanted(graph, OPS_GROUPS)) return NULL;
    return graph_input(graph, rows, input_groups, 0, INT32_MAX, "a sentence");
}

/* Writes the first row of each tile, then -1 for the rest. */
static void input_tiles(const struct batch *batch, const struct rows *rows, int32_t *to)
{
    int tiles = 0;
    for (int g = 0; g < rows->groups; g++)
        for (int32_t t = first_of(batch, rows, g); t < first_of(batch, rows, g + 1);
             t += ATTENTION_TILE)
            to[tiles++] = t;
    while (tiles < rows->count) to[tiles++] = -1;
}

struct input *graph_tiles(struct graph *graph, const struct rows *rows)
{
    if (!is_wanted(graph, OPS_TILES)) return NULL;
    return graph_input(graph, rows, input_tiles, -1, INT32_MAX, "a tile");
}

static int length_of(const struct field *field, int b)
{
    return field->start[b + 1] - field->start[b];
}

static void input_steps(const struct batch *batch, const struct rows *rows, bool reverse,
                        int32_t *to)
{
    const struct field *field = &batch->field[rows->field];
    for (int b = 0; b < field->B; b++) {
        const int length = length_of(field, b);
        /* rank: number of longer sentences, plus number of earlier sentences of equal length */
        int rank = rows->alive[length];
        for (int other = 0; other < b; other++) rank += length_of(field, other) == length;
        for (int s = 0, step = 0; s < length; step += rows->alive[s++])
            to[step + rank] = reverse ? field->start[b + 1] - 1 - s : field->start[b] + s;
    }
}

static void input_forward(const struct batch *batch, const struct rows *rows, int32_t *to)
{
    input_steps(batch, rows, false, to);
}

static void input_reverse(const struct batch *batch, const struct rows *rows, int32_t *to)
{
    input_steps(batch, rows, true, to);
}

struct input *graph_steps(struct graph *graph, struct rows *rows, bool reverse)
{
    CHECK(rows->of == ROWS_TOKENS && graph->mode != GRAPH_STEP, "steps are of sentences of tokens");
    rows->stepped = true;
    return graph_input(graph, rows, reverse ? input_reverse : input_forward, 0, INT32_MAX,
                       "a row of a step");
}

/* Each sentence in step s has at least s + 1 tokens. So step s has at most launched / (s + 1)
 * rows. */
int graph_step_rows(const struct rows *rows, int s)
{
    if (!rows->step_alive) return rows->alive[s];
    const int most = rows->launched / (s + 1);
    return s >= rows->longest ? 0 : most < rows->launched_groups ? most : rows->launched_groups;
}

int graph_whole_rows(const struct graph *graph, int rows)
{
    int multiple = graph->ops ? graph->ops->row_multiple : 1; /* no ops: the list is only counted */
    if (multiple > 1 && rows > ops_few_rows(multiple)) multiple *= OPS_COARSER;
    return (rows + multiple - 1) / multiple * multiple;
}

/* Returns the smallest power of two that is at least 64 and at least `number`. */
static int power_of_two(int number)
{
    int power = 64;
    while (power < number) power *= 2;
    return power;
}

/* Rounds a number of groups up to a power of two, limited by the capacity. */
static int whole_groups(const struct graph *graph, const struct rows *rows, int groups)
{
    if (graph_whole_rows(graph, 1) == 1) return groups;
    const int whole = power_of_two(groups);
    return rows->group_capacity && whole > rows->group_capacity ? rows->group_capacity : whole;
}

int graph_whole_longest(const struct graph *graph, const struct rows *rows, int longest)
{
    if (graph_whole_rows(graph, 1) == 1) return longest;
    return rows->stepped ? graph_whole_steps(longest) : power_of_two(longest);
}

int graph_groups_of(const struct rows *rows, int sentences)
{
    if (rows->of == ROWS_FIXED) return 1;
    return rows->of == ROWS_PAIRS ? sentences / 2 : sentences;
}

void graph_count(struct graph *graph, const struct batch *batch)
{
    for (int k = 0; k < graph->kinds; k++) {
        struct rows *rows = graph->rows[k];
        const struct field *field = &batch->field[rows->field];
        rows->groups = graph_groups_of(rows, field->B);
        rows->count = rows->of == ROWS_TOKENS ? field->T : rows->groups * rows->each;
        rows->launched = graph_whole_rows(graph, rows->count);
        rows->launched_groups = whole_groups(graph, rows, rows->groups);
        CHECK(rows->of != ROWS_PAIRS || rows->idle || field->B % 2 == 0,
              "%d sentences: expected an even number, for pairs", field->B);
    }
}

static int64_t rows_before(const struct rows *rows, const struct batch *batch)
{
    if (rows->of == ROWS_FIXED) return 0;
    if (rows->of == ROWS_TOKENS) return batch->first_token[rows->field];
    return rows->of == ROWS_PAIRS ? batch->first_sentence / 2 : batch->first_sentence * rows->each;
}

/* Converts an address in the device's image to the same address in the host's copy. */
static int32_t *host_of(const struct graph *graph, const int32_t *device)
{
    return (int32_t *)(void *)(graph->host + ((const char *)device - graph->image));
}

/* Returns the (rounded) number of rows of the longest group. */
static int longest_of(const struct graph *graph, const struct rows *rows, const int32_t *start)
{
    int longest = 1;
    for (int g = 0; g < rows->groups; g++)
        if (start[g + 1] - start[g] > longest) longest = start[g + 1] - start[g];
    return graph_whole_longest(graph, rows, longest);
}

static void fill_steps(const struct graph *graph, const struct rows *rows, const int32_t *start)
{
    memset(rows->alive, 0, (size_t)(rows->step_room + 1) * sizeof *rows->alive);
    for (int g = 0; g < rows->groups; g++) {
        const int length = start[g + 1] - start[g];
        if (length) rows->alive[length - 1]++;
    }
    for (int s = rows->step_room - 1; s >= 0; s--) rows->alive[s] += rows->alive[s + 1];
    if (!rows->step_alive) return;
    int32_t *alive = host_of(graph, rows->step_alive), *begin = host_of(graph, rows->step_begin);
    begin[0] = alive[rows->step_room + 1] = 0;
    for (int s = 0; s <= rows->step_room; s++) {
        alive[s] = rows->alive[s];
        begin[s + 1] = begin[s] + alive[s];
    }
}

static void fill_starts(struct graph *graph, struct rows *rows, const struct batch *batch)
{
    int32_t *start = host_of(graph, rows->start);
    CHECK(rows->count <= rows->capacity && rows->groups <= rows->group_capacity,
          "%d rows of %d sentences, planned for %d of %d", rows->count, rows->groups,
          rows->capacity, rows->group_capacity);
    start[0] = 0;
    for (int g = 0; g < rows->groups; g++) {
        start[g + 1] = first_of(batch, rows, g + 1);
        CHECK(rows->of != ROWS_TOKENS || start[g + 1] - start[g] <= graph->capacity.longest,
              "a sentence is longer than planned (%d)", graph->capacity.longest);
    }
    for (int g = rows->groups; g < rows->launched_groups; g++) start[g + 1] = start[g];
    rows->longest = longest_of(graph, rows, start);
    if (rows->stepped) fill_steps(graph, rows, start);
    if (rows->counted) *host_of(graph, rows->counted) = rows->count;
}

/* Returns the sentence (or pair) of row t. */
static int group_of(const struct rows *rows, const struct batch *batch, int t)
{
    int group = 0;
    while (first_of(batch, rows, group + 1) <= t) group++;
    return group;
}

static void fill_input(struct graph *graph, const struct input *input, const struct batch *batch)
{
    const struct rows *rows = input->rows;
    int32_t *to = host_of(graph, input->data);
    /* Pads with the smallest valid integer. For tiles this is -1, which ends the list of tiles. */
    for (int t = rows->count; t < rows->launched; t++) to[t] = input->least;
    if (!rows->count) return;
    input->fill(batch, rows, to);
    for (int t = 0; t < rows->count; t++)
        CHECK(to[t] >= input->least && to[t] < input->below,
              "%s is %d, expected %d to %d: row %d, sentence %d of the batch", input->what, to[t],
              input->least, input->below - 1, t, group_of(rows, batch, t));
}

void graph_load(struct graph *graph, const struct batch *batch)
{
    struct step *step = (struct step *)(void *)graph->host;
    CHECK(graph->memory, "the list is not placed");
    graph_count(graph, batch);
    for (int k = 0; k < graph->kinds; k++) {
        step->first_row[k] = rows_before(graph->rows[k], batch);
        fill_starts(graph, graph->rows[k], batch);
    }
    for (int i = 0; i < graph->inputs; i++) fill_input(graph, graph->input[i], batch);
    graph->ops->upload(graph->image, graph->host, graph->image_bytes);
}

void graph_set_step(struct graph *graph, const struct step *step)
{
    CHECK(graph->memory, "the list is not placed");
    memcpy(graph->host, step, sizeof *step);
}

void graph_set_live(struct graph *graph, const struct live *live, int rows)
{
    graph->live = live;
    for (int k = 0; k < graph->kinds; k++) graph->rows[k]->count = graph->rows[k]->launched = rows;
}

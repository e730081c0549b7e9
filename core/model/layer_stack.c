/* The option encoder.stack. Entries become groups. If all layers are attention, the stack is not in
 * the canonical text of the options. The id is then the same as without the option. */
#include "core/model/layer_stack.h"

#include <stdlib.h>
#include <string.h>

#include "core/config/scalar.h"
#include "core/config/word.h"

static const char *const kinds[] = {"san", "lstm", "onlstm", NULL};
#define DIRECTIONS "both|forward|backward"
#define PROJECTIONS "auto|true|false"

#define FIELD(member) offsetof(struct layer_group, member)
/* Options of an entry. san has the first option, lstm the first three, onlstm all. */
static const struct option rows[] = {
    OPTION_INT("layers", FIELD(layers), "1", 1, LAYERS_MOST, OPTION_ID, "number of layers"),
    OPTION_CHOICE("direction", FIELD(direction), "both", DIRECTIONS, OPTION_ID,
                  "direction along the sentence; both: the outputs of both are concatenated"),
    OPTION_CHOICE("projection", FIELD(projection), "auto", PROJECTIONS, OPTION_ID,
                  "projection of the output to width D; auto: only with direction: both"),
    OPTION_INT("chunk", FIELD(chunk), "1", 1, 16384, OPTION_ID,
               "adjacent neurons that share a unit of the master gates; divides D"),
};
static const struct section sections[] = {
    {"san", "self-attention and a feed-forward network", rows, 1, sizeof(struct layer_group)},
    {"lstm", "LSTM, without a feed-forward network", rows, 3, sizeof(struct layer_group)},
    {"onlstm", "ON-LSTM, an LSTM whose neurons are ordered by two master gates", rows, 4,
     sizeof(struct layer_group)},
};

int layers_count(const struct layer_stack *stack)
{
    int count = 0;
    for (int g = 0; g < stack->groups; g++) count += stack->group[g].layers;
    return count;
}

int layers_attending(const struct layer_stack *stack)
{
    int count = 0;
    for (int g = 0; g < stack->groups; g++)
        if (stack->group[g].kind == LAYER_SAN) count += stack->group[g].layers;
    return count;
}

const struct layer_group *layers_group(const struct layer_stack *stack, int l)
{
    int g = 0;
    for (int last = stack->group[0].layers; last < l; last += stack->group[g].layers) g++;
    return &stack->group[g];
}

bool layers_project(const struct layer_group *group)
{
    return group->projection == LAYER_PROJECT ||
           (group->projection == LAYER_PROJECT_AUTO && group->direction == LAYER_BOTH);
}

/* Reads {onlstm: 3} or {onlstm: {layers: 3, direction: forward}}. */
static struct layer_group read_group(const struct tree *entry, struct arena *arena)
{
    if (entry->kind != TREE_MAP || entry->count != 1)
        die_at(entry->location,
               "stack: expected one kind with its number of layers, as {onlstm: 3}");
    const struct tree *name = entry->key[0], *value = entry->item[0];
    int kind = 0;
    while (kinds[kind] && strcmp(kinds[kind], name->text) != 0) kind++;
    if (!kinds[kind])
        word_refuse(name->location, "stack", "there is no kind of layer", name->text, kinds);
    struct layer_group group = {0};
    section_read_part(&sections[kind], value->kind == TREE_MAP ? value : NULL, &group, arena);
    group.kind = (enum layer_kind)kind;
    group.location = value->location;
    if (value->kind != TREE_MAP) group.layers = scalar_int(value, name->text, 1, LAYERS_MOST);
    if (kind != LAYER_SAN && group.direction == LAYER_BOTH && group.projection == LAYER_PROJECT_NOT)
        die_at(tree_get(value, "projection")->location,
               "projection: two directions need a projection, because they are twice as wide as "
               "the model; expected auto or true");
    return group;
}

static void read_stack(const struct tree *value, void *field, struct arena *arena)
{
    struct layer_stack *stack = field;
    *stack = (struct layer_stack){0};
    if (!value || tree_is_nothing(value)) return;
    if (value->kind != TREE_LIST)
        die_at(value->location, "stack: expected a list, as [{onlstm: 3}, {san: 3}]");
    if (!value->count)
        die_at(value->location,
               "stack: the list is empty; for an encoder without layers write layers: 0");
    stack->location = value->location;
    stack->group = ARENA_ARRAY(arena, struct layer_group, value->count);
    for (int i = 0; i < value->count; i++)
        stack->group[stack->groups++] = read_group(value->item[i], arena);
    if (layers_count(stack) > LAYERS_MOST)
        die_at(value->location, "stack: %d layers in all; expected at most %d", layers_count(stack),
               LAYERS_MOST);
}

int layers_written(const struct tree *stack)
{
    int count = 0;
    for (int i = 0; stack && stack->kind == TREE_LIST && i < stack->count; i++) {
        const struct tree *entry = stack->item[i];
        if (entry->kind != TREE_MAP || entry->count != 1) return 0;
        const struct tree *value = entry->item[0], *layers = tree_get(value, "layers");
        if (value->kind == TREE_SCALAR) layers = value;
        const int number = layers && layers->kind == TREE_SCALAR ? atoi(layers->text) : !layers;
        if (number < 1 || number > LAYERS_MOST) return 0;
        count += number;
    }
    return count;
}

/* Writes "3 onlstm(both, project, chunk 1); 3 san". */
static void write_stack(const void *field, FILE *out)
{
    const struct layer_stack *stack = field;
    if (stack->groups < 2 && layers_attending(stack) == layers_count(stack)) return;
    for (int g = 0; g < stack->groups; g++) {
        const struct layer_group *group = &stack->group[g];
        int length;
        const char *direction = choice_word(DIRECTIONS, group->direction, &length);
        fprintf(out, "%s%d %s", g ? "; " : "", group->layers, kinds[group->kind]);
        if (group->kind == LAYER_SAN) continue;
        fprintf(out, "(%.*s%s", length, direction, layers_project(group) ? ", project" : "");
        if (group->kind == LAYER_ONLSTM) fprintf(out, ", chunk %d", group->chunk);
        fputc(')', out);
    }
}

static void json_stack(const void *field, FILE *out)
{
    const struct layer_stack *stack = field;
    fputs(stack->groups ? "[" : "null", out);
    for (int g = 0; g < stack->groups; g++) {
        const struct layer_group *group = &stack->group[g];
        fprintf(out, "%s{\"%s\":", g ? "," : "", kinds[group->kind]);
        section_json(&sections[group->kind], group, true, out);
        fputc('}', out);
    }
    if (stack->groups) fputc(']', out);
}

const struct option_custom layers_custom = {"list of {KIND: layers}", read_stack, write_stack,
                                            json_stack};

static bool same_options(const struct layer_group *a, const struct layer_group *b)
{
    return a->kind == b->kind && a->direction == b->direction && a->chunk == b->chunk &&
           layers_project(a) == layers_project(b);
}

static void merge_neighbors(struct layer_stack *stack)
{
    int groups = 1;
    for (int g = 1; g < stack->groups; g++) {
        struct layer_group *last = &stack->group[groups - 1];
        if (same_options(last, &stack->group[g]))
            last->layers += stack->group[g].layers;
        else
            stack->group[groups++] = stack->group[g];
    }
    stack->groups = groups;
}

static void check_chunk(const struct layer_group *group, int width)
{
    const int chunk = group->chunk;
    int far = 0;
    if (width % chunk == 0) return;
    while ((chunk <= far || width % (chunk - far)) && width % (chunk + far)) far++;
    die_at(group->location, "chunk: %d does not divide the width %d; nearest is %d", chunk, width,
           chunk > far && width % (chunk - far) == 0 ? chunk - far : chunk + far);
}

/* Returns " (line 3)"; " (FILE, line 3)" if the file is another than that of `said`; "" if the line
 * is unknown. */
static const char *elsewhere(struct location location, struct location said, struct arena *arena)
{
    if (!location.line) return "";
    if (!strcmp(location.file, said.file)) return arena_print(arena, " (line %d)", location.line);
    return arena_print(arena, " (%s, line %d)", location.file, location.line);
}

void layers_resolve(struct layer_stack *stack, const struct tree *layers, int most, int width,
                    bool shortcut, struct location location, struct arena *arena)
{
    if (!stack->groups && most) {
        stack->group = ARENA_NEW(arena, struct layer_group);
        stack->group[stack->groups++] = (struct layer_group){.layers = most, .chunk = 1};
    } else if (layers && most != layers_count(stack)) {
        die_at(layers->location,
               "encoder.layers is %d, encoder.stack%s has %d; expected one of them", most,
               elsewhere(stack->location, layers->location, arena), layers_count(stack));
    }
    for (int g = 0; g < stack->groups; g++)
        if (stack->group[g].kind == LAYER_ONLSTM) check_chunk(&stack->group[g], width);
    if (shortcut && stack->groups < 2)
        die_at(location,
               "encoder.shortcut: the stack has one group of layers; expected several, as "
               "in stack: [{onlstm: 3}, {san: 3}]");
    if (!shortcut && stack->groups) merge_neighbors(stack);
}

void layers_help(FILE *out)
{
    fputs("encoder.stack: a list of {KIND: LAYERS} or {KIND: {layers: 3, ..}}, from the embedding\n"
          "upward; layers are numbered through the whole list; encoder.attention applies to kind "
          "san\n",
          out);
    for (size_t i = 0; i < COUNT_OF(sections); i++) section_help(&sections[i], OPTION_KEYS, out);
}

/* Computes sentence vectors of an encoder. An inference list keeps one pooled value for each
 * path. */
#include "probes/vectors.h"

#include <math.h>
#include <string.h>

#include "core/config/word.h"
#include "core/layer/layer.h"

static bool is_pooled(const struct value *value)
{
    return value->rows->of == ROWS_TOKENS && value->rows->field == FIELD_SOURCE;
}

/* True if the value already has one vector for each sentence. The vector may have several rows. */
static bool is_whole(const struct value *value)
{
    return value->rows->of == ROWS_SENTENCES && value->rows->field == FIELD_SOURCE;
}

static struct value *bag_build(struct graph *graph)
{
    struct parameter *table = translator_source_table(graph->parameters);
    const struct embed_layer bag = {.rows = graph_tokens(graph, FIELD_SOURCE),
                                    .scale = sqrt((double)table->columns), /* as in the encoder */
                                    .table = table};
    return embed_build(graph, &bag, VECTORS_BAG);
}

struct value *vectors_rows(struct graph *graph, const char *path)
{
    if (!strcmp(path, VECTORS_BAG)) return bag_build(graph);
    struct value *value = graph_find(graph, path);
    return value && (is_pooled(value) || is_whole(value)) ? value : NULL;
}

/* Adds pooling to the rows at a path unless they are vectors of sentences. Returns the path of the
 * vectors. */
static const char *pooled_path(struct graph *graph, const char *path, struct vectors_form form,
                               struct arena *arena)
{
    struct value *rows = vectors_rows(graph, path);
    if (!rows) die("%s: the encoder has no value at this path", path);
    if (is_whole(rows)) return path;
    const char *name = arena_print(arena, "%s.pooled", path);
    pool_build(graph, rows, form.pooling, form.end, name);
    return name;
}

/* Returns the available paths, NULL-terminated. */
static const char *const *paths_of(const struct graph *graph, struct arena *arena)
{
    const char **path = ARENA_ARRAY(arena, const char *, graph->values + graph->aliases + 2);
    int count = 0;
    path[count++] = VECTORS_BAG;
    for (int i = 0; i < graph->aliases; i++)
        if (is_pooled(graph->alias[i].value)) path[count++] = graph->alias[i].path;
    for (int i = 0; i < graph->values; i++)
        if (is_pooled(graph->value[i])) path[count++] = graph->value[i]->path;
    return path;
}

/* If the path is a layer that does not exist, dies with the range of layers. This helps more than
 * the most similar path. */
static void refuse_layer(struct graph *graph, const char *path, struct location location,
                         const char *what, struct arena *arena)
{
    static const char layer[] = "encoder.";
    const size_t begin = sizeof layer - 1;
    int layers = 0;
    if (strncmp(path, layer, begin) != 0 || !path[begin]) return;
    if (path[begin + strspn(path + begin, "0123456789")]) return;
    while (vectors_rows(graph, arena_print(arena, "%s%d", layer, layers + 1))) layers++;
    die_at(location, "%s: the encoder has no path \"%s\"; its layers are %s1 to %s%d", what, path,
           layer, layer, layers);
}

const char *const *vectors_layers(const struct encoder_options *encoder, struct arena *arena)
{
    const char **path = ARENA_ARRAY(arena, const char *, encoder->layers + 2);
    for (int l = 0; l < encoder->layers; l++) path[l] = arena_print(arena, "encoder.%d", l + 1);
    if (encoder->shortcut) path[encoder->layers] = "encoder.output";
    return path;
}

bool vectors_is_own_last(const struct encoder_options *encoder, const char *path)
{
    SCOPED(arena_free) struct arena arena = {0};
    return encoder->shortcut && !strcmp(path, arena_print(&arena, "encoder.%d", encoder->layers));
}

int vectors_width(const struct translator_options *options, const char *path,
                  struct location location, const char *what)
{
    SCOPED(arena_free) struct arena arena = {0};
    const int words[SIDES] = {16, 16};
    struct model *model = translator_new(&arena, NULL, options, words, 0);
    struct graph *graph = model_list(model, &arena, GRAPH_INFER);
    const struct value *rows = vectors_rows(graph, path);
    if (!rows) refuse_layer(graph, path, location, what, &arena);
    if (!rows)
        word_refuse(location, what, "the encoder has no path", path, paths_of(graph, &arena));
    return rows->columns * (is_whole(rows) ? rows->rows->each : 1);
}

/* A request for vectors. The paths of `vectors` are in the arena. */
struct vectors_request {
    struct vectors_form form;
    const char *const *path;
    int paths;
    struct kept_rows *vectors; /* [paths] */
    struct arena *arena;
};

static void add_pools(struct graph *graph, void *context)
{
    const struct vectors_request *request = context;
    for (int p = 0; p < request->paths; p++)
        request->vectors[p].path =
            pooled_path(graph, request->path[p], request->form, request->arena);
}

struct kept_rows *vectors_measure(const struct frozen *frozen, const struct split *split,
                                  struct vectors_form form, const char *const *path, int paths,
                                  struct arena *arena)
{
    struct kept_rows *vectors = ARENA_ARRAY(arena, struct kept_rows, paths);
    struct vectors_request request = {form, path, paths, vectors, arena};
    kept_rows_measure(frozen, split, &(struct kept_choice){add_pools, &request}, vectors, paths,
                      arena);
    return vectors;
}

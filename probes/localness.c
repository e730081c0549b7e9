/* Measures the localness of gauss terms. Predicted centers and windows are values of an inference
 * list. With center: self, the center is the position of the query. A fixed window is an option of
 * the term. */
#include "probes/localness.h"

#include <jansson.h>
#include <string.h>

#include "attention/term.h"
#include "probes/kept_rows.h"

const char *const localness_names[LOCALNESS_COLUMNS] = {"layer", "head",   "sentence", "position",
                                                        "keys",  "center", "window"};

/* Returns the first gauss term of a layer (from 1); NULL if none. */
static const struct term_choice *term_at(const struct encoder_options *encoder, int layer)
{
    if (layers_group(&encoder->stack, layer)->kind != LAYER_SAN) return NULL;
    const struct attention_spec *spec = &encoder->attention.of_layer[layer - 1];
    for (int k = 0; k < spec->terms; k++)
        if (!strcmp(spec->term[k].type->name, "gauss")) return &spec->term[k];
    return NULL;
}

bool localness_any(const struct encoder_options *encoder)
{
    for (int l = 1; l <= encoder->layers; l++)
        if (term_at(encoder, l)) return true;
    return false;
}

/* The gauss term of a layer: its predicted values, and the window if it is fixed. */
struct local_layer {
    int layer, heads;
    bool self;    /* the center is the position */
    double fixed; /* the fixed window; 0: predicted */
    struct kept_rows *center, *window;
};

static struct local_layer read_term(const struct term_choice *term, int layer, int heads,
                                    struct arena *arena)
{
    ARENA_STREAM(text);
    section_json(term->type->section, term->options, true, text.out);
    json_auto_t *options = json_loads(arena_stream_close(arena, &text), 0, NULL);
    const json_t *window = json_object_get(options, "window");
    const int local = (int)json_integer_value(json_object_get(options, "heads"));
    struct local_layer at = {.layer = layer, .heads = local ? local : heads};
    at.self = !strcmp(json_string_value(json_object_get(options, "center")), "self");
    at.fixed = json_number_value(json_object_get(window, "fixed"));
    return at;
}

/* Writes the rows of a layer, head by head. Returns the end of the rows. */
static float *put_layer(const struct local_layer *at, const struct split *split, float *row)
{
    const int64_t *start = split->side[SIDE_SOURCE].start;
    CHECK((!at->center || at->center->columns == at->heads) &&
              (!at->window || at->window->columns == at->heads),
          "layer %d has other heads than %d", at->layer, at->heads);
    for (int h = 0; h < at->heads; h++)
        for (int s = 0; s < split->sentences; s++)
            for (int64_t t = start[s]; t < start[s + 1]; t++, row += LOCALNESS_COLUMNS) {
                const float position = (float)(t - start[s]);
                row[LOCALNESS_LAYER] = (float)at->layer;
                row[LOCALNESS_HEAD] = (float)(h + 1);
                row[LOCALNESS_SENTENCE] = (float)(s + 1);
                row[LOCALNESS_POSITION] = position;
                row[LOCALNESS_KEYS] = (float)(start[s + 1] - start[s]);
                row[LOCALNESS_CENTER] = at->self ? position : at->center->number[t * at->heads + h];
                row[LOCALNESS_WINDOW] =
                    at->fixed > 0 ? (float)at->fixed : at->window->number[t * at->heads + h];
            }
    return row;
}

struct localness localness_measure(struct frozen *frozen, const struct split *split,
                                   struct arena *arena)
{
    SCOPED(arena_free) struct arena scratch = {0};
    const struct translator_options *options = frozen->job.options;
    const struct encoder_options *encoder = &options->encoder;
    struct local_layer *layer = ARENA_ARRAY(&scratch, struct local_layer, encoder->layers);
    struct kept_rows *kept = ARENA_ARRAY(&scratch, struct kept_rows, 2 * encoder->layers);
    struct localness localness = {0};
    int layers = 0, count = 0;
    for (int l = 1; l <= encoder->layers; l++) {
        const struct term_choice *term = term_at(encoder, l);
        if (!term) continue;
        struct local_layer *at = &layer[layers++];
        *at = read_term(term, l, options->model.heads, &scratch);
        if (!at->self) at->center = &kept[count++];
        if (!at->self)
            at->center->path = arena_print(&scratch, "encoder.%d.attention.gauss.center", l);
        if (!(at->fixed > 0)) at->window = &kept[count++];
        if (!(at->fixed > 0))
            at->window->path = arena_print(&scratch, "encoder.%d.attention.gauss.window", l);
        localness.rows += at->heads * split->side[SIDE_SOURCE].start[split->sentences];
    }
    if (!layers) die("evaluate.localness: no layer of the encoder has a gauss term");
    if (count) kept_rows_measure(frozen, split, NULL, kept, count, &scratch);
    localness.number = ARENA_ARRAY(arena, float, (size_t)localness.rows *LOCALNESS_COLUMNS);
    float *row = localness.number;
    for (int i = 0; i < layers; i++) row = put_layer(&layer[i], split, row);
    return localness;
}

/* Reads section `logic`. The options bins and hidden have their own syntax. */
#include "experiments/stage/logic_options.h"

#include <string.h>

#include "logic/generate.h"

#define FIELD(member) offsetof(struct logic_section, member)

/* ---- bins, such as 0-6 ---- */

static void read_bins(const struct tree *value, void *field, struct arena *arena)
{
    *(struct logic_bins *)field =
        value ? logic_bins_read(value->location, scalar_text(value, "logic.bins"))
              : (struct logic_bins){0, 6};
}

static void write_bins(const void *field, FILE *out)
{
    const struct logic_bins *bins = field;
    if (bins->first != 0 || bins->last != 6) fprintf(out, "%d-%d", bins->first, bins->last);
}

static void json_bins(const void *field, FILE *out)
{
    const struct logic_bins *bins = field;
    fprintf(out, "\"%d-%d\"", bins->first, bins->last);
}

const struct option_custom logic_bins_custom = {"FIRST-LAST", read_bins, write_bins, json_bins};

/* ---- hidden, such as [width, 64] ---- */

static void read_hidden(const struct tree *value, void *field, struct arena *arena)
{
    struct logic_hidden *hidden = field;
    *hidden = (struct logic_hidden){.layers = 2};
    if (!value) return;
    if (value->kind != TREE_LIST || value->count > PAIR_LAYERS_MOST)
        die_at(value->location, "logic.hidden: expected a list of up to %d widths, as [64, 64]",
               PAIR_LAYERS_MOST);
    hidden->layers = value->count;
    for (int i = 0; i < value->count; i++) {
        const struct tree *item = value->item[i];
        const bool model = item->kind == TREE_SCALAR && !strcmp(item->text, "width");
        hidden->width[i] = model ? 0 : scalar_int(item, "logic.hidden", 1, 65536);
    }
}

static void print_hidden(const struct logic_hidden *hidden, const char *word, FILE *out)
{
    putc('[', out);
    for (int i = 0; i < hidden->layers; i++) {
        if (i) putc(',', out);
        if (hidden->width[i])
            fprintf(out, "%d", hidden->width[i]);
        else
            fputs(word, out);
    }
    putc(']', out);
}

static void write_hidden(const void *field, FILE *out)
{
    const struct logic_hidden *hidden = field;
    if (hidden->layers != 2 || hidden->width[0] || hidden->width[1])
        print_hidden(hidden, "width", out);
}

static void json_hidden(const void *field, FILE *out)
{
    print_hidden(field, "\"width\"", out);
}

static const struct option_custom hidden_custom = {"list of widths", read_hidden, write_hidden,
                                                   json_hidden};

/* ---- the section ---- */

static const struct option rows[] = {
    LOGIC_PAIR_ROWS(0),
    OPTION_NUMBERED("pool", FIELD(pool), "last", "last|mean|{queries: K}", 1, 64,
                    "last|mean|queries %", OPTION_ID,
                    "vector of a statement: its last row, the mean of its rows, or the outputs of "
                    "K trainable queries that attend to all rows",
                    .whole = true),
    OPTION_CHOICE("features", FIELD(features), "concat", "concat|match", OPTION_ID,
                  "features of a pair: [u; v], or [u; v; u v; |u - v|]"),
    OPTION_CUSTOM("hidden", FIELD(hidden), "[width, width]", &hidden_custom, OPTION_ID,
                  "widths of the classifier's hidden layers, with rectifiers; width: the model's"),
    OPTION_TEXT("checkpoint", FIELD(checkpoint), "best", OPTION_ID,
                "parameters: best, last, average(N), mean_of_best(N) or start (see "
                "evaluate.bleu.checkpoint)"),
};
const struct section logic_section = {"logic",
                                      "pairs of statements and the classifier of their relation",
                                      rows, COUNT_OF(rows), sizeof(struct logic_section)};

const struct logic_section *logic_section_at(const struct settings *settings)
{
    return settings_evaluated(settings, &evaluation_logic)->fields;
}

struct pair_options logic_model(const struct settings *settings)
{
    const struct logic_section *logic = logic_section_at(settings);
    const struct model_options *model = &settings->translator.model;
    struct pair_options options = {.model = model,
                                   .encoder = &settings->translator.encoder,
                                   .head = {.queries = (int)logic->pool.number,
                                            .pool = logic->pool.index ? POOL_MEAN : POOL_LAST,
                                            .match = logic->features,
                                            .layers = logic->hidden.layers},
                                   .words = FORMULA_SYMBOLS,
                                   .classes = RELATIONS};
    for (int i = 0; i < options.head.layers; i++)
        options.head.hidden[i] = logic->hidden.width[i] ? logic->hidden.width[i] : model->width;
    return options;
}

/* sanlab help options: the keys and options of a grid, by topic. */
#include "experiments/cli/topics.h"

#include <string.h>

#include "attention/attention.h"
#include "core/config/word.h"
#include "core/model/layers.h"
#include "experiments/grid/settings.h"
#include "plots/figures.h"
#include "results/report/claims.h"
#include "results/table/layout.h"

static void grid_help(FILE *out)
{
    fputs(
        "A grid's file (YAML) has, besides options:\n"
        "  grid, title, source, tags, note     what it is\n"
        "  base: FILE                  lies beneath this file; also the name of a grid\n"
        "  corpus, model: NAME         a preset beneath the grid's own options, or a file;\n"
        "                              {preset: NAME, ...} with more of the section\n"
        "  recipe: NAME                how a paper trains: a preset over the model's\n"
        "  seeds: [1, 2]\n"
        "  rows: [{name: A}, {name: B, encoder.layers: 4}]      each with options of its own\n"
        "  sweep: {encoder.layers: [2, 4], model.dropout: [0, 0.1]}      every combination\n"
        "  sweep: {window: [1, 2], layers: {low: 1-2, all: all}}         axes with names of their\n"
        "                              own: rows that use $window, or \"1-${window}\" inside of a\n"
        "                              word, are combined with them; values may have labels.\n"
        "                              A row with sweep: false is combined with nothing\n"
        "  sweep: {probe.path: layers}                          below evaluate; a row for each\n"
        "                              layer of the encoder\n"
        "  zip: {encoder.layers: [2, 4], decoder.layers: [1, 2]}         in step\n"
        "  exclude: [{encoder.layers: 4, window: 2}]            without these\n"
        "  where: encoder.layers < 4 or window = 2              only these\n"
        "  learned: {metric: dev_loss, at_most: 3.5}            which seeds learned anything: the\n"
        "                              values of a row with one that did not are not averaged\n"
        "  table, claims, figures      what is made of its results\n\n"
        "--only 'ROWS' takes the words of `where`: KEY = VALUE, !=, <, <=, >, >=,\n"
        "~ (contains), and, or, not, brackets. KEY is `name` (of the row, with its values or\n"
        "without), an axis, or an option, whole or by its last words: 'name ~ Gate',\n"
        "'window = 3', 'encoder.layers > 2'. The grid stays what it is: its record, its names\n"
        "and the tests of its table are of all rows.\n\n"
        "Its options, in its file or on the command line:\n"
        "  train.epochs=3              one value, over all rows\n"
        "  encoder.layers=2,4,6        a sweep: every row with each of them\n"
        "  window=1,3                  other values of an axis, or labels of its values\n"
        "  encoder.layers=range(1,7)   1, 2, .. 6: the end is excluded; range(1,10,2): 1, 3, .. 9\n"
        "  'encoder.attention=[],[{layers: 1, branches: [{window: 1}]}]'   commas in brackets and\n"
        "                              quotes do not separate\n"
        "  ~model.dropout              back to its default\n"
        "  seeds=1,2                   these seeds; seeds=+3,4 adds to those of the grid\n"
        "  table.bold=false            a key of the table\n",
        out);
}

const struct topic topics[] = {
    {"grid", "a grid's file: rows, sweeps, seeds; key=value; --only", {grid_help}},
    {"corpus", "text, its splits, cleaning, tokens, BPE", {NULL}},
    {"model", "sizes, dropout, positions, kinds of layers of encoder and decoder", {layers_help}},
    {"attention", "branches, terms and fusions of encoder and decoder", {attention_help}},
    {"train", "epochs, batches, optimizer, schedule, validation, checkpoints", {NULL}},
    {"evaluate", "BLEU and other metrics, gates, probing tasks, logic, speed", {NULL}},
    {"table", "the keys of table, figures and claims", {layout_help, figure_help, claims_help}},
    {"all", "every topic", {NULL}},
    {.name = NULL},
};

void topics_list(FILE *out)
{
    fputs("An option of a grid is a key of its file, or a word key=value after the grid's name:\n"
          "model.dropout=0.2 sets dropout, seeds=+3,4 adds two seeds. sanlab help options TOPIC\n"
          "lists options with type, range and default; any other word in the place of TOPIC finds\n"
          "the lines that have it:\n",
          out);
    for (const struct topic *topic = topics; topic->name; topic++)
        fprintf(out, "  %-11s%s\n", topic->name, topic->help);
}

static void topic_help(const struct topic *topic, FILE *out)
{
    settings_help(topic->name, out);
    for (size_t k = 0; k < COUNT_OF(topic->more) && topic->more[k]; k++) topic->more[k](out);
}

/* The lines of each topic that have the word; whether there is one. */
static bool search(const char *word, FILE *out)
{
    struct arena arena = {0};
    bool found = false;
    for (const struct topic *topic = topics; topic->name; topic++) {
        struct arena_stream text;
        arena_stream_open(&text);
        topic_help(topic, text.out);
        char *rest = arena_stream_close(&arena, &text), *line;
        for (bool first = true; (line = strsep(&rest, "\n"));) {
            if (!strcasestr(line, word)) continue;
            if (first) fprintf(out, "sanlab help options %s:\n", topic->name);
            fprintf(out, "  %s\n", line + strspn(line, " "));
            first = false;
            found = true;
        }
    }
    arena_free(&arena);
    return found;
}

void topics_print(const char *name, FILE *out)
{
    const char *known[COUNT_OF(topics)] = {NULL};
    for (int i = 0; topics[i].name; i++) known[i] = topics[i].name;
    const bool all = !strcmp(name, "all");
    char near[WORD_NEAR];
    if (!word_known(name, known)) {
        if (!*name || !search(name, out))
            die("no topic and no option has \"%s\"%s (sanlab help options lists the topics)", name,
                word_near(near, name, known));
        return;
    }
    for (const struct topic *topic = topics; topic->name; topic++)
        if (all || !strcmp(topic->name, name)) topic_help(topic, out);
}

/* sanlab help options: prints the keys and options of a grid, by topic. */
#include "experiments/cli/topics.h"

#include <string.h>

#include "attention/attention.h"
#include "core/config/word.h"
#include "core/model/layer_stack.h"
#include "experiments/cli/verb.h"
#include "experiments/grid/settings.h"
#include "plots/figures.h"
#include "results/report/claims.h"
#include "results/table/layout.h"

static void grid_help(FILE *out)
{
    fputs(verb_text("topic_grid"), out);
}

void topics_table_help(FILE *out)
{
    layout_help(out);
    fputs(verb_text("topic_table"), out);
}

void topics_claims_help(FILE *out)
{
    claims_help(out);
    fputs(verb_text("topic_claims"), out);
}

const struct topic topics[] = {
    {"grid", "keys of a grid's file: rows, sweeps, seeds; key=value; --only", {grid_help}},
    {"corpus", "text, its splits, cleaning, tokens, BPE", {NULL}},
    {"model", "sizes, dropout, positions, kinds of layers of encoder and decoder", {layers_help}},
    {"attention", "branches, terms and fusions of encoder and decoder", {attention_help}},
    {"train", "epochs, batches, optimizer, schedule, validation, checkpoints", {NULL}},
    {"evaluate", "BLEU and other metrics, gates, probing tasks, logic, speed", {NULL}},
    {"table",
     "keys of table, figures and claims",
     {topics_table_help, figure_help, topics_claims_help}},
    {"all", "all topics", {NULL}},
    {.name = NULL},
};

void topics_list(FILE *out)
{
    fputs("An option of a grid is a key of its file, or an assignment after the grid's name:\n"
          "model.dropout=0.2 sets dropout, seeds=+3,4 adds two seeds. sanlab help options TOPIC\n"
          "lists the options of a topic, with type, range and default. These are the topics:\n",
          out);
    for (const struct topic *topic = topics; topic->name; topic++)
        fprintf(out, "  %-11s%s\n", topic->name, topic->help);
}

static void topic_help(const struct topic *topic, FILE *out)
{
    settings_help(topic->name, out);
    for (size_t k = 0; k < COUNT_OF(topic->more) && topic->more[k]; k++) topic->more[k](out);
}

void topics_print(const char *name, FILE *out)
{
    const char *known[COUNT_OF(topics)] = {NULL};
    for (int i = 0; topics[i].name; i++) known[i] = topics[i].name;
    const bool all = !strcmp(name, "all");
    if (!word_known(name, known))
        word_refuse((struct location){.file = "help options"}, "topics", "there is no topic", name,
                    known);
    for (const struct topic *topic = topics; topic->name; topic++)
        if (all || !strcmp(topic->name, name)) topic_help(topic, out);
}

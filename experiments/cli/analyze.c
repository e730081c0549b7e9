/* sanlab analyze: analyzes the encoder of a finished training as a grid of one row: gates,
 * localness, maps, master gates, trees or ablation. */
#include <string.h>

#include "core/base/file.h"
#include "core/config/tree_read.h"
#include "core/config/word.h"
#include "experiments/cli/alone.h"
#include "experiments/cli/draw.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/stage/model_file.h"
#include "results/store/stage_folder.h"

static const char *const analyses[] = {"gates", "localness", "maps", "master",
                                       "trees", "ablate",    NULL};

/* Ablation by part of speech is a separate kind, because it needs a treebank and its
 * translation. */
static const char of_words[] = "ablatepos";

static const char *kind_of(const struct verb_call *call)
{
    const char *kind = call->word[1], *text = verb_value(call, "--text");
    if (strcmp(kind, "ablate") || (!text && !verb_value(call, "--references"))) return kind;
    if (!text || !verb_value(call, "--references"))
        die("analyze: ablate: expected --text with --references, a treebank and its translation");
    return of_words;
}

/* Puts the options of the analysis into the document. */
static void ask(struct verb_call *call, struct tree *document, const char *kind)
{
    struct arena *arena = &call->arena;
    const char *section = arena_print(arena, "evaluate.%s", kind);
    const bool gates = !strcmp(kind, "gates");
    static const char *const options[] = {"--text", "--references", "--rules", "--split",
                                          "--sentences"};
    tree_override(arena, document,
                  arena_print(arena, "%s.checkpoint=%s", section,
                              tree_find(document, "evaluate.encode.checkpoint")->text));
    if (gates)
        tree_override(arena, document,
                      verb_value(call, "--text") ? "evaluate.gates.by=[layer, head, pos]"
                                                 : "evaluate.gates.by=[layer, head]");
    for (size_t i = 0; i < COUNT_OF(options); i++)
        if (verb_switch(call, options[i]))
            alone_say(call, document, options[i], arena_print(arena, "%s.", section));
    tree_find(document, section)->location =
        (struct location){.file = "analyze"}; /* not user input */
}

/* Adds a figure for each sentence of --sentences to the document of `analyze MODEL maps`. */
static void ask_figures(struct verb_call *call, struct tree *document)
{
    struct arena *arena = &call->arena;
    const char *sentences =
        verb_switch(call, "--sentences") ? verb_value(call, "--sentences") : "0";
    const char *list = NULL, *next;
    for (const char *at = sentences; at; at = next) {
        const int length = (int)strcspn(at, ",");
        next = at[length] ? at + length + 1 : NULL;
        list = arena_append(arena, list, ", ",
                            arena_print(arena, "{kind: map, sentence: %.*s}", length, at));
    }
    tree_override(arena, document, arena_print(arena, "figures=[%s]", list));
}

static void say_folders(const struct plan *plan, const char *kind)
{
    for (int i = 0; i < plan->count; i++)
        if (!strcmp(plan->task[i]->stage.kind->name, kind))
            printf("Files: %s\n", plan->task[i]->stage.folder);
}

/* Prints the values of an analysis by layer and by class; of an ablation, of each part. */
static void print_numbers(struct verb_call *call, const struct plan *plan, const char *kind)
{
    static const char *const rise[] = {"rise", NULL};
    const struct offer *offer = offer_of(kind);
    const char **all = NULL;
    int count = 0;
    if (!offer || !offer->measure) return;
    for (const struct measure *measure = offer->measure; measure->name; measure++)
        ARENA_ADD(&call->arena, all, count, measure->name);
    ARENA_ADD(&call->arena, all, count, NULL);
    const bool ablates = !strcmp(kind, "ablate");
    alone_print(call, plan, kind, ablates || kind == of_words ? rise : all,
                ablates ? DIMENSIONS : 1);
}

/* Draws the maps into `folder`, or into RUNS/figures. A failure is a warning. */
static void draw(struct verb_call *call, const struct plan *plan, const char *folder)
{
    const char *to = folder ? folder : arena_print(&call->arena, "%s/figures", plan->runs);
    file_make_folder(to);
    draw_figures(call, plan, plan->grid,
                 arena_print(&call->arena, "%s/%s", to, folder ? "map" : plan->grid->name),
                 GNUPLOT_SVG, false);
}

static int run(struct verb_call *call)
{
    const char *folder = verb_value(call, "--out");
    const struct stage *train;
    verb_check_sheet(call);
    verb_take_changes(call, 2);
    if (call->words != 2)
        die("usage: sanlab analyze MODEL gates|localness|maps|master|trees|ablate");
    const char *kind = call->word[1];
    if (!word_known(kind, analyses))
        word_refuse((struct location){"command line", 0, 0}, "analyze", "there is no analysis",
                    kind, analyses);
    if (folder) verb_check_folder(call, "--out", folder);
    kind = kind_of(call);
    struct tree *document = alone_document(call, call->word[0], &alone_encoder, &train);
    const bool maps = !strcmp(kind, "maps");
    if (stage_file(train, MODEL_FILE) && !verb_value(call, "--text"))
        die("analyze: %s: an exported model has no text; expected --text FILE%s", call->word[0],
            !strcmp(kind, "ablate") ? " and --references FILE" : "");
    ask(call, document, kind);
    if (maps) ask_figures(call, document);
    struct plan *plan = alone_plan(call, document, train);
    const struct offer *offer = offer_of(kind);
    if (folder || !offer || !offer->measure) plan_need(plan, kind); /* the files are needed */
    const int status = alone_run(call, plan);
    if (status) return status;
    print_numbers(call, plan, kind);
    if (maps) draw(call, plan, folder);
    if (folder) alone_hand_out(call, plan, kind, false);
    if (folder) alone_hand_out(call, plan, kind, true);
    if (!folder && !verb_switch(call, "--quiet")) say_folders(plan, kind);
    return 0;
}

const struct verb verb_analyze = {.name = "analyze", .run = run, .gpus = true};

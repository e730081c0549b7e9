/* sanlab analyze: analyzes the encoder of a finished training as a grid of one row: gates,
 * localness, maps, master gates or ablation. */
#include <string.h>

#include "core/base/file.h"
#include "core/base/journal.h"
#include "core/base/json_file.h"
#include "core/config/tree_read.h"
#include "core/config/word.h"
#include "experiments/cli/alone.h"
#include "experiments/cli/draw.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "experiments/stage/model_file.h"
#include "results/store/stage_folder.h"

static const char *const analyses[] = {"gates", "localness", "maps", "master", "ablate", NULL};

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
    const bool gates = !strcmp(kind, "gates"), words = kind == of_words;
    const struct {
        const char *option;
        bool has;
    } asked[] = {
        {"--text", strcmp(kind, "ablate") != 0},
        {"--references", words},
        {"--rules", gates || words},
        {"--split", !words},
        {"--sentences", !gates && !words},
    };
    tree_override(arena, document,
                  arena_print(arena, "%s.checkpoint=%s", section,
                              tree_find(document, "evaluate.encode.checkpoint")->text));
    if (gates)
        tree_override(arena, document,
                      verb_value(call, "--text") ? "evaluate.gates.by=[layer, head, pos]"
                                                 : "evaluate.gates.by=[layer, head]");
    for (size_t i = 0; i < COUNT_OF(asked); i++) {
        if (!verb_switch(call, asked[i].option)) continue;
        if (!asked[i].has)
            die("analyze: %s%s has no %s", call->word[1], words ? " with --text" : "",
                asked[i].option);
        alone_say(call, document, asked[i].option, arena_print(arena, "%s.", section));
    }
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

/* If `write` is true, copies the outputs and metrics of all stages of the kind to `folder`. The
 * files of a stage with a part go to a subfolder with the name of the part. Returns the number of
 * files. */
static int hand_out(struct verb_call *call, const struct plan *plan, const char *kind,
                    const char *folder, bool write)
{
    struct arena *arena = &call->arena;
    const char *name;
    json_t *digest;
    int files = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct stage *stage = &plan->task[i]->stage;
        if (strcmp(stage->kind->name, kind) != 0) continue;
        const char *to = stage->part ? arena_print(arena, "%s/%s", folder, stage->part) : folder;
        json_auto_t *done = json_file_read(arena_print(arena, "%s/" STAGE_DONE, stage->folder));
        json_t *outputs = json_object_get(done, "outputs");
        if (outputs) json_object_set_new(outputs, JOURNAL_METRICS, json_null());
        json_object_foreach(outputs, name, digest) {
            const char *from = arena_print(arena, "%s/%s", stage->folder, name);
            if (!file_exists(from)) continue;
            alone_hand_out(call, from, arena_print(arena, "%s/%s", to, name), write);
            files++;
        }
    }
    return files;
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
    const struct offer *offer = offer_of(kind);
    struct alone_sheet sheet = {.kind = kind, .names = ""};
    if (!offer || !offer->measure) return;
    struct alone_table *table = alone_table(call, plan);
    if (kind == of_words) { /* with the gate at 0 and at 1 */
        alone_add(table, &sheet, (struct alone_value){.measure = "shut.rise", .header = "shut"}, 1);
        alone_add(table, &sheet, (struct alone_value){.measure = "open.rise", .header = "open"}, 1);
    } else if (!strcmp(kind, "ablate")) {
        alone_add(table, &sheet, (struct alone_value){.measure = "rise"}, DIMENSIONS);
    } else {
        for (const struct measure *measure = offer->measure; measure->name; measure++)
            alone_add(table, &sheet, (struct alone_value){.measure = measure->name}, 1);
    }
    alone_print(call, table, &sheet);
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
    if (call->words != 2) die("usage: sanlab analyze MODEL gates|localness|maps|master|ablate");
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
    if (folder) hand_out(call, plan, kind, folder, false);
    const int files = folder ? hand_out(call, plan, kind, folder, true) : 0;
    if (verb_switch(call, "--quiet")) return 0;
    if (folder)
        printf("%d file%s in %s\n", files, files == 1 ? "" : "s", folder);
    else
        say_folders(plan, kind);
    return 0;
}

const struct verb verb_analyze = {.name = "analyze", .run = run};

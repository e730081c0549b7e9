/* Finds and reads the files of pairs of a stage, one file for each split and bin. A point needs the
 * files of the trained bins and of the tested bins. Other files of pairs in the folder are read,
 * too. */
#include "experiments/stage/logic_options.h"

#include <string.h>

#include "core/base/file.h"
#include "core/corpus/corpus_sources.h"
#include "experiments/stage/stage_digest.h"
#include "logic/generate.h"

static const char *file_name(const struct logic_section *logic, int split, int bin,
                             struct arena *arena)
{
    return arena_print(arena, "%s/%s%d", logic->data, logic_split_names[split], bin);
}

/* True if the stages of a point need the file of a split and bin. With split: tran, the pairs of
 * the train file and the test file of a bin are together split anew. */
static bool is_needed(const struct logic_section *logic, int split, int bin)
{
    const bool trained = bin >= logic->bins.first && bin <= logic->bins.last,
               tested = bin >= LOGIC_TESTED;
    if (split == LOGIC_VALID) return false;
    if (logic->split == LOGIC_TRAN) return trained || tested;
    return split == LOGIC_TRAIN ? trained : tested;
}

void logic_files_find(struct stage *stage, const struct stage *planned, struct arena *arena)
{
    const struct logic_section *logic = stage_options(stage);
    if (logic->pairs) return;
    for (int split = 0; split < LOGIC_SPLITS; split++)
        for (int bin = 0; bin < LOGIC_BINS; bin++) {
            const char *path = file_name(logic, split, bin, arena);
            const char *file = corpus_find_file(arena, path);
            if (file)
                stage_digest_file(stage, arena_print(arena, "%s%d", logic_split_names[split], bin),
                                  path, file, arena);
            else if (is_needed(logic, split, bin))
                stage_add_absent(stage,
                                 (struct absent_file){
                                     path, arena_print(arena, "logic.data %s", logic->data), ""},
                                 arena);
        }
}

/* Dies if names of variables are invalid, or if there are fewer names than variables. */
static void check_names(const struct kind_check *check, const struct logic_section *logic)
{
    const char *key = arena_print(check->arena, "%s.variables", check->section);
    logic_files_names(logic);
    if (logic->names.count && logic->variables > logic->names.count &&
        tree_find(check->resolved->options, key))
        die_at(kind_check_place(check, "variables"),
               "%s: %d; expected at most %d, as many as %s.names has", key, logic->variables,
               logic->names.count, check->section);
}

/* Also dies at an empty file, which would otherwise be found only after the training. */
void logic_files_check(struct kind_check *check)
{
    const struct logic_section *logic = check->options;
    struct arena *arena = check->arena;
    check_names(check, logic);
    for (int split = 0; split < LOGIC_SPLITS && !logic->pairs; split++)
        for (int bin = 0; bin < LOGIC_BINS; bin++) {
            const char *file = is_needed(logic, split, bin)
                                   ? corpus_find_file(arena, file_name(logic, split, bin, arena))
                                   : NULL;
            if (file && !file_bytes(file))
                die_at(kind_check_place(check, "data"),
                       "%s.data: %s is empty; expected pairs of %d operators", check->section, file,
                       bin);
        }
}

struct formula_names logic_files_names(const struct logic_section *logic)
{
    static const char *const letters[] = {"a", "b", "c", "d", "e", "f"};
    const struct texts *names = &logic->names;
    const struct location location =
        names->count ? names->location[0] : (struct location){.file = "logic"};
    const char *name[FORMULA_VARIABLES + 2] = {NULL}; /* one more than permitted, so that
                                                       * formula_names_read can refuse it */
    if (!names->count)
        for (int i = 0; i < logic->variables; i++) name[i] = letters[i];
    for (int i = 0; i < names->count && i <= FORMULA_VARIABLES; i++) name[i] = names->text[i];
    struct formula_names read = formula_names_read(location, name);
    if (read.symbols > FORMULA_VARIABLE + logic->variables) {
        read.symbols = FORMULA_VARIABLE + logic->variables;
        read.name[read.symbols] = NULL;
    }
    return read;
}

static void make_pairs(const struct logic_section *logic, struct logic_pairs *pairs)
{
    const struct logic_options options = {.names = pairs->names,
                                          .pairs = logic->pairs,
                                          .depth = logic->depth,
                                          .protocol = (enum logic_protocol)logic->split,
                                          .disjoint = logic->disjoint,
                                          .seed = (uint32_t)logic->seed};
    SCOPED(arena_free) struct arena arena = {0};
    const struct logic_made made = logic_make(&options, &arena);
    logic_made_pairs(&made, pairs);
}

/* True if the input file has pairs. Some kinds also have other input files, such as rules. */
static bool has_pairs(const struct input_file *file)
{
    for (int split = 0; split < LOGIC_SPLITS; split++) {
        const size_t bytes = strlen(logic_split_names[split]);
        if (!strncmp(file->name, logic_split_names[split], bytes)) return true;
    }
    return false;
}

void logic_files_read(const struct stage *stage, const struct logic_section *logic,
                      struct logic_pairs *pairs, struct arena *arena)
{
    if (logic->pairs) make_pairs(logic, pairs);
    for (int i = 0; i < stage->files && !logic->pairs; i++)
        if (has_pairs(&stage->file[i]))
            logic_pairs_read(pairs, stage_text_file(stage->file[i].path, arena));
}

enum logic_protocol logic_files_protocol(const struct logic_section *logic)
{
    /* Generated pairs already have splits, which LOGIC_BOWMAN keeps. */
    return logic->pairs ? LOGIC_BOWMAN : (enum logic_protocol)logic->split;
}

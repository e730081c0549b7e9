/* The stage `formulas`: pairs of statements, read or made up, become token ids (logic/ids.h). */
/* sources: core/base core/config core/corpus/labeled.* logic */
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "core/base/file.h"
#include "core/corpus/corpus_sources.h"
#include "experiments/stage/logic_options.h"
#include "experiments/stage/stage_digest.h"
#include "experiments/stage/stage_work.h"
#include "logic/ids.h"
#include "results/store/offer.h"

static const char *file_name(const struct logic_section *logic, int split, int bin,
                             struct arena *arena)
{
    return arena_print(arena, "%s/%s%d", logic->data, logic_split_names[split], bin);
}

/* Whether the stages of a point read the file of a split and bin. */
static bool is_needed(const struct logic_section *logic, int split, int bin)
{
    return (split == LOGIC_TRAIN && bin >= logic->bins.first && bin <= logic->bins.last) ||
           (split == LOGIC_TEST && bin >= LOGIC_TESTED);
}

static void find_files(struct stage *stage, struct arena *arena)
{
    const struct logic_section *logic = logic_section_at(stage->settings);
    stage->files = 0;
    if (logic->pairs) return;
    stage->file = ARENA_ARRAY(arena, struct input_file, LOGIC_SPLITS * LOGIC_BINS);
    for (int split = 0; split < LOGIC_SPLITS; split++)
        for (int bin = 0; bin < LOGIC_BINS; bin++) {
            const char *path = file_name(logic, split, bin, arena);
            const char *file = corpus_find_file(arena, path);
            char digest[DIGEST_TEXT];
            if (!file && !stage->missing && is_needed(logic, split, bin))
                stage->missing = corpus_missing_file(path, arena);
            if (!file) continue;
            stage_digest(file, digest);
            stage->file[stage->files++] =
                (struct input_file){arena_print(arena, "%s%d", logic_split_names[split], bin), path,
                                    arena_text(arena, digest)};
        }
}

/* An empty file would be found when all is trained. */
static void check_files(const struct tree *options, const struct logic_section *logic)
{
    struct arena arena = {0};
    const struct tree *data = tree_find(options, "logic.data");
    for (int split = 0; split < LOGIC_SPLITS; split++)
        for (int bin = 0; bin < LOGIC_BINS; bin++) {
            const char *file = is_needed(logic, split, bin)
                                   ? corpus_find_file(&arena, file_name(logic, split, bin, &arena))
                                   : NULL;
            if (file && !file_bytes(file))
                die_at(data ? data->place : options->place,
                       "logic.data: %s is empty; expected pairs of %d operators", file, bin);
        }
    arena_free(&arena);
}

static void check_grid(const struct grid *grid)
{
    for (int i = 0; i < grid->rows * grid->seeds; i += grid->seeds) {
        const struct grid_point *point = &grid->point[i];
        if (!point->options || strcmp(grid->task, "logic") != 0) continue;
        const struct logic_section *logic = logic_section_at(&point->settings);
        if (!logic->pairs) check_files(point->options, logic);
    }
}

static struct estimate estimate(struct stage *stage, struct arena *arena)
{
    double bytes = 20. * logic_section_at(stage->settings)->pairs;
    for (int i = 0; i < stage->files; i++) {
        const char *file = corpus_find_file(arena, stage->file[i].path);
        if (file) bytes += (double)file_bytes(file);
    }
    return (struct estimate){.seconds = bytes / 2e7, .memory = 2e7 + 6 * bytes, .disk = 2 * bytes};
}

static struct formula_names names_of(const struct logic_section *logic)
{
    static const char *const letters[] = {"a", "b", "c", "d", "e", "f"};
    const char *name[FORMULA_VARIABLES + 1] = {NULL};
    for (int i = 0; i < logic->variables; i++) name[i] = letters[i];
    return formula_names_read((struct place){.file = "logic.variables"}, name);
}

static void make_pairs(const struct logic_section *logic, struct logic_pairs *pairs)
{
    const struct logic_options options = {.names = pairs->names,
                                          .pairs = logic->pairs,
                                          .depth = logic->depth,
                                          .protocol = (enum logic_protocol)logic->split,
                                          .disjoint = logic->disjoint,
                                          .seed = (uint32_t)logic->seed};
    struct logic_made made = logic_make(&options);
    logic_made_pairs(&made, pairs);
    logic_made_free(&made);
}

static void read_pairs(const struct stage *stage, struct logic_pairs *pairs, struct arena *arena)
{
    for (int i = 0; i < stage->files; i++) {
        const char *file = corpus_find_file(arena, stage->file[i].path);
        if (!file) die("%s: the file is gone", stage->file[i].path);
        logic_pairs_read(pairs, file);
    }
}

static enum work_end run(struct stage_work *work)
{
    const struct stage *stage = work->stage;
    struct arena *arena = &work->arena;
    const struct logic_section *logic = logic_section_at(stage->settings);
    const struct formula_names names = names_of(logic);
    struct logic_pairs pairs = {.names = &names};
    if (logic->pairs)
        make_pairs(logic, &pairs);
    else
        read_pairs(stage, &pairs, arena);
    const enum logic_protocol protocol =
        logic->pairs ? LOGIC_BOWMAN : (enum logic_protocol)logic->split; /* split when made */
    const struct labeled labeled = logic_labeled(arena, &pairs, protocol);
    int count[LOGIC_SPLITS] = {0};
    for (int p = 0; p < labeled.pairs; p++) count[labeled.pair[p].split]++;
    labeled_write(arena_print(arena, "%s/" LOGIC_FILE, stage->folder), &labeled);
    stage_work_output(work, LOGIC_FILE);
    for (int split = 0; split < LOGIC_SPLITS; split++)
        json_object_set_new(work->summary, split_names[split], json_integer(count[split]));
    json_object_set_new(work->summary, "statements", json_integer(labeled.text.sentences));
    json_object_set_new(work->summary, "longest", json_integer(labeled.text.longest[SIDE_SOURCE]));
    logic_pairs_free(&pairs);
    return WORK_DONE;
}

static void verify(const struct stage *stage, struct arena *arena)
{
    labeled_read(arena, arena_print(arena, "%s/" LOGIC_FILE, stage->folder));
}

const struct offer offer_formulas = {.kind = "formulas", .telling = "train"};

const struct stage_kind kind_formulas = {
    .name = "formulas",
    .help = "pairs of statements to token ids",
    .version = 1,
    .code = CODE_formulas,
    .task = "logic",
    .evaluation = &evaluation_logic,
    .ignores = (const char *const[]){"logic.bins=", "logic.dev=", "logic.pool=", "logic.features=",
                                     "logic.hidden=", "logic.checkpoint=", NULL},
    .rank = 60,
    .single = true,
    .find_files = find_files,
    .check_grid = check_grid,
    .estimate = estimate,
    .run = run,
    .verify = verify,
};

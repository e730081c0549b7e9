/* Writes the files of probing tasks. All tasks are made before the first file is written. */
#include "probes/task_files.h"

#include <string.h>

#include "core/base/file.h"
#include "core/base/mask_output.h"
#include "core/corpus/text_folder.h"
#include "probes/task_makers.h"

/* The tasks in the order of SentEval, with the groups of experiments/tasks/senteval.yaml. */
static const struct made_task {
    const char *name, *file, *group;
    bool needs_trees;
    task_maker *make;
} all[] = {
    {"Length", "sentence_length", "Surface", false, make_length},
    {"WordContent", "word_content", "Surface", false, make_content},
    {"TreeDepth", "tree_depth", "Syntactic", true, make_depth},
    {"BigramShift", "bigram_shift", "Syntactic", false, make_shift},
    {"Tense", "past_present", "Semantic", true, make_tense},
    {"SubjNumber", "subj_number", "Semantic", true, make_subject},
    {"ObjNumber", "obj_number", "Semantic", true, make_object},
    {"OddManOut", "odd_man_out", "Semantic", true, make_odd},
};
enum { TASKS = COUNT_OF(all) };

struct made_tasks {
    struct arena arena;
    struct task_draft draft[TASKS];
    int count; /* number of tasks that could be made */
};

static bool is_made(const struct made_tasks *tasks, int t)
{
    return tasks->draft[t].name && !tasks->draft[t].problem;
}

static void make(struct made_tasks *tasks, const struct task_files_options *options,
                 const struct task_material *from)
{
    for (int t = 0; t < TASKS; t++) {
        struct task_draft *draft = &tasks->draft[t];
        if (all[t].needs_trees && !from->tree) continue;
        *draft = task_draft_new(&tasks->arena, all[t].name, options->seed, options->items);
        all[t].make(draft, from);
        task_draft_split(draft);
        tasks->count += is_made(tasks, t);
    }
}

/* Warns of tasks that cannot be made. Dies if no task can be made. */
static void complain(const struct made_tasks *tasks, const struct task_lines *lines)
{
    if (!tasks->count)
        die("%s: too little text for any task: %d of its %d lines have 5 to 28 tokens and do not "
            "repeat an earlier line; %s: %s",
            lines->path, lines->sentences, lines->lines, all[0].name, tasks->draft[0].problem);
    for (int t = 0; t < TASKS; t++)
        if (tasks->draft[t].problem)
            warn("%s: too little text for %s; the task is not made: %s", lines->path, all[t].name,
                 tasks->draft[t].problem);
}

static void print(const struct made_tasks *tasks, const struct task_lines *lines, FILE *out)
{
    mask_line(out,
              "%s: %d of %d lines are sentences of 5 to 28 tokens; %d shorter, %d longer, %d "
              "equal to an earlier one",
              lines->path, lines->sentences, lines->lines, lines->shorter, lines->longer,
              lines->twice);
    for (int t = 0; t < TASKS; t++)
        if (is_made(tasks, t)) task_draft_print(&tasks->draft[t], out);
}

static void write_list(const struct made_tasks *tasks, FILE *out)
{
    fprintf(
        out,
        "# Probing tasks that `sanlab corpus tasks` made from a text. A grid reads them by\n"
        "# evaluate: {probe: {tasks: PATH/tasks.yaml}}. Files are looked for next to this one.\n"
        "origin: \"sanlab corpus tasks makes them\"\ngroups: [");
    for (int t = 0, before = -1; t < TASKS; t++) {
        if (!is_made(tasks, t)) continue;
        if (before < 0 || strcmp(all[before].group, all[t].group) != 0)
            fprintf(out, "%s%s", before < 0 ? "" : ", ", all[t].group);
        before = t;
    }
    fprintf(out, "]\ntasks:\n");
    for (int t = 0; t < TASKS; t++)
        if (is_made(tasks, t))
            fprintf(out, "  - {name: %s, file: ./%s.txt, group: %s}\n", all[t].name, all[t].file,
                    all[t].group);
}

static void write_files(struct made_tasks *tasks, const struct task_files_options *options)
{
    text_folder_open(options->out, "description.json", "tasks", NULL);
    for (int t = 0; t < TASKS; t++) {
        const char *path = arena_print(&tasks->arena, "%s/%s.txt", options->out, all[t].file);
        if (!is_made(tasks, t)) {
            file_unlink(path); /* may be left from an earlier text */
            continue;
        }
        struct file_writer writer = file_create(path);
        task_draft_write(&tasks->draft[t], writer.stream);
        file_commit(&writer);
    }
    struct file_writer list =
        file_create(arena_print(&tasks->arena, "%s/tasks.yaml", options->out));
    write_list(tasks, list.stream);
    file_commit(&list);
    struct file_writer description =
        file_create(arena_print(&tasks->arena, "%s/description.json", options->out));
    fprintf(description.stream,
            "{\"tasks\": %d, \"seed\": %lu, \"items\": %d, \"raw\": %s, \"labels\": %s}\n",
            tasks->count, (unsigned long)options->seed, options->items,
            options->raw ? "true" : "false", options->labels ? "true" : "false");
    file_commit(&description);
    text_folder_close(options->out);
}

void task_files_write(const struct task_files_options *options, FILE *out)
{
    struct made_tasks tasks = {0};
    const struct task_lines lines = task_lines_read(&tasks.arena, options->text, options->raw);
    struct task_material from = {.lines = &lines};
    if (options->labels) from.tree = task_trees_read(&tasks.arena, &lines, options->labels);
    make(&tasks, options, &from);
    complain(&tasks, &lines);
    write_files(&tasks, options);
    if (out) print(&tasks, &lines, out);
    arena_free(&tasks.arena);
}

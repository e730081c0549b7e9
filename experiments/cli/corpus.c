/* sanlab corpus get|libreoffice|controlled|tasks|prepare|check: fetches, makes and checks text. */
#include <string.h>
#include <unistd.h>

#include "core/base/buffer.h"
#include "core/base/file.h"
#include "core/base/fold.h"
#include "core/base/json_file.h"
#include "core/base/mask_output.h"
#include "core/base/progress.h"
#include "core/corpus/corpus_line.h"
#include "core/corpus/corpus_sources.h"
#include "core/corpus/corpus_statistics.h"
#include "core/corpus/data_get.h"
#include "core/corpus/data_program.h"
#include "core/corpus/data_set.h"
#include "core/corpus/prepare.h"
#include "core/corpus/treebank.h"
#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verb.h"
#include "experiments/cli/verbs.h"
#include "experiments/stage/stage.h"
#include "results/sheet/number_format.h"
#include "results/sheet/sheet.h"
#include "results/store/stage_folder.h"

/* Returns the size of the download as text; "?" stands for files of unknown size. */
static const char *size_of(const struct data_set *set, struct arena *arena)
{
    int64_t bytes = 0;
    bool known = set->files > 0;
    for (int i = 0; i < set->files; i++) {
        known &= set->file[i].bytes >= 0;
        bytes += set->file[i].bytes > 0 ? set->file[i].bytes : 0;
    }
    if (!bytes) return known ? "0 MB" : "?";
    return arena_print(arena, "%s%s", number_bytes(arena, (double)bytes), known ? "" : " + ?");
}

/* Returns whether the files of a set are here: "yes", "no" or "2 of 6"; "" if the set lists no
 * files. */
static const char *here_of(const struct data_set *set, struct arena *arena)
{
    int files, here = 0;
    bool other = false;
    const struct data_file *file = data_set_files(set, &files);
    if (!files) return "";
    for (int i = 0; i < files; i++) {
        const enum data_state state = data_state(&file[i]);
        here += state == DATA_HERE;
        other |= state == DATA_OTHER;
    }
    const char *some = here == files ? "yes" : arena_print(arena, "%d of %d", here, files);
    return other ? arena_print(arena, "%s, others differ", some) : here ? some : "no";
}

/* Returns a text on the files that had never been fetched when the manifest was written; "" if
 * there are none. */
static const char *unseen_of(const struct data_set *set, struct arena *arena)
{
    int unseen = 0;
    for (int i = 0; i < set->files; i++) unseen += !set->file[i].fetched;
    if (!unseen) return "";
    return unseen == set->files ? "never fetched"
                                : arena_print(arena, "%d of %d never fetched", unseen, set->files);
}

static const char *warnings_of(const struct data_set *set, struct arena *arena)
{
    int count = 0;
    while (set->warn[count]) count++;
    return arena_join(arena, set->warn, count, ", ");
}

/* Prints LABEL and TEXT, indented, in the width of a terminal. */
static void put_indented(const char *label, const char *text, struct arena *arena)
{
    fold_line(stdout, mask_columns(stdout), 8, arena_print(arena, "    %s%s", label, text));
}

static void print_about(const struct data_set *set, struct arena *arena)
{
    const char *warnings = warnings_of(set, arena);
    put_indented("license: ", set->license, arena);
    if (*warnings) put_indented("!! license: ", warnings, arena);
    put_indented("cite: ", set->citation, arena);
}

/* Prints the list: a table or, as text, lines for each set. */
static void print_list(const struct data_set *const *set, int sets, enum sheet_form form,
                       struct arena *arena)
{
    static const char *const header[] = {"name",        "size",    "here",     "login",   "fetched",
                                         "description", "license", "warnings", "citation"};
    enum { COLUMNS = COUNT_OF(header) };
    struct sheet *sheet = sheet_headed(arena, sets, COLUMNS, header, COLUMNS);
    for (int i = 0; i < sets; i++) {
        const char *unseen = unseen_of(set[i], arena);
        const char *const cell[COLUMNS] = {set[i]->name,
                                           set[i]->steps ? "by hand" : size_of(set[i], arena),
                                           here_of(set[i], arena),
                                           set[i]->login ? "yes" : "no",
                                           *unseen ? unseen : "yes",
                                           set[i]->description,
                                           set[i]->license,
                                           warnings_of(set[i], arena),
                                           set[i]->citation};
        for (int k = 0; k < COLUMNS; k++) sheet_set(sheet, i, k, cell[k]);
        if (form != SHEET_TEXT) continue;
        if (i) putchar('\n');
        mask_line(stdout, "%-18s  %s, here: %s%s%s%s", cell[0], cell[1],
                  *cell[2] ? cell[2] : "unknown", set[i]->login ? ", needs a login" : "",
                  *unseen ? ", " : "", unseen);
        put_indented("", set[i]->description, arena);
        print_about(set[i], arena);
    }
    if (form != SHEET_TEXT) sheet_print(sheet, form, stdout);
}

static int get_set(const struct data_set *set, struct verb_call *call)
{
    struct arena *arena = &call->arena;
    const bool quiet = verb_switch(call, "--quiet");
    int files, here = 0;
    const struct data_file *file = data_set_files(set, &files);
    while (here < files && data_state(&file[here]) == DATA_HERE) here++;
    if (files && here == files) {
        if (!quiet)
            mask_line(stdout, "%s: already here, %d files in %s", set->name, files, data_folder());
        return 0;
    }
    const char *unseen = unseen_of(set, arena);
    mask_line(stdout, "%s: %s", set->name, set->description);
    print_about(set, arena);
    if (set->login) mask_line(stdout, "    !! its site needs a login");
    if (*unseen) mask_line(stdout, "    !! %s when its entry was written", unseen);
    if (set->steps) {
        fputs(set->steps, stdout);
        return 0;
    }
    fflush(stdout);
    const int status = data_get(set, verb_value(call, "--mirror"), quiet);
    if (!status && !quiet) mask_line(stdout, "%s: %d files in %s", set->name, files, data_folder());
    return status;
}

static int get(struct verb_call *call)
{
    const struct location location = {.file = "command line"};
    const bool list = verb_switch(call, "--list");
    const char *mirror = verb_value(call, "--mirror");
    const char *const *name = call->word + 1;
    int sets = call->words - 1, status = 0;
    if (!list && !sets) die("usage: sanlab corpus get NAME.. | get --list");
    if (!list && verb_switch(call, "--format"))
        die("corpus get: --format: expected it with --list");
    if (list && mirror) die("corpus get: --mirror: expected it without --list");
    if (mirror) data_get_check_mirror(mirror);
    progress_quiet(verb_switch(call, "--quiet"));
    if (list && !sets)
        for (name = data_set_names(&call->arena); name[sets];) sets++;
    const struct data_set **set = ARENA_ARRAY(&call->arena, const struct data_set *, sets);
    for (int i = 0; i < sets; i++) set[i] = data_set_read(&call->arena, name[i], location);
    if (list) print_list(set, sets, verb_form(call), &call->arena);
    for (int i = 0; !list && !status && i < sets; i++) status = get_set(set[i], call);
    return status;
}

/* Starts scripts/data/NAME with the options of the action NAME, as given or by default. The option
 * `more` follows them: "--name=x". Returns the exit status. */
static int run_program(struct verb_call *call, const char *name, const char *more,
                       const struct buffer *input)
{
    struct arena *arena = &call->arena;
    const char *action = arena_print(arena, " %s ", name);
    const char **word = ARENA_ARRAY(arena, const char *, call->page.options + 5), **next = word;
    *next++ = "python3";
    *next++ = arena_print(arena, "%s/scripts/data/%s", file_program_folder(), name);
    for (int i = 0; i < call->page.options; i++) {
        const struct verb_option *option = &call->page.option[i];
        if (!option->actions || !strstr(option->actions, action)) continue;
        const char *value = option->value ? verb_value(call, option->name) : NULL;
        if (value && !strcmp(option->value, "NUMBER")) verb_number(call, option->name);
        if (value)
            *next++ = arena_print(arena, "%s=%s", option->name, value);
        else if (verb_switch(call, option->name))
            *next++ = option->name;
    }
    *next++ = more;
    if (verb_switch(call, "--quiet")) *next = "--quiet";
    return data_program_run(arena_print(arena, "corpus %s", name), word, input, STDOUT_FILENO);
}

/* Starts scripts/data/NAME, which makes a text. `folder` is its default output folder, within the
 * folder of texts. */
static int make_text(struct verb_call *call, const char *name, const char *folder)
{
    struct arena *arena = &call->arena;
    const char *out = verb_value(call, "--out");
    if (!out) out = arena_print(arena, "%s/%s", data_folder(), folder);
    data_program_check(arena_print(arena, "corpus %s", name));
    const int status = run_program(call, name, arena_print(arena, "--out=%s", out), NULL);
    if (!status && !verb_switch(call, "--quiet")) printf("written to %s\n", out);
    return status;
}

static int libreoffice(struct verb_call *call)
{
    static const char *const splits[] = {"sentence", "page", NULL};
    const bool pages = verb_choice(call, "--split", splits);
    return make_text(call, "libreoffice",
                     arena_print(&call->arena, "libreoffice/%s-%s%s", verb_value(call, "--from"),
                                 verb_value(call, "--to"), pages ? "-pages" : ""));
}

static int controlled(struct verb_call *call)
{
    return make_text(call, "controlled", "controlled");
}

/* Appends the sentences of a text to `out`, as lines of tokens between blanks. If `raw` is true,
 * tokenizes them like a corpus. */
static void read_text(const char *path, bool raw, struct buffer *out, struct arena *arena)
{
    const struct line_format format = {.raw = true};
    const struct sentences text = sentences_read(arena, path);
    for (int i = 0; i < text.count; i++) {
        SCOPED(buffer_free) struct buffer clean = {0}, words = {0};
        const size_t bytes = strlen(text.sentence[i]);
        if (raw) {
            line_clean(format, text.sentence[i], bytes, &clean);
            line_words(format, clean.text, clean.bytes, &words);
            line_plain(words.text, words.bytes, out);
        } else {
            buffer_add(out, text.sentence[i], bytes);
        }
        buffer_add_byte(out, '\n');
    }
}

/* Starts scripts/data/tasks, which makes the tasks from lines of tokens. */
static int tasks(struct verb_call *call)
{
    struct arena *arena = &call->arena;
    const char *out = verb_need(call, "--out"), *text = call->word[1];
    const char *labels = verb_value(call, "--labels");
    const bool raw = verb_switch(call, "--raw");
    SCOPED(buffer_free) struct buffer input = {0};
    if (raw && labels)
        die("corpus: tasks: a treebank has its own tokens; expected --labels or --raw, not both");
    data_program_check("corpus tasks");
    read_text(text, raw, &input, arena);
    for (int written = 0; labels && written < 2; written++) /* dies unless both can be read */
        treebank_read(arena, labels, written);
    const int status = run_program(call, "tasks", arena_print(arena, "--name=%s", text), &input);
    if (status || verb_switch(call, "--quiet")) return status;
    mask_line(stdout,
              "written to %s; evaluate.probe.tasks of a grid is the path of its tasks.yaml, "
              "relative to the grid's file",
              out);
    return 0;
}

static int check(struct verb_call *call)
{
    const char *folder = file_named(&call->arena, call->word[1]);
    if (!file_is_folder(folder))
        folder = stage_argument(call, folder, (const char *const[]){"corpus", NULL}).path;
    corpus_statistics_print(corpus_open(&call->arena, folder), stdout);
    return 0;
}

/* Makes the output folder of a corpus that belongs to no stage, and marks it as unfinished. Dies if
 * the folder has other files, which may belong to the user. Returns the path of the mark. */
static const char *open_folder(struct arena *arena, const char *folder)
{
    const char *mark = arena_print(arena, "%s/.unfinished", folder), *problem;
    const char *last = arena_print(arena, "%s/corpus.json", folder);
    json_auto_t *written = json_file_try(arena, last, &problem);
    int count = 0;
    const char *const *name = file_folder_names(arena, folder, &count);
    if (name && count && !file_exists(mark) && !json_object_get(written, "format"))
        die("%s: has other files (%s%s); expected a new or empty folder, or a folder with text of "
            "the same command",
            folder, name[0], count > 1 ? ", .." : "");
    file_make_folder(folder);
    file_write(mark, "", 0);
    file_unlink(last);
    return mark;
}

static void show(void *context, int64_t done, int64_t total)
{
    struct progress **progress = context;
    if (!*progress) *progress = progress_open("sentences", total);
    progress_step(*progress, done);
}

static int prepare(struct verb_call *call)
{
    struct progress *progress = NULL;
    struct corpus_options options;
    const struct tree *name =
        tree_new_text(&call->arena, (struct location){"command line", 0, 0}, call->word[1]);
    struct tree *preset = tree_merge(&call->arena, NULL, grid_preset(&call->arena, "corpus", name));
    tree_take_away(preset);
    section_read(&corpus_section, tree_get(preset, "corpus"), &options, &call->arena);
    const struct corpus_sources sources = corpus_sources(&options, &call->arena, NULL);
    const char *missing = corpus_missing(&options, &sources, &call->arena);
    if (missing) die("%s: missing %s", call->word[1], missing);
    if (file_exists(arena_print(&call->arena, "%s/" STAGE_RECORD, call->word[2])))
        die("%s: is the folder of a stage; expected another folder", call->word[2]);
    const char *mark = open_folder(&call->arena, call->word[2]);
    progress_quiet(verb_switch(call, "--quiet"));
    corpus_prepare(&options, call->word[2], show, &progress);
    file_unlink(mark);
    progress_close(progress);
    return 0;
}

const struct verb verb_corpus = {
    .name = "corpus",
    .action = {{"get", get},
               {"libreoffice", libreoffice, 1, 1},
               {"controlled", controlled, 1, 1},
               {"tasks", tasks, 2, 2},
               {"prepare", prepare, 3, 3},
               {"check", check, 2, 2}},
};

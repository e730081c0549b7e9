/* The stage `command` scores the translations of a stage `score` with another program. The program
 * runs once for each set of translations and prints one number for each sentence. These numbers are
 * the items of the stage. */
/* sources: core/base core/text core/corpus results/store/kept_file.* results/store/scored_text.*
 * experiments/stage/rescore.* */
/* rank: 23 */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/base/child.h"
#include "core/base/file.h"
#include "core/base/number.h"
#include "core/config/scalar.h"
#include "core/corpus/split_text.h"
#include "experiments/stage/rescore.h"
#include "experiments/stage/stage_digest.h"
#include "results/store/items.h"
#include "results/store/offer.h"
#include "results/table/observations.h"

/* This file exists while the program runs. After a crash, the next worker of the stage removes the
 * file. */
#define SOURCE_FILE "source.txt" FILE_TEMPORARY

static const char what[] = "evaluate.command.run";

struct command_options {
    struct texts name, run;
};

static const struct option rows[] = {
    OPTION_TEXTS("name", offsetof(struct command_options, name), "", OPTION_NO_ID,
                 "name of the metric; its column is command.NAME"),
    OPTION_TEXTS("run", offsetof(struct command_options, run), "", OPTION_ID,
                 "program and arguments, run without a shell; files: '{hypotheses}', '{source}', "
                 "'{references}'"),
};

static const struct texts *run_of(const struct stage *stage)
{
    const struct command_options *options = stage_options(stage);
    return &options->run;
}

static bool is_empty(const struct texts *texts)
{
    return !texts->count || !*texts->text[0];
}

static void check_word(const char *word, struct location location)
{
    static const char *const known[] = {"{source}", "{hypotheses}", "{references}"};
    for (size_t k = 0; k < COUNT_OF(known); k++) {
        if (!strcmp(word, known[k])) return;
        if (strstr(word, known[k]))
            die_at(location, "%s: \"%s\": expected %s as a word of its own", what, word, known[k]);
    }
    /* "{ print NF }" may be an argument of another program. */
    if (*word == '{' && word[strcspn(word, " },\"")] == '}')
        die_at(location, "%s: \"%s\": expected {source}, {hypotheses} or {references}", what, word);
}

/* Returns the name of the metric, which is the only part. Dies if the options are invalid, so that
 * this is found before the grid is planned. */
static struct texts parts(const void *fields, struct arena *arena)
{
    static const char no_name[] = "evaluate.command: expected name: the name of the metric",
                      no_run[] = "evaluate.command: expected run: the program and its arguments";
    const struct command_options *command = fields;
    const struct texts *name = &command->name, *run = &command->run;
    if (is_empty(name) && is_empty(run)) die(no_name);
    if (is_empty(name)) die_at(run->location[0], no_name);
    if (is_empty(run)) die_at(name->location[0], no_run);
    if (name->count != 1) die_at(name->location[1], "evaluate.command.name: expected one name");
    for (int i = 0; i < run->count; i++) check_word(run->text[i], run->location[i]);
    if (!texts_have(run, "{hypotheses}"))
        die_at(run->location[0],
               "%s: no argument is {hypotheses}; expected {hypotheses}, the file of translations",
               what);
    return command->name;
}

const struct evaluation evaluation_command = {
    .section = SECTION(
        "evaluate.command",
        "another program's scores of the translations of evaluate.bleu, one number per line", rows,
        struct command_options),
    .parts = parts};

static void check(struct kind_check *check)
{
    const struct command_options *command = check->options;
    rescore_check(check);
    if (!child_file(command->run.text, 0, check->arena))
        die_at(command->run.location[0], "%s: there is no program %s that can be executed", what,
               command->run.text[0]);
}

static const struct texts *program(const struct stage *stage)
{
    return is_empty(run_of(stage)) ? NULL : run_of(stage);
}

/* Adds the program and the files that its arguments name. */
static void find_files(struct stage *stage, const struct stage *planned, struct arena *arena)
{
    stage_digest_command(stage, run_of(stage), arena);
}

/* ---- running the program ---- */

/* Writes the source sentences that were translated, in the form that the corpus has. Returns the
 * path of the file. */
static const char *write_source(struct stage_work *work, const struct scored_text *text)
{
    const struct stage *corpus = work->stage->input[RESCORE_CORPUS];
    const struct corpus_options *options = &corpus->settings->corpus;
    const struct line_format format = {options->text == CORPUS_RAW, options->segmented,
                                       options->lowercase};
    int split = 0;
    while (split < SPLITS && strcmp(split_names[split], text->split) != 0) split++;
    if (split == SPLIT_TRAIN || split == SPLITS)
        die("%s: {source} is not available for the %s split; expected dev or test", what,
            text->split);
    const struct split_text source = split_text_read(&work->arena, options, (enum split_name)split);
    if (source.sentences != text->count)
        die("%s: the corpus has %d sentences to translate, but %d were translated", what,
            source.sentences, text->count);
    const char *path =
        stage_work_path(work, arena_print(&work->arena, SOURCE_FILE "%d", (int)getpid()));
    SCOPED(buffer_free) struct buffer lines = {0};
    for (int i = 0; i < source.sentences; i++) {
        line_text(format, source.words[i], strlen(source.words[i]), &lines);
        buffer_add_byte(&lines, '\n');
    }
    file_write(path, lines.text, lines.bytes);
    return path;
}

/* Returns the arguments with the placeholders replaced by file names. */
static const char *const *words_of(struct stage_work *work, const struct scored_text *text, int set,
                                   const char *source)
{
    const struct texts *run = run_of(work->stage);
    const char **word = ARENA_ARRAY(&work->arena, const char *, run->count * text->references + 1);
    int words = 0;
    for (int i = 0; i < run->count; i++) {
        const char *one = run->text[i];
        const bool all = !strcmp(one, "{references}");
        for (int r = 0; all && r < text->references; r++) word[words++] = text->reference_file[r];
        if (!all)
            word[words++] = !strcmp(one, "{source}")       ? source
                            : !strcmp(one, "{hypotheses}") ? text->hypothesis_file[set]
                                                           : one;
    }
    return word;
}

static struct item *read_numbers(struct stage_work *work, const struct scored_text *text,
                                 char *printed, size_t bytes)
{
    const char *program = run_of(work->stage)->text[0];
    int count;
    if (memchr(printed, 0, bytes)) die("%s: %s: printed a NUL byte", what, program);
    const char **line = file_cut_lines(&work->arena, printed, bytes, &count);
    if (count != text->count)
        die("%s: %s: printed %d lines for %d sentences; expected one number per sentence", what,
            program, count, text->count);
    struct item *item = ARENA_ARRAY(&work->arena, struct item, count);
    for (int i = 0; i < count; i++) {
        item[i] = (struct item){.class = "", .stratum = ""};
        if (!real_parse(line[i], &item[i].number))
            die("%s: %s: line %d of its output is \"%.40s\"; expected one number", what, program,
                i + 1, line[i]);
    }
    return item;
}

static void ask(struct stage_work *work, const struct scored_text *text, int set,
                const char *source)
{
    size_t bytes;
    double sum = 0;
    char *printed =
        child_ask(what, words_of(work, text, set, source), NULL, 0, &bytes, &work->arena);
    const struct item *item = read_numbers(work, text, printed, bytes);
    stage_work_items(work, items_file(set, text->sets, &work->arena), item, text->count);
    for (int i = 0; i < text->count; i++) sum += item[i].number;
    if (!isfinite(sum))
        die("%s: %s: the sum of its numbers is not finite", what, run_of(work->stage)->text[0]);
    stage_work_set(work, "value", sum / text->count, set, text->sets, text->count);
}

/* Returns a signature with a digest of the program, its arguments and its files, so that only
 * scores of the same program are compared. */
static const char *signature_of(struct stage_work *work, const struct scored_text *text)
{
    const struct stage *stage = work->stage;
    const struct texts *run = run_of(stage);
    const char *all = "";
    char digest[DIGEST_TEXT];
    for (int i = 0; i < run->count; i++)
        all = arena_print(&work->arena, "%s%s\n", all, run->text[i]);
    for (int i = 0; i < stage->files; i++)
        all = arena_print(&work->arena, "%s%s\n", all, stage->file[i].digest);
    digest_bytes(all, strlen(all), digest);
    return arena_print(&work->arena, "%s|command:%.8s|nrefs:%d|refs:%s|sentences:%d", stage->part,
                       digest, text->references, text->digest, text->count);
}

static enum work_end run(struct stage_work *work)
{
    const struct scored_text text = rescore_text(work);
    const bool reads = texts_have(run_of(work->stage), "{source}");
    const char *source = reads ? write_source(work, &text) : NULL;
    for (int set = 0; set < text.sets; set++) {
        ask(work, &text, set, source);
        stage_work_progress(work, set + 1, text.sets, work->stage->part);
    }
    if (source) file_unlink(source);
    stage_work_text(work, "signature", signature_of(work, &text));
    stage_work_real(work, "items", text.count);
    stage_work_text(work, "split", text.split);
    return WORK_DONE;
}

const struct offer offer_command = {
    .kind = "command",
    .traits = OFFER_PARTS | OFFER_EXACT,
    VALUES(VALUE("value", NULL, "mean of the numbers that the program printed, one per sentence",
                 .decimals = 4, .best = COLUMN_MOST, .traits = BY_SET,
                 .observations = observations_items, .items = "sentences")),
    .numbers = "items",
    .telling = "value",
};

const struct stage_kind kind_command = {
    .name = "command",
    .evaluation = &evaluation_command,
    .traits = KIND_SINGLE,
    .inputs = (const char *const[]){"corpus", "score", NULL},
    .program = program,
    .find_files = find_files,
    .run = run,
    .check = check,
};

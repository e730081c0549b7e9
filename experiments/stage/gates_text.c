/* Reads tagged words for the stage `gates`. Words and tags are from a treebank. Or the words are
 * those of a split, and the tags are from a file, a list of words, or a program. */
#include "experiments/stage/gates_text.h"

#include <string.h>

#include "core/base/buffer.h"
#include "core/base/child.h"
#include "core/base/file.h"
#include "core/config/shipped.h"
#include "core/corpus/corpus_sources.h"
#include "core/corpus/rewrite.h"
#include "core/text/lower.h"
#include "experiments/stage/stage_digest.h"

#define TAGS_KEPT "tags.txt" /* output of the command */

/* True if the options provide tags for the words of the split. */
static bool is_tagged(const struct gates_tags *tags)
{
    return tags->file || tags->words || tags->command.count;
}

/* True if the options request tagged text: a treebank, or tags of the split. */
static bool is_asked(const struct gates_options *options)
{
    return *options->text || is_tagged(&options->tags);
}

/* Returns the value of the option that names a file of rules; "" if there is none. Sets *option to
 * the key of the option. The rules rewrite the words of a treebank, or map the words of a split to
 * tags. */
static const char *rules_of(const struct gates_options *options, const char **option)
{
    const bool list = !*options->text && options->tags.words;
    *option = list ? "evaluate.gates.tags.words" : "evaluate.gates.rules";
    return list ? options->tags.words : *options->text ? options->rules : "";
}

void gates_text_check_tags(const struct treebank *treebank, struct tag_reading reading,
                           struct arena *arena)
{
    struct tags tags = tags_new(reading, arena);
    for (int i = 0; i < treebank->sentences; i++)
        for (int w = 0; w < treebank->sentence[i].words; w++)
            tags_class(&tags, treebank->sentence[i].tag[w], treebank_place(treebank, i, w));
}

/* Returns the tags of a text's words, one line for each sentence. A rule rewrites a lower-cased
 * word to its tag. If no rule matches a word, its tag is the rewritten "*". */
static char *list_tags(const struct rewrite_rules *rules, const char *path,
                       const struct split_text *text, size_t *bytes, struct arena *arena)
{
    struct buffer lines = {0};
    SCOPED(buffer_free) struct buffer lower = {0};
    const struct rewritten other = rewrite_line(arena, rules, "*", 1);
    for (int i = 0; i < text->sentences; i++) {
        for (const char *word = text->plain[i]; *word;) {
            const size_t length = strcspn(word, " ");
            buffer_clear(&lower);
            lower_add(&lower, word, length);
            struct rewritten tag = rewrite_line(arena, rules, lower.text, lower.bytes);
            if (!tag.changed) tag = other;
            if (!tag.changed)
                die("%s: no tag for \"%.*s\"; a line \"*<TAB>TAG\" is for every other word", path,
                    (int)length, word);
            buffer_add(&lines, tag.text, strlen(tag.text));
            word += length + (word[length] == ' ');
            if (*word) buffer_add_byte(&lines, ' ');
        }
        buffer_add_byte(&lines, '\n');
    }
    *bytes = lines.bytes;
    return buffer_take(&lines, arena);
}

/* Returns the split's words with their tags. `file` has one line of tags for each sentence or, with
 * option tags.words, rules that map words to tags. */
static struct treebank read_tags(const struct gates_options *options, const char *file,
                                 const struct split_text *text, struct arena *arena)
{
    size_t bytes;
    char *tags = options->tags.words
                     ? list_tags(rewrite_read(arena, file), file, text, &bytes, arena)
                     : file_read(arena, file, INT32_MAX, &bytes);
    return treebank_of_lines(arena, text->plain, text->sentences, split_names[options->split], tags,
                             bytes, file);
}

/* Reads the files that exist, so that an invalid file is found before any stage runs. */
static void check_files(struct kind_check *check)
{
    const struct gates_options *options = check->options;
    const struct corpus_options *corpus = &check->resolved->settings->corpus;
    SCOPED(arena_free) struct arena arena = {0};
    const char *option, *rules_name = rules_of(options, &option);
    const char *text = *options->text ? corpus_find_file(&arena, options->text) : NULL;
    const char *rules =
        rewrite_file(&arena, rules_name, tree_location(check->resolved->options, option), option);
    const char *tags = options->tags.file    ? corpus_find_file(&arena, options->tags.file)
                       : options->tags.words ? rules
                                             : NULL;
    struct treebank treebank = {0};
    if (rules) rewrite_read(&arena, rules);
    if (text) treebank = treebank_read(&arena, text, false);
    if (tags) {
        const struct corpus_sources sources = corpus_sources(corpus, &arena, NULL);
        const bool there = !corpus_missing(corpus, &sources, &arena);
        const enum split_name split = (enum split_name)options->split;
        const struct split_text words =
            there ? split_text_read(&arena, corpus, split) : (struct split_text){0};
        if (there) treebank = read_tags(options, tags, &words, &arena);
    }
    gates_text_check_tags(&treebank, options->read, &arena);
    const struct texts *command = &options->tags.command;
    if (command->count && !child_file(command->text, 0, &arena))
        die_at(kind_check_place(check, "tags"),
               "evaluate.gates.tags.command: there is no program %s that can be executed",
               command->text[0]);
}

const char *gates_text_lacks(const struct settings *settings)
{
    return gates_any(&settings->translator.encoder) ? NULL : "a fusion with gates";
}

void gates_text_check(struct kind_check *check)
{
    const struct gates_options *options = check->options;
    const bool tags = is_tagged(&options->tags);
    if (options->by & GATES_BY_POS && !is_asked(options))
        die_at(kind_check_place(check, "by"),
               "evaluate.gates.by: pos needs tagged words: text, a treebank in CoNLL-U, or tags of "
               "the split");
    if (*options->text && tags)
        die_at(kind_check_place(check, "tags"),
               "evaluate.gates.tags: a treebank (evaluate.gates.text) has its own tags; expected "
               "no tags");
    if (tags && options->split == SPLIT_TRAIN)
        die_at(kind_check_place(check, "tags"), "evaluate.gates.tags: expected the split dev or "
                                                "test, because train drops sentences by length");
    if (!*options->text && *options->rules && strcmp(options->rules, "none") != 0)
        die_at(kind_check_place(check, "rules"),
               "evaluate.gates.rules: rewrite evaluate.gates.text; expected no rules for a split "
               "of the corpus");
    check_files(check);
}

void gates_text_files(struct stage *stage, const struct stage *planned, struct arena *arena)
{
    const struct gates_options *options = stage_options(stage);
    const char *option, *rules = rules_of(options, &option);
    if (!is_asked(options)) return;
    if (*options->text) stage_digest_text(stage, "text", options->text, arena);
    if (options->tags.file) stage_digest_text(stage, "tags", options->tags.file, arena);
    stage_digest_rules(stage, planned, rules, option, arena);
    stage_digest_command(stage, &options->tags.command, arena);
}

/* Runs the tagger, a program of the user. Its standard input has one sentence per line, with single
 * blanks between tokens. Returns its output, which must have one line of tags for each sentence. */
static char *run_tagger(const struct texts *command, const struct split_text *text, size_t *bytes,
                        struct arena *arena)
{
    SCOPED(buffer_free) struct buffer lines = {0};
    for (int i = 0; i < text->sentences; i++) {
        buffer_add(&lines, text->plain[i], strlen(text->plain[i]));
        buffer_add_byte(&lines, '\n');
    }
    return child_ask("evaluate.gates.tags.command", texts_words(command, arena), lines.text,
                     lines.bytes, bytes, arena);
}

static struct treebank ask_tags(struct stage_work *work, const struct gates_options *options,
                                const struct split_text *text)
{
    struct arena *arena = &work->arena;
    const struct texts *command = &options->tags.command;
    const char *option, *rules = rules_of(options, &option);
    if (options->tags.words)
        return read_tags(options, stage_rules_file(work->stage, rules, option, arena), text, arena);
    if (options->tags.file)
        return read_tags(options, stage_text_file(options->tags.file, arena), text, arena);
    size_t bytes;
    char *tags = run_tagger(command, text, &bytes, arena);
    file_write(stage_work_path(work, TAGS_KEPT), tags, bytes);
    stage_work_output(work, TAGS_KEPT);
    return treebank_of_lines(
        arena, text->plain, text->sentences, split_names[options->split], tags, bytes,
        arena_print(arena, "evaluate.gates.tags.command: %s", command->text[0]));
}

const struct tagged_text *gates_text_read(struct stage_work *work, const struct corpus *corpus)
{
    struct arena *arena = &work->arena;
    const struct stage *stage = work->stage;
    const struct gates_options *options = stage_options(stage);
    if (!is_asked(options)) return NULL;
    if (!*options->text) {
        const enum split_name split = (enum split_name)options->split;
        const struct split_text text =
            split_text_read(arena, &stage->input[FROZEN_CORPUS]->settings->corpus, split);
        const struct treebank treebank = ask_tags(work, options, &text);
        return tagged_split(arena, corpus, split, &text, &treebank, options->read);
    }
    const char *option, *name = rules_of(options, &option);
    const struct tokenized_reading reading =
        stage_reading(stage, name, option, options->lowercase, arena);
    const struct treebank treebank =
        treebank_read(arena, stage_text_file(options->text, arena), false);
    return tagged_read(arena, corpus, &reading, &treebank, options->read);
}

/* Returns "PROGRAM:0a1b2c3d", with eight digits of the digest of the program's output. */
static const char *tagger_signature(const struct stage *stage, const struct texts *command,
                                    struct arena *arena)
{
    char digest[DIGEST_TEXT];
    digest_file(arena_print(arena, "%s/" TAGS_KEPT, stage->folder), digest);
    return stage_file_signature(&(struct input_file){.path = command->text[0], .digest = digest},
                                arena);
}

const char *gates_text_signature(const struct stage *stage, struct arena *arena)
{
    const struct gates_options *options = stage_options(stage);
    const char *text = *options->text ? "" : split_names[options->split];
    const struct texts *command = &options->tags.command;
    const char *tags = command->count ? tagger_signature(stage, command, arena) : "gold";
    const char *option, *rules = rules_of(options, &option);
    const struct input_file *bank = stage_file(stage, "text"), *file = stage_file(stage, "tags");
    if (bank) text = stage_file_signature(bank, arena);
    if (file) tags = stage_file_signature(file, arena);
    if (shipped_ends(rules, rewrite_shipped.ending))
        rules = stage_file_signature(stage_file(stage, "rules"), arena);
    if (options->tags.words) {
        tags = rules;
        rules = "";
    }
    return arena_print(arena, "text:%s|tags:%s|classes:%s%s%s%s", text, tags,
                       options->read.own ? "own" : "universal",
                       options->read.sconj ? ", SCONJ as CONJ" : "", *rules ? "|rules:" : "",
                       rules);
}

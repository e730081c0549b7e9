/* Options are looked up in one order: the verb's own, then what all verbs take. What stands on the
 * command line keeps its order, so that the last of several values counts. */
#include "experiments/cli/verb.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/fold.h"
#include "core/base/mask_output.h"
#include "core/base/path.h"
#include "core/config/tree_read.h"
#include "core/config/word.h"
#include "core/model/device.h"
#include "experiments/stage/environment.h"
#include "results/sheet/cell.h"
#include "results/sheet/sheet.h"
#include "results/store/store.h"

static const struct verb_option common[] = {
    VERB_VALUE("--device", "NAME",
               "what computes: cpu; cuda, the first GPU, or cuda:N; emu, its kernels on the host "
               "(slow); auto, the GPU if it works here, else the CPU",
               .fallback = "auto"), /* of verbs that compute */
    VERB_VALUE("--runs", "DIR", "where stages and results lie", .fallback = STORE_RUNS),
    VERB_SWITCH("--quiet", "say only what went wrong"),
    VERB_VALUE("--trace", "WORDS", "tell about these parts: plan,train,...; or all"),
    VERB_SWITCH("--help", "this text"),
};

const struct verb_option *verb_option_at(const struct verb *verb, int number)
{
    int own = 0;
    while (verb->option[own].name) own++;
    if (number < own) return &verb->option[number];
    number += (verb->device ? 0 : 1) - own;
    return number < (int)COUNT_OF(common) ? &common[number] : NULL;
}

static const struct verb_option *option_find(const struct verb *verb, const char *name)
{
    const struct verb_option *option;
    for (int i = 0; (option = verb_option_at(verb, i)) && strcmp(option->name, name) != 0;) i++;
    return option;
}

char *verb_key(struct arena *arena, const char *name)
{
    char *key = arena_text(arena, name + 2);
    for (char *at = key; *at; at++)
        if (*at == '-') *at = '_';
    return key;
}

static bool is_section_key(const struct verb *verb, const char *key)
{
    for (int i = 0; verb->section && i < verb->section->count; i++)
        if (!strcmp(verb->section->option[i].key, key)) return true;
    return false;
}

NORETURN static void refuse_option(struct verb_call *call, const char *name)
{
    const struct verb *verb = call->verb;
    const int rows = verb->section ? verb->section->count : 0;
    const char **known =
        ARENA_ARRAY(&call->arena, const char *, VERB_ROWS + (int)COUNT_OF(common) + rows + 1);
    int count = 0;
    for (const struct verb_option *option; (option = verb_option_at(verb, count)); count++)
        known[count] = option->name;
    for (int i = 0; i < rows; i++)
        known[count++] = option_word(&call->arena, &verb->section->option[i]);
    const char *near = word_nearest(name, known);
    die("%s: there is no option %s%s%s (%s %s --help lists them)", verb->name, name,
        near ? "; nearest is " : "", near ? near : "", program_invocation_short_name, verb->name);
}

enum { HELP_INDENT = 27 };

static void print_option(const struct verb_option *option)
{
    char name[64];
    snprintf(name, sizeof name,
             option->optional ? "%s [%s]"
             : option->value  ? "%s %s"
                              : "%s%s",
             option->name, option->value ? option->value : "");
    struct arena arena = {0};
    const char *text = arena_print(&arena, "  %-24s %s", name, option->help);
    if (option->low < option->high)
        text = arena_print(&arena, "%s; %.0f to %.0f", text, option->low, option->high);
    if (option->fallback) text = arena_print(&arena, "%s (default: %s)", text, option->fallback);
    fold_line(stdout, mask_columns(stdout), HELP_INDENT, text);
    arena_free(&arena);
}

static const struct {
    const char *name, *text;
} texts[] = {
#define TEXT(name, text) {#name, text},
#include "verb_text.def"
#undef TEXT
};

const char *verb_text(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        if (!strcmp(texts[i].name, name)) return texts[i].text;
    CHECK(false, "there is no text %s", name);
    return NULL;
}

void verb_help(const struct verb *verb)
{
    printf("%s %s%s%s\n", program_invocation_short_name, verb->name, *verb->usage ? " " : "",
           verb->usage);
    printf("  %s\n\n", verb->help);
    for (int i = 0; verb_option_at(verb, i); i++) print_option(verb_option_at(verb, i));
    if (verb->section) {
        putchar('\n');
        section_help(verb->section, OPTION_WORDS, stdout);
    }
    if (*verb->text || verb->more_help) putchar('\n');
    for (int i = 0; i < VERB_TEXTS && verb->text[i]; i++) fputs(verb_text(verb->text[i]), stdout);
    if (verb->more_help) verb->more_help(stdout);
}

static void add_option(struct verb_call *call, const char *name, const char *value)
{
    if (call->given == VERB_OPTIONS)
        die("%s: more than %d options", call->verb->name, VERB_OPTIONS);
    call->option[call->given].name = name;
    call->option[call->given++].value = value;
}

/* The option that a word names: --runs, --runs=DIR, -j4. NULL: none, and *name is what it names. */
static const struct verb_option *option_of(struct verb_call *call, const char *word,
                                           const char **name, const char **value)
{
    const char *equals = strchr(word, '=');
    *name = equals ? arena_text_range(&call->arena, word, (size_t)(equals - word)) : word;
    *value = equals ? equals + 1 : NULL;
    const struct verb_option *option = option_find(call->verb, *name);
    if (option) return option;
    const char *letter = arena_text_range(&call->arena, word, strnlen(word, 2));
    option = option_find(call->verb, letter);
    if (option) *name = letter, *value = word + 2;
    return option;
}

/* Whether a word behind an option whose value may be left out is its value. */
static bool is_own_value(struct verb_call *call, const char *word)
{
    const char *name, *value;
    return *word == '-' && strcmp(word, "--") != 0 && !option_of(call, word, &name, &value);
}

/* Whether a word is the next option, and so no value of the one before it. */
static bool is_option(struct verb_call *call, const char *word)
{
    const char *name, *value;
    if (*word != '-' || !word[1]) return false;
    return !strcmp(word, "--") || option_of(call, word, &name, &value) ||
           (!strncmp(name, "--", 2) && is_section_key(call->verb, verb_key(&call->arena, name)));
}

/* Takes the option at word[at]; returns how many words it took. */
static int take_option(struct verb_call *call, int at, int count, char **word)
{
    const char *name, *value;
    const struct verb_option *option = option_of(call, word[at], &name, &value);
    bool of_section = !option && !strncmp(name, "--", 2) &&
                      is_section_key(call->verb, verb_key(&call->arena, name));
    if (!option && !of_section) refuse_option(call, name);
    bool takes_value = of_section || option->value;
    if (value && !takes_value) die("%s: %s takes no value", call->verb->name, name);
    if (!takes_value || value) {
        add_option(call, name, value);
        return 1;
    }
    if (option && option->optional && (at + 1 == count || !is_own_value(call, word[at + 1]))) {
        add_option(call, name, "");
        return 1;
    }
    if (at + 1 == count || is_option(call, word[at + 1]))
        die("%s: %s needs a value%s%s", call->verb->name, name, of_section ? "" : ": ",
            of_section ? "" : option->value);
    add_option(call, name, word[at + 1]);
    return 2;
}

void verb_parse(struct verb_call *call, const struct verb *verb, int count, char **word)
{
    call->verb = verb;
    for (int i = 0; i < count; i++)
        if (!strcmp(word[i], "--help") || !strcmp(word[i], "-h")) {
            verb_help(verb);
            exit(0);
        }
    bool options_end = false;
    for (int i = 0; i < count;) {
        if (!options_end && !strcmp(word[i], "--")) {
            options_end = true;
            i++;
        } else if (!options_end && word[i][0] == '-' && word[i][1]) {
            i += take_option(call, i, count, word);
        } else {
            if (call->words == VERB_WORDS) die("%s: more than %d words", verb->name, VERB_WORDS);
            call->word[call->words++] = word[i++];
        }
    }
    const bool some = !verb->wordless && !verb->words.most;
    const int least = some ? 1 : verb->words.least, most = some ? VERB_WORDS : verb->words.most;
    if (call->words < least || call->words > most)
        die("usage: %s %s %s", program_invocation_short_name, verb->name, verb->usage);
    trace_enable(verb_value(call, "--trace"));
    path_guard(verb_value(call, "--runs"));
    if (verb->device) {
        const char *device = verb_value(call, "--device");
        device_use(environment_device(device), strcmp(device, DEVICE_AUTO) != 0);
    }
}

int verb_do(struct verb_call *call)
{
    const struct verb *verb = call->verb;
    const char *names[VERB_ROWS + 1] = {0};
    if (verb->run) return verb->run(call);
    for (int i = 0; i < VERB_ROWS && verb->action[i].name; i++) {
        names[i] = verb->action[i].name;
        if (!strcmp(call->word[0], names[i])) return verb->action[i].run(call);
    }
    word_refuse((struct place){"command line", 0, 0}, verb->name, "there is no action",
                call->word[0], names);
}

bool verb_is_change(const char *word)
{
    static const char key[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    const size_t length = strspn(word, key);
    return *word == '~' || (length && word[length] == '=');
}

void verb_take_changes(struct verb_call *call, int first)
{
    int kept = first < call->words ? first : call->words;
    for (int i = first; i < call->words; i++) {
        if (!verb_is_change(call->word[i])) {
            call->word[kept++] = call->word[i];
            continue;
        }
        ARENA_MORE(&call->arena, call->change, call->changes);
        call->change[call->changes++] = call->word[i];
    }
    call->words = kept;
}

const char *verb_take_word(struct verb_call *call, int index)
{
    const char *word = call->word[index];
    const int behind = --call->words - index;
    memmove(call->word + index, call->word + index + 1, sizeof *call->word * (size_t)behind);
    return word;
}

void verb_take_one(struct verb_call *call, const char *what)
{
    verb_take_changes(call, 1);
    if (call->words > 1)
        die("%s: expected one %s, got \"%s\" as well", call->verb->name, what, call->word[1]);
}

const char *verb_value(const struct verb_call *call, const char *name)
{
    for (int i = call->given - 1; i >= 0; i--)
        if (!strcmp(call->option[i].name, name)) return call->option[i].value;
    const struct verb_option *option = option_find(call->verb, name);
    CHECK(option, "%s has no option %s", call->verb->name, name);
    return option->fallback;
}

const char *verb_need(const struct verb_call *call, const char *name)
{
    const char *value = verb_value(call, name);
    if (!value)
        die("%s: %s is missing; usage: %s %s %s", call->verb->name, name,
            program_invocation_short_name, call->verb->name, call->verb->usage);
    return value;
}

bool verb_switch(const struct verb_call *call, const char *name)
{
    for (int i = 0; i < call->given; i++)
        if (!strcmp(call->option[i].name, name)) return true;
    return false;
}

void verb_take_none(const struct verb_call *call, const char *const *options)
{
    for (; *options; options++)
        if (verb_switch(call, *options))
            die("%s: %s has no option %s", call->verb->name, call->word[0], *options);
}

int verb_number(const struct verb_call *call, const char *name)
{
    const struct verb_option *option = option_find(call->verb, name);
    const char *value = verb_value(call, name);
    char *end;
    CHECK(option && value, "%s: %s has no default", call->verb->name, name);
    long number = strtol(value, &end, 10);
    if (end == value || *end || (double)number < option->low || (double)number > option->high)
        die("%s: %s %s: expected a whole number from %.0f to %.0f", call->verb->name, name, value,
            option->low, option->high);
    return (int)number;
}

void verb_check_file(const struct verb_call *call, const char *name, const char *path)
{
    const bool other = *path && file_bytes(path) >= 0 && !file_exists(path);
    if (!*path || other)
        die("%s: %s \"%s\": expected the path of a file%s", call->verb->name, name, path,
            other ? "; what is there is not a regular one" : "");
}

/* The value of --out where that is a file; else NULL. */
static const char *out_file(const struct verb_call *call)
{
    const struct verb_option *option = option_find(call->verb, "--out");
    return option && strcmp(option->value, "DIR") ? verb_value(call, "--out") : NULL;
}

struct file_writer verb_out(const struct verb_call *call)
{
    const char *path = out_file(call);
    return path ? file_create(path) : (struct file_writer){.stream = stdout};
}

void verb_out_end(struct file_writer *writer)
{
    if (writer->path) file_commit(writer);
}

void verb_check_sheet(const struct verb_call *call)
{
    const char *path = out_file(call);
    sheet_form_read(verb_value(call, "--format"));
    if (path) verb_check_file(call, "--out", path);
}

void verb_print_sheet(const struct verb_call *call, const struct sheet *sheet)
{
    struct file_writer writer = verb_out(call);
    sheet_print(sheet, sheet_form_read(verb_value(call, "--format")), writer.stream);
    verb_out_end(&writer);
}

void verb_check_folder(const struct verb_call *call, const char *name, const char *path)
{
    if (file_is_no_folder(path))
        die("%s: %s %s: this is a file; expected a folder", call->verb->name, name, path);
}

int verb_word(const struct verb_call *call, const char *name, const char *value,
              const char *const *words)
{
    struct arena arena = {0};
    int count = 0;
    for (; words[count]; count++)
        if (!strcmp(words[count], value)) return count;
    char near[WORD_NEAR];
    die("%s: %s %s: expected one of %s%s", call->verb->name, name, value,
        arena_join(&arena, words, count, ", "), word_near(near, value, words));
}

int verb_choice(const struct verb_call *call, const char *name, const char *const *words)
{
    return verb_word(call, name, verb_value(call, name), words);
}

int verb_values(struct verb_call *call, const char *name, const char ***value)
{
    int count = 0;
    *value = ARENA_ARRAY(&call->arena, const char *, call->given + 1);
    for (int i = 0; i < call->given; i++)
        if (!strcmp(call->option[i].name, name)) (*value)[count++] = call->option[i].value;
    return count;
}

const char *const *verb_list(struct verb_call *call, const char *name)
{
    const char **value, **word = NULL;
    int words = 0;
    const int values = verb_values(call, name, &value);
    for (int i = 0; i < values; i++)
        for (char *rest = arena_text(&call->arena, value[i]), *one; (one = strsep(&rest, ","));) {
            ARENA_MORE(&call->arena, word, words);
            word[words++] = one;
        }
    ARENA_MORE(&call->arena, word, words);
    word[words] = NULL;
    return word;
}

void verb_section(struct verb_call *call, void *fields)
{
    struct place place = {"command line", 0, 0};
    struct tree *map = tree_new(&call->arena, TREE_MAP, place);
    for (int i = 0; i < call->given; i++) {
        if (option_find(call->verb, call->option[i].name)) continue;
        const char *key = verb_key(&call->arena, call->option[i].name);
        /* Quoted, a number or a word would be text. */
        struct tree *value = tree_parse(&call->arena, "command line", call->option[i].value);
        tree_put(&call->arena, map, key, value);
    }
    section_read(call->verb->section, map, fields, &call->arena);
}

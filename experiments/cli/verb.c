/* Parses the command line. Options keep their order, because the last of several values is used. */
#include "experiments/cli/verb.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/path.h"
#include "core/config/tree_read.h"
#include "core/config/word.h"
#include "core/model/device_choice.h"
#include "experiments/run/gpus.h"
#include "experiments/stage/environment.h"
#include "results/sheet/cell.h"
#include "results/sheet/sheet.h"

char *verb_key(struct arena *arena, const char *name)
{
    char *key = arena_text(arena, name + 2);
    for (char *at = key; *at; at++)
        if (*at == '-') *at = '_';
    return key;
}

NORETURN static void refuse_option(struct verb_call *call, const char *name)
{
    const char **known = ARENA_ARRAY(&call->arena, const char *, call->page.options + 1);
    for (int i = 0; i < call->page.options; i++) known[i] = call->page.option[i].name;
    const char *near = word_nearest(name, known);
    die("%s: there is no option %s%s%s (%s %s --help lists them)", call->verb->name, name,
        near ? "; nearest is " : "", near ? near : "", program_invocation_short_name,
        call->verb->name);
}

/* Returns the option of a word such as --runs, --runs=DIR or -j4, and sets *name and *value.
 * Returns NULL if there is no such option; *name is then the unknown name. */
static const struct verb_option *option_of(struct verb_call *call, const char *word,
                                           const char **name, const char **value)
{
    const char *equals = strchr(word, '=');
    *name = equals ? arena_text_range(&call->arena, word, (size_t)(equals - word)) : word;
    *value = equals ? equals + 1 : NULL;
    const struct verb_option *option = verb_option(&call->page, *name);
    if (option) return option;
    const char *letter = arena_text_range(&call->arena, word, strnlen(word, 2));
    option = verb_option(&call->page, letter);
    if (option) *name = letter, *value = word + 2;
    return option;
}

/* True if a word is the next option, and so not the value of the previous one. */
static bool is_option(struct verb_call *call, const char *word)
{
    const char *name, *value;
    if (*word != '-' || !word[1]) return false;
    return !strcmp(word, "--") || option_of(call, word, &name, &value);
}

/* Parses the option word[0], after which `left` words remain. Returns the number of words
 * parsed. */
static int take_option(struct verb_call *call, int left, char **word)
{
    const char *name, *value;
    const struct verb_option *option = option_of(call, word[0], &name, &value);
    if (!option) refuse_option(call, name);
    if (value && !option->value) die("%s: %s takes no value", call->verb->name, name);
    const bool needs = option->value && !value, takes = needs && left &&
                                                        !is_option(call, word[1]) &&
                                                        (!option->optional || *word[1] == '-');
    if (needs && !takes && !option->optional)
        die("%s: %s needs a value%s%s", call->verb->name, name, *option->value ? ": " : "",
            option->value);
    call->option[call->given].name = name;
    call->option[call->given++].value = takes ? word[1] : needs ? "" : value;
    return 1 + takes;
}

static void check_words(const struct verb_call *call, int least, int most)
{
    if (call->words < least || call->words > most)
        die("usage: %s %s %s", program_invocation_short_name, call->verb->name, call->page.usage);
}

void verb_parse(struct verb_call *call, const struct verb *verb, int count, char **word)
{
    bool options_end = false;
    *call = (struct verb_call){.verb = verb};
    call->page = verb_page(verb, &call->arena);
    call->word = ARENA_ARRAY(&call->arena, const char *, count);
    call->option = ARENA_ARRAY(&call->arena, struct verb_given, count);
    for (int i = 0; i < count; i++)
        if (!strcmp(word[i], "--help") || !strcmp(word[i], "-h")) {
            verb_help(verb);
            exit(0);
        }
    for (int i = 0; i < count;) {
        if (!options_end && word[i][0] == '-' && word[i][1] && strcmp(word[i], "--") != 0)
            i += take_option(call, count - i - 1, word + i);
        else if (options_end || strcmp(word[i], "--") != 0)
            call->word[call->words++] = word[i++];
        else
            options_end = true, i++;
    }
    const char *usage = call->page.usage;
    const int least = verb->words.most ? verb->words.least : *usage && *usage != '[',
              most = verb->words.most ? verb->words.most
                     : *usage         ? INT_MAX
                                      : 0;
    check_words(call, least, most);
    trace_enable(verb_value(call, "--trace"));
    path_guard(verb_value(call, "--runs"));
    if (verb_option(&call->page, "--device")) {
        const char *device = verb_value(call, "--device"), *first = gpus_read(device);
        if (gpus_several() && !verb->gpus)
            die("%s: --device %s: expected one GPU, such as %s", verb->name, device, first);
        device_use(environment_device(first), strcmp(device, DEVICE_AUTO) != 0);
    }
}

/* Dies if an option belongs to other actions, because it would have no effect. */
static void check_action(struct verb_call *call, const char *action)
{
    for (int i = 0; i < call->given; i++) {
        const struct verb_option *option = verb_option(&call->page, call->option[i].name);
        if (option->actions && !strstr(option->actions, arena_print(&call->arena, " %s ", action)))
            die("%s: %s has no option %s", call->verb->name, action, option->name);
    }
}

int verb_do(struct verb_call *call)
{
    const struct verb *verb = call->verb;
    const char *names[VERB_ACTIONS + 1] = {0};
    if (verb->run) return verb->run(call);
    for (int i = 0; i < VERB_ACTIONS && verb->action[i].name; i++) {
        names[i] = verb->action[i].name;
        if (strcmp(call->word[0], names[i]) != 0) continue;
        check_action(call, names[i]);
        check_words(call, verb->action[i].least,
                    verb->action[i].most ? verb->action[i].most : INT_MAX);
        return verb->action[i].run(call);
    }
    word_refuse((struct location){"command line", 0, 0}, verb->name, "there is no action",
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
        ARENA_ADD(&call->arena, call->change, call->changes, call->word[i]);
    }
    call->words = kept;
}

const char *verb_take_word(struct verb_call *call, int index)
{
    const char *word = call->word[index];
    const int following = --call->words - index;
    memmove(call->word + index, call->word + index + 1, sizeof *call->word * (size_t)following);
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
    const struct verb_option *option = verb_option(&call->page, name);
    CHECK(option, "%s has no option %s", call->verb->name, name);
    return option->fallback;
}

const char *verb_need(const struct verb_call *call, const char *name)
{
    const char *value = verb_value(call, name);
    if (!value)
        die("%s: %s is missing; usage: %s %s %s", call->verb->name, name,
            program_invocation_short_name, call->verb->name, call->page.usage);
    return value;
}

bool verb_switch(const struct verb_call *call, const char *name)
{
    for (int i = 0; i < call->given; i++)
        if (!strcmp(call->option[i].name, name)) return true;
    return false;
}

int verb_number(const struct verb_call *call, const char *name)
{
    const struct verb_option *option = verb_option(&call->page, name);
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
            other ? "; this path is not a regular file" : "");
}

/* Returns the value of --out if it is a file; else NULL. */
static const char *out_file(const struct verb_call *call)
{
    const struct verb_option *option = verb_option(&call->page, "--out");
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

enum sheet_form verb_form(const struct verb_call *call)
{
    return (enum sheet_form)verb_choice(call, "--format", sheet_forms);
}

void verb_check_sheet(const struct verb_call *call)
{
    const char *path = out_file(call);
    verb_form(call);
    if (path) verb_check_file(call, "--out", path);
}

void verb_print_sheet(const struct verb_call *call, const struct sheet *sheet)
{
    struct file_writer writer = verb_out(call);
    sheet_print(sheet, verb_form(call), writer.stream);
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
            ARENA_ADD(&call->arena, word, words, one);
        }
    ARENA_MORE(&call->arena, word, words);
    word[words] = NULL;
    return word;
}

void verb_section(struct verb_call *call, void *fields)
{
    struct location location = {"command line", 0, 0};
    struct tree *map = tree_new(&call->arena, TREE_MAP, location);
    for (int i = 0; i < call->given; i++) {
        if (!verb_option(&call->page, call->option[i].name)->of_section) continue;
        const char *key = verb_key(&call->arena, call->option[i].name);
        /* The value is parsed like YAML. Otherwise a number or word would count as a quoted
         * text. */
        struct tree *value = tree_parse(&call->arena, "command line", call->option[i].value);
        tree_put(&call->arena, map, key, value);
    }
    section_read(call->verb->section, map, fields, &call->arena);
}

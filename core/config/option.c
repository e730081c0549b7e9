/* Options: reads maps into fields by the rows of a section, and prints fields as canonical text,
 * JSON and help. */
#include "core/config/option.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fold.h"
#include "core/base/mask_output.h"
#include "core/base/number.h"
#include "core/config/scalar.h"
#include "core/config/tree_read.h"

enum { NAME = 128 }; /* bytes of "section.key" */

static struct numbered read_numbered(const struct option *option, const char *what,
                                     const struct tree *value, struct arena *arena)
{
    const char *name = strchr(option->choices, '{') + 1;
    const char *const keys[] = {arena_text_range(arena, name, strcspn(name, ":")), NULL};
    struct numbered read = {0};
    if (value->kind != TREE_MAP || !value->count) {
        read.index = scalar_choice(value, what, option->choices);
        return read;
    }
    tree_only_keys(value, what, keys);
    what = arena_print(arena, "%s.%s", what, keys[0]);
    for (const char *at = option->choices; at < name; at++) read.index += *at == '|';
    read.number = option->whole ? scalar_int(value->item[0], what, option->low, option->high)
                                : scalar_real(value->item[0], what, option->low, option->high);
    return read;
}

static void read_value(const struct option *option, const char *what, const struct tree *value,
                       void *field, struct arena *arena)
{
    switch (option->type) {
    case OPTION_TYPE_INT:
        *(int *)field = scalar_int(value, what, option->low, option->high);
        break;
    case OPTION_TYPE_REAL:
        *(double *)field = scalar_real(value, what, option->low, option->high);
        break;
    case OPTION_TYPE_BOOL:
        *(bool *)field = scalar_bool(value, what);
        break;
    case OPTION_TYPE_TEXT:
        *(const char **)field = arena_text(arena, scalar_text(value, what));
        break;
    case OPTION_TYPE_CHOICE:
        *(int *)field = scalar_choice(value, what, option->choices);
        break;
    case OPTION_TYPE_NUMBERED:
        *(struct numbered *)field = read_numbered(option, what, value, arena);
        break;
    case OPTION_TYPE_TEXTS:
        *(struct texts *)field = scalar_texts(value, what, arena);
        break;
    case OPTION_TYPE_CUSTOM:
        option->custom->read(value, field, arena);
        break;
    }
}

/* Reads a default as if a user had written the text. Single words are read without the YAML reader,
 * because a default that depends on another option (`then`) is read for every row of a grid. */
static void read_default(const struct option *option, const char *text, void *field,
                         struct arena *arena)
{
    static const char origin[] = "a default";
    struct tree word = {
        .kind = TREE_SCALAR, .location = {.file = origin}, .text = text, .quoted = !*text};
    bool is_word = !strpbrk(text, "[]{}\"'#:&*!|>%@` ,");
    read_value(option, option->key, is_word ? &word : tree_parse(arena, origin, text), field,
               arena);
}

static int compare_keys(const void *a, const void *b)
{
    const struct option *const *one = a, *const *other = b;
    return strcmp((*one)->key, (*other)->key);
}

/* Size of a field in bytes, for each type except OPTION_TYPE_CUSTOM. */
static const size_t field_bytes[] = {
    [OPTION_TYPE_INT] = sizeof(int),
    [OPTION_TYPE_REAL] = sizeof(double),
    [OPTION_TYPE_BOOL] = sizeof(bool),
    [OPTION_TYPE_TEXT] = sizeof(const char *),
    [OPTION_TYPE_CHOICE] = sizeof(int),
    [OPTION_TYPE_NUMBERED] = sizeof(struct numbered),
    [OPTION_TYPE_TEXTS] = sizeof(struct texts),
};

/* The defaults of a section. They are kept until the process ends, because every row of a grid
 * needs them. */
struct known {
    struct known *next;
    const struct section *section;
    const struct option **sorted; /* options, sorted by key */
    const char **keys;            /* keys in the order of the section, and NULL */
    char *defaults;               /* fields; OPTION_TYPE_CUSTOM fields are set only if `complete` */
    char *introduced;             /* fields with the first defaults */
    bool complete;
};
static struct arena kept;

static struct known *known_of(const struct section *section)
{
    static struct known *all;
    struct known *known = all;
    while (known && known->section != section) known = known->next;
    if (known) return known;
    known = ARENA_NEW(&kept, struct known);
    *known = (struct known){.next = all,
                            .section = section,
                            .sorted = ARENA_ARRAY(&kept, const struct option *, section->count),
                            .keys = ARENA_ARRAY(&kept, const char *, section->count + 1),
                            .defaults = arena_alloc(&kept, section->bytes),
                            .introduced = arena_alloc(&kept, section->bytes)};
    for (int i = 0; i < section->count; i++) {
        const struct option *option = known->sorted[i] = &section->option[i];
        char *usual = known->defaults + option->offset, *first = known->introduced + option->offset;
        known->keys[i] = option->key;
        if (option->type == OPTION_TYPE_CUSTOM) continue;
        if (option->fallback) read_default(option, option->fallback, usual, &kept);
        if (option->introduced)
            read_default(option, option->introduced, first, &kept);
        else
            memcpy(first, usual, field_bytes[option->type]);
    }
    qsort(known->sorted, (size_t)section->count, sizeof *known->sorted, compare_keys);
    return all = known;
}

const char *option_default(const struct option *option, const struct tree *map)
{
    return option->beside && tree_get(map, option->beside) ? option->then : option->fallback;
}

static void read_fields(const struct section *section, const struct tree *map, void *fields,
                        bool part, struct arena *arena)
{
    const struct known *known = known_of(section);
    if (map) tree_only_keys(map, section->name, known->keys);
    for (int i = 0; i < section->count; i++) {
        const struct option *option = &section->option[i];
        void *field = (char *)fields + option->offset;
        const struct tree *value = tree_get(map, option->key);
        char name[NAME];
        if (value || option->type == OPTION_TYPE_CUSTOM) {
            snprintf(name, NAME, "%s.%s", section->name, option->key);
            read_value(option, part ? option->key : name, value, field, arena);
        } else if (option_default(option, map) != option->fallback) {
            read_default(option, option->then, field, arena);
        } else if (option->fallback) {
            memmove(field, known->defaults + option->offset, field_bytes[option->type]);
        } else if (!part) {
            struct location location =
                map ? map->location : (struct location){.file = section->name};
            die_at(location, "%s.%s must be given: %s", section->name, option->key, option->help);
        }
    }
}

void section_read(const struct section *section, const struct tree *map, void *fields,
                  struct arena *arena)
{
    read_fields(section, map, fields, false, arena);
}

void section_read_part(const struct section *section, const struct tree *map, void *fields,
                       struct arena *arena)
{
    read_fields(section, map, fields, true, arena);
}

void option_keep(const struct tree *value, void *field, struct arena *arena)
{
    *(const struct tree **)field = value;
}

/* ---- canonical text ---- */

const char *choice_word(const char *words, int index, int *bytes)
{
    const char *word = words;
    for (; index > 0; index--) {
        word = strchr(word, '|');
        CHECK(word, "%s: no such choice", words);
        word++;
    }
    *bytes = (int)strcspn(word, "|");
    return word;
}

const char *section_choice(const struct section *section, const char *key, const void *fields,
                           struct arena *arena)
{
    const struct option *option = section->option;
    int left = section->count, bytes;
    while (left && strcmp(option->key, key) != 0) option++, left--;
    CHECK(left && option->type == OPTION_TYPE_CHOICE, "%s.%s is no choice", section->name, key);
    const int index = *(const int *)((const char *)fields + option->offset);
    const char *word = choice_word(option->choices, index, &bytes);
    return arena_text_range(arena, word, (size_t)bytes);
}

static void print_texts(const struct texts *texts, FILE *out)
{
    fputc('[', out);
    for (int i = 0; i < texts->count; i++) {
        if (i) fputs(", ", out);
        text_print_quoted(texts->text[i], out);
    }
    fputc(']', out);
}

/* Prints the index-th of the choices, with the number in the place of %. */
static void print_choice(const char *words, int index, double number, FILE *out)
{
    char real[REAL_TEXT];
    int bytes;
    real_print(number, real);
    for (const char *word = choice_word(words, index, &bytes); bytes--; word++)
        if (*word == '%')
            fputs(real, out);
        else
            fputc(*word, out);
}

static void print_value(const struct option *option, const void *field, FILE *out)
{
    const struct numbered *numbered = field;
    char real[REAL_TEXT];
    switch (option->type) {
    case OPTION_TYPE_INT:
        fprintf(out, "%d", *(const int *)field);
        break;
    case OPTION_TYPE_REAL:
        real_print(*(const double *)field, real);
        fputs(real, out);
        break;
    case OPTION_TYPE_BOOL:
        print_choice(option->canonical ? option->canonical : "false|true", *(const bool *)field, 0,
                     out);
        break;
    case OPTION_TYPE_TEXT:
        text_print_quoted(*(const char *const *)field, out);
        break;
    case OPTION_TYPE_CHOICE:
        print_choice(option->choices, *(const int *)field, 0, out);
        break;
    case OPTION_TYPE_NUMBERED:
        print_choice(option->canonical, numbered->index, numbered->number, out);
        break;
    case OPTION_TYPE_TEXTS:
        print_texts(field, out);
        break;
    case OPTION_TYPE_CUSTOM:
        option->custom->write(field, out);
        break;
    }
}

/* Returns the canonical text of a field, which the caller must free. */
static char *value_text(const struct option *option, const void *field)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = heap_stream(&text, &bytes);
    print_value(option, field, out);
    fclose(out);
    CHECK(text && !strchr(text, '\n'), "%s is not written on one line", option->key);
    return text;
}

const void *section_defaults(const struct section *section)
{
    struct known *known = known_of(section);
    if (!known->complete) read_fields(section, NULL, known->defaults, false, &kept);
    known->complete = true;
    return known->defaults;
}

/* True if the canonical text has a line for a field. Fields with pointers or padding are compared
 * as text. Other types are compared as bytes, which is faster: this function runs for every row of
 * a grid. */
static bool is_canonical(const struct known *known, const struct option *option, const void *field)
{
    const void *introduced = known->introduced + option->offset;
    const bool custom = option->type == OPTION_TYPE_CUSTOM;
    if (option->id != OPTION_ID) return false;
    if (!custom && !option->introduced && !option->fallback) return true;
    if (option->type <= OPTION_TYPE_BOOL || option->type == OPTION_TYPE_CHOICE)
        return memcmp(field, introduced, field_bytes[option->type]) != 0;
    SCOPED(heap_free)
    char *text = value_text(option, field),
         *usual = custom ? heap_print("%s", "") : value_text(option, introduced);
    return strcmp(text, usual) != 0;
}

void section_canonical(const struct section *section, const void *fields, FILE *out)
{
    const struct known *known = known_of(section);
    for (int i = 0; i < section->count; i++) {
        const struct option *option = known->sorted[i];
        const void *field = (const char *)fields + option->offset;
        if (!is_canonical(known, option, field)) continue;
        fprintf(out, "%s.%s=", section->name, option->key);
        print_value(option, field, out);
        fputc('\n', out);
    }
}

/* ---- JSON ---- */

static void json_text(const char *text, FILE *out)
{
    json_auto_t *json = json_string(text);
    CHECK(json, "a text that is not UTF-8");
    json_dumpf(json, out, JSON_ENCODE_ANY);
}

/* Prints a choice: true and false as JSON booleans, every other word (auto) as a string. */
static void json_word(const struct option *option, const void *field, FILE *out)
{
    char *word = value_text(option, field);
    const bool truth = !strcmp(word, "true") || !strcmp(word, "false");
    fprintf(out, truth ? "%s" : "\"%s\"", word);
    free(word);
}

static void json_numbered(const struct option *option, const struct numbered *field, FILE *out)
{
    char real[REAL_TEXT];
    const char *name = strchr(option->choices, '{') + 1;
    real_print(field->number, real);
    if (field->number != 0)
        fprintf(out, "{\"%.*s\":%s}", (int)strcspn(name, ":"), name, real);
    else
        json_word(option, field, out);
}

static void json_value(const struct option *option, const void *field, FILE *out)
{
    const struct texts *texts = field;
    switch (option->type) {
    case OPTION_TYPE_INT:
    case OPTION_TYPE_REAL:
        print_value(option, field, out);
        break;
    case OPTION_TYPE_BOOL:
        fputs(*(const bool *)field ? "true" : "false", out);
        break;
    case OPTION_TYPE_TEXT:
        json_text(*(const char *const *)field, out);
        break;
    case OPTION_TYPE_CHOICE:
        json_word(option, field, out);
        break;
    case OPTION_TYPE_NUMBERED:
        json_numbered(option, field, out);
        break;
    case OPTION_TYPE_TEXTS:
        for (int i = 0; i < texts->count; i++) {
            fputc(i ? ',' : '[', out);
            json_text(texts->text[i], out);
        }
        fputs(texts->count ? "]" : "[]", out);
        break;
    case OPTION_TYPE_CUSTOM:
        option->custom->json(field, out);
        break;
    }
}

void section_json(const struct section *section, const void *fields, bool all, FILE *out)
{
    const struct option **sorted = known_of(section)->sorted;
    const char *before = "{";
    for (int i = 0; i < section->count; i++) {
        if (!all && sorted[i]->id != OPTION_ID) continue;
        if (sorted[i]->type == OPTION_TYPE_CUSTOM && !sorted[i]->custom->json) continue;
        fprintf(out, "%s\"%s\":", before, sorted[i]->key);
        json_value(sorted[i], (const char *)fields + sorted[i]->offset, out);
        before = ",";
    }
    fputs(*before == '{' ? "{}" : "}", out);
}

/* ---- help ---- */

static const char *type_text(struct arena *arena, const struct option *option)
{
    char low[REAL_TEXT], high[REAL_TEXT];
    const char *kind = option->type == OPTION_TYPE_INT ? "int" : "real";
    if (option->type == OPTION_TYPE_BOOL) return "true|false";
    if (option->type == OPTION_TYPE_TEXT) return "text";
    if (option->type == OPTION_TYPE_TEXTS) return "list of texts";
    if (option->choices) return option->choices;
    if (option->type == OPTION_TYPE_CUSTOM) return option->custom->type;
    if (option->low == 0 && option->high == 0) return kind;
    real_print(option->low, low);
    real_print(option->high, high);
    if (isinf(option->high)) return arena_print(arena, "%s >= %s", kind, low);
    if (isinf(option->low)) return arena_print(arena, "%s <= %s", kind, high);
    return arena_print(arena, "%s %s..%s", kind, low, high);
}

static const char *default_text(const struct option *option, enum option_names names)
{
    if (option->fallback) return *option->fallback ? option->fallback : "\"\"";
    return names == OPTION_KEYS || option->type == OPTION_TYPE_CUSTOM ? "-" : "(required)";
}

static int wider(int width, const char *text, int most)
{
    int length = (int)strlen(text);
    return length > width && length <= most ? length : width;
}

const char *option_word(struct arena *arena, const struct option *option)
{
    char *word = arena_print(arena, "--%s", option->key);
    for (char *at = word; *at; at++)
        if (*at == '_') *at = '-';
    return word;
}

static const char *name_text(struct arena *arena, const struct section *section,
                             const struct option *option, enum option_names names)
{
    if (names == OPTION_WORDS) return option_word(arena, option);
    if (names == OPTION_KEYS) return option->key;
    return arena_print(arena, "%s.%s", section->name, option->key);
}

void section_help(const struct section *section, enum option_names names, FILE *out)
{
    enum {
        TYPE_MOST = 24,
        DEFAULT_MOST = 16,
        HELP_INDENT = 6
    }; /* limits of widths: a longer entry shifts only its own line */
    int key_width = 0, type_width = 0, default_width = 0;
    SCOPED(arena_free) struct arena arena = {0};
    const char **name = ARENA_ARRAY(&arena, const char *, section->count);
    const char **type = ARENA_ARRAY(&arena, const char *, section->count);
    for (int i = 0; i < section->count; i++) {
        const struct option *option = &section->option[i];
        name[i] = name_text(&arena, section, option, names);
        type[i] = type_text(&arena, option);
        key_width = wider(key_width, name[i], NAME);
        type_width = wider(type_width, type[i], TYPE_MOST);
        default_width = wider(default_width, default_text(option, names), DEFAULT_MOST);
    }
    fprintf(out, "%s: %s\n", section->name, section->help);
    for (int i = 0; i < section->count; i++)
        fold_line(out, mask_columns(out), HELP_INDENT,
                  arena_print(&arena, "  %-*s  %-*s  %-*s  %s", key_width, name[i], type_width,
                              type[i], default_width, default_text(&section->option[i], names),
                              section->option[i].help));
}

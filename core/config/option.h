/* Options are rows. A room exports a section of rows (key, type, default, range, help, flags), and
 * everything else follows from them: the parser, --help, the canonical text and so the identity.
 *
 * Adding an option never moves an old id: a value that equals the default which the option had when
 * it was introduced is left out of the canonical text. */
#pragma once

#include "core/base/arena.h"
#include "core/config/tree.h"

enum option_type {
    OPTION_INT,    /* int */
    OPTION_REAL,   /* double */
    OPTION_BOOL,   /* bool: true or false, nothing else */
    OPTION_TEXT,   /* const char * */
    OPTION_CHOICE, /* int: index of the word in `choices` */
    OPTION_TEXTS,  /* struct texts: a list of scalars, or one scalar */
    OPTION_CUSTOM  /* whatever `custom` reads */
};

/* Every row says which: an option that changes numbers outside of the id would let a stage pass for
 * another one. */
enum option_id {
    OPTION_NO_ID, /* changes no number */
    OPTION_ID     /* part of the canonical text */
};

/* A value with a grammar of its own (the list of attention entries). */
struct option_custom {
    const char *type; /* for --help: "list of entries, see ..." */
    /* value is NULL when the option was not given. Dies at the place of what is wrong. */
    void (*read)(const struct tree *value, void *field, struct arena *arena);
    /* One line without line breaks that is equal exactly for equal meanings; writes nothing for the
     * default. */
    void (*write)(const void *field, FILE *out);
    /* The value as JSON on one line, with what it says by default, too: `read` takes it back. NULL:
     * nobody asks (section_json). */
    void (*json)(const void *field, FILE *out);
};

struct option {
    const char *key; /* within its section */
    enum option_type type;
    size_t offset; /* of its field in the section's struct */
    /* The default, as a user would write it, or "" for an empty text; NULL: must be given. For
     * OPTION_CUSTOM only --help shows it: `read` knows the default. */
    const char *fallback;
    double low, high;    /* inclusive range of a number; both 0: any; INFINITY: open */
    const char *choices; /* "pre|post", in the order of the values 0, 1, ... */
    const char *help;    /* one line */
    enum option_id id;
    const char *introduced; /* default at introduction, when it was another one; else NULL */
    const struct option_custom *custom;
    /* Where the map has the section's option `beside` and not this one, the default is `then`;
     * NULL: it is `fallback` everywhere. */
    const char *beside, *then;
    /* The option changes something only where this holds of the section's options, by their keys
     * (expression.h): "schedule = rsqrt"; NULL: everywhere. */
    const char *when;
};

/* How every row is written: its key, where its field is, its default, its values (a range, words, a
 * reader), whether it is part of the id, its help; then by name what few rows have.
 *
 *     #define FIELD(member) offsetof(struct train_options, member)
 *     ROW_INT("epochs", FIELD(epochs), "10", 0, 100000, OPTION_ID, "passes over the training text",
 *             .beside = "steps", .then = "0"), */
#define ROW_INT(key_, offset_, fallback_, low_, high_, id_, ...)                                   \
    ROW_OF(OPTION_INT, key_, offset_, fallback_, id_, __VA_ARGS__, .low = (low_), .high = (high_))
#define ROW_REAL(key_, offset_, fallback_, low_, high_, id_, ...)                                  \
    ROW_OF(OPTION_REAL, key_, offset_, fallback_, id_, __VA_ARGS__, .low = (low_), .high = (high_))
#define ROW_BOOL(key_, offset_, fallback_, id_, ...)                                               \
    ROW_OF(OPTION_BOOL, key_, offset_, fallback_, id_, __VA_ARGS__)
#define ROW_TEXT(key_, offset_, fallback_, id_, ...)                                               \
    ROW_OF(OPTION_TEXT, key_, offset_, fallback_, id_, __VA_ARGS__)
#define ROW_TEXTS(key_, offset_, fallback_, id_, ...)                                              \
    ROW_OF(OPTION_TEXTS, key_, offset_, fallback_, id_, __VA_ARGS__)
#define ROW_CHOICE(key_, offset_, fallback_, choices_, id_, ...)                                   \
    ROW_OF(OPTION_CHOICE, key_, offset_, fallback_, id_, __VA_ARGS__, .choices = (choices_))
#define ROW_CUSTOM(key_, offset_, fallback_, custom_, id_, ...)                                    \
    ROW_OF(OPTION_CUSTOM, key_, offset_, fallback_, id_, __VA_ARGS__, .custom = (custom_))
#define ROW_OF(type_, key_, offset_, fallback_, id_, ...)                                          \
    {                                                                                              \
        .key = (key_), .type = (type_), .offset = (offset_), .fallback = (fallback_), .id = (id_), \
        .help = __VA_ARGS__                                                                        \
    }

struct section {
    const char *name; /* "train" */
    const char *help;
    const struct option *option; /* [count] */
    int count;
    size_t bytes; /* of the struct that holds the fields */
};

/* Fills `fields` from the map (NULL map or absent keys: defaults; texts live in the arena). Dies on
 * an unknown key (naming the nearest one and all siblings), a wrong type, trailing junk, a number
 * out of range, an unknown word, a required option that is missing. */
void section_read(const struct section *section, const struct tree *map, void *fields,
                  struct arena *arena);
/* Fields that are all at their defaults: kept for the process. */
const void *section_defaults(const struct section *section);
/* The same as section_read of a map within a value, {column: bleu, header: En-De}: options are
 * called by their keys alone, and where one without a default is absent, its field stays as it is.
 */
void section_read_part(const struct section *section, const struct tree *map, void *fields,
                       struct arena *arena);
/* Reads an option_custom whose field is a const struct tree *, for who looks into it later. */
void option_keep(const struct tree *value, void *field, struct arena *arena);
/* The default of an option where the map (or NULL) does not have it; NULL: there is none. */
const char *option_default(const struct option *option, const struct tree *map);
/* Lines "section.key=value" of the OPTION_ID rows that differ from their default at introduction,
 * sorted by key; reals as the shortest decimal that reads back to the same double, texts quoted. */
void section_canonical(const struct section *section, const void *fields, FILE *out);
/* {"key":value,..}, one line, sorted by key: all rows, or those that are OPTION_ID, whether they
 * were given or not. section_read takes it back: JSON is YAML. */
void section_json(const struct section *section, const void *fields, bool all, FILE *out);
/* The word of an option that is a choice, as a user writes it. */
const char *section_choice(const struct section *section, const char *key, const void *fields,
                           struct arena *arena);
/* Every option with its type, range, default and help, one line each, in columns; named as a grid
 * has them (train.rate), as a verb does (--length-penalty), or by keys (section_read_part). */
enum option_names { OPTION_PATHS, OPTION_WORDS, OPTION_KEYS };
void section_help(const struct section *section, enum option_names names, FILE *out);
/* "--length-penalty" */
const char *option_word(struct arena *arena, const struct option *option);

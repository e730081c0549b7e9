/* Options, defined as rows of tables. A part of the program defines its options as a section: rows
 * with key, type, default, range and help. The parser, --help and the canonical text
 * (section_canonical) use these rows. The id of a stage is computed from the canonical text.
 *
 * The canonical text omits an option if its value is the default with which the option was
 * introduced. So a new option does not change existing ids. If that default was changed later,
 * `introduced` has it. */
#pragma once

#include "core/base/arena.h"
#include "core/config/tree.h"

enum option_type {
    OPTION_TYPE_INT,      /* int */
    OPTION_TYPE_REAL,     /* double */
    OPTION_TYPE_BOOL,     /* bool: true or false, nothing else */
    OPTION_TYPE_TEXT,     /* const char * */
    OPTION_TYPE_CHOICE,   /* int: index of the word in `choices` */
    OPTION_TYPE_NUMBERED, /* struct numbered: a word, or a map of one word to a number */
    OPTION_TYPE_TEXTS,    /* struct texts: a list of scalars, or one scalar */
    OPTION_TYPE_CUSTOM    /* read by the functions of `custom` */
};

/* Every row must state whether the option is part of the id. If an option changed results but not
 * the id, stages with different results would have the same id. */
enum option_id {
    /* The option changes no result, or it is the path of a file whose digest is part of the id. */
    OPTION_NO_ID,
    OPTION_ID /* the option is part of the canonical text */
};

/* An option with its own grammar, such as the list of attention entries. */
struct option_custom {
    const char *type; /* for --help: "list of entries, see ..." */
    /* Reads `value` into the field. If `value` is NULL, the option is not set. On an error, dies
     * with a message that begins with the location. */
    void (*read)(const struct tree *value, void *field, struct arena *arena);
    /* Writes one line for the canonical text. Values with the same meaning give the same line, and
     * values with different meanings give different lines. Writes nothing for the default. */
    void (*write)(const void *field, FILE *out);
    /* Writes the value with its defaults as JSON on one line, which `read` accepts. NULL:
     * section_json omits the option. */
    void (*json)(const void *field, FILE *out);
};

/* The value of an option with the choices "query|layer|{fixed: D}". */
struct numbered {
    int index;     /* index in `choices` */
    double number; /* D; 0: the value is a word */
};

struct option {
    const char *key; /* key within the section */
    enum option_type type;
    size_t offset; /* offset of its field in the section's struct */
    /* Default, as a user would write it; "" for an empty text. NULL: the option is required. For
     * OPTION_TYPE_CUSTOM only --help uses this text, and `read` sets the default. */
    const char *fallback;
    double low, high;    /* inclusive range of a number; both 0: no limits; INFINITY: no limit */
    bool whole;          /* the number of OPTION_TYPE_NUMBERED is an integer */
    const char *choices; /* "pre|post", in the order of the values 0, 1, ... */
    /* "pre|fixed(%)": the choices in the canonical text; % is the number. NULL: as in `choices`, or
     * "false|true" for OPTION_TYPE_BOOL. */
    const char *canonical;
    const char *help; /* one line */
    enum option_id id;
    /* Default with which the option was introduced, if it was changed later. NULL: the default is
     * still `fallback`. */
    const char *introduced;
    const struct option_custom *custom;
    /* `beside` is the key of another option of the section; NULL: none. If the map sets that
     * option, the default is `then` instead of `fallback`. */
    const char *beside, *then;
    /* The option has an effect only if this expression over the section's options is true
     * (expression.h): "schedule = rsqrt". NULL: always. */
    const char *when;
};

/* Macros for rows. Their arguments are key, offset of the field, default, valid values (a range,
 * words or a reader), enum option_id and help. Rarely used members follow as designated
 * initializers.
 *
 *     #define FIELD(member) offsetof(struct train_options, member)
 *     OPTION_INT("epochs", FIELD(epochs), "10", 0, 100000, OPTION_ID, "passes over the training
 * text", .beside = "steps", .then = "0"), */
#define OPTION_INT(key_, offset_, fallback_, low_, high_, id_, ...)                                \
    OPTION_ROW(OPTION_TYPE_INT, key_, offset_, fallback_, id_, __VA_ARGS__, .low = (low_),         \
               .high = (high_))
#define OPTION_REAL(key_, offset_, fallback_, low_, high_, id_, ...)                               \
    OPTION_ROW(OPTION_TYPE_REAL, key_, offset_, fallback_, id_, __VA_ARGS__, .low = (low_),        \
               .high = (high_))
#define OPTION_BOOL(key_, offset_, fallback_, id_, ...)                                            \
    OPTION_ROW(OPTION_TYPE_BOOL, key_, offset_, fallback_, id_, __VA_ARGS__)
#define OPTION_TEXT(key_, offset_, fallback_, id_, ...)                                            \
    OPTION_ROW(OPTION_TYPE_TEXT, key_, offset_, fallback_, id_, __VA_ARGS__)
#define OPTION_TEXTS(key_, offset_, fallback_, id_, ...)                                           \
    OPTION_ROW(OPTION_TYPE_TEXTS, key_, offset_, fallback_, id_, __VA_ARGS__)
#define OPTION_CHOICE(key_, offset_, fallback_, choices_, id_, ...)                                \
    OPTION_ROW(OPTION_TYPE_CHOICE, key_, offset_, fallback_, id_, __VA_ARGS__,                     \
               .choices = (choices_))
#define OPTION_NUMBERED(key_, offset_, fallback_, choices_, low_, high_, canonical_, id_, ...)     \
    OPTION_ROW(OPTION_TYPE_NUMBERED, key_, offset_, fallback_, id_, __VA_ARGS__,                   \
               .choices = (choices_), .low = (low_), .high = (high_), .canonical = (canonical_))
#define OPTION_CUSTOM(key_, offset_, fallback_, custom_, id_, ...)                                 \
    OPTION_ROW(OPTION_TYPE_CUSTOM, key_, offset_, fallback_, id_, __VA_ARGS__, .custom = (custom_))
/* A row for a tree that is parsed later. Its field is a const struct tree *, NULL if the key is
 * absent. `kind_` describes the value for --help. */
#define OPTION_TREE(key_, offset_, fallback_, kind_, ...)                                          \
    OPTION_CUSTOM(key_, offset_, fallback_,                                                        \
                  (&(const struct option_custom){(kind_), option_keep, NULL, NULL}), OPTION_NO_ID, \
                  __VA_ARGS__)
#define OPTION_ROW(type_, key_, offset_, fallback_, id_, ...)                                      \
    {                                                                                              \
        .key = (key_), .type = (type_), .offset = (offset_), .fallback = (fallback_), .id = (id_), \
        .help = __VA_ARGS__                                                                        \
    }

struct section {
    const char *name; /* "train" */
    const char *help;
    const struct option *option; /* [count] */
    int count;
    size_t bytes; /* size of the struct that holds the fields */
};

/* Fills `fields` from the map. An option that the map does not set gets its default. If the map is
 * NULL, all options get their defaults. Texts are in the arena. Dies on a wrong type, characters
 * after a number, a number out of range, an unknown word, or a missing required option. Also dies
 * on an unknown key; the message has the nearest key or the valid keys. */
void section_read(const struct section *section, const struct tree *map, void *fields,
                  struct arena *arena);
/* Returns fields that all have their defaults. They stay valid until the process ends. */
const void *section_defaults(const struct section *section);
/* Like section_read, for a map inside a value: {column: bleu, header: En-De}. Messages name an
 * option only by its key. A missing option that has no default is not an error: its field keeps its
 * value. */
void section_read_part(const struct section *section, const struct tree *map, void *fields,
                       struct arena *arena);
/* Reads the value of an OPTION_TREE: stores the tree in the field. */
void option_keep(const struct tree *value, void *field, struct arena *arena);
/* Returns the default of an option: `then` if the map sets the option `beside`, else `fallback`.
 * NULL if the option has no default. `map` may be NULL. */
const char *option_default(const struct option *option, const struct tree *map);
/* Prints lines "section.key=value", sorted by key. Prints the OPTION_ID rows whose value differs
 * from the default with which the option was introduced. Reals are the shortest decimals that read
 * back to the same double; texts are quoted. */
void section_canonical(const struct section *section, const void *fields, FILE *out);
/* Prints {"key":value,..} on one line, sorted by key. Values that equal the default are printed,
 * too. If `all` is false, prints only the OPTION_ID rows. section_read accepts this text, because
 * JSON is YAML. */
void section_json(const struct section *section, const void *fields, bool all, FILE *out);
/* Returns the start of the index-th word of "pre|post". *bytes is its length. */
const char *choice_word(const char *words, int index, int *bytes);
/* Returns the word of an OPTION_TYPE_CHOICE field, as a user writes it. */
const char *section_choice(const struct section *section, const char *key, const void *fields,
                           struct arena *arena);
/* Prints every option with type, range, default and help, one line each, in columns. An option is
 * named by its path in a grid (train.rate), by its word on the command line (--length-penalty), or
 * by its key (section_read_part). */
enum option_names { OPTION_PATHS, OPTION_WORDS, OPTION_KEYS };
void section_help(const struct section *section, enum option_names names, FILE *out);
/* Returns an option as a word of the command line: "--length-penalty". */
const char *option_word(struct arena *arena, const struct option *option);

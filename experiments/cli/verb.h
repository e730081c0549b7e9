/* The command line of sanlab and sanlab-dev: a verb is a row, its options are rows, and help and
 * parser follow from them. To add a verb to sanlab, add its file, and its name in verbs.h next to
 * the verbs of its group. What --help prints below the options is a text file beside it. */
#pragma once

#include "core/base/arena.h"
#include "core/base/file.h"
#include "core/config/option.h"

/* An option of a verb: --name VALUE, or --name alone. Each is written by one of the calls below. */
struct verb_option {
    const char *name;     /* "--runs" */
    const char *value;    /* what stands behind it, for help: "DIR", "NUMBER"; NULL: a switch */
    const char *fallback; /* NULL: none */
    const char *help;     /* one line */
    double low, high;     /* range of a NUMBER, checked by verb_number */
    bool optional;        /* it may stand without its value, which is "" then */
};
/* With `.fallback = ` behind its help, if it has a default. */
#define VERB_VALUE(name_, value_, ...)                                                             \
    {                                                                                              \
        .name = (name_), .value = (value_), .help = __VA_ARGS__                                    \
    }
#define VERB_SWITCH(name_, ...) VERB_VALUE(name_, NULL, __VA_ARGS__)
/* Its value may be left out. A word behind it is its value where it begins with "-" and names no
 * option of the verb; any value may stand behind an equals sign. */
#define VERB_OPTIONAL(name_, value_, ...) VERB_VALUE(name_, value_, __VA_ARGS__, .optional = true)
#define VERB_NUMBER(name_, fallback_, low_, high_, ...)                                            \
    VERB_VALUE(name_, "NUMBER", __VA_ARGS__, .fallback = (fallback_), .low = (low_),               \
               .high = (high_))

/* Rows of several verbs. */
#define VERB_JOBS                                                                                  \
    VERB_NUMBER("-j", "0", 0, 256, "workers at a time; 0: as many as cores or ready stages")
#define VERB_CHECKPOINT                                                                            \
    VERB_VALUE("--checkpoint", "WORDS", "best, last, average(N) or start", .fallback = "best")

enum { VERB_WORDS = 4096, VERB_OPTIONS = 64, VERB_ROWS = 24, VERB_TEXTS = 3 };

struct sheet;
struct verb_call;
typedef int verb_action(struct verb_call *call); /* returns the exit status */

struct verb {
    const char *name, *usage; /* "run", "GRID.yaml [key=value ...]" */
    const char *help;         /* one line, at most 86 columns */
    const char *heading; /* of the group that this verb begins in --help; NULL: it begins none */
    bool hidden;         /* not for people: neither --help nor completion lists it */
    verb_action *run;    /* NULL: the action that the first word names */
    struct verb_option option[VERB_ROWS]; /* of its own; one without a name ends them */
    struct {
        const char *name;
        verb_action *run;
    } action[VERB_ROWS];
    const struct section *section; /* its rows are options, too (--length-penalty 0.6); or NULL */
    const char *text[VERB_TEXTS];  /* --help prints them below: run is run.txt beside run.c */
    void (*more_help)(FILE *out);  /* and this prints more; or NULL */
    bool device; /* computes: takes --device, and then it is this process's (core/model/device.h) */
    bool data;   /* what it prints are bytes for programs, which only a terminal gets masked */
    bool wordless; /* takes options alone */
    struct {
        int least, most;
    } words; /* that are no options; most 0: one or more, unless wordless */
};

/* What stands on the command line behind the verb. */
struct verb_call {
    const struct verb *verb;
    struct arena arena;
    int words;
    const char *word[VERB_WORDS];
    int given;
    struct {
        const char *name, *value; /* value NULL: a switch */
    } option[VERB_OPTIONS];
    int changes;
    const char **change; /* [changes] assignments that were taken from the words */
};

/* The main function of a program that has these verbs, up to NULL. */
int verb_main(const struct verb *const *verbs, int count, char **word);
/* The options of a verb by number, with those that all verbs take; NULL behind the last. */
const struct verb_option *verb_option_at(const struct verb *verb, int number);
/* The text of NAME.txt, which is part of the program. */
const char *verb_text(const char *name);
/* What --help prints. */
void verb_help(const struct verb *verb);
/* Parses; prints help and exits when asked to; dies on what it does not know. */
void verb_parse(struct verb_call *call, const struct verb *verb, int count, char **word);
/* Does it; returns the exit status. Dies when the first word should name an action and does not. */
int verb_do(struct verb_call *call);
/* Whether a word is an assignment of a grid's option: a.b=c, ~a.b. */
bool verb_is_change(const char *word);
/* Takes the assignments among the words from word[first] on from them. */
void verb_take_changes(struct verb_call *call, int first);
/* Takes those behind the first word; dies where a second word is left. `what`: "stage". */
void verb_take_one(struct verb_call *call, const char *what);
/* Takes a word from the words and returns it. */
const char *verb_take_word(struct verb_call *call, int index);
/* An option's value, its default, or NULL; of one that was given several times the last. */
const char *verb_value(const struct verb_call *call, const char *name);
/* The same of an option that is needed. Dies with the usage if it is not given. */
const char *verb_need(const struct verb_call *call, const char *name);
/* Whether an option was given. */
bool verb_switch(const struct verb_call *call, const char *name);
/* Dies where one of these (NULL-terminated) is given: of another action than the first word's, it
 * would do nothing. */
void verb_take_none(const struct verb_call *call, const char *const *options);
/* The value of a VERB_NUMBER, or its default. Dies when it is no whole number or out of range. */
int verb_number(const struct verb_call *call, const char *name);
/* Dies unless an option's value is a path that a file can be written to: what is there and is not a
 * regular file (a pipe, a device) would be replaced. */
void verb_check_file(const struct verb_call *call, const char *name, const char *path);
/* Dies where --format, or --out of a verb that writes a file, is wrong: before any work. */
void verb_check_sheet(const struct verb_call *call);
/* Prints a table as --format says, to the file of --out where the verb has that, or to standard
 * output. */
void verb_print_sheet(const struct verb_call *call, const struct sheet *sheet);
/* The file that --out names, which is there when verb_out_end is called; or standard output. */
struct file_writer verb_out(const struct verb_call *call);
void verb_out_end(struct file_writer *writer);
/* Dies where an option's value should be a folder and is a file. */
void verb_check_folder(const struct verb_call *call, const char *name, const char *path);
/* The index of an option's value, or of a word of it, in a NULL-terminated list of words. */
int verb_word(const struct verb_call *call, const char *name, const char *value,
              const char *const *words);
int verb_choice(const struct verb_call *call, const char *name, const char *const *words);
/* Every value of an option that may be given several times; returns how many. */
int verb_values(struct verb_call *call, const char *name, const char ***value);
/* The words between commas in all its values, and a NULL behind them. */
const char *const *verb_list(struct verb_call *call, const char *name);
/* The key of a section's row that an option is: "length_penalty" of "--length-penalty". */
char *verb_key(struct arena *arena, const char *name);
/* Fills the fields of the verb's section. */
void verb_section(struct verb_call *call, void *fields);

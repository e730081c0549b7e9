/* The command line of sanlab and sanlab-dev. To add a verb to sanlab, add its file, its page, and
 * its name in verbs.h next to the verbs of its group. The page, VERB.txt in the same folder, is a
 * part of the program: --help prints it, and options are parsed as it says.
 *
 *     # models: use a trained model                     where a group of verbs begins: its heading
 *     STAGE [FILE] [key=value ...]                      the usage
 *     lines of text through the model of a train stage  the line of the verb in the list of verbs
 *
 *     [apply]                     actions of the verb that take the options below
 *       --nbest NUMBER           so many translations; 0: the best one; 0 to 64 (default: 0)
 *       --slurm ['OPTIONS']      ['..']: its value may be left out
 *       --quiet                  without a value: a switch
 *       --checkpoint             without a text: that of options.txt
 *
 *     More text. A line {{NAME}} stands for the text of NAME.txt.
 *
 * An option's text goes on in lines that are indented further. It ends with the range of a NUMBER
 * and the default, where it has them. The options that all verbs take are in options.txt alone. A
 * verb that has --device computes: the device is then this process's (core/model/device.h). */
#pragma once

#include "core/base/arena.h"
#include "core/base/file.h"
#include "core/config/option.h"

struct verb_option {
    const char *shown;    /* "--slurm ['OPTIONS']" */
    const char *name;     /* "--runs" */
    const char *value;    /* what stands behind it, for help: "DIR", "NUMBER"; NULL: a switch */
    const char *fallback; /* NULL: none */
    const char *help;     /* one line */
    const char *actions;  /* " generate probe ": those that take it; NULL: all */
    double low, high;     /* range of a NUMBER, checked by verb_number */
    bool optional;        /* it may stand without its value, which is "" then */
    bool of_section;      /* a row of the verb's section, and not of its page */
};

struct verb_page {
    const char *heading; /* of the group that this verb begins in --help; NULL: it begins none */
    const char *usage, *help, *text;
    int options;
    struct verb_option *option; /* [options] in the order of the help */
};

enum { VERB_ACTIONS = 8 };

struct sheet;
struct store;
struct verb_call;
typedef int verb_action(struct verb_call *call); /* returns the exit status */

struct verb {
    const char *name; /* "run" */
    const char *page; /* NULL: of the same name */
    bool hidden;      /* not for people: neither --help nor completion lists it */
    verb_action *run; /* NULL: the action that the first word names */
    struct {
        const char *name;
        verb_action *run;
        int least, most; /* words, with that of the action; most 0: any number */
    } action[VERB_ACTIONS];
    const struct section *section; /* its rows are options, too (--length-penalty 0.6); or NULL */
    void (*more_help)(FILE *out);  /* prints what stands below the page; or NULL */
    bool data; /* what it prints are bytes for programs, which only a terminal gets masked */
    struct {
        int least, most;
    } words; /* that are no options; most 0: as the usage says: none, or one or more ([..]: any) */
};

/* What stands on the command line behind the verb. */
struct verb_call {
    const struct verb *verb;
    struct verb_page page;
    struct arena arena;
    int words;
    const char **word; /* [words] */
    int given;
    struct verb_given {
        const char *name, *value; /* value NULL: a switch */
    } * option;                   /* [given] */
    int changes;
    const char **change; /* [changes] assignments that were taken from the words */
    struct store *store; /* of stage_argument_store: closed when the verb is done; NULL: none */
};

/* The main function of a program that has these verbs, up to NULL. */
int verb_main(const struct verb *const *verbs, int count, char **word);
/* The text of NAME.txt. */
const char *verb_text(const char *name);
struct verb_page verb_page(const struct verb *verb, struct arena *arena);
/* The option of that name; NULL: there is none. */
const struct verb_option *verb_option(const struct verb_page *page, const char *name);
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
/* The value of an option NUMBER with a range, or its default. Dies when it is no whole number, or
 * out of range. */
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

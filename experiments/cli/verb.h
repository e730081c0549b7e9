/* Parses the command line of sanlab and sanlab-dev. To add a verb to sanlab, add its file, its
 * page, and its name in verbs.h next to the verbs of its group. The page is VERB.txt in the same
 * folder and is compiled into the program. --help prints the page, and options are parsed according
 * to it.
 *
 *     # models: use a trained model                     heading, if the verb begins a group
 *     STAGE [FILE] [key=value ...]                      the usage
 *     lines of text through the model of a train stage  the line of the verb in the list of verbs
 *
 *     [apply]                     actions of the verb that take the options below
 *       --nbest NUMBER           number of translations (0: only the best); 0 to 64 (default: 0)
 *       --slurm ['OPTIONS']      a value in brackets is optional
 *       --quiet                  an option without a value is a switch
 *       --checkpoint             an option without a text has its text in options.txt
 *
 *     More text. A line {{NAME}} is replaced by the text of NAME.txt.
 *
 * The text of an option continues on lines with more indentation. It ends with the range, if the
 * value is a NUMBER, and with the default, if there is one. Options that every verb has are listed
 * only in options.txt. A verb with the option --device sets the device of this process
 * (core/model/device_choice.h). */
#pragma once

#include "core/base/arena.h"
#include "core/base/file.h"
#include "core/config/option.h"
#include "results/sheet/sheet.h"

struct verb_option {
    const char *shown;    /* "--slurm ['OPTIONS']" */
    const char *name;     /* "--runs" */
    const char *value;    /* value as in the help: "DIR", "NUMBER"; NULL: a switch */
    const char *fallback; /* NULL: none */
    const char *help;     /* one line */
    const char *actions;  /* " generate probe ": actions that take it; NULL: all */
    double low, high;     /* range of a NUMBER, checked by verb_number */
    bool optional;        /* the value may be omitted, and is then "" */
    bool of_section;      /* the option comes from the verb's section, not from its page */
};

struct verb_page {
    const char *heading; /* heading of the group that this verb begins; NULL: none */
    const char *usage, *help, *text;
    int options;
    struct verb_option *option; /* [options] in the order of the help */
};

enum { VERB_ACTIONS = 8 };

struct store;
struct verb_call;
typedef int verb_action(struct verb_call *call); /* returns the exit status */

struct verb {
    const char *name; /* "run" */
    const char *page; /* name of the page; NULL: the name of the verb */
    bool hidden;      /* internal; not listed by --help and completion */
    verb_action *run; /* NULL: the first word names an action */
    struct {
        const char *name;
        verb_action *run;
        int least, most; /* limits of the number of words, the action included; most 0: no limit */
    } action[VERB_ACTIONS];
    const struct section *section; /* section whose rows are also options (--length-penalty 0.6); or
                                      NULL */
    void (*more_help)(FILE *out);  /* prints the text after the page; or NULL */
    bool gpus;                     /* --device may list several GPUs */
    bool data;                     /* prints data for programs, which is masked only on a
                                      terminal */
    struct {
        int least, most;
    } words; /* limits of the number of words that are not options. most 0: the usage sets the
                limits. No words if it is empty, any number if it begins with "[", else one or
                more */
};

/* The command line after the verb. */
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
    const char **change; /* [changes] assignments taken from the words */
    struct store *store; /* opened by stage_argument_store, closed when the verb ends; NULL: none */
};

/* The main function of a program with these NULL-terminated verbs. */
int verb_main(const struct verb *const *verbs, int count, char **word);
/* Returns the text of NAME.txt. */
const char *verb_text(const char *name);
struct verb_page verb_page(const struct verb *verb, struct arena *arena);
/* Returns the option of this name; NULL if none. */
const struct verb_option *verb_option(const struct verb_page *page, const char *name);
/* Prints the help of a verb. */
void verb_help(const struct verb *verb);
/* Parses the command line. With --help, prints the help and exits. Dies if an option is unknown. */
void verb_parse(struct verb_call *call, const struct verb *verb, int count, char **word);
/* Runs the verb; returns the exit status. Dies if the verb has actions and the first word is none
 * of them. */
int verb_do(struct verb_call *call);
/* True if a word sets or removes an option of a grid: a.b=c, ~a.b. */
bool verb_is_change(const char *word);
/* Moves the assignments among the words from word[first] on to `change`. */
void verb_take_changes(struct verb_call *call, int first);
/* Moves the assignments after the first word to `change`. Dies if another word remains. The message
 * has `what`, such as "stage": expected one stage. */
void verb_take_one(struct verb_call *call, const char *what);
/* Removes a word from the words and returns it. */
const char *verb_take_word(struct verb_call *call, int index);
/* Returns the last given value of an option, or else its default; NULL if it has none. */
const char *verb_value(const struct verb_call *call, const char *name);
/* Returns the value of a required option. Dies with the usage if it is not given. */
const char *verb_need(const struct verb_call *call, const char *name);
/* True if an option was given. */
bool verb_switch(const struct verb_call *call, const char *name);
/* Returns the value of a NUMBER option with a range, or its default. Dies if the value is not a
 * whole number, or out of range. */
int verb_number(const struct verb_call *call, const char *name);
/* Dies unless an option's value is a path to which a file can be written. A pipe or device is
 * invalid, because the file would replace it. */
void verb_check_file(const struct verb_call *call, const char *name, const char *path);
/* Dies if the value of --format is invalid, or if --out takes a file and its value is not the path
 * of a file. Call this function before any work. */
void verb_check_sheet(const struct verb_call *call);
enum sheet_form verb_form(const struct verb_call *call); /* the value of --format */
/* Prints a table in the form of --format, to the file of --out if the verb has this option, else to
 * standard output. */
void verb_print_sheet(const struct verb_call *call, const struct sheet *sheet);
/* Opens the file of --out for writing; without --out, returns standard output. The file appears
 * when verb_out_end is called. */
struct file_writer verb_out(const struct verb_call *call);
void verb_out_end(struct file_writer *writer);
/* Dies if an option's value should be a folder but is a file. */
void verb_check_folder(const struct verb_call *call, const char *name, const char *path);
/* Return an index in a NULL-terminated list of words: verb_word of `value`, which is a part of an
 * option's value, verb_choice of the option's value. Die if the list lacks the word. */
int verb_word(const struct verb_call *call, const char *name, const char *value,
              const char *const *words);
int verb_choice(const struct verb_call *call, const char *name, const char *const *words);
/* Finds all values of an option that may be repeated. Returns their number. */
int verb_values(struct verb_call *call, const char *name, const char ***value);
/* Returns the comma-separated words of all values of an option, NULL-terminated. */
const char *const *verb_list(struct verb_call *call, const char *name);
/* Returns the key of a section's row for an option: "length_penalty" for "--length-penalty". */
char *verb_key(struct arena *arena, const char *name);
/* Fills the fields of the verb's section from its options. */
void verb_section(struct verb_call *call, void *fields);

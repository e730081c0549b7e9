/* The command line: a verb is a row, its options are rows, and help and parser follow from them.
 * Adding a verb is adding its file, and its row in main.c. */
#ifndef EXPERIMENTS_CLI_VERB_H
#define EXPERIMENTS_CLI_VERB_H

#include "core/base/arena.h"
#include "core/config/option.h"

/* An option of a verb: --name VALUE, or --name alone. */
struct verb_option {
    const char *name;     /* "--runs" */
    const char *value;    /* what stands behind it, for help: "DIR", "NUMBER"; NULL: a switch */
    const char *fallback; /* NULL: none */
    const char *help;     /* one line */
    double low, high;     /* range of a NUMBER, checked by verb_number */
};

enum { VERB_WORDS = 4096, VERB_OPTIONS = 64 };

struct verb_call;

struct verb {
    const char *name, *usage;           /* "run", "GRID.yaml [key=value ...]" */
    const char *help;                   /* one line */
    int (*run)(struct verb_call *call); /* returns the exit status */
    const struct verb_option *option;   /* [options] of its own; the common ones come with it */
    int options;
    const struct section *section; /* its rows are options, too (--length-penalty 0.6); or NULL */
    void (*more_help)(FILE *out);  /* printed below; or NULL */
    bool hidden;                   /* not for people */
    bool device; /* computes: takes --device, and then it is this process's (core/model/device.h) */
    bool data;   /* what it prints are bytes for programs, which only a terminal gets masked */
    int words_least, words_most; /* words that are no options */
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
};

/* Parses; prints help and exits when asked to; dies on what it does not know. */
void verb_parse(struct verb_call *call, const struct verb *verb, int count, char **word);
/* An option's value, its default, or NULL; of one that was given several times the last. */
const char *verb_value(const struct verb_call *call, const char *name);
bool verb_switch(const struct verb_call *call, const char *name);
int verb_number(const struct verb_call *call, const char *name);
/* The index of an option's value, or of a word of it, in a NULL-terminated list of words. */
int verb_word(const struct verb_call *call, const char *name, const char *value,
              const char *const *words);
int verb_choice(const struct verb_call *call, const char *name, const char *const *words);
/* Every value of an option that may be given several times; returns how many. */
int verb_values(struct verb_call *call, const char *name, const char ***value);
/* Fills the fields of the verb's section. */
void verb_section(struct verb_call *call, void *fields);

#endif

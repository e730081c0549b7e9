/* The topics of `sanlab help options`. Every option of a grid belongs to one of them; "all" prints
 * every topic. */
#pragma once

#include <stdio.h>

struct topic {
    const char *name, *help; /* help is one line */
    void (*more[3])(FILE *); /* print the text after the topic's options (settings_help) */
};
/* Terminated by a topic whose name is NULL. */
extern const struct topic topics[];

/* Print the keys table and claims. The help of the verbs table and claims prints them, too. */
void topics_table_help(FILE *out);
void topics_claims_help(FILE *out);
/* Prints one line per topic, and how options are set. */
void topics_list(FILE *out);
/* Prints a topic. Dies if there is none of this name. */
void topics_print(const char *name, FILE *out);

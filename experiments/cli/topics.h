/* The topics of `sanlab help options`. Every option of a grid belongs to one of them; "all" prints
 * every topic. */
#pragma once

#include <stdio.h>

struct topic {
    const char *name, *help; /* help is one line */
    void (*more[3])(FILE *); /* print the rest of the topic, after its options (settings_help) */
};
/* Ended by a name of NULL. */
extern const struct topic topics[];

/* The keys table and claims, which are also printed by the help of the verbs of that name. */
void topics_table_help(FILE *out);
void topics_claims_help(FILE *out);
/* Prints one line per topic, and how options are set. */
void topics_list(FILE *out);
/* Prints a topic. Dies if there is none of this name. */
void topics_print(const char *name, FILE *out);

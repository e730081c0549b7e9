/* For readers of evidence (evidence_bleu.c, evidence_items.c); only they include this. */
#ifndef RESULTS_TABLE_EVIDENCE_READ_H
#define RESULTS_TABLE_EVIDENCE_READ_H

#include <jansson.h>

#include "results/table/evidence.h"

/* What a reader is given, and what is common to them. All that it takes lives in the arena. */
struct evidence_job {
    struct evidence *evidence; /* id, name and class are there */
    struct arena *arena;
    struct store *store;
    const char *kind, *value, *folder;
    const json_t *stage, *summary, *outputs; /* stage.json; of done.json */
};
const struct evidence *evidence_read(struct store *store, const char *kind, const char *id,
                                     const char *value, const char *class,
                                     void (*read)(struct evidence_job *job));
const char *evidence_folder(const struct evidence_job *job, const char *kind, const char *id);
/* A text of an object of JSON; NULL: there is none. */
const char *evidence_word(struct evidence_job *job, const json_t *object, const char *key);
/* The bytes of a file whose digest begins with `digest`. NULL when it is not that file, and the
 * evidence's problem says why: "PATH has changed since it was scored", which is the word. */
char *evidence_file(struct evidence_job *job, const char *path, const char *digest,
                    const char *word, size_t *bytes);
/* The files of a stage's sets among its outputs, STEM.TYPE or STEM.1.TYPE and so on, each verified
 * and handed to `read`, until it is false. Fills sets and files; false when one could not be read
 * or there is none, and the problem is there. */
bool evidence_sets(struct evidence_job *job, const char *stem, const char *type, const char *word,
                   bool (*read)(void *context, int set, const char *path, char *text, size_t bytes),
                   void *context);
/* Whether the score is what was recorded; else the problem says both. `what` it was computed of. */
void evidence_check(struct evidence_job *job, const char *what, double recorded);

#endif

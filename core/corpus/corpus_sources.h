/* The files that a corpus is made from. */
#pragma once

#include "core/base/digest.h"
#include "core/corpus/corpus_options.h"
#include "core/corpus/reader.h"

/* A file that the corpus is made from. */
struct corpus_input {
    const char *name;         /* "train.source", of the second part "train.source.2"; "codes" */
    const char *path;         /* as the options have it */
    const char *file;         /* where it is: a relative path under $SANLAB_DATA, else under data/,
                               * the first where there is one; NULL: missing */
    char digest[DIGEST_TEXT]; /* of its content; empty when missing or not asked for */
};
/* Parallel text: one file for each side, or the same one twice. */
struct corpus_part {
    enum split_name split;
    const struct corpus_input *side[SIDES];
};
struct corpus_sources {
    int inputs, parts;
    struct corpus_input *input;       /* [inputs] */
    struct corpus_part *part;         /* [parts] in the order in which they are read */
    const struct corpus_input *codes; /* ready merges, or NULL */
    int references;
    const struct corpus_input *reference; /* [references] more of them, of all of the test */
};
/* Where a file of text is: a relative path under $SANLAB_DATA, else under data/; NULL: nowhere.
 * Dies where only data/ has it and $SANLAB_DATA names no folder. */
const char *corpus_find_file(struct arena *arena, const char *path);
/* What the corpus is made from; for reading, for identities, and to say what is missing. Dies when
 * the options contradict each other. `digest` is digest_file, or one that remembers, or NULL. */
struct corpus_sources corpus_sources(const struct corpus_options *options, struct arena *arena,
                                     void (*digest)(const char *path, char text[DIGEST_TEXT]));
/* How the files of a side of a split are read. */
struct reader_layout corpus_layout(const struct corpus_options *options, enum split_name split,
                                   enum side_name side);
/* "under $SANLAB_DATA (now PATH) and data/": where corpus_find_file looks. */
const char *corpus_folders(struct arena *arena);
/* "WHAT, looked for under ..": of a path that corpus_find_file does not find. */
const char *corpus_missing_file(const char *what, struct arena *arena);
/* One line that names every file that is missing, says where they are looked for and where to get
 * them; NULL when all are there. */
const char *corpus_missing(const struct corpus_options *options,
                           const struct corpus_sources *sources, struct arena *arena);

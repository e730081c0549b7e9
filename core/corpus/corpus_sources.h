/* Finds the input files of a corpus. */
#pragma once

#include "core/base/digest.h"
#include "core/corpus/corpus_options.h"
#include "core/corpus/reader.h"

/* An input file of a corpus. */
struct corpus_input {
    const char *name;         /* "train.source", for the second part "train.source.2"; "codes" */
    const char *path;         /* as in the options */
    const char *file;         /* path of the existing file (corpus_find_file); NULL: missing */
    char digest[DIGEST_TEXT]; /* digest of the content; empty if missing or not requested */
};
/* Parallel text: one file per side, or the same file for both. */
struct corpus_part {
    enum split_name split;
    const struct corpus_input *side[SIDES];
};
struct corpus_sources {
    int inputs, parts;
    struct corpus_input *input;       /* [inputs] */
    struct corpus_part *part;         /* [parts] in reading order */
    const struct corpus_input *codes; /* ready merges, or NULL */
    int references;
    const struct corpus_input *reference; /* [references] further references, for the whole test */
};
/* Returns the location of a text file: a relative path under $SANLAB_DATA, else under data/; NULL
 * if there is none. Dies if only data/ has it and $SANLAB_DATA is not a folder. */
const char *corpus_find_file(struct arena *arena, const char *path);
/* Returns the input files of a corpus, for reading, for identities, and to report missing files.
 * Dies if the options contradict each other. `digest` is digest_file, a version of digest_file with
 * a cache, or NULL. */
struct corpus_sources corpus_sources(const struct corpus_options *options, struct arena *arena,
                                     void (*digest)(const char *path, char text[DIGEST_TEXT]));
/* Returns the layout of the files of a side of a split. */
struct reader_layout corpus_layout(const struct corpus_options *options, enum split_name split,
                                   enum side_name side);
/* Returns "under $SANLAB_DATA (now PATH) and data/": the folders that corpus_find_file searches. */
const char *corpus_folders(struct arena *arena);
/* Returns "WHAT, looked for under ..", for a path that corpus_find_file does not find. */
const char *corpus_missing_file(const char *what, struct arena *arena);
/* Returns one line with all missing files, the searched folders and the source of the files; NULL
 * if none is missing. */
const char *corpus_missing(const struct corpus_options *options,
                           const struct corpus_sources *sources, struct arena *arena);

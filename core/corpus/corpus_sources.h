/* Finds the input files of a corpus. */
#pragma once

#include "core/base/digest.h"
#include "core/corpus/corpus_options.h"
#include "core/corpus/reader.h"

/* An input file of a corpus. */
struct corpus_input {
    const char *name; /* "train.source", "train.source.2" for the second part, or "codes" */
    const char *path; /* as in the options */
    const char *file; /* path of the existing file (corpus_find_file); NULL: missing */
    /* digest of the content; empty if the file is missing or the digest is not requested */
    char digest[DIGEST_TEXT];
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
    const struct corpus_input *codes; /* file of merges; NULL: merges are learned */
    int references;
    /* [references] files of further references; each is for the whole test */
    const struct corpus_input *reference;
};
/* Returns the path of an existing text file; NULL if there is none. A relative path is looked up
 * under $SANLAB_DATA, then under data/. Dies if only data/ has the file and $SANLAB_DATA is not a
 * folder. */
const char *corpus_find_file(struct arena *arena, const char *path);
/* Returns the input files of a corpus. They are used to read text, to compute ids, and to report
 * missing files. Dies if the options contradict each other. `digest` computes the digests: it is
 * digest_file, or a version of digest_file with a cache. If it is NULL, there are no digests. */
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

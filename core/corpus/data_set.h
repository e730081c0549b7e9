/* Manifests of data sets. A manifest lists the files of an external data set, their origin, their
 * digests and the license. The shipped manifests are experiments/corpora/sets/NAME.yaml:
 *
 *     description: one line            license: one line, printed before the download
 *     warn: [WORDS]                    words of the license to emphasize; optional
 *     citation: one line               login: true if the site requires a login; default false
 *     fetched: false                   the files were not fetched before the manifest was written
 *     files:                           each has a blob id of git (blob) or a SHA-256 (sha256)
 *       - {path: .., url: .., blob: .., bytes: .., fetched: ..}
 *     make: {program: .., files: [{path: .., blob: ..}]}   made from `files` by a Python program
 *     steps: text                      instructions for a set without download. Its files need only
 *                                      a path
 *
 * A path is relative to the data folder and must not leave it. */
#pragma once

#include "core/base/arena.h"
#include "core/config/location.h"

struct data_file {
    /* url: NULL if a program makes the file; may be NULL in a set with steps */
    const char *path, *url;
    const char *digest; /* lower-case hexadecimal; may be NULL in a set with steps */
    bool sha256;        /* true: digest is a SHA-256; false: it is a blob id of git */
    int64_t bytes;      /* size of the file; -1: unknown */
    bool fetched;       /* the content was checked when the manifest was written */
    struct location location;
};

struct data_set {
    const char *name, *manifest; /* manifest: path of the manifest */
    const char *description, *license, *citation;
    const char *const *warn; /* words of the license to emphasize; NULL-terminated */
    const char *steps;       /* instructions; NULL: `sanlab corpus get` fetches the set */
    const char *program;     /* program that makes `made`; NULL: none */
    bool login;
    int files, mades;
    const struct data_file *file; /* [files] files to fetch */
    const struct data_file *made; /* [mades] files made by the program */
};

/* Returns the names of the shipped sets, sorted and NULL-terminated. */
const char *const *data_set_names(struct arena *arena);
/* Reads the manifest with this name, or with a path that ends with .yaml. Dies with `location` if
 * there is no manifest, and with the manifest's line if the manifest is invalid. */
const struct data_set *data_set_read(struct arena *arena, const char *name,
                                     struct location location);
/* Dies with the location if the URL is not valid. A valid URL begins with http, https or file. It
 * has only printable ASCII characters, without blanks, double quotes and backslashes. */
void data_set_check_url(const char *url, struct location location);
/* Returns the files that a user wants from a set: the files that the program makes, else the
 * fetched files. */
const struct data_file *data_set_files(const struct data_set *set, int *count);
/* Returns the shipped set with a file of this path ("parallel/multi30k/train.en"); NULL if there is
 * none. */
const struct data_set *data_set_with(const char *path);

/* Returns the data folder that `sanlab corpus get` writes to: $SANLAB_DATA, or "data". */
const char *data_folder(void);

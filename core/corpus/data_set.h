/* Data sets from elsewhere: a manifest lists the files of a set, their origin, their digests and
 * the license. experiments/corpora/sets/NAME.yaml are the shipped manifests:
 *
 *     description: one line            license: one line, printed before the download
 *     warn: [WORDS]                    what of the license must stand out; may be absent
 *     citation: one line               login: true if the site asks for one; false if absent
 *     fetched: false                   the content was never fetched when this was written
 *     files:                           each with the blob id of git, or with sha256
 *       - {path: .., url: .., blob: .., bytes: .., fetched: ..}
 *     make: {program: .., files: [{path: .., blob: ..}]}   made from `files` by a Python program
 *     steps: text                      a set without download: how a user gets it. Its files need
 *                                      a path only
 *
 * A path is relative to the data folder and does not leave it. */
#pragma once

#include "core/base/arena.h"
#include "core/config/place.h"

struct data_file {
    const char *path, *url; /* url: NULL if a program makes the file, or in a set of steps */
    const char *digest;     /* lower-case hexadecimal; NULL in a set of steps */
    bool sha256;            /* else git's blob id */
    int64_t bytes;          /* -1: unknown */
    bool fetched;           /* the content was seen when the manifest was written */
    struct place place;
};

struct data_set {
    const char *name, *manifest; /* the manifest's file */
    const char *description, *license, *citation;
    const char *const *warn; /* NULL-terminated */
    const char *steps;       /* NULL: `sanlab corpus get` fetches it */
    const char *program;     /* a file that makes `made`; NULL: none */
    bool login;
    int files, mades;
    const struct data_file *file; /* [files] to fetch */
    const struct data_file *made; /* [mades] that the program makes */
};

/* The names of the shipped sets, sorted and NULL-terminated. */
const char *const *data_set_names(struct arena *arena);
/* Reads the manifest that a name or a path with the ending .yaml denotes. Dies at `place` where
 * there is none, and at the manifest's line where it is wrong. */
const struct data_set *data_set_read(struct arena *arena, const char *name, struct place place);
/* Dies at the place unless a URL is one that curl may get: http, https or file; printable ASCII. */
void data_set_check_url(const char *url, struct place place);
/* The files for which a user gets a set: the made ones, or else the fetched ones. */
const struct data_file *data_set_files(const struct data_set *set, int *count);
/* The shipped set of whose files one has this path ("parallel/multi30k/train.en"); NULL: none. */
const struct data_set *data_set_with(const char *path);
/* The bytes of a text: of the file that is here, or as the manifest of a shipped set says; 0:
 * unknown. */
double data_set_bytes(const char *path);

/* The data folder that `sanlab corpus get` writes to: $SANLAB_DATA, or "data". */
const char *data_folder(void);

/* Downloads files with one process of the program curl, so that files from one server share a
 * connection.
 *
 * URLs and paths are passed on curl's standard input, never through a shell. Only http, https and
 * file are allowed. Redirects are allowed only to http or https. ~/.curlrc is not read. The proxies
 * of the environment (https_proxy, ..) apply. curl ends when this process ends.
 *
 * An existing part of a file is kept, and the download continues after it (Range). Nothing is
 * written if the HTTP status is 400 or more. The first failure ends the downloads. */
#pragma once

#include "core/base/arena.h"

struct curl_file {
    const char *url, *path;
};

/* The result of a transfer. */
struct curl_end {
    int index;       /* index of the file; -1: curl failed as a whole */
    int code;        /* curl's exit code; 0: the file is complete */
    int status;      /* HTTP status; 0: none */
    const char *why; /* message, in the arena */
};

/* Callbacks: `ended` is called after every successful transfer, `tick` at least five times a
 * second. */
struct curl_calls {
    void (*ended)(void *context, int index);
    void (*tick)(void *context);
    void *context;
};

/* Fetches the files in their order. Returns the first failure; if all files are complete, the
 * result has code 0. Dies if curl is not installed. */
struct curl_end curl_fetch(const char *what, const struct curl_file *file, int files,
                           const struct curl_calls *calls, struct arena *arena);
/* Classes of failures. */
enum curl_failure {
    CURL_FINAL,     /* a retry would also fail */
    CURL_WRITE,     /* the file cannot be written here */
    CURL_NO_RESUME, /* the server cannot continue the file: start again */
    CURL_UNREACHED, /* there was no connection */
    CURL_BROKEN     /* the transfer was interrupted, or the server is busy: retry */
};
enum curl_failure curl_failure(const struct curl_end *end);

/* Downloads by one process of the program curl, which keeps its connection from file to file.
 *
 * URLs and paths reach curl on its standard input, never through a shell. Only http, https and file
 * are allowed; a redirect leads to http or https only. ~/.curlrc is not read. Proxies of the
 * environment (https_proxy, ..) hold. curl ends when this process ends.
 *
 * What a file has already is kept and continued (Range). Nothing is written for a status from 400.
 * The first failure ends the rest. */
#pragma once

#include "core/base/arena.h"

struct curl_file {
    const char *url, *path;
};

/* The end of a transfer. */
struct curl_end {
    int index;       /* of the file; -1: curl failed as a whole */
    int code;        /* curl's exit code; 0: all of the file came */
    int status;      /* of HTTP; 0: none */
    const char *why; /* in words; in the arena */
};

/* `ended` is called at the end of every transfer that went well, `tick` five times a second. */
struct curl_calls {
    void (*ended)(void *context, int index);
    void (*tick)(void *context);
    void *context;
};

/* Fetches the files in their order; returns the first failure, or code 0. Dies where curl is not
 * installed. */
struct curl_end curl_fetch(const char *what, const struct curl_file *file, int files,
                           const struct curl_calls *calls, struct arena *arena);
/* How a failure is to be taken. */
enum curl_failure {
    CURL_FINAL,     /* the next try would fail, too */
    CURL_WRITE,     /* the file cannot be written here */
    CURL_NO_RESUME, /* the server does not continue the file: it must begin anew */
    CURL_UNREACHED, /* there was no connection */
    CURL_BROKEN     /* the transfer broke off, or the server is busy: another try may help */
};
enum curl_failure curl_failure(const struct curl_end *end);

/* One side of parallel text, sentence by sentence, out of files as campaigns hand them out.
 *
 *   lines      one sentence a line
 *   tagged     the same, with lines of markup between them (TED talks of IWSLT: train.tags.*)
 *   segments   <seg id="..."> inside of <doc docid="...">, SGML or XML (test sets of WMT and IWSLT)
 *   fields     both sides, and more, in each line of one file (ASPEC, tab-separated values)
 *
 * A format is one file, reader_NAME.c. Only '\n' ends a line; the last one may lack it. A byte
 * order mark is not text. A sentence is bytes: whether they are UTF-8, its caller asks. */
#pragma once

#include "core/base/arena.h"
#include "core/base/buffer.h"

enum reader_format { READER_LINES, READER_TAGGED, READER_SEGMENTS, READER_FIELDS };
#define READER_FORMATS "lines|tagged|segments|fields"

struct reader_layout {
    int format;            /* enum reader_format */
    const char *separator; /* of fields */
    int field;             /* the one to read, from 1; from the end: -1 is the last */
};

struct sentence {
    const char *text; /* [bytes] not NUL-terminated, without '\n'; gone with the next one */
    size_t bytes;
    int line;       /* of the file, where it begins, from 1 */
    const char *id; /* of segments: "document segment", by which the two sides agree; else NULL */
};

/* The file is in memory as long as its reader is open. */
struct reader {
    const char *path;
    struct reader_layout layout;
    int sentences; /* that were read */
    int markup;    /* lines of markup that were passed over */

    struct arena arena;   /* the file's text */
    const char *at, *end; /* what was not yet read */
    int line;             /* of the file, where `at` stands */
    struct buffer text;   /* of a sentence that is not in the file as it is */
    struct buffer document, id;
    int fields; /* of the first line */
};

/* Dies when the file cannot be read. */
void reader_open(struct reader *reader, const char *path, struct reader_layout layout);
/* False at the end. Dies where the file is not of its format: "PATH:LINE: ...". */
bool reader_next(struct reader *reader, struct sentence *sentence);
void reader_close(struct reader *reader);
/* What a format counts: "lines" or "segments". */
const char *reader_unit(const struct reader *reader);

/* ---- for the formats ---- */

/* The next line without its end; false at the end of the file. */
bool reader_line(struct reader *reader, struct sentence *line);
bool reader_next_tagged(struct reader *reader, struct sentence *sentence);
bool reader_next_segment(struct reader *reader, struct sentence *sentence);
bool reader_next_field(struct reader *reader, struct sentence *sentence);

/* Reads one side of parallel text, sentence by sentence, from the file formats of shared tasks.
 *
 *   lines      one sentence per line
 *   tagged     lines, with lines of markup between them (TED talks of IWSLT: train.tags.*)
 *   segments   <seg id="..."> inside of <doc docid="...">, SGML or XML (test sets of WMT and IWSLT)
 *   fields     each line of one file has both sides, and may have more fields (ASPEC, TSV)
 *
 * Each format has a file reader_NAME.c. Only '\n' ends a line; the last line may lack it. A byte
 * order mark is skipped. The caller must check that a sentence is UTF-8. */
#pragma once

#include "core/base/arena.h"
#include "core/base/buffer.h"

enum reader_format { READER_LINES, READER_TAGGED, READER_SEGMENTS, READER_FIELDS };
#define READER_FORMATS "lines|tagged|segments|fields"

struct reader_layout {
    int format;            /* enum reader_format */
    const char *separator; /* separator of fields */
    int field;             /* index of the field to read: 1 is the first, -1 the last */
};

struct sentence {
    const char *text; /* [bytes] not NUL-terminated, without '\n'; valid until the next sentence */
    size_t bytes;
    int line;       /* line of the file in which the sentence starts, from 1 */
    const char *id; /* format segments: "DOCUMENT SEGMENT", equal on both sides; else NULL */
};

/* A reader. The whole file is in memory while the reader is open. */
struct reader {
    const char *path;
    struct reader_layout layout;
    int sentences; /* number of sentences read */
    int markup;    /* number of skipped lines of markup */

    struct arena arena;   /* the file's text */
    const char *at, *end; /* unread text */
    int line;             /* number of the line at `at` */
    struct buffer text;   /* text of a sentence that differs from the file's bytes */
    struct buffer document, id;
    int fields; /* number of fields of the first line */
};

/* Dies if the file cannot be read. */
void reader_open(struct reader *reader, const char *path, struct reader_layout layout);
/* Reads the next sentence. Returns false at the end. Dies if the file violates its format:
 * "PATH:LINE: ...". */
bool reader_next(struct reader *reader, struct sentence *sentence);
void reader_close(struct reader *reader);
/* Returns the unit of a format: "lines" or "segments". */
const char *reader_unit(const struct reader *reader);

/* ---- for reader_NAME.c ---- */

/* Reads the next line, without '\n'. Returns false at the end of the file. */
bool reader_line(struct reader *reader, struct sentence *line);
bool reader_next_tagged(struct reader *reader, struct sentence *sentence);
bool reader_next_segment(struct reader *reader, struct sentence *sentence);
bool reader_next_field(struct reader *reader, struct sentence *sentence);

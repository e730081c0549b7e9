/* The records of a journal (journal.h), one after another:
 *
 *     struct journal_reader reader = journal_read(folder, JOURNAL_EVENTS, 0);
 *     for (json_t *record; (record = journal_next(&reader));) .. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "core/base/journal.h"

struct journal_reader {
    FILE *file; /* NULL: there is none, or it was read */
    char *path, *line;
    size_t room;
    json_t *record;
};

/* Of one of a journal's files, and of that the last `bytes` alone (0: all). A file that is not
 * there has no records. */
struct journal_reader journal_read(const char *folder, const char *name, int64_t bytes);
/* The next record, until the one behind it is asked for; NULL at the end, when all is closed: read
 * on to there. What is no record, as half a line, is left out. Dies when the file cannot be
 * read. */
json_t *journal_next(struct journal_reader *reader);

/* The text of a key, "" where there is none; as long as the record. */
const char *journal_text(const json_t *record, const char *key);

/* Iterates over the records of a journal (journal.h):
 *
 *     struct journal_reader reader = journal_read(folder, JOURNAL_EVENTS, 0);
 *     for (json_t *record; (record = journal_next(&reader));) .. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "core/base/journal.h"

struct journal_reader {
    FILE *file; /* NULL: the file is absent, or its end was read */
    char *path, *line;
    size_t capacity;
    json_t *record;
};

/* Opens a file of a journal for reading its last `bytes` bytes (0: the whole file). An absent file
 * has no records. */
struct journal_reader journal_read(const char *folder, const char *name, int64_t bytes);
/* Returns the next record, valid until the next call; NULL at the end. Only the end closes the
 * reader, so read to the end. Skips invalid records, such as an incomplete line. Dies if the file
 * cannot be read. */
json_t *journal_next(struct journal_reader *reader);

/* Returns the text of a key, "" if there is none; valid as long as the record. */
const char *journal_text(const json_t *record, const char *key);

/* Reads journals. Another process may be writing the file, and may die in the middle of a line. */
#include "core/base/journal_read.h"

#include <stdlib.h>

#include "core/base/file.h"

struct journal_reader journal_read(const char *folder, const char *name, int64_t bytes)
{
    struct journal_reader reader = {.path = heap_print("%s/%s", folder, name)};
    const int64_t all = bytes ? file_bytes(reader.path) : 0;
    reader.file = file_lines(reader.path);
    if (reader.file && all > bytes) fseeko(reader.file, (off_t)(all - bytes), SEEK_SET);
    return reader;
}

static void leave(struct journal_reader *reader)
{
    json_decref(reader->record);
    file_close(reader->file, reader->path);
    free(reader->line);
    free(reader->path);
    *reader = (struct journal_reader){0};
}

json_t *journal_next(struct journal_reader *reader)
{
    do {
        json_decref(reader->record);
        reader->record = NULL;
        if (!reader->file ||
            file_line(reader->file, reader->path, &reader->line, &reader->capacity) <= 0) {
            leave(reader);
            return NULL;
        }
        reader->record = json_loads(reader->line, 0, NULL);
    } while (!reader->record);
    return reader->record;
}

const char *journal_text(const json_t *record, const char *key)
{
    const char *text = json_string_value(json_object_get(record, key));
    return text ? text : "";
}

/* Reads a file into memory and splits it into lines, for all formats. */
#include "core/corpus/reader.h"

#include <limits.h>

#include "core/base/file.h"
#include "core/text/utf8.h"

void reader_open(struct reader *reader, const char *path, struct reader_layout layout)
{
    *reader = (struct reader){.path = path, .layout = layout, .line = 1};
    size_t bytes;
    reader->at = file_read(&reader->arena, path, 0, &bytes);
    reader->end = reader->at + bytes;
    reader->at += utf8_mark(reader->at, bytes);
}

void reader_close(struct reader *reader)
{
    arena_free(&reader->arena);
    buffer_free(&reader->text);
    buffer_free(&reader->document);
    buffer_free(&reader->id);
}

bool reader_line(struct reader *reader, struct sentence *line)
{
    if (reader->at == reader->end) return false;
    if (reader->line == INT_MAX)
        die("%s: has more than %d lines: expected fewer", reader->path, INT_MAX - 1);
    const char *stop = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    if (!stop) stop = reader->end;
    *line = (struct sentence){
        .text = reader->at, .bytes = (size_t)(stop - reader->at), .line = reader->line++};
    reader->at = stop < reader->end ? stop + 1 : stop;
    return true;
}

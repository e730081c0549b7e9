/* Expected tables of tests, in tests/emu/NAME.tsv. A test fails if its table differs; `make
 * emu-table` writes the files again. */
#pragma once

#include "core/base/buffer.h"
#include "tests/support/test.h"

struct kept {
    struct buffer text;
};

/* True if OPS names the op, or if OPS is not set. */
static inline bool kept_wanted(const char *op)
{
    const char *wanted = getenv("OPS");
    return !wanted || strstr(wanted, op);
}

/* Adds a line; the newline is added here. */
PRINTF(2, 3) static inline void kept_add(struct kept *table, const char *format, ...)
{
    char line[MESSAGE_BYTES];
    va_list list;
    va_start(list, format);
    const int bytes = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    assert_in_range(bytes, 1, (int)sizeof line - 1);
    buffer_add(&table->text, line, (size_t)bytes);
    buffer_add_byte(&table->text, '\n');
}

static inline struct kept kept_new(const char *header)
{
    struct kept table = {0};
    kept_add(&table, "%s", header);
    return table;
}

/* Ends the table. If EMU_TABLE is set, writes it to the file; else the file must have this content.
 * A table of only some ops goes to standard output and is not compared. */
static inline void kept_check(struct kept *table, const char *path)
{
    const char *found = table->text.text, *problem;
    const bool writes = getenv("EMU_TABLE");
    size_t same = 0;
    buffer_add_byte(&table->text, 0);
    if (getenv("OPS")) {
        if (writes) printf("%s", found);
    } else if (writes) {
        file_write(path, found, strlen(found));
    } else {
        const char *kept = file_try_read(&arena, path, 0, NULL, &problem);
        if (!kept) kept = "";
        while (found[same] && found[same] == kept[same]) same++;
        const bool equal = found[same] == kept[same];
        while (same && found[same - 1] != '\n') same--;
        if (!equal)
            fail_msg("%s: make emu-table writes it anew\n  found: %.*s\n  kept:  %.*s", path,
                     (int)strcspn(found + same, "\n"), found + same,
                     (int)strcspn(kept + same, "\n"), kept + same);
    }
    buffer_free(&table->text);
}

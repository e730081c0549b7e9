/* Rows of tables of bad text, and what must be said of it: by die() of YAML, by a reader of the
 * files of a stage as the problem that it returns. */
#pragma once

#include "tests/support/test.h"

struct refused {
    const char *yaml;         /* read under the name dir/f.yaml */
    const char *place;        /* "line:column:" that the message begins with */
    const char *part, *other; /* what is in it; other may be NULL */
};

/* After EXPECT_DIE(row->part, ...): the rest of what the row says, on one line. */
static inline void refused_check(const struct refused *row)
{
    char start[64];
    snprintf(start, sizeof start, "dir/f.yaml:%s ", row->place);
    if (strncmp(test_die_message, start, strlen(start)) != 0)
        fail_msg("%s\n  die() said: %s\n  expected first: %s", row->yaml, test_die_message, start);
    if (row->other && !strstr(test_die_message, row->other))
        fail_msg("die() said: %s\n  expected in it: %s", test_die_message, row->other);
    if (strchr(test_die_message, '\n')) fail_msg("two lines: %s", test_die_message);
}

struct refused_file {
    const char *text;
    size_t bytes;     /* 0: as long as the text */
    const char *says; /* what is in the problem; the file is called x */
};

/* Fails unless `read` returns the problem of each row; it returns NULL where it finds none. */
static inline void refused_files_check(const struct refused_file *row, size_t count,
                                       const char *(*read)(struct arena *arena, char *text,
                                                           size_t bytes))
{
    for (size_t i = 0; i < count; i++) {
        const size_t bytes = row[i].bytes ? row[i].bytes : strlen(row[i].text);
        char *text = arena_alloc(&arena, bytes + 1);
        memcpy(text, row[i].text, bytes);
        const char *problem = read(&arena, text, bytes);
        assert_non_null(problem);
        if (!strstr(problem, row[i].says)) fail_msg("%s: %s", row[i].says, problem);
        arena_free(&arena);
    }
}

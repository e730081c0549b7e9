/* Tables of invalid texts and the expected error: the message of die() for YAML, the returned
 * problem for readers of a stage's files. */
#pragma once

#include "tests/support/test.h"

struct refused {
    const char *yaml;         /* read under the name dir/f.yaml */
    const char *place;        /* "line:column:", the beginning of the message */
    const char *part, *other; /* parts of the message; other may be NULL */
};

/* Checks the rest of the row after EXPECT_DIE(row->part, ...), and that the message is one line. */
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

/* True if the last refusal is one line, begins with `start`, and contains both parts, which are
 * separated by |. Otherwise prints it, with `what` was refused. */
static inline bool refused_says(const char *what, const char *start, const char *parts)
{
    const char *rest = parts + strcspn(parts, "|");
    const char *part = arena_text_range(&arena, parts, (size_t)(rest - parts));
    const bool good =
        !strncmp(test_die_message, start, strlen(start)) && strstr(test_die_message, part) &&
        strstr(test_die_message, rest + (*rest == '|')) && !strchr(test_die_message, '\n');
    if (!good)
        print_error("%s: die() said\n  %s\nexpected\n  %s .. %s\n", what, test_die_message, start,
                    parts);
    return good;
}

struct refused_file {
    const char *text;
    size_t bytes;     /* 0: length of the text */
    const char *says; /* part of the problem; the file is named x */
};

/* Fails unless `read` returns the problem of each row. `read` returns NULL for a valid text. */
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

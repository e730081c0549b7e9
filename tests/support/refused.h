/* Rows of tables of bad YAML: the text, and what die() must say about it. */
#ifndef TESTS_SUPPORT_REFUSED_H
#define TESTS_SUPPORT_REFUSED_H

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

#endif

/* Splits the pairs of LibreOffice's help into train, dev and test, by sentence or by page
 * (core/corpus/libreoffice.h describes both). */
#pragma once

#include "core/base/arena.h"
#include "core/corpus/split.h"

struct help_pair {
    const char *text[SIDES];
    int32_t group; /* the first pair of its group, once groups are known */
    int32_t pairs; /* size of the group, in the group's first pair */
    enum split_name split;
};

/* A page that is in both languages. */
struct help_page {
    const char *path; /* within a language */
    int64_t first;    /* index of its first occurrence; that of the next page is the end */
};

struct help_pairs {
    struct help_pair *pair; /* [pairs] in the order of pages and paragraphs */
    int64_t pairs;
    struct help_page *page; /* [pages + 1]; the last one has no path and ends the occurrences */
    int64_t pages;
    int32_t *occurrence; /* [occurrences] indices of pairs, page by page, repeated pairs too */
    int64_t occurrences;
};

struct help_split {
    bool by_page;
    int wanted[SPLITS];    /* pairs in dev and test: exactly, or by page at least */
    int64_t groups;        /* counted here, as all that follows */
    int64_t pairs[SPLITS]; /* in each split */
    int64_t pages[SPLITS]; /* by page: taken for dev and test */
    int64_t shared;        /* pairs of these pages that are in train */
};

/* Fills the field `split` of all pairs. Dies where there are too few pairs. */
void libreoffice_split(struct help_pairs *pairs, struct help_split *split);

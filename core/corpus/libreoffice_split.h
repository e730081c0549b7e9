/* Splits the pairs of LibreOffice's help into train, dev and test, by sentence or by page
 * (core/corpus/libreoffice.h describes both). */
#pragma once

#include "core/base/base.h"
#include "core/corpus/split.h"

struct libreoffice_options {
    const char *from, *to; /* folder names of two languages: "en-US", "de", "zh-CN" */
    const char *root;      /* folder of the unpacked packages; "/" if they are installed */
    const char *out;       /* folder to write; made if absent */
    /* version of the packages; NULL: read from ROOT/DEBIAN/control, if it exists */
    const char *version;
    int max_words; /* drop pairs with more words on either side; 0: no limit */
    /* number of pairs in each of these splits; a split by page may have more */
    int dev, test;
    bool by_page;
};

struct libreoffice_counts {
    int64_t pages, pages_unpaired; /* pages of the source; pages that the target lacks */
    /* source paragraphs of paired pages; paragraphs whose id the target lacks */
    int64_t paragraphs, paragraphs_unpaired;
    /* dropped pairs, by the first reason that applies */
    int64_t empty, untranslated, too_long, duplicate;
    int64_t pairs, groups;       /* kept pairs; groups of pairs that share sentences */
    int64_t split[SPLITS];       /* pairs in each split */
    int64_t split_pages[SPLITS]; /* pages taken for dev and test, if split by page */
    int64_t shared;              /* pairs on the pages of dev and test that are in train */
};

struct help_pair {
    const char *text[SIDES];
    int32_t group; /* index of the first pair of its group; set by libreoffice_split */
    int32_t pairs; /* number of pairs of the group; only set in its first pair */
    enum split_name split;
};

/* A page that exists in both languages. */
struct help_page {
    const char *path; /* path within the folder of a language */
    /* index in `occurrence` of its first pair; its end is `first` of the next page */
    int64_t first;
};

struct help_pairs {
    struct help_pair *pair; /* [pairs] in the order of pages and paragraphs */
    int64_t pairs;
    struct help_page *page; /* [pages + 1]; the last element has no path and ends the occurrences */
    int64_t pages;
    int32_t *occurrence; /* [occurrences] indices of pairs, page by page, with repeated pairs */
    int64_t occurrences;
};

/* Sets the member `split` of all pairs, and the members of `counts` from `pairs` on. Dies if there
 * are too few pairs. */
void libreoffice_split(struct help_pairs *pairs, const struct libreoffice_options *options,
                       struct libreoffice_counts *counts);

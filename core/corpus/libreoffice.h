/* Parallel text out of LibreOffice's help, which Debian packages in some eighty languages: real
 * sentences to begin with, aligned by page and paragraph id.
 *
 *   apt-get download libreoffice-help-en-us libreoffice-help-de
 *   for p in libreoffice-help-*.deb; do dpkg-deb -x $p build/help; done
 *   sanlab corpus libreoffice --from en-US --to de --root build/help --out data/libreoffice
 *
 * writes train.en-US, train.de, dev.*, test.* (raw text, one paragraph per line) and, last,
 * description.json with all counts. Pairs that share a sentence, on either side, form a group;
 * whole groups go to one split, so that no sentence of either side is in two. The same packages
 * always give the same files. There are two splits:
 *
 * - By sentence: groups are ordered by the SHA-256 of their first source sentence. The first
 *   groups that fit are the test split, the next ones dev, and the rest train. Most sentences of
 *   test then have neighbors from their page in train.
 * - By page: pages are ordered by the SHA-256 of their path. The first pages are taken for test,
 *   the next ones for dev, until each split has enough pairs. Train has all other pages. A group
 *   that is on pages of several splits goes to train if one of its pages does, and else to dev.
 *   Sentences that differ in case alone share a group. */
#pragma once

#include "core/base/base.h"

struct libreoffice_options {
    const char *from, *to; /* folder names of two languages: "en-US", "de", "zh-CN" */
    const char *root;      /* where the packages were unpacked; "/" if they are installed */
    const char *out;       /* folder to write; made if absent */
    const char *version;   /* of the packages; NULL: from ROOT/DEBIAN/control, if that is there */
    int max_words;         /* drop pairs with more words on either side; 0: no limit */
    int dev, test;         /* pairs in these splits: exactly, or by page at least */
    bool by_page;
};

struct libreoffice_counts {
    int64_t pages, pages_unpaired; /* of the source; without the same page in the target */
    int64_t paragraphs, paragraphs_unpaired; /* of these pages; without the same id in the target */
    int64_t empty, untranslated, too_long, duplicate; /* pairs dropped, in this order */
    int64_t pairs, groups;                 /* kept; groups of pairs with shared sentences */
    int64_t train, dev, test;              /* pairs in each split */
    int64_t pages_dev, pages_test, shared; /* by page: pages taken; their pairs that are in train */
};

/* Does it all; dies when a language is not below the root (naming those that are), or when there
 * are too few pairs for dev and test. */
struct libreoffice_counts corpus_libreoffice(const struct libreoffice_options *options);

/* The counts in words, one per line. */
void libreoffice_print(const struct libreoffice_counts *counts, FILE *out);

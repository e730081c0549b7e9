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

#include "core/corpus/libreoffice_split.h"

/* Does it all; dies when a language is not below the root (naming those that are), or when there
 * are too few pairs for dev and test. */
struct libreoffice_counts corpus_libreoffice(const struct libreoffice_options *options);

/* The counts in words, one per line. */
void libreoffice_print(const struct libreoffice_counts *counts, FILE *out);

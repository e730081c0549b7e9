/* Makes parallel text from LibreOffice's help, which Debian distributes in about eighty languages.
 * Sentences are aligned by page and paragraph id.
 *
 *   apt-get download libreoffice-help-en-us libreoffice-help-de
 *   for p in libreoffice-help-*.deb; do dpkg-deb -x $p build/help; done
 *   sanlab corpus libreoffice --from en-US --to de --root build/help --out data/libreoffice
 *
 * writes train.en-US, train.de, dev.*, test.* (raw text, one paragraph per line) and, last,
 * description.json with all counts. Pairs that share a sentence, on either side, form a group. Each
 * group goes to one split, so that no sentence of either side is in two splits. The same packages
 * always yield the same files. There are two kinds of splits:
 *
 * - By sentence: groups are ordered by the SHA-256 of their first source sentence. In this order,
 *   a group goes to test if it still fits, else to dev if it fits there, else to train. For most
 *   sentences of test, other sentences of the same page are then in train.
 * - By page: pages are ordered by the SHA-256 of their path. The first pages are taken for test,
 *   the next ones for dev, until each split has enough pairs. Train has all other pages. A group
 *   that is on pages of several splits goes to train if one of the pages belongs to train, else to
 *   dev. Sentences that differ only in case belong to the same group. */
#pragma once

#include "core/corpus/libreoffice_split.h"

/* Makes the files. Dies if there are too few pairs for dev and test. Also dies if a language does
 * not exist below the root. This message lists the existing languages. */
struct libreoffice_counts corpus_libreoffice(const struct libreoffice_options *options);

/* Prints the counts with descriptions, one per line. */
void libreoffice_print(const struct libreoffice_counts *counts, FILE *out);

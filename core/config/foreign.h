/* What other toolkits call our options: said to who writes such a name. */
#pragma once

/* "lr" is "train.rate"; NULL: not known. */
const char *foreign_meant(const char *word);

/* All of them, for a test that the options are there; ended by a word of NULL. */
struct foreign_word {
    const char *word, *option;
};
extern const struct foreign_word foreign_words[];

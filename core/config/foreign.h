/* Names of options in other toolkits, for suggestions in error messages. */
#pragma once

/* Returns the option for a name of another toolkit: "train.rate" for "lr"; NULL if unknown. */
const char *foreign_meant(const char *word);

/* The whole list, terminated by a word of NULL. A test checks that the options exist. */
struct foreign_word {
    const char *word, *option;
};
extern const struct foreign_word foreign_words[];

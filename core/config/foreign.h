/* Names of options in other toolkits, for suggestions in error messages. */
#pragma once

/* Returns the option for a name of another toolkit: "train.rate" for "lr"; NULL if unknown. */
const char *foreign_meant(const char *word);

/* All of them, for a test that the options are there; ended by an option of NULL. */
struct foreign_option {
    const char *option, *words; /* words: with blanks between and around them */
};
extern const struct foreign_option foreign_options[];

/* Names of options in other toolkits, for suggestions in error messages. */
#pragma once

/* Returns the option for a name of another toolkit: "train.rate" for "lr"; NULL if unknown. */
const char *foreign_meant(const char *word);

/* All foreign names, for a test that the options exist. The last entry has the option NULL. */
struct foreign_option {
    const char *option, *words; /* words: separated and surrounded by blanks */
};
extern const struct foreign_option foreign_options[];

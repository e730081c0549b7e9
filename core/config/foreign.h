/* Names of options in other toolkits, for suggestions in error messages. */
#pragma once

/* Returns the option that corresponds to a name in another toolkit, such as "train.rate" for "lr";
 * NULL if the name is unknown. */
const char *foreign_meant(const char *word);

/* All foreign names. The last entry has the option NULL. A test checks that the options exist. */
struct foreign_option {
    const char *option, *words; /* words: foreign names, each between blanks */
};
extern const struct foreign_option foreign_options[];

/* The main function of sanlab, with the list of its verbs. */
#include "experiments/cli/verbs.h"

int main(int count, char **word)
{
    static const struct verb *const verbs[] = {VERBS(VERB_ADDRESS), NULL};
    return verb_main(verbs, count, word);
}

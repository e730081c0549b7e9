/* sanlab: the table of verbs. */
#include "experiments/cli/verbs.h"

int main(int count, char **word)
{
    static const struct verb *const verbs[] = {VERBS(VERB_ADDRESS), NULL};
    return verb_main(verbs, count, word);
}

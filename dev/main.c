/* Runs sanlab-dev, the program for developers: benchmarks of single parts. */
#include "dev/dev_verbs.h"

int main(int count, char **word)
{
    static const struct verb *const verbs[] = {&verb_bench_parts, NULL};
    return verb_main(verbs, count, word);
}

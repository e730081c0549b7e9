/* YAML: a tree that is read, printed and read again prints the same text. */
#include "tests/fuzz/support/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "core/config/tree_read.h"

static char *printed(const struct tree *tree)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    tree_print(tree, out);
    fclose(out);
    return text;
}

static void run(void *context)
{
    const struct tree *tree = tree_parse(&arena, "fuzz.yaml", context);
    char *once = printed(tree);
    const struct tree *again = tree_parse(&arena, "printed.yaml", once);
    char *twice = printed(again);
    CHECK(!strcmp(once, twice), "%s, and again %s", once, twice);
    tree_merge(&arena, NULL, tree);
    free(twice);
    free(once);
}

FUZZ_TEXT(run);

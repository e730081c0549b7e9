/* The word of SANLAB_PRODUCTS. */
#include "core/cpu/products.h"

#include <stdlib.h>
#include <string.h>

#include "core/config/option.h"
#include "core/cpu/blas.h"

bool products_are_own(void)
{
    static const char *const words[] = {"own", "blas", NULL};
    const char *word = getenv("SANLAB_PRODUCTS");
    if (!word || !strcmp(word, "own")) return true;
    if (!strcmp(word, "blas")) return false;
    const char *near = word_nearest(word, words);
    die("SANLAB_PRODUCTS: expected own or blas, got \"%s\"%s%s%s", word,
        near ? "; nearest is \"" : "", near ? near : "", near ? "\"" : "");
}

const char *products_name(void)
{
    return products_are_own() ? "1" : blas_open()->config();
}

/* Conditions of the command line (ls, where): parsed, and evaluated on a tree of options. */
#include "core/config/expression.h"
#include "core/config/tree_read.h"
#include "tests/fuzz/support/fuzz.h"

static const struct tree *options;

void fuzz_prepare(void)
{
    static struct arena kept;
    options = tree_parse(&kept, "options",
                         "{kind: train, bleu: 30.5, model: {dropout: 0.1}, encoder: {layers: 6, "
                         "attention: [{branches: [{window: 1}, global]}, {layers: 2}]}}");
}

static bool answer(void *context, const struct expression_term *term)
{
    expression_term_holds(term, "1e-4");
    return expression_term_holds_in(term, options);
}

static void run(void *context)
{
    const struct expression *expression =
        expression_parse(&arena, (struct location){.file = "filter"}, context);
    expression_holds(expression, answer, NULL);
}

FUZZ_TEXT(run);

/* Files of pairs of statements. Accepted pairs equal the file's text; an error has a location
 * within the file. */
#include "logic/pairs.h"
#include "tests/fuzz/support/fuzz.h"

#include <string.h>

static struct formula_names names;

void fuzz_prepare(void)
{
    static const char *const letters[] = {"a", "b", "c", "d", "e", "f", NULL};
    names = formula_names_read((struct location){.file = "fuzz"}, letters);
}

static void hear(void *context, struct location location, const char *message)
{
    int *faults = context;
    CHECK(location.line > 0 && location.column > 0 && *message, "%d:%d", location.line,
          location.column);
    ++*faults;
}

static void run(void *context)
{
    SCOPED(arena_free) struct arena arena = {0};
    int faults = 0;
    struct logic_pairs pairs = {
        .names = &names, .arena = &arena, .fault = hear, .context = &faults};
    logic_pairs_read(&pairs, context);
    for (int i = 0; i < pairs.statements; i++) {
        const struct logic_statement *statement = &pairs.statement[i];
        const struct formula *formula = &statement->formula;
        CHECK(formula->tokens > 0 && formula->tokens <= (int)statement->bytes, "tokens");
        CHECK(formula->set && ~formula->set && formula->operators < formula->tokens, "a statement");
    }
    CHECK(pairs.files == 1 && pairs.file->first == 0 && pairs.file->count == pairs.pairs, "a file");
}

FUZZ_FILE(run, "test1");

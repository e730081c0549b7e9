/* What rows share stands at one place: two mistakes are the same when they differ in the row that
 * is named behind them (die_at_about). */
#include "experiments/grid/mistakes.h"

#include <string.h>

#include "core/base/mask_output.h"

static bool is_same(const char *a, const char *b)
{
    const char *row = strstr(a, " (row \"");
    const size_t length = row ? (size_t)(row - a) : strlen(a);
    return !strncmp(a, b, length) && (!b[length] || !strncmp(b + length, " (row \"", 7));
}

static void add(struct mistakes *mistakes, const char *message)
{
    for (int i = 0; i < mistakes->count; i++)
        if (is_same(message, mistakes->text[i])) return;
    ARENA_MORE(mistakes->arena, mistakes->text, mistakes->count);
    mistakes->text[mistakes->count++] = arena_text(mistakes->arena, message);
}

bool mistakes_try(struct mistakes *mistakes, void (*act)(void *context), void *context)
{
    char message[MESSAGE_BYTES];
    const bool ended = die_caught(act, context, message);
    if (!ended) add(mistakes, message);
    return ended;
}

void mistakes_end(const struct mistakes *mistakes)
{
    const int more = mistakes->count - MISTAKES_MOST, last = mistakes->count - 1;
    if (last < 0) return;
    for (int i = 0; i < (more > 0 ? MISTAKES_MOST : last); i++)
        mask_line(stderr, "sanlab: %s", mistakes->text[i]);
    if (more > 0) die("and %d mistake%s more", more, more == 1 ? "" : "s");
    die("%s", mistakes->text[last]);
}

/* Reads the key `halving` of tune, and computes its rungs. */
#include "experiments/grid/halving.h"

#include <math.h>
#include <string.h>

#include "core/base/elementary.h"
#include "core/base/number.h"
#include "core/config/option.h"
#include "core/config/scalar.h"
#include "core/config/word.h"
#include "experiments/grid/sections.h"

struct written {
    const char *from, *keep;
};
#define FIELD(member) offsetof(struct written, member)
static const struct option rows[] = {
    OPTION_TEXT("from", FIELD(from), NULL, OPTION_NO_ID, "length of trials at the first rung"),
    OPTION_TEXT("keep", FIELD(keep), NULL, OPTION_NO_ID, "share of trials that go on"),
};
static const struct section *const section =
    SECTION("tune.halving", "when to stop the worse trials", rows, struct written);

/* Returns the number of a text "0.3" or "1/3"; NaN if it is none. */
static double share_of(const char *text, struct arena *arena)
{
    const char *slash = strchr(text, '/');
    const size_t length = slash ? (size_t)(slash - text) : strlen(text);
    double number, by = 1;
    if (!real_parse(arena_text_range(arena, text, length), &number) ||
        (slash && !real_parse(slash + 1, &by)))
        return (double)NAN;
    return number / by;
}

struct halving halving_read(const struct tree *map, struct arena *arena)
{
    static const char *const units[] = {"epochs", "epoch", "steps", "step", NULL};
    struct written written;
    section_read(section, map, &written, arena);
    const struct tree *from = tree_get(map, "from");
    const size_t digits = strspn(written.from, "0123456789");
    const char *unit = written.from + digits + strspn(written.from + digits, " ");
    if (!digits || !word_known(unit, units))
        die_at(from->location,
               "tune.halving.from: expected a number of epochs or steps, as in 8 epochs, got "
               "\"%s\"",
               written.from);
    const char *number = arena_text_range(arena, written.from, digits);
    const struct halving halving = {
        scalar_int(tree_new_text(arena, from->location, number), "tune.halving.from", 1, 1e9),
        *unit == 's', share_of(written.keep, arena), from->location};
    if (!(halving.keep > 0 && halving.keep < 1))
        die_at(tree_location(map, "keep"),
               "tune.halving.keep: expected a share between 0 and 1, as in 1/3, got \"%s\"",
               written.keep);
    return halving;
}

int halving_rungs(const struct halving *halving, int end, const int **rungs, struct arena *arena)
{
    int *rung = NULL, count = 0;
    for (int length = halving->from; halving->from && length < end;) {
        ARENA_ADD(arena, rung, count, length);
        const double next = halving->from * elementary_pow(1 / halving->keep, count);
        length = next < end ? (int)fmax(round(next), length + 1) : end;
    }
    *rungs = rung;
    return count;
}

int halving_kept(const struct halving *halving, int trials, int rung)
{
    static const double slack = 1e-9; /* 12 / 3 may be just above 4 */
    return (int)ceil(trials * elementary_pow(halving->keep, rung + 1) - slack);
}

const char *halving_length(const struct halving *halving, int length, struct arena *arena)
{
    return arena_print(arena, "%d %s%s", length, halving->steps ? "step" : "epoch",
                       length == 1 ? "" : "s");
}

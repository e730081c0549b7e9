/* Reads the key `halving` of tune, and computes the rungs of a row. */
#include "experiments/grid/halving.h"

#include <math.h>
#include <string.h>

#include "core/base/elementary.h"
#include "core/base/number.h"
#include "core/config/option.h"
#include "core/config/scalar.h"
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

void halving_read(struct tune *tune, struct arena *arena)
{
    struct written written;
    if (!tune->halved) return;
    section_read(section, tune->halved, &written, arena);
    struct halving *halving = &tune->halving;
    const struct tree *from = tree_get(tune->halved, "from");
    const size_t digits = strspn(written.from, "0123456789");
    const char *unit = written.from + digits + strspn(written.from + digits, " ");
    halving->location = from->location;
    halving->steps = !strncmp(unit, "step", strlen("step"));
    if (!digits || (strcmp(unit, "epochs") != 0 && strcmp(unit, "epoch") != 0 &&
                    strcmp(unit, "steps") != 0 && strcmp(unit, "step") != 0))
        die_at(from->location,
               "tune.halving.from: expected a number of epochs or steps, as in 8 epochs, got "
               "\"%s\"",
               written.from);
    halving->from = scalar_int(
        tree_new_text(arena, from->location, arena_text_range(arena, written.from, digits)),
        "tune.halving.from", 1, 1e9);
    halving->keep = share_of(written.keep, arena);
    if (!(halving->keep > 0 && halving->keep < 1))
        die_at(tree_location(tune->halved, "keep"),
               "tune.halving.keep: expected a share between 0 and 1, as in 1/3, got \"%s\"",
               written.keep);
}

/* Returns the length of a trial in the unit of halving; 0: it has another unit. */
static int length_of(const struct halving *halving, const struct grid_resolved *trial)
{
    const struct train_options *train = &trial->settings->train;
    return halving->steps ? train->steps : train->epochs;
}

/* Dies if a trial cannot continue the same trial of another length. */
static void check_schedule(const struct grid_resolved *resolved, struct arena *arena)
{
    const struct train_options *train = &resolved->settings->train;
    if (train_ends_low(train))
        die_at(tree_location(resolved->options, "train.schedule"),
               "train.schedule: %s has other learning rates in a shorter training, so a trial "
               "cannot go on from a rung; expected rsqrt or constant, or no tune.halving",
               section_choice(&train_section, "schedule", train, arena));
}

void halving_find_rungs(struct tuned *tuned, struct arena *arena)
{
    const struct halving *halving = &tuned->tune->halving;
    if (!halving->from) return;
    const int end = length_of(halving, tuned->trial->resolved);
    for (int t = 0; t < tuned->searches * tuned->trials; t++) check_schedule(tuned->trial[t].resolved, arena);
    if (halving->from >= end)
        die_at(halving->location, "tune.halving.from: expected less than a trial has%s",
               !end ? halving->steps ? ", which is in epochs" : ", which is in steps"
                    : arena_print(arena, ", %s", halving_length(tuned->tune, end, arena)));
    int *rung = NULL;
    for (int length = halving->from; length < end;) {
        ARENA_ADD(arena, rung, tuned->rungs, length);
        const double next = halving->from * elementary_pow(1 / halving->keep, tuned->rungs);
        length = next < end ? (int)fmax(round(next), length + 1) : end;
    }
    tuned->rung = rung;
}

int halving_kept(const struct tuned *tuned, int rung)
{
    static const double slack = 1e-9; /* 12 / 3 may be just above 4 */
    const double kept = tuned->trials * elementary_pow(tuned->tune->halving.keep, rung + 1);
    return (int)ceil(kept - slack);
}

const char *halving_length(const struct tune *tune, int length, struct arena *arena)
{
    return arena_print(arena, "%d %s%s", length, tune->halving.steps ? "step" : "epoch",
                       length == 1 ? "" : "s");
}

int halving_warmup(const struct tuned *tuned, struct arena *arena)
{
    static const char key[] = "train.warmup";
    const struct train_options *train;
    const int k = tuned_key(tuned, key);
    bool warm = false;
    int most = 0;
    for (int t = 0; t < tuned->searches * tuned->trials; t++) {
        train = &tuned->trial[t].resolved->settings->train;
        warm |= train->schedule != SCHEDULE_CONSTANT;
        if (train->warmup > most) most = train->warmup;
    }
    for (int i = 0; k >= 0 && i < draw_values(&tuned->key[k]); i++)
        most = (int)fmax(most, number_read(draw_value(&tuned->key[k], i, arena)->text));
    return warm ? most : 0;
}

void halving_refuse(const struct grid *grid, struct location location, const char *what)
{
    for (int r = 0; r < grid->rows; r++)
        if (grid->row[r].tuned && grid->row[r].tuned->rungs)
            die_at(location,
                   "%s: tune.halving stops trials of row \"%s\", so the best of k trials is not "
                   "known; expected a grid without tune.halving",
                   what, grid->row[r].name);
}

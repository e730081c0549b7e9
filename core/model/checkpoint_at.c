/* Finds the checkpoints around a crossing. The validations are in metrics.jsonl, so a training
 * needs no further state. */
#include "core/model/checkpoint_at.h"

#include <math.h>
#include <string.h>

#include "core/base/journal_read.h"
#include "core/base/number.h"

static const char *const side_names[] = {"at", "before", "after"};
static const double step_most = 1e9;

bool checkpoint_at_read(struct checkpoint_at *at, const char *words, const char *what)
{
    char metric[32], number[32];
    size_t length = 0;
    int side = SIDE_NONE, end = 0;
    for (; side <= SIDE_AFTER; side++) {
        length = strlen(side_names[side]);
        if (!strncmp(words, side_names[side], length) && words[length] == '(') break;
    }
    if (side > SIDE_AFTER) return false;
    sscanf(words + length, "( %31[a-z_] = %31[^ )] )%n", metric, number, &end);
    if (!end || words[length + (size_t)end])
        die("%s: expected %s(dev_loss = NUMBER) or %s(step = NUMBER), got \"%s\"", what,
            side_names[side], side_names[side], words);
    *at = (struct checkpoint_at){.side = (enum checkpoint_side)side,
                                 .by_step = !strcmp(metric, "step")};
    if (!at->by_step && strcmp(metric, "dev_loss") != 0)
        die("%s: %s: unknown metric \"%s\"; expected dev_loss or step", what, words, metric);
    const bool parsed = real_parse(number, &at->value) && at->value >= 0;
    if (at->by_step && !(parsed && at->value <= step_most && at->value == floor(at->value)))
        die("%s: %s: expected a step from 0 to %.0f, got \"%s\"", what, words, step_most, number);
    if (!(parsed && (at->by_step || at->value > 0)))
        die("%s: %s: expected a dev loss above 0, got \"%s\"", what, words, number);
    return true;
}

const char *checkpoint_at_words(struct arena *arena, const struct checkpoint_at *at,
                                enum checkpoint_side side)
{
    if (at->by_step) return arena_print(arena, "%s(step=%.0f)", side_names[side], at->value);
    return arena_print(arena, "%s(dev_loss=%.*g)", side_names[side], number_digits(at->value, 1),
                       at->value);
}

static double number_of(const struct checkpoint_at *at, const struct validated *validated)
{
    return at->by_step ? (double)validated->step : validated->loss;
}

struct crossing crossing_find(const struct checkpoint_at *at, const struct validated *validated,
                              int count)
{
    struct crossing crossing = {.best = (double)NAN};
    int after = count;
    for (int i = count - 1; i >= 0; i--) {
        const double now = number_of(at, &validated[i]);
        crossing.best = at->by_step ? fmax(crossing.best, now) : fmin(crossing.best, now);
        if (at->by_step ? now >= at->value : now <= at->value) after = i;
    }
    if (after == count) return crossing;
    const double now = number_of(at, &validated[after]);
    const int before = now == at->value ? after : after - 1;
    if (before < 0) return crossing;
    const double past = number_of(at, &validated[before]);
    crossing.reached = true;
    crossing.step[0] = validated[before].step, crossing.step[1] = validated[after].step;
    crossing.number[0] = past, crossing.number[1] = now;
    crossing.weight = before == after ? 1 : (past - at->value) / (past - now);
    return crossing;
}

struct crossing checkpoint_crossing(const char *folder, const struct checkpoint_at *at,
                                    int64_t until)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct validated *validated = NULL;
    int count = 0;
    struct journal_reader reader = journal_read(folder, JOURNAL_METRICS, 0);
    for (json_t *record; (record = journal_next(&reader));) {
        const int64_t step = json_integer_value(json_object_get(record, "step"));
        const json_t *value = json_object_get(record, "value");
        if (strcmp(journal_text(record, "name"), "dev_loss") != 0) continue;
        if (step > until || !json_is_number(value)) continue;
        const struct validated one = {step, json_number_value(value)};
        ARENA_ADD(&arena, validated, count, one);
    }
    return crossing_find(at, validated, count);
}

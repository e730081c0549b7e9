/* Finds the checkpoints that the user chose. "best" and "average(3)" are looked up in the lists of
 * the newest state. */
#include "core/model/checkpoint_choice.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json_file.h"
#include "core/model/checkpoint.h"
#include "core/model/checkpoint_at.h"

enum checkpoint_choice checkpoint_parse(const char *words, const char *what, bool one, int *count)
{
    *count = 0;
    if (!strcmp(words, "start")) return CHECKPOINT_START;
    *count = 1;
    if (!strcmp(words, "last")) return CHECKPOINT_LAST;
    if (!strcmp(words, "best")) return CHECKPOINT_BEST;
    struct checkpoint_at at;
    if (checkpoint_at_read(&at, words, what)) {
        if (one && at.side == SIDE_NONE)
            die("%s: %s selects two models; expected one model: before(..) or after(..)", what,
                words);
        return at.side == SIDE_NONE ? CHECKPOINT_AT : CHECKPOINT_SIDE;
    }
    static const struct {
        const char *prefix;
        enum checkpoint_choice choice;
    } forms[] = {{"average(", CHECKPOINT_AVERAGE}, {"mean_of_best(", CHECKPOINT_MEAN_OF_BEST}};
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        const size_t length = strlen(forms[i].prefix);
        if (strncmp(words, forms[i].prefix, length)) continue;
        char *end;
        const long n = strtol(words + length, &end, 10);
        /* N must have no sign, blank or leading zero, so that each choice has exactly one spelling
         * and one id. */
        const bool plain = words[length] >= '1' && words[length] <= '9';
        if (plain && n <= 1000 && !strcmp(end, ")")) {
            if (one && forms[i].choice == CHECKPOINT_MEAN_OF_BEST)
                die("%s: %s selects several models; expected one model: best, last, average(N) or "
                    "start",
                    what, words);
            *count = (int)n;
            return forms[i].choice;
        }
    }
    die("%s: expected best, last, at(dev_loss = NUMBER), average(N)%s or start, got \"%s\"", what,
        one ? "" : ", mean_of_best(N)", words);
}

/* Reads up to `wanted` steps from a list of the newest state: "best" is [[step, value], ...], best
 * first; "recent" is [step, ...], newest last. Returns their number. */
static int select_listed(const char *folder, int64_t newest, const char *list, int wanted,
                         int64_t step[])
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *path;
    if (!checkpoint_state(&arena, folder, newest, &path)) die("%s is missing", path);
    json_auto_t *state = json_file_read(path);
    json_t *steps = json_object_get(state, list);
    const int there = (int)json_array_size(steps);
    const bool best = !strcmp(list, "best");
    int count = 0;
    for (int i = best || there < wanted ? 0 : there - wanted; i < there && count < wanted; i++) {
        const json_t *item = json_array_get(steps, (size_t)i);
        if (best) item = json_array_get(item, 0);
        if (!json_is_integer(item) || json_integer_value(item) < 0)
            die("%s: %s: expected the steps of checkpoints", path, list);
        step[count++] = json_integer_value(item);
    }
    return count;
}

/* Returns the step of before(..) or after(..). Dies if the training has not kept it. */
static int64_t select_side(const char *folder, const char *words, const int64_t *there, int count)
{
    struct checkpoint_at at;
    checkpoint_at_read(&at, words, "checkpoint");
    const struct crossing crossing = checkpoint_crossing(folder, &at, INT64_MAX);
    if (!crossing.reached) die("checkpoint: %s: %s does not reach it", words, folder);
    const int64_t step = crossing.step[at.side == SIDE_AFTER];
    for (int i = 0; i < count; i++)
        if (there[i] == step) return step;
    die("checkpoint: %s needs step %lld, which %s did not keep; `run --retry kept` trains it again",
        words, (long long)step, folder);
}

int checkpoint_select(const char *folder, const char *words, int64_t step[], int limit)
{
    int64_t there[CHECKPOINTS_MOST];
    int wanted;
    const enum checkpoint_choice choice = checkpoint_parse(words, "checkpoint", false, &wanted);
    if (choice == CHECKPOINT_START) return 0;
    const int count = checkpoint_steps(folder, there, CHECKPOINTS_MOST);
    if (!count) die("%s: has no checkpoint", folder);
    CHECK(wanted <= limit, "room for %d checkpoints", limit);
    const bool best = choice == CHECKPOINT_BEST || choice == CHECKPOINT_MEAN_OF_BEST;
    step[0] =
        choice == CHECKPOINT_SIDE ? select_side(folder, words, there, count) : there[count - 1];
    const int found =
        choice == CHECKPOINT_LAST || choice == CHECKPOINT_SIDE
            ? 1
            : select_listed(folder, there[count - 1], best ? "best" : "recent", wanted, step);
    if (found < wanted)
        die("checkpoint: %s needs %d checkpoints, %s has %d; set a larger train.keep_%s and train "
            "anew ('redo'), or validate more often",
            words, wanted, folder, found, best ? "best" : "average");
    return found;
}

int checkpoint_named(const char *folder, int64_t step, int64_t named[], int limit)
{
    static const char *const list[] = {"best", "recent", "other"};
    SCOPED(arena_free) struct arena arena = {0};
    int64_t there[CHECKPOINTS_MOST];
    int at = checkpoint_steps(folder, there, CHECKPOINTS_MOST) - 1, count = 0;
    while (at >= 0 && (there[at] >= step || !checkpoint_is_whole(folder, there[at]))) at--;
    const char *path, *text = at < 0 ? NULL : checkpoint_state(&arena, folder, there[at], &path);
    json_auto_t *state = text ? json_loads(text, 0, NULL) : NULL;
    for (size_t l = 0; l < COUNT_OF(list); l++) {
        const json_t *steps = json_object_get(state, list[l]), *item;
        size_t i;
        json_array_foreach(steps, i, item) {
            if (json_is_array(item)) item = json_array_get(item, 0);
            if (json_is_integer(item) && count < limit) named[count++] = json_integer_value(item);
        }
    }
    return count;
}

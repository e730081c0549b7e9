/* Writes, reads and updates the state of the training loop. A wrong field would change results
 * without a message, so each field is checked. */
#include "core/train/state.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "core/model/checkpoint.h"

/* Up to this integer, a double represents all integers exactly. */
static const int64_t STEP_MOST = (int64_t)1 << 53;
enum { MICROS_MOST = 1024 };

static json_t *print_ranked(const struct ranked_step *ranked)
{
    return json_pack("[I,f]", (json_int_t)ranked->step, ranked->value);
}

char *state_print(const struct train_state *state)
{
    json_t *best = json_array();
    for (int i = 0; i < state->bests; i++)
        json_array_append_new(best, print_ranked(&state->best[i]));
    json_t *recent = json_array();
    for (int i = 0; i < state->recents; i++)
        json_array_append_new(recent, json_integer(state->recent[i]));
    json_auto_t *map = json_pack(
        "{s:I,s:i,s:i,s:I,s:f,s:I,s:i,s:o,s:o,s:s}", "step", (json_int_t)state->step, "epoch",
        state->epoch, "batch", state->batch, "journal", (json_int_t)state->journal, "loss_sum",
        state->loss_sum, "loss_tokens", (json_int_t)state->loss_tokens, "without_better",
        state->without_better, "best", best, "recent", recent, "numerics", state->numerics);
    if (map && state->micros) json_object_set_new(map, "micros", json_integer(state->micros));
    if (map && state->others) json_object_set_new(map, "other", print_ranked(&state->other));
    if (map && state->unlogged)
        json_object_set_new(
            map, "unlogged",
            json_pack("[f,I]", state->unlogged_sum, (json_int_t)state->unlogged_tokens));
    CHECK(map, "state of step %lld cannot be written as JSON", (long long)state->step);
    return json_dumps(map, JSON_INDENT(1));
}

/* ---- reading: the file may have been copied, edited or transferred ---- */

struct source {
    const char *path;
    json_t *map;
};

/* Dies. Prints `found` as JSON, cut to fit one line. */
NORETURN static void refuse(const struct source *source, const char *key, const char *expected,
                            const json_t *found)
{
    const char *text = found ? json_dumps(found, JSON_ENCODE_ANY | JSON_COMPACT) : "nothing";
    die("%s: %s: expected %s, found %.40s%s", source->path, key, expected, text,
        strlen(text) > 40 ? "..." : "");
}

static int64_t whole(const struct source *source, const char *key, const json_t *found,
                     int64_t most)
{
    const json_int_t number = json_integer_value(found);
    if (json_is_integer(found) && number >= 0 && number <= most) return number;
    char expected[64];
    snprintf(expected, sizeof expected, "a whole number from 0 to %lld", (long long)most);
    refuse(source, key, expected, found);
}

static int64_t whole_of(const struct source *source, const char *key, int64_t most)
{
    return whole(source, key, json_object_get(source->map, key), most);
}

static json_t *list_of(const struct source *source, const char *key, size_t most)
{
    json_t *list = json_object_get(source->map, key);
    if (json_is_array(list) && json_array_size(list) <= most) return list;
    char expected[64];
    snprintf(expected, sizeof expected, "a list of at most %zu checkpoints", most);
    refuse(source, key, expected, list);
}

/* `step` is an upper bound of epoch, batch and without_better, because each of them needs at least
 * one step to increase. */
static void read_fields(struct train_state *state, const struct source *source)
{
    state->step = whole_of(source, "step", STEP_MOST);
    const int64_t most = state->step < INT32_MAX ? state->step : INT32_MAX;
    state->epoch = (int)whole_of(source, "epoch", most);
    state->batch = (int)whole_of(source, "batch", most);
    state->journal = whole_of(source, "journal", STEP_MOST);
    state->loss_tokens = whole_of(source, "loss_tokens", STEP_MOST);
    state->without_better = (int)whole_of(source, "without_better", most);
    const json_t *sum = json_object_get(source->map, "loss_sum");
    if (!json_is_number(sum)) refuse(source, "loss_sum", "a number", sum);
    state->loss_sum = json_number_value(sum);
    const json_t *numerics = json_object_get(source->map, "numerics");
    const char *text = json_string_value(numerics);
    if (!text || strlen(text) >= sizeof state->numerics)
        refuse(source, "numerics", "the name of the products", numerics);
    snprintf(state->numerics, sizeof state->numerics, "%s", text);
    if (json_object_get(source->map, "micros"))
        state->micros = (int)whole_of(source, "micros", MICROS_MOST);
}

static struct ranked_step read_ranked(const struct source *source, const char *key,
                                      const char *expected, const json_t *found, int64_t most)
{
    const json_t *value = json_array_get(found, 1);
    if (json_array_size(found) != 2 || !json_is_number(value)) refuse(source, key, expected, found);
    return (struct ranked_step){whole(source, key, json_array_get(found, 0), most),
                                json_number_value(value)};
}

static void read_unlogged(struct train_state *state, const struct source *source)
{
    const json_t *item = json_object_get(source->map, "unlogged"), *sum = json_array_get(item, 0);
    if (!item) return;
    if (json_array_size(item) != 2 || !json_is_number(sum))
        refuse(source, "unlogged", "a sum of losses and their number", item);
    state->unlogged = true;
    state->unlogged_sum = json_number_value(sum);
    state->unlogged_tokens = whole(source, "unlogged", json_array_get(item, 1), STEP_MOST);
}

void state_read(struct train_state *state, const char *text, const char *path)
{
    json_error_t error;
    *state = (struct train_state){0};
    const struct source source = {path, json_loads(text, JSON_REJECT_DUPLICATES, &error)};
    if (!source.map) die("%s:%d:%d: %s", path, error.line, error.column, error.text);
    if (!json_is_object(source.map)) die("%s: expected a training state (a JSON object)", path);
    read_fields(state, &source);
    const json_t *item, *best = list_of(&source, "best", BEST_MOST),
                        *recent = list_of(&source, "recent", RECENT_MOST);
    size_t i;
    json_array_foreach(best, i, item)
        state->best[state->bests++] =
            read_ranked(&source, "best", "pairs of a step and its value", item, state->step);
    if ((item = json_object_get(source.map, "other"))) {
        state->others = true;
        state->other = read_ranked(&source, "other", "a step and its value", item, state->step);
    }
    json_array_foreach(recent, i, item)
        state->recent[state->recents++] = whole(&source, "recent", item, state->step);
    read_unlogged(state, &source);
    json_decref(source.map);
}

static void keep_newest(struct train_state *state, int keep)
{
    const int older = state->recents - keep;
    if (older <= 0) return;
    state->recents = keep;
    memmove(state->recent, state->recent + older, (size_t)keep * sizeof state->recent[0]);
}

/* The list may be longer than `keep`, because a resumed training may keep fewer checkpoints than
 * before. */
void state_remember(struct train_state *state, int64_t step, int keep)
{
    keep_newest(state, keep - 1);
    state->recent[state->recents++] = step;
}

bool state_rank(struct train_state *state, int64_t step, double value, int keep)
{
    CHECK(isfinite(value), "step %lld has no value to rank by", (long long)step);
    if (state->bests > keep) state->bests = keep;
    int at = state->bests;
    while (at > 0 && value < state->best[at - 1].value) at--;
    if (at >= keep) return false;
    if (state->bests < keep) state->bests++;
    memmove(&state->best[at + 1], &state->best[at],
            (size_t)(state->bests - 1 - at) * sizeof state->best[0]);
    state->best[at] = (struct ranked_step){step, value};
    return at == 0;
}

void state_rank_other(struct train_state *state, int64_t step, double value)
{
    CHECK(isfinite(value), "step %lld has no second value to rank by", (long long)step);
    if (state->others && value >= state->other.value) return;
    state->others = true;
    state->other = (struct ranked_step){step, value};
}

int state_kept(const struct train_state *state, int64_t step[STATE_KEPT])
{
    int count = 0;
    for (int i = 0; i < state->bests; i++) step[count++] = state->best[i].step;
    if (state->others) step[count++] = state->other.step;
    for (int i = 0; i < state->recents; i++) step[count++] = state->recent[i];
    return count;
}

bool state_is_validated(const struct train_state *state)
{
    return state->recents && state->recent[state->recents - 1] == state->step;
}

bool state_is_due(const struct train_state *state, int validate_every)
{
    return validate_every ? state->step % validate_every == 0 : state->batch == 0;
}

void state_lengthen(struct train_state *state, int keep_best, int keep_average)
{
    if (state->bests > keep_best) state->bests = keep_best;
    keep_newest(state, keep_average);
    if (!state->unlogged) return;
    state->loss_sum = state->unlogged_sum;
    state->loss_tokens = state->unlogged_tokens;
    state->unlogged = false;
}

struct checkpoint_reading {
    struct train_state *state;
    struct arena *arena;
    const char *folder;
    int64_t step;
};

static void read_checkpoint(void *context)
{
    const struct checkpoint_reading *reading = context;
    const char *path;
    const char *text = checkpoint_state(reading->arena, reading->folder, reading->step, &path);
    if (!text) die("%s: is missing", path);
    state_read(reading->state, text, path);
}

bool state_at(struct train_state *state, const char *folder, int64_t step, struct arena *arena)
{
    char message[MESSAGE_BYTES];
    struct checkpoint_reading reading = {state, arena, folder, step};
    return die_caught(read_checkpoint, &reading, message);
}

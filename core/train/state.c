#include "core/train/state.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

char *state_print(const struct train_state *state)
{
    json_t *best = json_array();
    for (int i = 0; i < state->bests; i++)
        json_array_append_new(best, json_pack("[I,f]", (json_int_t)state->best[i].step,
                                              state->best[i].value));
    json_t *recent = json_array();
    for (int i = 0; i < state->recents; i++)
        json_array_append_new(recent, json_integer(state->recent[i]));
    json_t *map = json_pack(
        "{s:I,s:i,s:i,s:I,s:f,s:I,s:i,s:o,s:o,s:s}", "step", (json_int_t)state->step, "epoch",
        state->epoch, "batch", state->batch, "journal", (json_int_t)state->journal, "loss_sum",
        state->loss_sum, "loss_tokens", (json_int_t)state->loss_tokens, "without_better",
        state->without_better, "best", best, "recent", recent, "numerics", state->numerics);
    CHECK(map, "state of step %lld cannot be written as JSON", (long long)state->step);
    char *text = json_dumps(map, JSON_INDENT(1));
    json_decref(map);
    return text;
}

void state_read(struct train_state *state, const char *text, const char *path)
{
    json_error_t error;
    json_int_t step, journal, tokens;
    json_t *best, *recent;
    const char *numerics;
    *state = (struct train_state){0};
    json_t *map = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!map || json_unpack_ex(map, &error, 0, "{s:I,s:i,s:i,s:I,s:F,s:I,s:i,s:o,s:o,s:s}", "step",
                               &step, "epoch", &state->epoch, "batch", &state->batch, "journal",
                               &journal, "loss_sum", &state->loss_sum, "loss_tokens", &tokens,
                               "without_better", &state->without_better, "best", &best, "recent",
                               &recent, "numerics", &numerics))
        die("%s: not a training state: %s", path, error.text);
    state->step = step;
    state->journal = journal;
    state->loss_tokens = tokens;
    snprintf(state->numerics, sizeof state->numerics, "%s", numerics);
    for (size_t i = 0; i < json_array_size(best) && i < BEST_MOST; i++) {
        json_t *pair = json_array_get(best, i);
        state->best[state->bests].step = json_integer_value(json_array_get(pair, 0));
        state->best[state->bests++].value = json_number_value(json_array_get(pair, 1));
    }
    for (size_t i = 0; i < json_array_size(recent) && i < RECENT_MOST; i++)
        state->recent[state->recents++] = json_integer_value(json_array_get(recent, i));
    json_decref(map);
}

void state_remember(struct train_state *state, int64_t step, int keep)
{
    if (state->recents >= keep) {
        state->recents = keep - 1;
        memmove(state->recent, state->recent + 1, (size_t)state->recents * sizeof state->recent[0]);
    }
    state->recent[state->recents++] = step;
}

bool state_rank(struct train_state *state, int64_t step, double value, int keep)
{
    CHECK(isfinite(value), "step %lld has no value to rank by", (long long)step);
    int at = state->bests;
    while (at > 0 && value < state->best[at - 1].value) at--;
    if (at >= keep) return false;
    if (state->bests < keep) state->bests++;
    memmove(&state->best[at + 1], &state->best[at],
            (size_t)(state->bests - 1 - at) * sizeof state->best[0]);
    state->best[at].step = step;
    state->best[at].value = value;
    return at == 0;
}

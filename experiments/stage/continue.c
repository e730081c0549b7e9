/* Continues a shorter training. The states in its checkpoints determine which checkpoints the
 * longer training would also have. The copied checkpoints are collected in a temporary folder. One
 * rename puts this folder in its place. */
#include "experiments/stage/continue.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/crash.h"
#include "core/base/file.h"
#include "core/base/journal_read.h"
#include "core/model/checkpoint.h"
#include "core/train/state.h"
#include "experiments/stage/environment.h"
#include "experiments/stage/code_used.h"
#include "results/store/stage_folder.h"

bool continue_trains(const struct stage_kind *kind)
{
    return kind->traits & KIND_RESUMES && kind->traits & SETTINGS_TRAIN;
}

/* Returns the folder with name `name` in the parent folder of the stage's folder. */
static const char *beside(const struct stage *stage, const char *name, struct arena *arena)
{
    const char *slash = strrchr(stage->folder, '/');
    const int length = slash ? (int)(slash - stage->folder) : 1;
    return arena_print(arena, "%.*s/%s", length, slash ? stage->folder : ".", name);
}

struct state_reading {
    struct arena *arena;
    const char *folder;
    struct train_state state;
};

static bool read_state(struct state_reading *reading, int64_t step)
{
    return state_at(&reading->state, reading->folder, step, reading->arena) &&
           reading->state.step == step;
}

/* Returns the state as the longer training would have it at this step. */
static struct train_state *lengthened(const struct train_options *train,
                                      const struct state_reading *reading)
{
    struct train_state *longer = ARENA_NEW(reading->arena, struct train_state);
    *longer = reading->state;
    state_lengthen(longer, train->keep_best, train->keep_average);
    return longer;
}

/* Below, `kept` has the options of the shorter training. Those that are not in its id may differ:
 * log_every, keep_best and keep_average. */

/* True if the longer training would also write the checkpoint of `state`. False if an older program
 * logged a loss row that was not due. That program did not record the sums that this row contains.
 * So the next row of the longer training cannot be computed. */
static bool is_common(const struct train_options *train, const struct train_state *state,
                      const struct train_options *kept)
{
    if (state_is_validated(state) && !state_is_due(state, train->validate_every)) return false;
    return state->unlogged || state->loss_tokens ||
           state->step % (kept->log_every > 0 ? kept->log_every : 1) == 0;
}

/* Returns a message if the folder lacks a checkpoint that the longer training would have kept; NULL
 * if it lacks none. One checkpoint may be missing: the oldest of the newest train.keep_average
 * ones, if there are already so many and the training goes on. The next validation would remove
 * it. */
static const char *what_lacks(const struct train_options *train,
                              const struct state_reading *reading, const struct train_options *kept)
{
    const struct train_state *state = &reading->state;
    int64_t step[STATE_KEPT]; /* STATE_KEPT is above 2 KEEP_AT_MOST */
    const char *path;
    if ((state->bests >= kept->keep_best && train->keep_best > kept->keep_best) ||
        (state->recents >= kept->keep_average && train->keep_average > kept->keep_average))
        return "kept fewer checkpoints (train.keep_best, train.keep_average)";
    const struct train_state *longer = lengthened(train, reading);
    const int count = state_kept(longer, step), oldest = count - longer->recents;
    const bool tired =
        state_is_validated(state) && train->patience && state->without_better >= train->patience;
    const bool full = longer->recents == train->keep_average && !tired;
    for (int i = 0; i < count; i++)
        if (!(full && i == oldest) &&
            !checkpoint_state(reading->arena, reading->folder, step[i], &path))
            return arena_print(reading->arena, "no longer has its checkpoint of step %lld",
                               (long long)step[i]);
    for (int i = train_kept_at(train, reading->folder, state->step, step); i-- > 0;)
        if (!checkpoint_state(reading->arena, reading->folder, step[i], &path))
            return arena_print(reading->arena, "did not keep step %lld, as train.keep_at requires",
                               (long long)step[i]);
    return NULL;
}

/* True if the training was resumed with other numerics, according to the events since it last
 * began. */
static bool is_mixed(const char *folder)
{
    struct journal_reader reader = journal_read(folder, JOURNAL_EVENTS, 0);
    bool mixed = false;
    for (json_t *record; (record = journal_next(&reader));) {
        const char *event = journal_text(record, "event");
        if (!strcmp(event, "begun") || !strcmp(event, "continued")) mixed = false;
        mixed |= !strcmp(event, "mixed_numerics");
    }
    return mixed;
}

static const char *why_other(const struct stage *stage, const struct state_reading *reading)
{
    if (getenv("SANLAB_ANY_NUMERICS")) return NULL;
    if (is_mixed(reading->folder)) return "was computed by several numerics";
    if (device_may_continue(stage_precision(stage), reading->state.numerics)) return NULL;
    return arena_print(reading->arena, "was computed by other numerics (%s)",
                       reading->state.numerics);
}

/* True if a training with these options has further steps after the state. */
static bool goes_on(const struct train_options *train, const struct train_state *state)
{
    return (!train->steps || state->step < train->steps) &&
           (!train->epochs || state->epoch < train->epochs);
}

/* Returns the newest checkpoint from which the stage can continue. Sets reading->state to its
 * state. */
static struct continuation choose(const struct stage *stage, const struct train_options *kept,
                                  struct state_reading *reading)
{
    const struct train_options *train = &stage->settings->train;
    struct continuation found = {.step = -1};
    int64_t step[CHECKPOINTS_MOST];
    const int count = checkpoint_steps(reading->folder, step, CHECKPOINTS_MOST);
    const char *why = NULL;
    bool first = true, whole = false;
    for (int i = count - 1; i >= 0; i--) {
        if (!read_state(reading, step[i])) continue;
        if (first && !goes_on(train, &reading->state)) return found;
        if (first && (found.why = why_other(stage, reading))) return found;
        first = false;
        whole |= checkpoint_is_whole(reading->folder, step[i]);
        if (!is_common(train, &reading->state, kept)) continue;
        if (!checkpoint_is_whole(reading->folder, step[i])) continue;
        why = what_lacks(train, reading, kept);
        if (why) continue;
        found.step = step[i];
        return found;
    }
    if (!first)
        found.why = why     ? why
                    : whole ? "has no optimizer at a step where a longer training saves, too"
                            : "";
    return found;
}

struct continuation_search {
    const struct stage *stage;
    const char *name;
    struct arena *arena;
    struct continuation found;
};

static void look(void *context)
{
    struct continuation_search *look = context;
    struct arena *arena = look->arena;
    struct continuation *found = &look->found;
    const struct stage other = {.kind = look->stage->kind,
                                .folder = beside(look->stage, look->name, arena)};
    const struct stage_end end = stage_end(&other, arena);
    if (end.finished && !end.diverged) {
        struct state_reading *reading = ARENA_NEW(arena, struct state_reading);
        *reading = (struct state_reading){.arena = arena, .folder = other.folder};
        *found = choose(look->stage, &stage_load(arena, other.folder)->settings->train, reading);
    }
    found->end = end;
    if (found->why && *found->why)
        found->why = arena_print(arena, "%s %s", look->name, found->why);
    else if (found->why)
        found->why = arena_print(
            arena, "%s has no optimizer (gc removes it, archives leave it out)", look->name);
}

const char *continue_refused(const struct stage *stage, struct arena *arena)
{
    const struct train_options *train = &stage->settings->train;
    if (!train_ends_low(train)) return NULL;
    return arena_print(arena, "train.schedule: %s has other learning rates in a longer training",
                       section_choice(&train_section, "schedule", train, arena));
}

struct continuation continue_look(const struct stage *stage, const char *name, struct arena *arena)
{
    struct continuation_search *one = ARENA_NEW(arena, struct continuation_search);
    char message[MESSAGE_BYTES];
    *one = (struct continuation_search){stage, name, arena, {.step = -1}};
    if (die_caught(look, one, message)) return one->found;
    return (struct continuation){.step = -1, .why = arena_text(arena, message)};
}

/* ---- copying ---- */

static bool is_loss_of(const char *line, size_t bytes, int64_t step)
{
    json_auto_t *record = json_loadb(line, bytes, 0, NULL);
    const char *name = json_string_value(json_object_get(record, "name"));
    return name && !strcmp(name, "loss") &&
           json_integer_value(json_object_get(record, "step")) == step;
}

/* Returns the metric rows up to the state, without a loss row that only the end of the shorter
 * training wrote. Sets state.journal to their length in bytes. Returns NULL if rows are missing. */
static const char *rows_until(struct state_reading *reading)
{
    struct train_state *state = &reading->state;
    const char *path = arena_print(reading->arena, "%s/" JOURNAL_METRICS, reading->folder);
    const char *problem;
    size_t bytes;
    char *text = file_try_read(reading->arena, path, 0, &bytes, &problem);
    if (!text || (int64_t)bytes < state->journal) return NULL;
    const char *const end = text + state->journal;
    if (!state->unlogged) return text;
    for (char *line = text; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        if (!newline) return NULL;
        const size_t length = (size_t)(newline + 1 - line);
        if (is_loss_of(line, length, state->step)) {
            memmove(line, newline + 1, (size_t)(end - newline - 1));
            state->journal -= (int64_t)length;
            return text;
        }
        line += length;
    }
    return NULL;
}

/* True if the longer training keeps the checkpoint of `step` when it is at `state`. `folder`: the
 * shorter training. */
static bool is_named(const struct train_options *train, const char *folder,
                     const struct train_state *state, int64_t step)
{
    int64_t kept[STATE_KEPT + 2 * KEEP_AT_MOST];
    int count = state_kept(state, kept);
    count += train_kept_at(train, folder, state->step, kept + count);
    bool named = step == state->step;
    for (int i = 0; i < count; i++) named |= kept[i] == step;
    return named;
}

/* Returns the text of the state as the longer training would write it; NULL if the file of the
 * shorter training has the same text. */
static const char *state_text(const struct train_options *train,
                              const struct state_reading *reading)
{
    const struct train_state *state = lengthened(train, reading);
    const char *path;
    SCOPED(heap_free) char *heap = state_print(state);
    const char *text = arena_text(reading->arena, heap);
    const char *old = checkpoint_state(reading->arena, reading->folder, state->step, &path);
    return old && !strcmp(old, text) ? NULL : text;
}

/* Copies the checkpoints up to the chosen one to the folder `into`. Returns NULL on success, else a
 * message. */
static const char *adopt(const struct stage_work *work, const struct state_reading *chosen,
                         const char *into, const struct metadata *description)
{
    const struct train_options *train = &work->stage->settings->train;
    const struct train_state *last = lengthened(train, chosen);
    struct state_reading *reading = ARENA_NEW(chosen->arena, struct state_reading);
    int64_t step[CHECKPOINTS_MOST];
    const int count = checkpoint_steps(chosen->folder, step, CHECKPOINTS_MOST);
    file_make_folder(into);
    for (int i = 0; i < count && step[i] <= last->step; i++) {
        *reading = *chosen;
        if (step[i] < last->step && !read_state(reading, step[i])) continue;
        /* Checkpoints with a validation and an optimizer are copied, too, because train.keep_last
         * may keep them. The training later removes surplus ones. */
        if (!is_named(train, chosen->folder, last, step[i]) &&
            !(state_is_validated(&reading->state) && checkpoint_is_whole(chosen->folder, step[i])))
            continue;
        const char *fault = checkpoint_adopt(chosen->arena, chosen->folder, step[i], into,
                                             description, state_text(train, reading));
        if (fault) return arena_print(chosen->arena, "step %lld: %s", (long long)step[i], fault);
    }
    return NULL;
}

/* Writes events with the name of the shorter training, its code and its numerics. The events must
 * be written before the rename to ckpt. After the rename, a later attempt only resumes from ckpt
 * and would not write them. */
static void say(const struct stage_work *work, const struct state_reading *chosen,
                const struct continuation *found)
{
    struct journal *journal = work->journal;
    const char *code = code_used_text(work->stage, &found->end, chosen->arena);
    journal_event(journal, "continued", found->step, work->shorter);
    if (code_used_is_older(work->stage, code))
        journal_event(journal, "mixed_code", found->step, code);
    if (is_mixed(chosen->folder)) /* only with SANLAB_ANY_NUMERICS */
        journal_event(journal, "mixed_numerics", found->step, chosen->state.numerics);
    journal_sync(journal);
}

/* Copies rows and checkpoints. Returns NULL on success, else the reason why nothing was copied. */
static const char *take(struct stage_work *work, const struct metadata *description,
                        struct arena *arena)
{
    const struct stage *stage = work->stage;
    const struct continuation found = continue_look(stage, work->shorter, arena);
    const char *ckpt = arena_print(arena, "%s/ckpt", stage->folder);
    const char *into = arena_print(arena, "%s" FILE_TEMPORARY "%d", ckpt, (int)getpid());
    if (found.step < 0) return found.why ? found.why : "it is not a finished, shorter training";
    if (file_is_folder(ckpt)) return "this training has already begun";
    struct state_reading *chosen = ARENA_NEW(arena, struct state_reading);
    *chosen = (struct state_reading){.arena = arena, .folder = beside(stage, work->shorter, arena)};
    if (!read_state(chosen, found.step)) return "its state is missing";
    if (strcmp(chosen->state.numerics, work->ops->numerics()) != 0 &&
        !getenv("SANLAB_ANY_NUMERICS"))
        return arena_print(arena, "its numerics differ from those of this process (%s)",
                           work->ops->numerics());
    const char *rows = rows_until(chosen);
    if (!rows) return "its metric rows are missing";
    file_remove_tree(into);
    const char *fault = adopt(work, chosen, into, description);
    if (fault) {
        file_remove_tree(into);
        return fault;
    }
    journal_fill(work->journal, rows, (size_t)chosen->state.journal);
    crash_point("continued-rows");
    say(work, chosen, &found);
    crash_point("continued-events");
    file_rename(into, ckpt);
    crash_point("continued");
    return NULL;
}

void continue_take(struct stage_work *work, const struct metadata *description)
{
    if (!work->shorter) return;
    SCOPED(arena_free) struct arena arena = {0};
    const char *why = take(work, description, &arena);
    if (why) {
        warn("not continued from %s: %s", work->shorter, why);
        journal_event(work->journal, "not_continued", JOURNAL_NONE,
                      arena_print(&arena, "%s: %s", work->shorter, why));
    }
}

/* ---- length of a training: two lines of a canonical text, absent at their defaults ---- */

static const char epochs_line[] = "\ntrain.epochs=", steps_line[] = "\ntrain.steps=";

void continue_key(const char *canonical, char key[DIGEST_TEXT])
{
    struct digest digest;
    digest_open(&digest);
    for (const char *line = canonical; *line;) {
        const size_t text = strcspn(line, "\n"), bytes = text + (line[text] == '\n');
        if (strncmp(line, epochs_line + 1, strlen(epochs_line) - 1) &&
            strncmp(line, steps_line + 1, strlen(steps_line) - 1))
            digest_add(&digest, line, bytes);
        line += bytes;
    }
    digest_close(&digest, key);
}

/* Sets length[0] to the epochs and length[1] to the steps in a canonical text; 0: no limit. */
static void read_length(const char *canonical, int64_t length[2])
{
    const struct train_options *train = section_defaults(&train_section);
    const char *epochs = strstr(canonical, epochs_line), *steps = strstr(canonical, steps_line);
    length[0] = epochs ? atoll(epochs + strlen(epochs_line)) : train->epochs;
    length[1] = steps ? atoll(steps + strlen(steps_line)) : train->steps;
}

bool continue_is_shorter(const char *canonical, const char *than)
{
    int64_t one[2], other[2];
    bool shorter = false;
    read_length(canonical, one);
    read_length(than, other);
    for (int i = 0; i < 2; i++) {
        if (other[i] && (!one[i] || one[i] > other[i])) return false;
        shorter |= one[i] != other[i];
    }
    return shorter;
}

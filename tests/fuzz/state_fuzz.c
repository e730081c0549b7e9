/* state.json of a checkpoint: an accepted state is unchanged after writing and reading. */
#include <stdlib.h>
#include <string.h>

#include "core/train/state.h"
#include "tests/fuzz/support/fuzz.h"

static void run(void *context)
{
    static struct train_state state, again;
    state_read(&state, context, "state.json");
    char *text = state_print(&state);
    state_read(&again, text, "printed");
    CHECK(!memcmp(&state, &again, sizeof state), "printed as %s", text);
    free(text);
    state_remember(&state, state.step, 5);
    state_rank(&state, state.step, 1.5, 5);
}

FUZZ_TEXT(run);

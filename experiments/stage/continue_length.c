/* A length is two lines of a canonical text, each of which is left out at its default. */
#include "experiments/stage/continue_length.h"

#include <stdlib.h>
#include <string.h>

#include "core/train/options.h"

static const char epochs_line[] = "train.epochs=", steps_line[] = "train.steps=";

static bool begins_with(const char *line, const char *begin)
{
    return !strncmp(line, begin, strlen(begin));
}

void continue_key(const char *canonical, char key[DIGEST_TEXT])
{
    struct digest digest;
    digest_open(&digest);
    for (const char *line = canonical; *line;) {
        const size_t text = strcspn(line, "\n"), bytes = text + (line[text] == '\n');
        if (!begins_with(line, epochs_line) && !begins_with(line, steps_line))
            digest_add(&digest, line, bytes);
        line += bytes;
    }
    digest_close(&digest, key);
}

int64_t continue_default(const char *key)
{
    for (int i = 0; i < train_section.count; i++)
        if (!strcmp(train_section.option[i].key, key))
            return atoll(option_default(&train_section.option[i], NULL));
    CHECK(false, "train has no option %s", key);
}

/* Epochs and steps of a canonical text; 0: they do not end it. */
static void read_length(const char *canonical, int64_t length[2])
{
    length[0] = continue_default("epochs");
    length[1] = continue_default("steps");
    for (const char *line = canonical; line && *line;) {
        if (begins_with(line, epochs_line)) length[0] = atoll(line + strlen(epochs_line));
        if (begins_with(line, steps_line)) length[1] = atoll(line + strlen(steps_line));
        line = strchr(line, '\n');
        if (line) line++;
    }
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

/* Reads the text of a probing task. The file is read as a whole and cut in place, because squeezing
 * never lengthens a sentence. */
#include "probes/task_data.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash_table.h"
#include "core/config/word.h"
#include "core/text/utf8.h"

const char *const task_split_names[] = {"tr", "va", "te", NULL};

/* Labels in the order of first occurrence, before indices are assigned. */
struct labels {
    struct hash_table *index;
    int count;
    struct label {
        const char *name;
        bool learned; /* true if a line of tr has the label */
        int item;     /* the first item that has the label */
        int index;
    } * of; /* [count] */
};

static struct location place_of(const struct task_data *data, int item, int column)
{
    return (struct location){data->path, item + 1, column};
}

/* Returns the length of a text without trailing white space. */
static size_t trimmed(const char *text, size_t bytes)
{
    const char *at = text, *const end = text + bytes;
    size_t kept = 0;
    for (size_t word; (word = utf8_word(&at, end)); at += word) kept = (size_t)(at - text) + word;
    return kept;
}

/* Reduces the white space of a text to single blanks between tokens, in place. Returns the number
 * of tokens. */
static int squeeze(char *text)
{
    const char *at = text, *const end = text + strlen(text);
    int tokens = 0;
    for (size_t bytes; (bytes = utf8_word(&at, end)); at += bytes, text += bytes) {
        if (tokens++) *text++ = ' ';
        memmove(text, at, bytes);
    }
    *text = 0;
    return tokens;
}

static int label_id(struct labels *labels, struct arena *arena, const char *name, int item,
                    bool learned)
{
    const int64_t id = *hash_table_at(labels->index, name, strlen(name), labels->count);
    if (id == labels->count) {
        ARENA_ADD(arena, labels->of, labels->count, (struct label){.name = name, .item = item});
    }
    labels->of[id].learned |= learned;
    return (int)id;
}

static enum task_split split_of(const struct task_data *data, const char *word)
{
    int split = 0;
    while (split < TASK_SPLITS && strcmp(word, task_split_names[split]) != 0) split++;
    if (split == TASK_SPLITS)
        word_refuse(place_of(data, data->items, 1), "split", "unknown word", word,
                    task_split_names);
    return (enum task_split)split;
}

static void add_item(struct task_data *data, struct labels *labels, char *line, struct arena *arena)
{
    char *label = strchr(line, '\t'), *text = strrchr(line, '\t');
    if (!label)
        die_at(place_of(data, data->items, 1),
               "one column; expected tr, va or te, a label and a sentence, separated by tabs");
    *label++ = 0;
    label[strcspn(label, "\t")] = 0;
    text++;
    if (text == label) text = arena_text(arena, label), data->bare++;
    struct task_item item = {.text = text, .split = split_of(data, line)};
    item.label = label_id(labels, arena, label, data->items, item.split == TASK_TR);
    item.tokens = squeeze(text);
    ARENA_ADD(arena, data->item, data->items, item);
    data->count[item.split]++;
}

static void read_lines(struct task_data *data, struct labels *labels, struct arena *arena)
{
    size_t bytes;
    char *text = utf8_read(arena, data->path, INT_MAX, &bytes);
    while (*text) {
        const size_t length = strcspn(text, "\r\n");
        char *next = text + length;
        next += !strncmp(next, "\r\n", 2) ? 2 : *next != 0;
        text[trimmed(text, length)] = 0;
        add_item(data, labels, text, arena);
        text = next;
    }
}

/* Assigns indices to labels: the labels of tr, sorted. */
static void name_classes(struct task_data *data, const struct labels *labels, struct arena *arena)
{
    data->name = ARENA_ARRAY(arena, const char *, labels->count + 1);
    for (int id = 0; id < labels->count; id++)
        if (labels->of[id].learned) data->name[data->labels++] = labels->of[id].name;
    qsort(data->name, (size_t)data->labels, sizeof *data->name, compare_texts);
    for (int id = 0; id < labels->count; id++) {
        struct label *label = &labels->of[id];
        while (label->index < data->labels && data->name[label->index] != label->name)
            label->index++;
        if (!label->learned)
            word_refuse(place_of(data, label->item, 4),
                        task_split_names[data->item[label->item].split],
                        "no line of tr has the label", label->name, data->name);
    }
    if (data->labels == 1)
        die("%s: all lines of tr have the label \"%s\"; expected at least two labels", data->path,
            data->name[0]);
    for (int i = 0; i < data->items; i++)
        data->item[i].label = labels->of[data->item[i].label].index;
}

struct task_data task_data_read(struct arena *arena, const char *path)
{
    struct task_data data = {.path = path};
    struct labels labels = {.index = hash_table_new(arena, 0)};
    read_lines(&data, &labels, arena);
    for (int split = 0; split < TASK_SPLITS; split++)
        if (!data.count[split])
            die("%s: has no line of %s; expected lines of tr, va and te", path,
                task_split_names[split]);
    if (data.bare == data.items)
        die_at(place_of(&data, 0, 1), "no line has more than two columns; expected tr, va or te, a "
                                      "label and a sentence, separated by tabs");
    name_classes(&data, &labels, arena);
    return data;
}

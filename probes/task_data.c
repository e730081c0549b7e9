/* The file is read whole and cut in place: squeezed, no sentence is longer than it was. */
#include "probes/task_data.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/table.h"
#include "core/config/word.h"
#include "core/text/utf8.h"

const char *const task_split_names[] = {"tr", "va", "te", NULL};

/* Labels as they come, until all of them are known. */
struct labels {
    struct table *index;
    int count;
    const char **name; /* [count] */
    bool *learned;     /* [count] whether a line of tr has it */
    int *item;         /* [count] the first that has it */
};

static struct place place_of(const struct task_data *data, int item, int column)
{
    return (struct place){data->path, item + 1, column};
}

/* Bytes of a text without the white space at its end. */
static size_t trimmed(const char *text, size_t bytes)
{
    while (bytes) {
        size_t last = bytes - 1;
        while (last && ((unsigned char)text[last] & 0xC0) == 0x80) last--;
        if (!utf8_space(text + last, bytes - last)) break;
        bytes = last;
    }
    return bytes;
}

int task_data_squeeze(char *text)
{
    const char *const end = text + strlen(text);
    int tokens = 0;
    bool spaced = true;
    for (const char *at = text; at < end;) {
        const size_t space = utf8_space(at, (size_t)(end - at));
        if (!space && spaced && tokens++) *text++ = ' ';
        spaced = space;
        if (space)
            at += space;
        else
            *text++ = *at++;
    }
    *text = 0;
    return tokens;
}

static int label_id(struct labels *labels, struct arena *arena, const char *name, int item,
                    bool learned)
{
    const int64_t id = *table_at(labels->index, name, strlen(name), labels->count);
    if (id == labels->count) {
        ARENA_MORE(arena, labels->name, labels->count);
        ARENA_MORE(arena, labels->learned, labels->count);
        ARENA_MORE(arena, labels->item, labels->count);
        labels->name[id] = name;
        labels->learned[id] = false;
        labels->item[labels->count++] = item;
    }
    labels->learned[id] |= learned;
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
               "a single column; expected tr, va or te, a label and a sentence between tabs");
    *label++ = 0;
    label[strcspn(label, "\t")] = 0;
    text++;
    if (text == label) text = arena_text(arena, label), data->bare++;
    struct task_item item = {.text = text, .split = split_of(data, line)};
    item.label = label_id(labels, arena, label, data->items, item.split == TASK_TR);
    item.tokens = task_data_squeeze(text);
    ARENA_MORE(arena, data->item, data->items);
    data->item[data->items++] = item;
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

/* Classes from labels: those of tr, sorted. */
static void name_classes(struct task_data *data, const struct labels *labels, struct arena *arena)
{
    data->name = ARENA_ARRAY(arena, const char *, labels->count + 1);
    for (int id = 0; id < labels->count; id++)
        if (labels->learned[id]) data->name[data->labels++] = labels->name[id];
    qsort(data->name, (size_t)data->labels, sizeof *data->name, compare_texts);
    for (int id = 0; id < labels->count; id++) {
        const int item = labels->item[id];
        if (!labels->learned[id])
            word_refuse(place_of(data, item, 4), task_split_names[data->item[item].split],
                        "no line of tr has the label", labels->name[id], data->name);
    }
    if (data->labels == 1)
        die("%s: all of tr has the label \"%s\"; expected two classes at least", data->path,
            data->name[0]);
    int *class = ARENA_ARRAY(arena, int, labels->count);
    for (int k = 0; k < data->labels; k++)
        class[table_get(labels->index, data->name[k], strlen(data->name[k]))] = k;
    for (int i = 0; i < data->items; i++) data->item[i].label = class[data->item[i].label];
}

struct task_data task_data_read(struct arena *arena, const char *path)
{
    struct task_data data = {.path = path};
    struct labels labels = {.index = table_new(arena, 0)};
    read_lines(&data, &labels, arena);
    for (int split = 0; split < TASK_SPLITS; split++)
        if (!data.count[split])
            die("%s: there is no line of %s; expected lines of tr, va and te", path,
                task_split_names[split]);
    if (data.bare == data.items)
        die_at(place_of(&data, 0, 1),
               "no line has more than two columns; expected tr, va or te, a label and a sentence "
               "between tabs");
    name_classes(&data, &labels, arena);
    return data;
}

/* Classes of tags. Universal classes are in a table. With the option `own`, tags are numbered in
 * order of occurrence. */
#include "core/corpus/tags.h"

#include <string.h>

#include "core/config/word.h"

static const char *const universal[] = {"NOUN", "VERB", "ADJ", "ADV", "CONJ", "PRON",
                                        "DET",  "PRT",  "ADP", "NUM", "SYM",  "X"};

/* Tags that are mapped to another class. */
static const struct {
    const char *tag, *class;
} mapped[] = {{"PROPN", "NOUN"}, {"AUX", "VERB"},  {"CCONJ", "CONJ"}, {"SCONJ", "ADP"},
              {"PART", "PRT"},   {"PUNCT", "SYM"}, {".", "SYM"},      {"INTJ", "X"}};

struct tags tags_new(struct tag_reading reading, struct arena *arena)
{
    struct tags tags = {.reading = reading, .arena = arena, .index = hash_table_new(arena, 0)};
    for (size_t i = 0; i < COUNT_OF(universal) && !reading.own; i++) {
        ARENA_MORE(arena, tags.name, tags.count);
        tags.name[tags.count] = universal[i];
        hash_table_put(tags.index, universal[i], strlen(universal[i]), tags.count++);
    }
    return tags;
}

static NORETURN void refuse(const char *tag, struct location location)
{
    const char *known[COUNT_OF(universal) + COUNT_OF(mapped) + 1] = {NULL};
    int count = 0;
    for (size_t i = 0; i < COUNT_OF(universal); i++) known[count++] = universal[i];
    for (size_t i = 0; i < COUNT_OF(mapped); i++) known[count++] = mapped[i].tag;
    word_refuse(location, "tag", "unknown part of speech", tag, known);
}

static int add_class(struct tags *tags, const char *tag, struct location location)
{
    if (!*tag || tag[strcspn(tag, " \t\r\n")])
        die_at(location, "tag: \"%s\": expected a word without white space", tag);
    if (tags->count == TAGS_MOST)
        die_at(location,
               "tag: \"%s\": more than %d different tags; expected tags of parts of speech", tag,
               TAGS_MOST);
    ARENA_MORE(tags->arena, tags->name, tags->count);
    tags->name[tags->count] = arena_text(tags->arena, tag);
    hash_table_put(tags->index, tags->name[tags->count], strlen(tag), tags->count);
    return tags->count++;
}

int tags_class(struct tags *tags, const char *tag, struct location location)
{
    for (size_t i = 0; i < COUNT_OF(mapped) && !tags->reading.own; i++)
        if (!strcmp(tag, mapped[i].tag)) {
            const bool sconj = !strcmp(tag, "SCONJ") && tags->reading.sconj;
            tag = sconj ? "CONJ" : mapped[i].class;
            break;
        }
    const int64_t class = hash_table_get(tags->index, tag, strlen(tag));
    if (class != HASH_TABLE_ABSENT) return (int)class;
    if (!tags->reading.own) refuse(tag, location);
    return add_class(tags, tag, location);
}

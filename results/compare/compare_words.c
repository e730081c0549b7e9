/* Counts how many words of the references two systems have, by tag. */
#include <stdlib.h>
#include <string.h>

#include "core/base/hash_table.h"
#include "core/decode/score_files.h"
#include "results/compare/compare.h"
#include "results/sheet/number_format.h"

/* A tag, with its words in the references, and how many of them are matched in hypotheses. */
struct tag {
    const char *text;
    int64_t words[COMPARED], found[COMPARED];
};

struct tag_list {
    struct arena *arena;
    struct hash_table *index; /* from texts to indices of `tag` */
    int count;
    struct tag *tag; /* [count] */
};

static struct tag *tag_of(struct tag_list *tags, const char *text, size_t bytes)
{
    int64_t *index = hash_table_at(tags->index, text, bytes, tags->count);
    if (*index == tags->count)
        ARENA_ADD(tags->arena, tags->tag, tags->count,
                  (struct tag){.text = arena_text_range(tags->arena, text, bytes)});
    return &tags->tag[*index];
}

/* Matches words one to one. Sets found[i] to true if word i of the reference is matched to a word
 * of the hypothesis. */
static void match_words(const struct bleu_words *reference, const struct bleu_words *hypothesis,
                        bool *found)
{
    SCOPED(heap_free) bool *used = heap_alloc((size_t)hypothesis->count + 1);
    for (int i = 0; i < reference->count; i++) {
        const struct bleu_word *word = &reference->word[i];
        found[i] = false;
        for (int k = 0; k < hypothesis->count && !found[i]; k++) {
            const struct bleu_word *other = &hypothesis->word[k];
            if (used[k] || other->bytes != word->bytes ||
                memcmp(other->text, word->text, word->bytes) != 0)
                continue;
            found[i] = used[k] = true;
        }
    }
}

/* Counts the words of a reference. `line` has a tag for each of them. Returns the number of its
 * tags. */
static int add_words(struct tag_list *tags, int system, const char *line, int words,
                     const bool *found)
{
    int count = 0;
    for (; *(line += strspn(line, " \t\r")); count++) {
        const size_t bytes = strcspn(line, " \t\r");
        if (count < words) {
            struct tag *tag = tag_of(tags, line, bytes);
            tag->words[system]++;
            tag->found[system] += found[count];
        }
        line += bytes;
    }
    return count;
}

/* Counts the words of a system in one set of its hypotheses. */
static void count_words(struct tag_list *tags, const struct observations_text *text, int sentences,
                        int system, int set, const struct score_lines *lines)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct bleu_words reference = {.arena = &arena}, hypothesis = {.arena = &arena};
    for (int s = 0; s < sentences; s++) {
        bleu_tokenize(&text->bleu, text->reference[s], &reference);
        bleu_tokenize(&text->bleu, text->hypothesis[set][s], &hypothesis);
        SCOPED(heap_free) bool *found = heap_alloc((size_t)reference.count + 1);
        match_words(&reference, &hypothesis, found);
        const int count = add_words(tags, system, lines->line[s], reference.count, found);
        if (count != reference.count)
            die("%s:%d: %d tags; expected %d, one for each word of the reference", lines->path,
                s + 1, count, reference.count);
    }
}

static int compare_tags(const void *a, const void *b)
{
    const struct tag *x = a, *y = b;
    const int64_t more = y->words[0] - x->words[0];
    return more ? (more > 0) - (more < 0) : strcmp(x->text, y->text);
}

struct sheet *compare_words(struct comparison *comparison, const char *path)
{
    static const char *const header[] = {"Tag", "Words", "A", "B", "B - A"};
    struct arena *arena = &comparison->arena;
    struct tag_list tags = {.arena = arena, .index = hash_table_new(arena, 0)};
    const struct score_lines lines = score_lines_read(arena, path);
    if (lines.count != comparison->first->items)
        die("%s has %d lines; expected %d, one for each sentence, with a tag for each word of its "
            "reference",
            path, lines.count, comparison->first->items);
    for (int k = 0; k < COMPARED; k++)
        for (int i = 0; i < comparison->system[k].scores; i++)
            for (int set = 0; set < comparison->system[k].of[i]->sets; set++)
                count_words(&tags, comparison->system[k].of[i]->text, lines.count, k, set, &lines);
    if (tags.count) qsort(tags.tag, (size_t)tags.count, sizeof *tags.tag, compare_tags);
    struct sheet *sheet = sheet_headed(arena, tags.count, COUNT_OF(header), header, 1);
    sheet->title = "Recall of the words of the reference by tag, per cent";
    for (int row = 0; row < tags.count; row++) {
        const struct tag *tag = &tags.tag[row];
        double recall[COMPARED];
        for (int i = 0; i < COMPARED; i++) {
            recall[i] = 100. * (double)tag->found[i] / (double)tag->words[i];
            sheet_set(sheet, row, 2 + i, number_fixed(arena, recall[i], 2));
        }
        sheet_set(sheet, row, 0, tag->text);
        sheet_set(sheet, row, 1,
                  number_count(arena, (double)(tag->words[0] / comparison->system[0].runs)));
        sheet_set(sheet, row, 4, number_signed(arena, recall[1] - recall[0], 2));
    }
    return sheet;
}

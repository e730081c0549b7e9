/* Makes the task OddManOut. In half of the sentences a noun or verb is replaced by another word
 * with the same features. The bigrams of the new word with its neighbors are about as frequent as
 * those of the old word. Their counts have the same number of binary digits. */
#include <string.h>

#include "probes/task_makers.h"

enum { STEP_ODD, STEP_PLACE, STEP_OTHER, EDGE = -1 };

/* The nouns, or the verbs, that have the same features and follow the same word, in the order of
 * the text. */
struct odd_list {
    int words;
    int32_t *word; /* [words] */
};

struct odd_text {
    const struct task_material *from;
    struct arena *arena;
    const int32_t **padded;    /* [sentences][words+2] with an EDGE at both ends */
    struct hash_table *bigram; /* bigram of a padded sentence to its count */
    /* previous word, part of speech and features to the index of a list */
    struct hash_table *index;
    struct odd_list *list;
    int lists;
};

/* Returns the number of binary digits of the count of a bigram. */
static int digits_of(const struct odd_text *text, int32_t left, int32_t right)
{
    const int32_t pair[] = {left, right}; /* a count of 1 has one digit; 2 and 3 have two */
    int digits = 0;
    for (int64_t n = hash_table_get(text->bigram, (const char *)pair, sizeof pair); n > 0; n /= 2)
        digits++;
    return digits;
}

static bool is_replaceable(const struct task_node *node)
{
    return node->token >= 0 && (!strcmp(node->tag, "NOUN") || !strcmp(node->tag, "VERB"));
}

/* Returns the list of words with the same part of speech and features that follow `left`. Creates
 * the list if it does not exist. */
static struct odd_list *list_of(struct odd_text *text, int32_t left, const struct task_node *node)
{
    SCOPED(arena_free) struct arena scratch = {0};
    const char *key = arena_print(&scratch, "%ld %s %s", (long)left, node->tag, node->features);
    int64_t at = hash_table_get(text->index, key, strlen(key));
    if (at == HASH_TABLE_ABSENT) {
        at = text->lists;
        ARENA_ADD(text->arena, text->list, text->lists, (struct odd_list){0});
        hash_table_put(text->index, arena_text(text->arena, key), strlen(key), at);
    }
    return &text->list[at];
}

/* Counts the bigrams of a sentence and lists its nouns and verbs. */
static void read_sentence(struct odd_text *text, int index)
{
    const struct task_sentence *sentence = &text->from->lines->sentence[index];
    const struct task_tree *tree = task_material_tree(text->from, sentence);
    int32_t *word = ARENA_ARRAY(text->arena, int32_t, sentence->words + 2);
    word[0] = word[sentence->words + 1] = EDGE;
    memcpy(word + 1, sentence->word, sizeof *word * (size_t)sentence->words);
    text->padded[index] = word;
    for (int w = 0; w <= sentence->words; w++)
        ++*hash_table_at(text->bigram, (const char *)(word + w), 2 * sizeof *word, 0);
    for (int w = 0; w < tree->words; w++) {
        const int32_t *at = word + 1 + tree->node[w].token;
        if (!is_replaceable(&tree->node[w])) continue;
        struct odd_list *list = list_of(text, at[-1], &tree->node[w]);
        ARENA_ADD(text->arena, list->word, list->words, at[0]);
    }
}

static bool differ(const char *one, const char *other)
{
    SCOPED(arena_free) struct arena scratch = {0};
    const bool equal = !strcmp(task_lines_lower(&scratch, one), task_lines_lower(&scratch, other));
    return !equal;
}

/* Returns the replacement of at[0], the word of `node`. The search begins at a random element of
 * the list and takes the first word that fits. at[-1] and at[1] are the neighbors. Returns EDGE if
 * no word fits. */
static int32_t find_other(struct odd_text *text, const int32_t *at, const struct task_node *node,
                          int random)
{
    const struct odd_list *list = list_of(text, at[-1], node);
    const char *const *word = text->from->lines->word;
    const int left = digits_of(text, at[-1], at[0]), right = digits_of(text, at[0], at[1]);
    for (int i = 0; i < list->words; i++) {
        const int32_t other = list->word[(random % list->words + i) % list->words];
        if (digits_of(text, at[-1], other) == left && digits_of(text, other, at[1]) == right &&
            differ(word[at[0]], word[other]))
            return other;
    }
    return EDGE;
}

/* Copies a sentence to `word` with one word replaced. Returns the new word; EDGE if no word can be
 * replaced. */
static int32_t replace(struct odd_text *text, const struct task_draft *draft, int index,
                       int32_t word[TASK_MOST_WORDS])
{
    enum { BOUND = 1 << 30 };
    const struct task_sentence *sentence = &text->from->lines->sentence[index];
    const struct task_tree *tree = task_material_tree(text->from, sentence);
    const int start = task_draft_random(draft, index, STEP_PLACE, tree->words);
    const int random = task_draft_random(draft, index, STEP_OTHER, BOUND);
    int32_t other = EDGE;
    memcpy(word, sentence->word, sizeof *word * (size_t)sentence->words);
    for (int i = 0; i < tree->words && other == EDGE; i++) {
        const struct task_node *node = &tree->node[(start + i) % tree->words];
        if (!is_replaceable(node)) continue;
        other = find_other(text, text->padded[index] + 1 + node->token, node, random);
        if (other != EDGE) word[node->token] = other;
    }
    return other;
}

void make_odd(struct task_draft *draft, const struct task_material *from)
{
    const struct task_lines *lines = from->lines;
    struct arena *arena = draft->arena;
    struct odd_text text = {.from = from,
                            .arena = arena,
                            .padded = ARENA_ARRAY(arena, const int32_t *, lines->sentences + 1),
                            .bigram = hash_table_new(arena, 0),
                            .index = hash_table_new(arena, 0)};
    int none = 0, known = 0;
    for (int i = 0; i < lines->sentences; i++) read_sentence(&text, i);
    for (int i = 0; i < lines->sentences; i++) {
        int32_t word[TASK_MOST_WORDS];
        const int32_t other = replace(&text, draft, i, word);
        if (other == EDGE)
            none++;
        else
            known += !make_either(draft, lines, i, STEP_ODD, word, "C",
                                  task_lines_lower(arena, lines->word[other]));
    }
    task_draft_leave(draft, none, "without a noun or verb that can be replaced");
    task_draft_leave(draft, known, "that equal another sentence of the text with a word replaced");
}

/* Learns merges. All pairs are counted only once, at the start. A merge visits the words that
 * contain its pair, and updates the counts of the neighboring pairs. So the total cost is about
 * proportional to the number of merged occurrences. */
#include <stdlib.h>
#include <string.h>

#include "core/base/hash_table.h"
#include "core/text/bpe.h"
#include "core/text/pair_table.h"
#include "core/text/utf8.h"

struct bpe_symbol {
    const char *text;
    uint32_t bytes;
};

struct symbol_pair {
    int32_t left, right;
    int32_t visits; /* first element of its list of visits; NONE: empty */
    int32_t stamp;  /* number of the last merge that raised its count */
    int64_t count;
};

/* Element of a list. The list of a pair has the words in which the pair has ever occurred. If a
 * word no longer contains the pair, a merge of the pair does not change the word. */
struct visit {
    int32_t word, next;
};

/* Entry of the priority queue, from which the most frequent pair is taken. An entry has the count
 * that the pair had when the entry was made. Counts fall far more often than they rise. If the
 * count of a pair falls, its entry is not changed. So the entry reaches the top too early, and is
 * then replaced by an entry with the current count. If the count of a pair rises, the pair gets a
 * new entry at once, because the old entry would reach the top too late. Such a pair contains the
 * new symbol, or an old symbol with the same text, which is rare. */
struct queue_entry {
    int64_t count;
    int32_t pair;
};

struct sequence {
    int32_t *symbol; /* [length] */
    int32_t length;
    int64_t count;
};

enum { NONE = -1 };

struct bpe_learner {
    struct arena arena; /* everything except the lists that shrink: `heap` and `raised` */
    struct hash_table *index;
    struct bpe_symbol *symbol;
    int32_t symbols;
    struct sequence *word;
    int32_t words;
    int32_t *text; /* symbols of all words, one word after the other */
    struct pair_table table;
    struct symbol_pair *pair;
    int32_t pairs;
    struct visit *visit;
    int32_t visits;
    struct queue_entry *heap; /* heap[0] is the entry of the most frequent pair */
    int32_t entries;
    int32_t *raised; /* pairs whose count the current merge raised */
    int32_t raises;
    int32_t merge; /* number of the current merge */
};

static int32_t symbol_id(struct bpe_learner *learner, const char *text, size_t bytes)
{
    int64_t id = hash_table_get(learner->index, text, bytes);
    if (id != HASH_TABLE_ABSENT) return (int32_t)id;
    ARENA_MORE(&learner->arena, learner->symbol, learner->symbols);
    char *copy = arena_text_range(&learner->arena, text, bytes);
    learner->symbol[learner->symbols] = (struct bpe_symbol){copy, (uint32_t)bytes};
    hash_table_put(learner->index, copy, bytes, learner->symbols);
    return learner->symbols++;
}

static int symbol_compare(const struct bpe_symbol *a, const struct bpe_symbol *b)
{
    int order = memcmp(a->text, b->text, a->bytes < b->bytes ? a->bytes : b->bytes);
    return order ? order : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* ---- the priority queue ---- */

/* True if a comes before b. Counts are exact, and entries with equal counts are ordered by the
 * texts of the symbols. So the merges are identical to the merges of subword-nmt. */
static bool better(const struct bpe_learner *learner, struct queue_entry a, struct queue_entry b)
{
    if (a.count != b.count) return a.count > b.count;
    const struct symbol_pair *p = &learner->pair[a.pair], *q = &learner->pair[b.pair];
    const struct bpe_symbol *symbol = learner->symbol;
    int order = 0;
    if (p->left != q->left) order = symbol_compare(&symbol[p->left], &symbol[q->left]);
    if (!order) order = symbol_compare(&symbol[p->right], &symbol[q->right]);
    return order > 0;
}

static void queue_push(struct bpe_learner *learner, int32_t pair)
{
    HEAP_MORE(learner->heap, learner->entries);
    struct queue_entry *heap = learner->heap, entry = {learner->pair[pair].count, pair};
    int32_t i = learner->entries++;
    for (int32_t up; i > 0 && better(learner, entry, heap[up = (i - 1) / 2]); i = up)
        heap[i] = heap[up];
    heap[i] = entry;
}

static struct queue_entry queue_pop(struct bpe_learner *learner)
{
    struct queue_entry *heap = learner->heap, top = heap[0], last = heap[--learner->entries];
    int32_t i = 0, n = learner->entries;
    for (int32_t down; (down = 2 * i + 1) < n; i = down) {
        if (down + 1 < n && better(learner, heap[down + 1], heap[down])) down++;
        if (!better(learner, heap[down], last)) break;
        heap[i] = heap[down];
    }
    heap[i] = last;
    return top;
}

/* Takes the most frequent pair from the queue; NONE if no pair occurs min_frequency times. */
static int32_t best_pair(struct bpe_learner *learner, int64_t min_frequency)
{
    while (learner->entries) {
        struct queue_entry top = queue_pop(learner);
        int64_t count = learner->pair[top.pair].count;
        if (count == top.count) return top.pair;
        if (count < top.count && count >= min_frequency) queue_push(learner, top.pair);
    }
    return NONE;
}

/* ---- counts of pairs ---- */

static void pair_lower(struct bpe_learner *learner, int32_t left, int32_t right, int64_t count)
{
    int32_t pair = pair_table_get(&learner->table, left, right);
    CHECK(pair != PAIR_ABSENT, "symbols %d %d were never counted", left, right);
    learner->pair[pair].count -= count;
}

static void pair_raise(struct bpe_learner *learner, int32_t left, int32_t right, int32_t word)
{
    const int32_t id = *pair_table_at(&learner->table, left, right, learner->pairs);
    if (id == learner->pairs) {
        ARENA_ADD(&learner->arena, learner->pair, learner->pairs,
                  (struct symbol_pair){left, right, .visits = NONE, .stamp = NONE});
    }
    struct symbol_pair *pair = &learner->pair[id];
    pair->count += learner->word[word].count;
    if (pair->visits == NONE || learner->visit[pair->visits].word != word) {
        ARENA_MORE(&learner->arena, learner->visit, learner->visits);
        learner->visit[learner->visits] = (struct visit){word, pair->visits};
        pair->visits = learner->visits++;
    }
    if (pair->stamp != learner->merge) {
        pair->stamp = learner->merge;
        HEAP_ADD(learner->raised, learner->raises, id);
    }
}

/* Adds an entry with the new count for every pair whose count has risen. */
static void push_raised(struct bpe_learner *learner, int64_t min_frequency)
{
    for (int32_t i = 0; i < learner->raises; i++)
        if (learner->pair[learner->raised[i]].count >= min_frequency)
            queue_push(learner, learner->raised[i]);
    learner->raises = 0;
}

/* Replaces the pair (left, right) by `merged` in one word, from left to right and in place. The
 * part that is already written, s[0] to s[o-1], never overlaps the part that is still read, s[i-1]
 * to s[n-1]. */
static void merge_in_word(struct bpe_learner *learner, int32_t word, int32_t left, int32_t right,
                          int32_t merged)
{
    struct sequence *sequence = &learner->word[word];
    int32_t *s = sequence->symbol, n = sequence->length, o = 0;
    for (int32_t i = 0; i < n;) {
        if (s[i] != left || i + 1 == n || s[i + 1] != right) {
            s[o++] = s[i++];
            continue;
        }
        if (i > 0) pair_lower(learner, s[i - 1], left, sequence->count);
        if (o > 0) pair_raise(learner, s[o - 1], merged, word);
        bool last = i + 2 == n;
        /* If another occurrence of the pair follows directly, the next iteration updates the pair
         * between both. */
        if (!last && !(s[i + 2] == left && i + 3 < n && s[i + 3] == right)) {
            pair_lower(learner, right, s[i + 2], sequence->count);
            pair_raise(learner, merged, s[i + 2], word);
        }
        s[o++] = merged;
        i += 2;
    }
    sequence->length = o;
}

static void merge_pair(struct bpe_learner *learner, int32_t id)
{
    struct symbol_pair pair = learner->pair[id];
    struct bpe_symbol left = learner->symbol[pair.left], right = learner->symbol[pair.right];
    char *text = heap_alloc((size_t)left.bytes + right.bytes);
    memcpy(text, left.text, left.bytes);
    memcpy(text + left.bytes, right.text, right.bytes);
    int32_t merged = symbol_id(learner, text, (size_t)left.bytes + right.bytes);
    free(text);
    for (int32_t at = pair.visits; at != NONE; at = learner->visit[at].next)
        merge_in_word(learner, learner->visit[at].word, pair.left, pair.right, merged);
    learner->pair[id].count = 0;
    learner->pair[id].visits = NONE;
}

/* ---- words to symbols ---- */

/* Splits all words into characters, which are the first symbols. Returns the number of distinct
 * symbols. The same character inside and at the end of words is two symbols. */
static int32_t spell_words(struct bpe_learner *learner, const struct bpe_words *words)
{
    size_t bytes = 0;
    for (int32_t w = 0; w < words->words; w++) bytes += words->word[w].bytes;
    learner->text = ARENA_ARRAY(&learner->arena, int32_t, bytes);
    learner->word = ARENA_ARRAY(&learner->arena, struct sequence, words->words);
    learner->words = words->words;
    int32_t *next = learner->text;
    for (int32_t w = 0; w < words->words; w++) {
        const char *at = words->word[w].text, *end = at + words->word[w].bytes;
        int32_t *first = next;
        for (int length; at < end; at += length) {
            char final[UTF8_MOST + sizeof BPE_END];
            length = utf8_length(at);
            if (at + length < end) {
                *next++ = symbol_id(learner, at, (size_t)length);
            } else {
                memcpy(final, at, (size_t)length);
                memcpy(final + length, BPE_END, sizeof BPE_END - 1);
                *next++ = symbol_id(learner, final, (size_t)length + sizeof BPE_END - 1);
            }
        }
        learner->word[w] = (struct sequence){first, (int32_t)(next - first), words->word[w].count};
    }
    return learner->symbols;
}

static void write_symbol(FILE *out, const struct bpe_symbol *symbol, char separator)
{
    fwrite(symbol->text, 1, symbol->bytes, out);
    fputc(separator, out);
}

int bpe_learn(const struct bpe_words *words, const struct bpe_learning *options, FILE *out)
{
    struct bpe_learner learner = {0};
    learner.index = hash_table_new(&learner.arena, 1 << 12);
    CHECK(options->min_frequency >= 1, "a pair that never occurs cannot be merged");
    pair_table_clear(&learner.table, 0);
    int32_t characters = spell_words(&learner, words);
    for (int32_t w = 0; w < learner.words; w++)
        for (int32_t i = 0; i + 1 < learner.word[w].length; i++)
            pair_raise(&learner, learner.word[w].symbol[i], learner.word[w].symbol[i + 1], w);
    push_raised(&learner, options->min_frequency);

    int merges = options->merges - (options->total_symbols ? characters : 0), done = 0;
    fputs("#version: 0.2\n", out);
    for (int32_t best; done < merges; done++) {
        best = best_pair(&learner, options->min_frequency);
        if (best == NONE) break;
        write_symbol(out, &learner.symbol[learner.pair[best].left], ' ');
        write_symbol(out, &learner.symbol[learner.pair[best].right], '\n');
        learner.merge++;
        merge_pair(&learner, best);
        push_raised(&learner, options->min_frequency);
    }

    free(learner.raised);
    free(learner.heap);
    pair_table_close(&learner.table);
    arena_free(&learner.arena);
    return done;
}

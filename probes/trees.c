/* Builds trees from distances and gaps, and counts the edges that they share with a treebank. */
#include "probes/trees.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- trees of a treebank ---- */

/* Sets head[n] to the heads of a sentence. */
static void read_heads(const char *path, const struct treebank_sentence *sentence, int32_t *head)
{
    const int n = sentence->words;
    int roots = 0;
    for (int w = 0; w < n; w++) {
        const char *text = sentence->head[w];
        const bool number = *text && !text[strspn(text, "0123456789")] && strlen(text) < 8;
        const long value = number ? strtol(text, NULL, 10) : n + 1;
        roots += !value;
        if (value > n || roots > 1)
            die("%s:%d: the word has the head \"%.20s\"; expected 0 to %d in the seventh column, "
                "and "
                "0 for one word",
                path, sentence->line[w], text, n);
        head[w] = (int32_t)value - 1;
    }
    for (int w = 0; w < n; w++) {
        int steps = 0;
        for (int32_t at = w; at != TREES_NONE; at = head[at])
            if (steps++ > n)
                die("%s:%d: the heads form a circle; expected a way from each word to the root",
                    path, sentence->line[w]);
    }
}

struct trees trees_of(const struct words *words, enum words_set set, struct arena *arena)
{
    struct trees trees = {0};
    int32_t *start = ARENA_ARRAY(arena, int32_t, words->sentences + 1);
    int32_t *head = ARENA_ARRAY(arena, int32_t, words->words);
    int32_t *word = ARENA_ARRAY(arena, int32_t, words->words);
    bool *punctuation = ARENA_ARRAY(arena, bool, words->words);
    int *document = ARENA_ARRAY(arena, int, words->sentences);
    for (int s = 0; s < words->sentences; s++) {
        const struct words_sentence *from = &words->sentence[s];
        const int n = from->text->words, before = trees.words;
        bool whole = true;
        if (from->set != set) continue;
        read_heads(words->bank[set].path, from->text, head + before);
        for (int w = 0; w < n; w++) {
            word[before + w] = words->first[s] + w;
            punctuation[before + w] = !strcmp(from->text->tag[w], "PUNCT");
            whole &= !words->lost[words->first[s] + w];
        }
        trees.left_out += !whole;
        if (!whole) continue;
        trees.words += n;
        document[trees.sentences++] = from->document;
        start[trees.sentences] = trees.words;
        if (n > trees.longest) trees.longest = n;
    }
    trees.start = start, trees.head = head, trees.punctuation = punctuation;
    trees.word = word, trees.document = document;
    return trees;
}

/* Words are added from the root downwards. The way from a new word to each older word begins at its
 * head. */
static void fill_distances(const int32_t *head, int n, const double *depth, double *distance)
{
    for (int level = 0, added = 0; added < n; level++)
        for (int w = 0; w < n; w++) {
            if ((int)depth[w] != level) continue;
            distance[w * n + w] = 0;
            for (int x = 0; x < n; x++) {
                if (depth[x] > level || (depth[x] == level && x >= w)) continue;
                distance[w * n + x] = distance[x * n + w] = 1 + distance[head[w] * n + x];
            }
            added++;
        }
}

void trees_measure(const int32_t *head, int n, double *depth, double *distance)
{
    for (int w = 0; w < n; w++) {
        depth[w] = 0;
        for (int at = head[w]; at != TREES_NONE; at = head[at]) depth[w]++;
    }
    if (distance) fill_distances(head, n, depth, distance);
}

/* ---- trees from numbers ---- */

void trees_span(const double *distance, const bool *punctuation, int n, int32_t *parent)
{
    SCOPED(heap_free) double *nearest = heap_alloc((size_t)n * sizeof *nearest);
    SCOPED(heap_free) bool *open = heap_alloc((size_t)n * sizeof *open);
    for (int w = 0; w < n; w++) {
        open[w] = !punctuation[w];
        nearest[w] = INFINITY;
        parent[w] = TREES_NONE;
    }
    for (;;) {
        int next = TREES_NONE;
        for (int w = 0; w < n; w++)
            if (open[w] && (next == TREES_NONE || nearest[w] < nearest[next])) next = w;
        if (next == TREES_NONE) return;
        open[next] = false;
        for (int w = 0; w < n; w++)
            if (open[w] && distance[next * n + w] < nearest[w]) {
                nearest[w] = distance[next * n + w];
                parent[w] = next;
            }
    }
}

void trees_join(const bool *punctuation, int n, int32_t *parent)
{
    for (int w = 0, last = TREES_NONE; w < n; w++) {
        parent[w] = punctuation[w] ? TREES_NONE : last;
        if (!punctuation[w]) last = w;
    }
}

/* The words of a sentence without punctuation, and the largest gap before each. */
struct cutting {
    enum trees_rule rule;
    const double *gap;
    const int32_t *word;
    int32_t *parent;
};

static int largest(const double *gap, int from, int end)
{
    int at = from;
    for (int i = from + 1; i < end; i++)
        if (gap[i] > gap[at]) at = i;
    return at;
}

/* Adds the edges of the span [from, end). Returns the head of the span. */
static int cut_span(const struct cutting *cutting, int from, int end)
{
    const bool words = cutting->rule == TREES_LARGEST;
    if (end - from == 1) return from;
    const int at = largest(cutting->gap, from + !words, end);
    const int left = at > from ? cut_span(cutting, from, at) : at;
    const int next = words ? at + 1 : at;
    const int right = next < end ? cut_span(cutting, next, end) : at;
    const int head = words ? at : cutting->rule == TREES_FIRST ? left : right;
    if (left != head) cutting->parent[cutting->word[left]] = cutting->word[head];
    if (right != head) cutting->parent[cutting->word[right]] = cutting->word[head];
    return head;
}

void trees_cut(const double *gap, const bool *punctuation, int n, enum trees_rule rule,
               int32_t *parent)
{
    SCOPED(heap_free) double *before = heap_alloc((size_t)n * sizeof *before);
    SCOPED(heap_free) int32_t *word = heap_alloc((size_t)n * sizeof *word);
    double most = -INFINITY;
    int words = 0;
    for (int w = 0; w < n; w++) {
        parent[w] = TREES_NONE;
        if (w && gap[w] > most) most = gap[w];
        if (punctuation[w]) continue;
        before[words] = words ? most : -INFINITY;
        word[words++] = w;
        most = -INFINITY;
    }
    if (words) cut_span(&(struct cutting){rule, before, word, parent}, 0, words);
}

/* ---- shares of edges ---- */

int trees_edges(const int32_t *head, const bool *punctuation, const int32_t *parent, int n,
                int *right)
{
    int all = 0;
    *right = 0;
    for (int w = 0; w < n; w++) {
        const int32_t h = head[w];
        if (h == TREES_NONE || punctuation[w] || punctuation[h]) continue;
        all++;
        *right += parent[w] == h || parent[h] == w;
    }
    return all;
}

int trees_count(const struct trees *trees, int s, int right, int all, struct trees_share *of,
                int count)
{
    if (!count || of[count - 1].document != trees->document[s])
        of[count++] = (struct trees_share){.document = trees->document[s]};
    of[count - 1].right += right;
    of[count - 1].all += all;
    return count;
}

int trees_add(const struct trees *trees, int s, const int32_t *parent, struct trees_share *of,
              int count)
{
    const int32_t first = trees->start[s];
    int right;
    const int all = trees_edges(trees->head + first, trees->punctuation + first, parent,
                                trees->start[s + 1] - first, &right);
    return trees_count(trees, s, right, all, of, count);
}

int64_t trees_sum(const struct trees_share *of, int count)
{
    int64_t all = 0;
    for (int i = 0; i < count; i++) all += of[i].all;
    return all;
}

double trees_percent(const struct trees_share *of, int count)
{
    const int64_t all = trees_sum(of, count);
    int64_t right = 0;
    for (int i = 0; i < count; i++) right += of[i].right;
    return all ? 100. * (double)right / (double)all : 0;
}

double trees_error(const struct trees_share *of, int count)
{
    const double percent = trees_percent(of, count);
    double squares = 0, documents = 0;
    for (int i = 0; i < count; i++) {
        const double rest = 100. * of[i].right - percent * of[i].all;
        squares += rest * rest;
        documents += of[i].all > 0;
    }
    if (documents < 2) return (double)NAN;
    return sqrt(squares * documents / (documents - 1)) / (double)trees_sum(of, count);
}

struct trees_share *trees_neighbors(const struct trees *trees, int *count, struct arena *arena)
{
    struct trees_share *of = ARENA_ARRAY(arena, struct trees_share, trees->sentences + 1);
    SCOPED(heap_free) int32_t *parent = heap_alloc((size_t)(trees->longest + 1) * sizeof *parent);
    *count = 0;
    for (int s = 0; s < trees->sentences; s++) {
        const int32_t first = trees->start[s];
        trees_join(trees->punctuation + first, trees->start[s + 1] - first, parent);
        *count = trees_add(trees, s, parent, of, *count);
    }
    return of;
}

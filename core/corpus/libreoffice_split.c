/* Splits pairs by groups. Pairs that share a sentence are joined (union-find), so that no sentence
 * is in two splits. Groups and pages are ordered by digest. So their order does not change if a new
 * version of the packages adds others. */
#include "core/corpus/libreoffice_split.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/hash_table.h"
#include "core/text/lower.h"

/* ---- groups ---- */

static int32_t find_group(struct help_pair *pair, int32_t i)
{
    while (pair[i].group != i) i = pair[i].group = pair[pair[i].group].group;
    return i;
}

static const char *lowered(struct arena *arena, struct buffer *lower, const char *text)
{
    buffer_clear(lower);
    lower_add(lower, text, strlen(text));
    return arena_text_range(arena, lower->text, lower->bytes);
}

/* Sets the group of each pair: pairs with a common sentence belong to the same group. The group is
 * the index of its first pair. If `lower` is true, sentences that differ only in case count as
 * equal. Returns the number of groups. */
static int64_t find_groups(struct help_pair *pair, int32_t pairs, bool lower)
{
    int64_t groups = 0;
    SCOPED(arena_free) struct arena arena = {0};
    SCOPED(buffer_free) struct buffer buffer = {0};
    for (int32_t i = 0; i < pairs; i++) pair[i].group = i;
    for (int side = 0; side < SIDES; side++) {
        struct hash_table *first = hash_table_new(NULL, (size_t)pairs);
        for (int32_t i = 0; i < pairs; i++) {
            const char *text = pair[i].text[side];
            if (lower) text = lowered(&arena, &buffer, text);
            int32_t other = (int32_t)*hash_table_at(first, text, strlen(text), i);
            int32_t a = find_group(pair, i), b = find_group(pair, other);
            pair[a > b ? a : b].group = a > b ? b : a;
        }
        hash_table_free(first);
    }
    for (int32_t i = 0; i < pairs; i++) {
        pair[i].group = find_group(pair, i);
        groups += pair[i].group == i;
        pair[pair[i].group].pairs++;
    }
    return groups;
}

/* ---- an order by digest ---- */

struct digested {
    char digest[DIGEST_TEXT];
    int32_t index;
};

static struct digested digested(const char *text, int64_t index)
{
    struct digested one = {.index = (int32_t)index};
    digest_bytes(text, strlen(text), one.digest);
    return one;
}

static int compare_digests(const void *a, const void *b)
{
    const struct digested *p = a, *q = b;
    return strcmp(p->digest, q->digest);
}

/* ---- by sentence ---- */

static void split_by_sentence(const struct help_pairs *pairs, int64_t wanted[SPLITS])
{
    struct help_pair *pair = pairs->pair;
    SCOPED(heap_free) struct digested *group = heap_alloc((size_t)pairs->pairs * sizeof *group);
    int32_t groups = 0;
    for (int32_t i = 0; i < pairs->pairs; i++)
        if (pair[i].group == i) group[groups++] = digested(pair[i].text[SIDE_SOURCE], i);
    qsort(group, (size_t)groups, sizeof *group, compare_digests);
    for (int32_t i = 0; i < groups; i++) {
        struct help_pair *first = &pair[group[i].index];
        first->split = first->pairs <= wanted[SPLIT_TEST]  ? SPLIT_TEST
                       : first->pairs <= wanted[SPLIT_DEV] ? SPLIT_DEV
                                                           : SPLIT_TRAIN;
        if (first->split != SPLIT_TRAIN) wanted[first->split] -= first->pairs;
    }
}

/* ---- by page ---- */

struct page_groups {
    int64_t
        *first; /* [pages + 1] page p has the groups group[first[p]] to group[first[p + 1] - 1] */
    int32_t *group; /* groups of each page; a page lists a group once */
    int32_t *pages; /* [pairs] number of pages of each group that no split has taken */
};

static struct page_groups page_groups_of(const struct help_pairs *pairs)
{
    struct page_groups of = {.first = heap_alloc(((size_t)pairs->pages + 1) * sizeof *of.first),
                             .group = heap_alloc((size_t)pairs->occurrences * sizeof *of.group),
                             .pages = heap_alloc((size_t)pairs->pairs * sizeof *of.pages)};
    int64_t *last = heap_alloc((size_t)pairs->pairs * sizeof *last), groups = 0;
    for (int64_t p = 0; p < pairs->pages; p++) {
        for (int64_t i = pairs->page[p].first; i < pairs->page[p + 1].first; i++) {
            const int32_t group = pairs->pair[pairs->occurrence[i]].group;
            if (last[group] == p + 1) continue;
            last[group] = p + 1;
            of.pages[group]++;
            of.group[groups++] = group;
        }
        of.first[p + 1] = groups;
    }
    free(last);
    return of;
}

/* Takes pages for a split until the split has enough pairs. A group belongs to the split that takes
 * the last page of the group. Returns the number of taken pages. */
static int64_t take_pages(struct help_pair *pair, struct page_groups *of, enum split_name split,
                          int64_t wanted, const struct digested *page, int64_t pages)
{
    int64_t taken = 0;
    for (int64_t pairs = 0; pairs < wanted && taken < pages; taken++) {
        const int32_t p = page[taken].index;
        for (int64_t i = of->first[p]; i < of->first[p + 1]; i++) {
            struct help_pair *first = &pair[of->group[i]];
            if (--of->pages[of->group[i]]) continue;
            first->split = split;
            pairs += first->pairs;
        }
    }
    return taken;
}

/* Counts the pairs of train that are also on one of these pages. */
static int64_t count_shared(const struct help_pairs *pairs, const struct digested *page,
                            int64_t pages)
{
    SCOPED(heap_free) bool *counted = heap_alloc((size_t)pairs->pairs * sizeof *counted);
    int64_t shared = 0;
    for (int64_t k = 0; k < pages; k++) {
        const struct help_page *from = &pairs->page[page[k].index];
        for (int64_t i = from->first; i < from[1].first; i++) {
            const int32_t at = pairs->occurrence[i];
            const bool train = pairs->pair[pairs->pair[at].group].split == SPLIT_TRAIN;
            shared += train && !counted[at];
            counted[at] = true;
        }
    }
    return shared;
}

static void split_by_page(const struct help_pairs *pairs, const int64_t wanted[SPLITS],
                          struct libreoffice_counts *counts)
{
    struct page_groups of = page_groups_of(pairs);
    SCOPED(heap_free) struct digested *page = heap_alloc((size_t)pairs->pages * sizeof *page);
    int64_t taken = 0;
    for (int64_t p = 0; p < pairs->pages; p++) page[p] = digested(pairs->page[p].path, p);
    qsort(page, (size_t)pairs->pages, sizeof *page, compare_digests);
    for (enum split_name to = SPLIT_TEST; to >= SPLIT_DEV; to--) {
        counts->split_pages[to] =
            take_pages(pairs->pair, &of, to, wanted[to], page + taken, pairs->pages - taken);
        taken += counts->split_pages[to];
    }
    counts->shared = count_shared(pairs, page, taken);
    free(of.first);
    free(of.group);
    free(of.pages);
}

void libreoffice_split(struct help_pairs *pairs, const struct libreoffice_options *options,
                       struct libreoffice_counts *counts)
{
    struct help_pair *pair = pairs->pair;
    const int dev = options->dev, test = options->test;
    int64_t wanted[SPLITS] = {[SPLIT_DEV] = dev, [SPLIT_TEST] = test};
    counts->pairs = pairs->pairs;
    counts->groups = find_groups(pair, (int32_t)pairs->pairs, options->by_page);
    if (options->by_page)
        split_by_page(pairs, wanted, counts);
    else
        split_by_sentence(pairs, wanted);
    for (int64_t i = 0; i < pairs->pairs; i++) {
        pair[i].split = pair[pair[i].group].split;
        counts->split[pair[i].split]++;
    }
    if (counts->split[SPLIT_DEV] < dev || counts->split[SPLIT_TEST] < test)
        die("%lld pairs are too few for %d in dev and %d in test", (long long)pairs->pairs, dev,
            test);
    if (!counts->split[SPLIT_TRAIN])
        die("%lld pairs leave none for train after %d in dev and %d in test",
            (long long)pairs->pairs, dev, test);
}

/* Applies merges to a word, which is a linked list of symbols. A heap of pairs (rank, position)
 * gives the next merge. A word of n characters takes a time of O(n log n). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/hash_table.h"
#include "core/text/bpe.h"
#include "core/text/pair_table.h"
#include "core/text/utf8.h"

enum { NONE = -1, PAGE = 256, PAGES = 0x110000 / PAGE };

struct merge {
    int32_t left, right, result; /* symbols */
    uint32_t left_bytes;
};

struct character {
    int32_t inner, final; /* its symbol without and with BPE_END; NONE: no such symbol */
};

/* A symbol of the word that is being split. */
struct linked_symbol {
    int32_t symbol;
    int32_t rank;           /* rank of the pair of this node and the next one; NONE: no merge */
    int32_t previous, next; /* NONE at the ends */
    uint32_t begin;         /* index of its first byte in the word */
};

struct bpe {
    struct arena arena;
    bool end_alone;           /* true for version 0.1: BPE_END is a separate symbol at first */
    struct hash_table *index; /* maps a text to its symbol */
    int32_t symbols;
    int merges;
    struct merge *merge;    /* [merges] in the order of their ranks */
    struct pair_table rank; /* maps (left, right) to the rank of the merge */
    int32_t *undo;          /* [symbols] rank of the merge that made the symbol; NONE: none */
    struct character *page[PAGES];
    /* Vocabulary. inner: its marked pieces, without "@@". final: all its pieces. */
    struct hash_table *inner, *final;

    struct linked_symbol *node;
    size_t node_capacity;
    uint64_t *heap; /* rank << 32 | position */
    size_t entries;
    int32_t *batch; /* positions of all occurrences of one pair */
    struct bpe_piece *piece;
    size_t pieces;
    bool hollow; /* true if subword-nmt appends an empty piece to the word */
    struct buffer key;
};

/* ---- reading merges ---- */

static int32_t symbol_id(struct bpe *bpe, const char *text, size_t bytes)
{
    int64_t *id = hash_table_at(bpe->index, text, bytes, bpe->symbols);
    if (*id == bpe->symbols) bpe->symbols++;
    return (int32_t)*id;
}

/* Adds a symbol to the pages that `spell` reads, if the symbol is one character, with or without
 * BPE_END. */
static void note_character(struct bpe *bpe, const char *text, size_t bytes, int32_t id)
{
    uint32_t code;
    size_t length = (size_t)utf8_decode(text, &code), end = sizeof BPE_END - 1;
    bool inner = bytes == length;
    bool final = bytes == length + end && !memcmp(text + length, BPE_END, end);
    if (!inner && !final) return;
    struct character **page = &bpe->page[code / PAGE];
    if (!*page) {
        *page = ARENA_ARRAY(&bpe->arena, struct character, PAGE);
        for (int i = 0; i < PAGE; i++) (*page)[i] = (struct character){NONE, NONE};
    }
    if (inner) (*page)[code % PAGE].inner = id;
    if (final) (*page)[code % PAGE].final = id;
}

/* Reads the version line, if there is one. Returns the start of the merges. */
static const char *read_version(struct bpe *bpe, const char *path, const char *text,
                                const char *stop)
{
    static const char mark[] = "#version";
    bpe->end_alone = true;
    if ((size_t)(stop - text) < sizeof mark - 1 || memcmp(text, mark, sizeof mark - 1)) return text;
    const char *next = text + sizeof mark - 1, *begin, *end;
    const bool colon = next < stop && *next == ':';
    next += colon;
    if (!bpe_next_line(&next, stop, &begin, &end)) begin = end = next;
    const bool number = colon && end - begin == 3;
    bpe->end_alone = number && !memcmp(begin, "0.1", 3);
    if (!bpe->end_alone && !(number && !memcmp(begin, "0.2", 3)))
        die("%s:1: \"%.*s\"; expected \"#version: 0.2\" or \"#version: 0.1\"", path,
            (int)(end - text), text);
    return next;
}

static void add_merge(struct bpe *bpe, int32_t rank, const char *word[2], const size_t bytes[2])
{
    int32_t symbol[2];
    for (int i = 0; i < 2; i++) {
        symbol[i] = symbol_id(bpe, word[i], bytes[i]);
        note_character(bpe, word[i], bytes[i], symbol[i]);
    }
    char *both = arena_alloc(&bpe->arena, bytes[0] + bytes[1]);
    memcpy(both, word[0], bytes[0]);
    memcpy(both + bytes[0], word[1], bytes[1]);
    bpe->merge[rank] = (struct merge){
        symbol[0], symbol[1], symbol_id(bpe, both, bytes[0] + bytes[1]), (uint32_t)bytes[0]};
    pair_table_at(&bpe->rank, symbol[0], symbol[1], rank); /* of equal pairs, the first is kept */
}

/* Sets for each symbol the merge that can be undone. Several pairs may make the same symbol. Then
 * the pair that is nearest to the top of the file is taken, as in subword-nmt. If a pair is on
 * several lines, its last line is used. */
static void find_undo(struct bpe *bpe, int32_t merges)
{
    bpe->undo = ARENA_ARRAY(&bpe->arena, int32_t, bpe->symbols + 1);
    bool *seen = ARENA_ARRAY(&bpe->arena, bool, merges + 1);
    for (int32_t i = 0; i < bpe->symbols; i++) bpe->undo[i] = NONE;
    for (int32_t i = merges - 1; i >= 0; i--) {
        int32_t rank = pair_table_get(&bpe->rank, bpe->merge[i].left, bpe->merge[i].right);
        if (!seen[rank]) bpe->undo[bpe->merge[i].result] = rank;
        seen[rank] = true;
    }
}

struct bpe *bpe_read(const char *path, int merges)
{
    struct bpe *bpe = heap_alloc(sizeof *bpe);
    size_t bytes, lines = 0;
    const char *text = utf8_read(&bpe->arena, path, 0, &bytes), *stop = text + bytes;
    const char *line = read_version(bpe, path, text, stop);
    int number = line == text ? 1 : 2; /* number of the current line, for messages */
    while (stop > line && stop[-1] == '\n') stop--;
    const char *end, *begin;
    for (const char *at = line; bpe_next_line(&at, stop, &begin, &end);) lines++;
    bpe->index = hash_table_new(&bpe->arena, 3 * lines);
    bpe->merge = ARENA_ARRAY(&bpe->arena, struct merge, lines + 1);
    pair_table_clear(&bpe->rank, lines);
    int32_t rank = 0;
    for (; rank != merges && bpe_next_line(&line, stop, &begin, &end); rank++, number++) {
        const char *word[2], *extra;
        size_t length[2], more;
        if (!bpe_next_word(&begin, end, &word[0], &length[0]) ||
            !bpe_next_word(&begin, end, &word[1], &length[1]) ||
            bpe_next_word(&begin, end, &extra, &more))
            die("%s:%d: expected a merge: two symbols with a blank between them", path, number);
        add_merge(bpe, rank, word, length);
    }
    find_undo(bpe, rank);
    bpe->merges = rank;
    return bpe;
}

int bpe_merges(const struct bpe *bpe)
{
    return bpe->merges;
}

void bpe_free(struct bpe *bpe)
{
    pair_table_close(&bpe->rank);
    buffer_free(&bpe->key);
    arena_free(&bpe->arena);
    free(bpe);
}

/* ---- the vocabulary that limits merges ---- */

void bpe_read_vocabulary(struct bpe *bpe, const char *path, int64_t threshold)
{
    size_t bytes, mark = sizeof BPE_SEPARATOR - 1;
    const char *at = utf8_read(&bpe->arena, path, 0, &bytes), *stop = at + bytes, *line, *end;
    struct hash_table *inner = hash_table_new(&bpe->arena, 1 << 12),
                      *final = hash_table_new(&bpe->arena, 1 << 12);
    for (int64_t number = 1; bpe_next_line(&at, stop, &line, &end); number++) {
        const char *piece, *count, *extra;
        size_t length, digits, more;
        bool good = bpe_next_word(&line, end, &piece, &length) &&
                    bpe_next_word(&line, end, &count, &digits) &&
                    !bpe_next_word(&line, end, &extra, &more) && digits <= 18;
        int64_t value = 0;
        for (size_t i = 0; good && i < digits; i++) {
            good = count[i] >= '0' && count[i] <= '9';
            value = 10 * value + count[i] - '0';
        }
        if (!good) die("%s:%lld: expected a piece, a blank and its count", path, (long long)number);
        if (value < threshold) continue;
        hash_table_put(final, piece, length, 1);
        if (length >= mark && !memcmp(piece + length - mark, BPE_SEPARATOR, mark))
            hash_table_put(inner, piece, length - mark, 1);
    }
    bool any = final->count > 0;
    bpe->inner = any ? inner : NULL;
    bpe->final = any ? final : NULL;
}

/* ---- one word ---- */

static void queue_push(struct bpe *bpe, int32_t rank, int32_t position)
{
    uint64_t *heap = bpe->heap, key = (uint64_t)rank << 32 | (uint32_t)position;
    size_t i = bpe->entries++;
    for (size_t up; i > 0 && heap[up = (i - 1) / 2] > key; i = up) heap[i] = heap[up];
    heap[i] = key;
}

static uint64_t queue_pop(struct bpe *bpe)
{
    uint64_t *heap = bpe->heap, top = heap[0], last = heap[--bpe->entries];
    size_t i = 0, n = bpe->entries;
    for (size_t down; (down = 2 * i + 1) < n; i = down) {
        if (down + 1 < n && heap[down + 1] < heap[down]) down++;
        if (heap[down] >= last) break;
        heap[i] = heap[down];
    }
    heap[i] = last;
    return top;
}

static void reserve(struct bpe *bpe, size_t nodes)
{
    if (nodes <= bpe->node_capacity) return;
    bpe->node_capacity = 2 * nodes;
    bpe->node = ARENA_ARRAY(&bpe->arena, struct linked_symbol, bpe->node_capacity);
    /* The heap gets n - 1 pairs at first, and at most two new pairs for each of n - 1 merges. */
    bpe->heap = ARENA_ARRAY(&bpe->arena, uint64_t, 3 * bpe->node_capacity);
    bpe->batch = ARENA_ARRAY(&bpe->arena, int32_t, 3 * bpe->node_capacity);
    bpe->piece = ARENA_ARRAY(&bpe->arena, struct bpe_piece, bpe->node_capacity);
}

/* Makes the list of the first symbols of a word, its characters. Returns the number of symbols. */
static int32_t spell(struct bpe *bpe, const char *word, size_t bytes)
{
    CHECK(bytes > 0, "a word without a character");
    if (bytes >= INT32_MAX / 4)
        die("a word of %zu bytes; expected blanks between words, and fewer than %d bytes per word",
            bytes, INT32_MAX / 4);
    reserve(bpe, bytes + 1);
    struct linked_symbol *node = bpe->node;
    int32_t n = 0;
    for (size_t at = 0; at < bytes; n++) {
        uint32_t code;
        node[n] = (struct linked_symbol){.begin = (uint32_t)at, .previous = n - 1, .next = n + 1};
        at += (size_t)utf8_decode(word + at, &code);
        const struct character *page = bpe->page[code / PAGE];
        bool final = at == bytes && !bpe->end_alone;
        node[n].symbol = !page ? NONE : final ? page[code % PAGE].final : page[code % PAGE].inner;
    }
    if (bpe->end_alone && n > 1) {
        int32_t end = (int32_t)hash_table_get(bpe->index, BPE_END, sizeof BPE_END - 1);
        node[n] =
            (struct linked_symbol){.begin = (uint32_t)bytes, .previous = n - 1, .symbol = end};
        n++;
    }
    node[n - 1].next = NONE;
    return n;
}

/* Sets the rank of the pair at a position. If the pair is a merge, adds it to the heap. */
static void queue_pair(struct bpe *bpe, int32_t position)
{
    struct linked_symbol *node = &bpe->node[position];
    node->rank = NONE;
    if (node->next == NONE || node->symbol == NONE) return;
    int32_t right = bpe->node[node->next].symbol;
    if (right == NONE) return;
    node->rank = pair_table_get(&bpe->rank, node->symbol, right);
    if (node->rank != PAIR_ABSENT) queue_push(bpe, node->rank, position);
}

/* Applies all merges. All occurrences of a pair are taken from the heap before they are merged. A
 * merge adds new pairs, which may have a lower rank, but the other occurrences must be merged
 * first. */
static void merge_all(struct bpe *bpe, int32_t symbols)
{
    struct linked_symbol *node = bpe->node;
    bpe->entries = 0;
    for (int32_t i = 0; i < symbols; i++) queue_pair(bpe, i);
    while (bpe->entries) {
        int32_t rank = (int32_t)(bpe->heap[0] >> 32), count = 0;
        while (bpe->entries && (int32_t)(bpe->heap[0] >> 32) == rank)
            bpe->batch[count++] = (int32_t)(uint32_t)queue_pop(bpe);
        for (int32_t i = 0; i < count; i++) {
            int32_t left = bpe->batch[i];
            if (node[left].rank != rank) continue; /* an overlapping pair was merged */
            int32_t right = node[left].next;
            node[left].symbol = bpe->merge[rank].result;
            node[left].next = node[right].next;
            node[right].rank = NONE;
            if (node[left].next != NONE) node[node[left].next].previous = left;
            queue_pair(bpe, left);
            if (node[left].previous != NONE) queue_pair(bpe, node[left].previous);
        }
    }
}

static void add_piece(struct bpe *bpe, uint32_t begin, uint32_t end)
{
    bpe->piece[bpe->pieces++] = (struct bpe_piece){begin, end};
}

/* Adds a piece. If the piece is not in the vocabulary, undoes its merges until the parts are in the
 * vocabulary or cannot be split. If a text contains "</w>", merges of these characters may make the
 * symbol of a final piece. Such merges are not undone. */
static void add_known(struct bpe *bpe, const char *word, uint32_t begin, uint32_t end,
                      int32_t symbol, bool final)
{
    const struct hash_table *known = final ? bpe->final : bpe->inner;
    int32_t rank = symbol == NONE ? NONE : bpe->undo[symbol];
    if (rank != NONE && bpe->merge[rank].left_bytes > end - begin) rank = NONE;
    if (!known || rank == NONE ||
        hash_table_get(known, word + begin, end - begin) != HASH_TABLE_ABSENT) {
        add_piece(bpe, begin, end);
        return;
    }
    const struct merge *merge = &bpe->merge[rank];
    uint32_t middle = begin + merge->left_bytes;
    add_known(bpe, word, begin, middle, merge->left, false);
    add_known(bpe, word, middle, end, merge->right, final);
}

int bpe_split(struct bpe *bpe, const char *word, size_t bytes, const struct bpe_piece **piece)
{
    int32_t symbols = spell(bpe, word, bytes);
    bpe->pieces = 0;
    bpe->hollow = false;
    if (symbols == 1) {
        /* A word of one character is not looked up in the vocabulary. */
        add_piece(bpe, 0, (uint32_t)bytes);
    } else {
        merge_all(bpe, symbols);
        const struct linked_symbol *node = bpe->node;
        for (int32_t i = 0, next; i != NONE; i = next) {
            next = node[i].next;
            uint32_t end = next == NONE ? (uint32_t)bytes : node[next].begin;
            int32_t symbol = node[i].symbol;
            bool final = end == bytes;
            if (final && next != NONE) { /* BPE_END was not merged, and gives no piece */
                next = NONE;
                buffer_clear(&bpe->key);
                buffer_add(&bpe->key, word + node[i].begin, end - node[i].begin);
                buffer_add(&bpe->key, BPE_END, sizeof BPE_END - 1);
                symbol = (int32_t)hash_table_get(bpe->index, bpe->key.text, bpe->key.bytes);
            }
            add_known(bpe, word, node[i].begin, end, symbol, final);
        }
        const struct bpe_piece *last = &bpe->piece[bpe->pieces - 1];
        /* A merge whose right symbol is BPE_END was undone. */
        bpe->hollow = last->begin == last->end;
        bpe->pieces -= bpe->hollow;
    }
    *piece = bpe->piece;
    return (int)bpe->pieces;
}

/* ---- lines ---- */

void bpe_apply_line(struct bpe *bpe, const char *line, size_t bytes, struct buffer *out)
{
    const char *at = line, *end = buffer_end(line, bytes), *word;
    bpe_trim_line(&at, &end);
    buffer_add(out, line, (size_t)(at - line));
    bool first = true;
    for (size_t length; bpe_next_word(&at, end, &word, &length); first = false) {
        const struct bpe_piece *piece;
        int count = bpe_split(bpe, word, length, &piece);
        if (!first) buffer_add_byte(out, ' ');
        for (int i = 0; i < count; i++) {
            if (i) buffer_add(out, BPE_SEPARATOR " ", sizeof BPE_SEPARATOR);
            buffer_add(out, word + piece[i].begin, piece[i].end - piece[i].begin);
        }
        if (bpe->hollow) buffer_add(out, BPE_SEPARATOR " ", sizeof BPE_SEPARATOR);
    }
    buffer_add(out, end, (size_t)(buffer_end(line, bytes) - end));
}

void bpe_undo_line(const char *line, size_t bytes, struct buffer *out)
{
    const size_t mark = sizeof BPE_SEPARATOR - 1;
    for (size_t i = 0; i < bytes;) {
        bool marked = bytes - i >= mark && !memcmp(line + i, BPE_SEPARATOR, mark);
        if (marked && i + mark == bytes) break;
        if (marked && line[i + mark] == ' ')
            i += mark + 1;
        else
            buffer_add_byte(out, line[i++]);
    }
}

void bpe_apply_stream(struct bpe *bpe, FILE *in, const char *name, FILE *out)
{
    SCOPED(buffer_free) struct buffer buffer = {0};
    char *line = NULL;
    size_t capacity = 0;
    int64_t number = 0;
    for (ssize_t bytes; (bytes = getline(&line, &capacity, in)) >= 0;) {
        utf8_require(name, ++number, line, (size_t)bytes);
        buffer_clear(&buffer);
        const size_t mark = number == 1 ? utf8_mark(line, (size_t)bytes) : 0;
        bpe_apply_line(bpe, line + mark, (size_t)bytes - mark, &buffer);
        fwrite(buffer.text, 1, buffer.bytes, out);
    }
    if (ferror(in)) die("%s: cannot be read: %s", name, strerror(errno));
    free(line);
}

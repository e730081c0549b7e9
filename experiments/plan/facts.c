#include "experiments/plan/facts.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"

/* Pieces per word before the merges are known, from English and German text with 8k merges. */
static const double pieces_per_word = 1.2;

/* Distinct characters: one bit per code point. */
struct characters {
    uint8_t seen[(0x110000 + 7) / 8];
    int64_t count;
};

static void see_characters(struct characters *characters, const char *line)
{
    for (const unsigned char *at = (const unsigned char *)line; *at;) {
        int more = *at >= 0xF0 ? 3 : *at >= 0xE0 ? 2 : *at >= 0xC0 ? 1 : 0;
        uint32_t code = more ? *at & (0x3Fu >> more) : *at;
        for (at++; more && (*at & 0xC0) == 0x80; more--, at++) code = code << 6 | (*at & 0x3F);
        if (code >= 0x110000 || code <= ' ' || characters->seen[code / 8] >> (code % 8) & 1)
            continue;
        characters->seen[code / 8] |= (uint8_t)(1u << (code % 8));
        characters->count++;
    }
}

static int64_t count_words(const char *line)
{
    int64_t words = 0;
    for (bool inside = false; *line; line++) {
        bool blank = *line == ' ' || *line == '\t' || *line == '\n' || *line == '\r';
        words += !blank && !inside;
        inside = !blank;
    }
    return words;
}

static int64_t count_pieces(int64_t words)
{
    return 1 + (int64_t)(pieces_per_word * (double)words + .5);
}

/* Sentences of the mean length, and the first one as long as the longest. */
static void fill_like(struct split *split, const struct corpus_facts *facts, int which,
                      const int longest[SIDES], struct arena *arena)
{
    const int64_t sentences = facts->sentences[which];
    split->sentences = (int)sentences;
    for (int side = 0; side < SIDES && sentences; side++) {
        int64_t *start = ARENA_ARRAY(arena, int64_t, sentences + 1);
        const int64_t rest = facts->tokens[which][side] - longest[side];
        for (int64_t s = 1; s <= sentences; s++)
            start[s] = longest[side] + rest * (s - 1) / (sentences > 1 ? sentences - 1 : 1);
        split->longest[side] = longest[side];
        split->side[side].start = start;
    }
}

/* Counts one split that is there. */
static void count_split(struct corpus_facts *facts, const struct corpus_options *options, int split,
                        const char *const path[SIDES], struct characters *characters,
                        int longest[SIDES])
{
    FILE *file[SIDES];
    char *line[SIDES] = {0};
    size_t size[SIDES] = {0};
    for (int side = 0; side < SIDES; side++) {
        file[side] = fopen(path[side], "r");
        if (!file[side]) die("%s: cannot be read", path[side]);
        facts->bytes += file_bytes(path[side]);
    }
    while (getline(&line[0], &size[0], file[0]) > 0 && getline(&line[1], &size[1], file[1]) > 0) {
        int64_t words[SIDES] = {count_words(line[0]), count_words(line[1])};
        if (options->limit[split] && facts->sentences[split] == options->limit[split]) break;
        if (options->max_words && (words[0] > options->max_words || words[1] > options->max_words))
            continue;
        facts->sentences[split]++;
        for (int side = 0; side < SIDES; side++) {
            const int64_t pieces = count_pieces(words[side]);
            facts->tokens[split][side] += pieces;
            if (pieces > longest[side]) longest[side] = (int)pieces;
            see_characters(&characters[options->joint ? 0 : side], line[side]);
        }
    }
    for (int side = 0; side < SIDES; side++) {
        free(line[side]);
        fclose(file[side]);
    }
}

static void count_text(struct corpus_facts *facts, const struct stage *stage, struct arena *arena)
{
    const struct corpus_options *options = &stage->settings->corpus;
    struct characters *characters = heap_alloc(SIDES * sizeof *characters);
    struct corpus *like = ARENA_NEW(arena, struct corpus);
    facts->counted = true;
    for (int split = 0; split < SPLITS; split++) {
        if (!options->prefix[split][0]) continue;
        const char *path[SIDES];
        for (int side = 0; side < SIDES; side++) {
            path[side] = corpus_data_path(
                arena, arena_print(arena, "%s.%s", options->prefix[split],
                                   side == SIDE_SOURCE ? options->source : options->target));
            if (!path[side]) facts->counted = false;
        }
        if (!facts->counted) continue;
        int longest[SIDES] = {0};
        count_split(facts, options, split, path, characters, longest);
        fill_like(&like->split[split], facts, split, longest, arena);
    }
    if (facts->counted) facts->like = like;
    for (int side = 0; side < SIDES; side++) {
        int64_t count = FACTS_CHARACTERS;
        /* The joiner mark of text that is tokenized here is one more. */
        if (facts->counted) count = 1 + characters[options->joint ? 0 : side].count;
        facts->vocabulary[side] = VOCABULARY_FIRST + 2 * count + options->merges;
        like->vocabulary[side].size = (int)facts->vocabulary[side];
    }
    free(characters);
}

static void read_corpus(struct corpus_facts *facts, const struct stage *stage, struct arena *arena)
{
    const struct corpus *corpus = facts->corpus = corpus_open(arena, stage->folder);
    for (int side = 0; side < SIDES; side++) {
        facts->vocabulary[side] = corpus->vocabulary[side].size;
        for (int split = 0; split < SPLITS; split++) {
            facts->sentences[split] = corpus->split[split].sentences;
            if (facts->sentences[split])
                facts->tokens[split][side] =
                    corpus->split[split].side[side].start[facts->sentences[split]];
        }
    }
}

const struct corpus_facts *corpus_facts(struct stage *stage, struct arena *arena)
{
    if (stage->facts) return stage->facts;
    struct corpus_facts *facts = ARENA_NEW(arena, struct corpus_facts);
    json_t *done = stage_done(stage);
    if (done)
        read_corpus(facts, stage, arena);
    else
        count_text(facts, stage, arena);
    json_decref(done);
    return stage->facts = facts;
}

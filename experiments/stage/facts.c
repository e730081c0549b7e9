/* Computes facts of a corpus before training. A vocabulary has at most the control symbols, two
 * forms of each character (within a word, at its end), and one piece for each merge. So one pass
 * over the sentences that the corpus will keep gives an upper bound, without BPE. */
#include "experiments/stage/facts.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/json_file.h"
#include "core/corpus/corpus_line.h"
#include "core/corpus/corpus_pairs.h"
#include "core/text/tokenize.h"
#include "core/text/utf8.h"

/* Estimated pieces per word while the merges are unknown. The number was measured on English and
 * German text with 8,000 merges. */
static const double pieces_per_word = 1.2;

/* Set of distinct characters: one bit per code point. */
struct characters {
    uint8_t seen[(0x110000 + 7) / 8];
    int64_t count;
};

static void see_characters(struct characters *characters, const struct sentence *sentence)
{
    const char *at = sentence->text, *end = at + sentence->bytes;
    while (at < end) {
        uint32_t code;
        at += utf8_decode(at, &code);
        if (code <= ' ' || characters->seen[code / 8] >> (code % 8) & 1) continue;
        characters->seen[code / 8] |= (uint8_t)(1u << (code % 8));
        characters->count++;
    }
}

/* Returns the number of words of a sentence; -1 if the sentence is not valid text. */
static int64_t count_words(const struct corpus_options *options, const struct sentence *sentence)
{
    if (sentence_check(sentence) >= 0) return -1;
    if (tokenize_is_blank(sentence->text, sentence->bytes)) return 0;
    return line_count_words(options->text == CORPUS_RAW, sentence->text, sentence->bytes);
}

/* Fills a split with estimated lengths. The first sentence has the length of the longest one. The
 * other sentences have equal lengths, so that the sum is the estimated number of tokens. */
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

static bool is_full(const struct corpus_facts *facts, const struct corpus_options *options,
                    int split)
{
    return options->limit[split] && facts->sentences[split] >= options->limit[split];
}

struct counting {
    struct corpus_facts *facts;
    const struct corpus_options *options;
    struct characters *characters; /* [SIDES] */
    int longest[SPLITS][SIDES];
    struct text_audit audit;
    struct buffer clean;  /* the current sentence */
    int64_t kept[SPLITS]; /* kept pairs of each text, including pairs held out for dev */
};

static void count_part(struct counting *counting, const struct corpus_part *part)
{
    const struct corpus_options *options = counting->options;
    struct corpus_facts *facts = counting->facts;
    struct reader reader[SIDES];
    struct sentence sentence[SIDES];
    for (int side = 0; side < SIDES; side++) {
        const char *file = part->side[side]->file;
        if (!side || file != part->side[0]->file) facts->bytes += file_bytes(file);
        reader_open(&reader[side], file, corpus_layout(options, part->split, side));
    }
    while (!is_full(facts, options, part->split) && reader_next(&reader[0], &sentence[0]) &&
           reader_next(&reader[1], &sentence[1])) {
        const int64_t words[SIDES] = {count_words(options, &sentence[0]),
                                      count_words(options, &sentence[1])};
        const enum pair_fate fate =
            pair_judge(options, part->split, words, counting->kept[part->split]);
        if (fate > PAIR_HELD_OUT) continue;
        counting->kept[part->split]++;
        const int split = fate == PAIR_HELD_OUT ? SPLIT_DEV : part->split;
        if (is_full(facts, options, split)) continue;
        facts->sentences[split]++;
        for (int side = 0; side < SIDES; side++) {
            const int64_t pieces = 1 + (int64_t)(pieces_per_word * (double)words[side] + .5);
            int *longest = &counting->longest[split][side];
            facts->tokens[split][side] += pieces;
            if (pieces > *longest) *longest = (int)pieces;
            see_characters(&counting->characters[options->joint ? 0 : side], &sentence[side]);
            buffer_clear(&counting->clean);
            line_clean((struct line_format){.raw = options->text == CORPUS_RAW},
                       sentence[side].text, sentence[side].bytes, &counting->clean);
            text_audit_add(&counting->audit, (enum split_name)split, (enum side_name)side,
                           counting->clean.text, counting->clean.bytes);
        }
    }
    for (int side = 0; side < SIDES; side++) reader_close(&reader[side]);
}

static void count_text(struct corpus_facts *facts, const struct stage *stage, struct arena *arena)
{
    const struct corpus_options *options = &stage->settings->corpus;
    const struct corpus_sources sources = corpus_sources(options, arena, NULL);
    struct counting counting = {.facts = facts,
                                .options = options,
                                .characters = heap_alloc(SIDES * sizeof(struct characters))};
    struct corpus *like = ARENA_NEW(arena, struct corpus);
    like->joint = options->joint;
    facts->counted = true;
    for (int i = 0; i < sources.inputs; i++) facts->counted &= sources.input[i].file != NULL;
    for (int i = 0; i < sources.parts && facts->counted; i++)
        count_part(&counting, &sources.part[i]);
    for (int split = 0; split < SPLITS && facts->counted; split++)
        fill_like(&like->split[split], facts, split, counting.longest[split], arena);
    struct text_findings *findings = ARENA_NEW(arena, struct text_findings);
    *findings = text_audit_end(&counting.audit);
    buffer_free(&counting.clean);
    if (facts->counted) facts->like = like, facts->findings = findings;
    for (int side = 0; side < SIDES; side++) {
        int64_t count = FACTS_CHARACTERS;
        /* 1 is for the joiner mark, a character that this program adds when it tokenizes text. */
        if (facts->counted) count = 1 + counting.characters[options->joint ? 0 : side].count;
        facts->vocabulary[side] = VOCABULARY_FIRST + 2 * count + options->merges;
        like->vocabulary[side].size = (int)facts->vocabulary[side];
    }
    free(counting.characters);
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
    json_auto_t *done = stage_done(stage);
    if (done && stage_has_opened(stage))
        read_corpus(facts, stage, arena);
    else
        count_text(facts, stage, arena);
    return stage->facts = facts;
}

const struct text_findings *corpus_findings(struct stage *stage, struct arena *arena)
{
    const struct corpus_facts *facts = corpus_facts(stage, arena);
    if (!facts->corpus) return facts->findings;
    struct text_findings *findings = ARENA_NEW(arena, struct text_findings);
    json_auto_t *root = json_file_read(arena_print(arena, "%s/corpus.json", stage->folder));
    return text_findings_read(findings, json_object_get(root, "splits")) ? findings : NULL;
}

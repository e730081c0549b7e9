/* A symbol is a word of its own: its ids alone are looked for among the words of the training text.
 */
#include "experiments/stage/inference_text.h"

#include <string.h>

#include "core/corpus/known_words.h"

/* Two symbols side by side are what each of them is alone. */
static void check_neighbors(struct arena *arena, const struct rewrite_rules *rules,
                            const char *file, const struct formula_names *names,
                            const char *const *left, struct place place)
{
    for (int i = 0; i < names->symbols * names->symbols; i++) {
        const int s = i / names->symbols, t = i % names->symbols;
        const char *both = arena_print(arena, "%s %s", names->name[s], names->name[t]);
        const char *became = rewrite_line(arena, rules, both, strlen(both)).text;
        if (strcmp(became, arena_print(arena, "%s %s", left[s], left[t])) != 0)
            die_at(place,
                   "evaluate.inference.rules: %s makes \"%s\" of \"%s\"; expected a rule for each "
                   "symbol, none for two",
                   file, became, both);
    }
}

void inference_check_rules(const struct rewrite_rules *rules, const char *file,
                           const struct formula_names *names, struct place place)
{
    struct arena arena = {0};
    const char *left[FORMULA_SYMBOLS];
    for (int s = 0; s < names->symbols; s++) {
        const char *name = names->name[s];
        left[s] = rewrite_line(&arena, rules, name, strlen(name)).text;
        if (!*left[s])
            die_at(place,
                   "evaluate.inference.rules: %s leaves nothing of \"%s\"; expected a word for "
                   "each symbol",
                   file, name);
        for (int t = 0; t < s; t++)
            if (!strcmp(left[s], left[t]))
                die_at(place,
                       "evaluate.inference.rules: %s makes \"%s\" of both \"%s\" and \"%s\"; "
                       "expected a word of its own for each symbol",
                       file, left[s], names->name[t], name);
    }
    check_neighbors(&arena, rules, file, names, left, place);
    arena_free(&arena);
}

/* Ids of each symbol alone, without <eos>. */
static void read_symbols(struct arena *arena, const struct corpus *corpus,
                         const struct tokenized_reading *reading, const struct formula_names *names,
                         struct token_span *symbol)
{
    for (int s = 0; s < names->symbols; s++) {
        const struct tokenized one =
            tokenized_encode(arena, corpus, SIDE_SOURCE, reading, names->name[s], "symbols", s + 1);
        symbol[s] = (struct token_span){one.id, one.pieces - 1};
        for (int t = 0; t < s; t++)
            if (symbol[t].count == symbol[s].count &&
                !memcmp(symbol[t].token, symbol[s].token,
                        (size_t)symbol[s].count * sizeof *symbol[s].token))
                die("the encoder reads \"%s\" and \"%s\" as the same pieces%s; expected rules that "
                    "make words of them which it can tell apart, as formulas-words",
                    names->name[t], names->name[s],
                    symbol[s].token[0] == VOCABULARY_UNK ? ", unknown ones" : "");
    }
}

static void count_symbols(const struct corpus *corpus, const struct token_span *symbol, int symbols,
                          struct inference_text *text)
{
    struct arena arena = {0};
    struct table *number = table_new(&arena, 0);
    const struct split *train = &corpus->split[SPLIT_TRAIN];
    struct side_words words = side_words(&arena, &train->side[SIDE_SOURCE], train->sentences,
                                         &corpus->vocabulary[SIDE_SOURCE]);
    for (int s = 0; s < symbols; s++) span_at(number, symbol[s], s);
    for (struct token_span word; side_words_next(&words, &word);) {
        const int64_t s = span_get(number, word);
        text->words++;
        if (s != TABLE_ABSENT) text->of[s]++;
    }
    arena_free(&arena);
}

static void read_statements(struct arena *arena, const struct corpus *corpus,
                            const struct tokenized_reading *reading,
                            const struct logic_pairs *pairs, const int32_t *row,
                            struct inference_text *text)
{
    struct arena line = {0};
    struct buffer ids = {0};
    int64_t *start = ARENA_ARRAY(arena, int64_t, pairs->statements + 1);
    struct split *split = &text->split;
    for (int s = 0; s < pairs->statements; s++) {
        const struct logic_statement *statement = &pairs->statement[s];
        if (row[s] < 0) continue;
        const struct tokenized one = tokenized_encode(
            &line, corpus, SIDE_SOURCE, reading,
            arena_text_range(&line, statement->text, statement->bytes), "statement", s + 1);
        start[split->sentences + 1] = start[split->sentences] + one.pieces;
        split->sentences++;
        text->pieces += one.pieces - 1;
        text->unknown += one.unknown_pieces;
        if (one.pieces > split->longest[SIDE_SOURCE]) split->longest[SIDE_SOURCE] = one.pieces;
        buffer_add(&ids, (const char *)one.id, (size_t)one.pieces * sizeof *one.id);
        arena_free(&line);
    }
    int32_t *token = arena_alloc(arena, ids.bytes + 1);
    if (ids.bytes) memcpy(token, ids.text, ids.bytes);
    buffer_free(&ids);
    split->side[SIDE_SOURCE] = (struct side){token, start};
}

struct inference_text inference_text_read(struct arena *arena, const struct corpus *corpus,
                                          const struct tokenized_reading *reading,
                                          const struct logic_pairs *pairs, const int32_t *row)
{
    struct inference_text text = {0};
    struct token_span symbol[FORMULA_SYMBOLS];
    read_symbols(arena, corpus, reading, pairs->names, symbol);
    count_symbols(corpus, symbol, pairs->names->symbols, &text);
    read_statements(arena, corpus, reading, pairs, row, &text);
    return text;
}

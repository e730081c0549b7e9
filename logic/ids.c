/* Converts logic pairs to labeled pairs. Statements keep their indices. Pairs are sorted by split,
 * then by bin. */
#include "logic/ids.h"

static void take_statements(struct arena *arena, const struct logic_pairs *pairs,
                            struct split *text)
{
    int64_t *start = ARENA_ARRAY(arena, int64_t, pairs->statements + 1);
    for (int s = 0; s < pairs->statements; s++) {
        const int tokens = pairs->statement[s].formula.tokens;
        start[s + 1] = start[s] + tokens;
        if (tokens > text->longest[SIDE_SOURCE]) text->longest[SIDE_SOURCE] = tokens;
    }
    int32_t *token = ARENA_ARRAY(arena, int32_t, start[pairs->statements]);
    for (int s = 0; s < pairs->statements; s++)
        formula_symbols(pairs->names, pairs->statement[s].text, pairs->statement[s].bytes,
                        token + start[s]);
    text->sentences = pairs->statements;
    text->side[SIDE_SOURCE] = (struct side){.token = token, .start = start};
}

/* Appends the pairs of a file that belong to split `wanted`. `all` is the number of pairs of the
 * bin in all splits. *rank is the index of the file's first pair among these pairs. With
 * LOGIC_TRAN, *rank is advanced past the file. */
static void add_file(const struct logic_pairs *pairs, const struct logic_file *file,
                     enum logic_protocol protocol, enum logic_split wanted, int all, int *rank,
                     struct labeled_pair *to, int *count)
{
    for (int i = file->first; i < file->first + file->count; i++) {
        const struct logic_pair *pair = &pairs->pair[i];
        const struct logic_statement *premise = &pairs->statement[pair->premise],
                                     *hypothesis = &pairs->statement[pair->hypothesis];
        const enum logic_split split =
            protocol == LOGIC_TRAN ? logic_split_of(protocol, (*rank)++, all) : file->split;
        if (split != wanted) continue;
        to[(*count)++] = (struct labeled_pair){
            .side = {pair->premise, pair->hypothesis},
            .label = (int32_t)pair->relation,
            .group = logic_bin(premise->formula.operators, hypothesis->formula.operators),
            .split = (int32_t)split};
    }
}

struct labeled logic_labeled(struct arena *arena, const struct logic_pairs *pairs,
                             enum logic_protocol protocol)
{
    struct labeled labeled = {.words = FORMULA_SYMBOLS, .classes = RELATIONS};
    struct labeled_pair *pair = ARENA_ARRAY(arena, struct labeled_pair, pairs->pairs);
    int all[LOGIC_BINS] = {0};
    for (int f = 0; f < pairs->files; f++) all[pairs->file[f].bin] += pairs->file[f].count;
    take_statements(arena, pairs, &labeled.text);
    for (int wanted = 0; wanted < LOGIC_SPLITS; wanted++)
        for (int bin = 0, rank = 0; bin < LOGIC_BINS; bin++, rank = 0)
            for (int split = 0; split < LOGIC_SPLITS; split++)
                for (int f = 0; f < pairs->files; f++)
                    if (pairs->file[f].bin == bin && (int)pairs->file[f].split == split)
                        add_file(pairs, &pairs->file[f], protocol, (enum logic_split)wanted,
                                 all[bin], &rank, pair, &labeled.pairs);
    labeled.pair = pair;
    return labeled;
}

/* Tests logic/generate. Pairs equal those of a slow reference, which follows the definition in the
 * header with trees and truth tables. Sizes of bins are compared with the published files. With
 * `disjoint`, splits share no mirrored pairs. */
#include "tests/support/statement.h"
#include "tests/support/test.h"

#include "core/base/hash_table.h"
#include "core/base/random.h"
#include "logic/generate.h"

static struct formula_names names;
static const struct location location = {.file = "here"};
static const char *const letters[] = {"a", "b", "c", "d", "e", "f"};

/* Returns the names of this number of variables. */
static const struct formula_names *named(int variables)
{
    const char *name[FORMULA_VARIABLES + 1] = {NULL};
    for (int i = 0; i < variables; i++) name[i] = letters[i];
    names = formula_names_read(location, name);
    return &names;
}

static const char *folder_of(const char *name)
{
    return arena_text(&arena, test_folder(name));
}

/* Returns the expected content of a file. */
static const char *lines_of(const struct logic_made *made, enum logic_split split, int bin)
{
    struct arena_stream stream;
    arena_stream_open(&stream);
    for (int i = 0; i < made->bin[bin].count; i++) {
        const struct logic_row *row = &made->bin[bin].row[i];
        if (row->split == split)
            fprintf(stream.out, "%s\t%.*s\n", relation_symbols[row->relation], (int)row->bytes,
                    row->text);
    }
    return arena_stream_close(&arena, &stream);
}

/* ---- the slow reference (twin) ---- */

struct twin {
    const struct logic_options *options;
    int pair, words;
    char variable[FORMULA_VARIABLES];
    int variables; /* number of all variables */
    int count[LOGIC_BINS];
    struct twin_pair {
        const char *one, *other;
        char relation;
        int split;
    } * of[LOGIC_BINS];
};

static int below(struct twin *twin, int bound)
{
    uint32_t word[4];
    const int at = twin->words++;
    random_block((struct random_key){twin->options->seed, random_stream("logic")}, (uint64_t)at / 4,
                 (uint32_t)twin->pair, 0, word);
    return (int)floor(word[at % 4] * 0x1p-32 * bound);
}

static const struct statement *node(char kind, const struct statement *left,
                                    const struct statement *right)
{
    struct statement *statement = ARENA_NEW(&arena, struct statement);
    *statement = (struct statement){kind, left, right};
    return statement;
}

static const struct statement *draw_statement(struct twin *twin, double depth)
{
    const bool negated = below(twin, 3) == 0;
    const int kind = depth >= 2 ? below(twin, 9) : 8;
    const struct statement *statement;
    if (kind < 4) {
        const struct statement *left = draw_statement(twin, depth / 2);
        statement = node(kind < 2 ? '&' : '|', left, draw_statement(twin, depth / 2));
    } else {
        const int some = twin->variables < 4 ? twin->variables : 4;
        statement = node(twin->variable[below(twin, some)], NULL, NULL);
    }
    return negated ? node('~', statement, NULL) : statement;
}

static bool draw_pair(struct twin *twin)
{
    const int valuations = 1 << twin->variables;
    bool one[64], other[64];
    twin->words = 0;
    for (int i = 0; i < twin->variables; i++) twin->variable[i] = (char)('a' + i);
    for (int i = 0; i < 4 && i < twin->variables; i++) {
        const int chosen = i + below(twin, twin->variables - i);
        const char there = twin->variable[i];
        twin->variable[i] = twin->variable[chosen];
        twin->variable[chosen] = there;
    }
    const struct statement *premise = draw_statement(twin, twin->options->depth),
                           *hypothesis = draw_statement(twin, twin->options->depth);
    for (int v = 0; v < valuations; v++) {
        one[v] = statement_is_true(premise, v);
        other[v] = statement_is_true(hypothesis, v);
    }
    const char *relation = statement_relation(one, other, valuations);
    if (!*relation) return false;
    int bin = statement_operators(premise);
    if (statement_operators(hypothesis) > bin) bin = statement_operators(hypothesis);
    if (bin > 12) bin = 12;
    const struct twin_pair pair = {statement_text(premise), statement_text(hypothesis), *relation,
                                   0};
    for (int i = 0; i < twin->count[bin]; i++)
        if (!strcmp(twin->of[bin][i].one, pair.one) && !strcmp(twin->of[bin][i].other, pair.other))
            return true;
    ARENA_MORE(&arena, twin->of[bin], twin->count[bin]);
    twin->of[bin][twin->count[bin]++] = pair;
    return true;
}

static const char *twin_file(const struct twin *twin, int split, int bin)
{
    const char *text = "";
    for (int i = 0; i < twin->count[bin]; i++) {
        const struct twin_pair *pair = &twin->of[bin][i];
        if (pair->split == split)
            text =
                arena_print(&arena, "%s%c\t%s\t%s\n", text, pair->relation, pair->one, pair->other);
    }
    return text;
}

static void split_twin(struct twin *twin, int bin, double train, double valid)
{
    const int count = twin->count[bin];
    for (int i = 0; i < count; i++)
        twin->of[bin][i].split = i < (int)(train * count)   ? LOGIC_TRAIN
                                 : i < (int)(valid * count) ? LOGIC_VALID
                                                            : LOGIC_TEST;
}

TEST(a_slow_twin_makes_the_same_bytes)
{
    static const struct {
        int variables, pairs, depth;
        enum logic_protocol protocol;
        uint32_t seed;
    } test[] = {
        {2, 400, 12, LOGIC_BOWMAN, 1}, {2, 300, 2, LOGIC_TRAN, 2},      {3, 400, 12, LOGIC_TRAN, 3},
        {3, 300, 7, LOGIC_BOWMAN, 4},  {6, 300, 12, LOGIC_BOWMAN, 5},   {1, 60, 4, LOGIC_TRAN, 6},
        {5, 200, 33, LOGIC_TRAN, 7},   {3, 300, 1, LOGIC_BOWMAN, 1234},
    };
    for (size_t i = 0; i < COUNT_OF(test); i++) {
        const struct logic_options options = {.names = named(test[i].variables),
                                              .pairs = test[i].pairs,
                                              .depth = test[i].depth,
                                              .protocol = test[i].protocol,
                                              .seed = test[i].seed};
        struct logic_made made = logic_make(&options, &arena);
        struct twin twin = {.options = &options, .variables = test[i].variables};
        for (int accepted = 0; accepted < options.pairs; twin.pair++) accepted += draw_pair(&twin);
        assert_int_equal(made.drawn, twin.pair);
        const bool tran = options.protocol == LOGIC_TRAN;
        for (int bin = 0; bin < LOGIC_BINS; bin++) {
            split_twin(&twin, bin, tran ? .8 : .85, tran ? .9 : .85);
            for (int split = 0; split < LOGIC_SPLITS; split++)
                assert_string_equal(lines_of(&made, (enum logic_split)split, bin),
                                    twin_file(&twin, split, bin));
        }
        arena_free(&arena);
    }
}

/* ---- sizes ---- */

/* The published numbers are the lines of both splits. The published files were made from 500,000
 * pairs. */
TEST(bins_are_as_large_as_the_published)
{
    static const int published[] = {36,    2729,  14649, 27356, 35734, 40179, 38768,
                                    31378, 22309, 14864, 9625,  5758,  5684};
    static const double share[] = {1.9, 11.0, 11.0, 1.7, 10.7, 10.6, 53.1}; /* = < > ^ | v # */
    const struct logic_options options = {
        .names = named(6), .pairs = 500000, .depth = LOGIC_DEPTH, .seed = 1};
    const char *folder = folder_of("published");
    struct logic_made made = logic_make(&options, &arena);
    logic_made_write(&made, folder);
    struct logic_pairs pairs = {.names = &names, .arena = &arena}; /* dies if a line is wrong */
    for (int bin = 0; bin < LOGIC_BINS; bin++) {
        logic_pairs_read(&pairs, arena_print(&arena, "%s/train%d", folder, bin));
        logic_pairs_read(&pairs, arena_print(&arena, "%s/test%d", folder, bin));
    }
    int all[RELATIONS] = {0};
    for (int bin = 0; bin < LOGIC_BINS; bin++) {
        const int train = pairs.file[2 * bin].count, both = train + pairs.file[2 * bin + 1].count;
        assert_int_equal(train, both * 85 / 100);
        if (abs(both - published[bin]) > 4 * sqrt(2. * published[bin]))
            fail_msg("bin %d: %d pairs, published %d", bin, both, published[bin]);
    }
    struct hash_table *known = hash_table_new(&arena, (size_t)pairs.pairs);
    for (int i = 0; i < pairs.pairs; i++) {
        const struct logic_pair *pair = &pairs.pair[i]; /* begins with its sides */
        assert_int_equal(*hash_table_at(known, (const char *)pair, 2 * sizeof(int32_t), i), i);
        all[pair->relation]++;
    }
    for (int k = 0; k < RELATIONS; k++)
        if (fabs(100. * all[k] / pairs.pairs - share[k]) > .5)
            fail_msg("%s: %.2f%%", relation_symbols[k], 100. * all[k] / pairs.pairs);
}

/* ---- splits ---- */

/* Returns the split of PREMISE TAB HYPOTHESIS in a bin; -1 if it is absent. */
static int split_of(char *const text[LOGIC_SPLITS], const char *pair)
{
    const char *line = arena_print(&arena, "\t%s\n", pair);
    for (int split = 0; split < LOGIC_SPLITS; split++)
        if (strstr(text[split], line)) return split;
    return -1;
}

TEST(mirrors_are_on_one_side)
{
    struct logic_options options = {
        .names = named(2), .pairs = 3000, .depth = 4, .protocol = LOGIC_TRAN, .seed = 3};
    struct logic_made plain = logic_make(&options, &arena);
    options.disjoint = true;
    struct logic_made apart = logic_make(&options, &arena);
    int parted = 0, together = 0;
    for (int bin = 0; bin < LOGIC_BINS; bin++) {
        char *before[LOGIC_SPLITS], *after[LOGIC_SPLITS];
        int lines[LOGIC_SPLITS], all = 0;
        for (int split = 0; split < LOGIC_SPLITS; split++) {
            before[split] = arena_text(&arena, lines_of(&plain, (enum logic_split)split, bin));
            after[split] = arena_text(&arena, lines_of(&apart, (enum logic_split)split, bin));
            lines[split] = (int)file_count_lines(after[split], strlen(after[split]));
            all += lines[split];
        }
        /* A split exceeds its share by at most one pair: the second pair of a mirrored couple. */
        const int train = all * 80 / 100, valid = all * 90 / 100;
        assert_in_range(lines[LOGIC_TRAIN], train, train + 1);
        assert_in_range(lines[LOGIC_TRAIN] + lines[LOGIC_VALID], valid, valid + 1);
        for (int split = 0; split < LOGIC_SPLITS; split++) {
            char *rest = arena_text(&arena, before[split]), *line;
            while ((line = strsep(&rest, "\n")) && *line) {
                char *premise = strchr(line, '\t') + 1, *hypothesis = strchr(premise, '\t') + 1;
                const int place_of = split_of(after, premise);
                assert_int_not_equal(place_of, -1); /* both have the same pairs */
                const char *mirror = arena_print(&arena, "%s\t%.*s", hypothesis,
                                                 (int)(hypothesis - premise - 1), premise);
                const int there = split_of(after, mirror), was = split_of(before, mirror);
                if (there == -1 || !strcmp(mirror, premise)) continue;
                parted += was != split;
                together++;
                assert_int_equal(there, place_of);
            }
        }
    }
    assert_true(together > 100 && parted > 50); /* without `disjoint`, mirrors are often apart */
}

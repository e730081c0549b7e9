/* Tests mistakes in the options of attention. Each mistake prints one line with the location, the
 * expected text and the nearest valid word. With HEAD, an entry of the list begins at line 2,
 * column 1. */
#include "tests/support/test.h"

#include "core/config/tree_read.h"
#include "core/model/translator.h"
#include "tests/support/refused.h"

#define HEAD "encoder: {layers: 6, attention: [\n"
#define ENTRY(text) HEAD "{layers: 1-3, " text "}]}\n"
#define GAUSS(text) ENTRY("terms: [{gauss: {" text "}}]")
#define SUM "branches: [global, forward], fusion: "

static const struct refused entries[] = {
    {HEAD "localness]}\n", "2:1:", "expected a map, as {layers: 1-2,", NULL},
    {HEAD "{terms: [localness]}]}\n", "2:1:", "layers is missing: expected 1-2, 3, all", NULL},
    {ENTRY("term: [localness]"), "2:15:", "unknown key \"term\"; nearest is \"terms\"", NULL},
    {ENTRY("terms: localness"), "2:22:", "terms: expected a list, as [localness]", NULL},
    {ENTRY("terms: [localnes]"), "2:23:", "unknown term \"localnes\"; nearest is \"localness\"",
     "expected one of: "},
    {ENTRY("terms: [[relpos]]"), "2:23:", "terms: expected a name, or one name with", NULL},
    {ENTRY("terms: [{neighbor: 2}]"), "2:34:", "gauss.center: unknown word \"2\"", "query, self"},
    {ENTRY("terms: [{relpos: x}]"), "2:32:", "relpos.k: expected a whole number from 1 to 512",
     "got \"x\""},
    {ENTRY("terms: [{relpos: {keys: false, values: false}}]"),
     "2:1:", "relpos: expected keys or values, or both", NULL},
    {ENTRY("terms: [{rope: {share: 0.3}}]"), "2:1:", "rope: share 0.3 of the ",
     "expected an even number of columns"},
    {ENTRY("terms: [{t5: {buckets: 30}}]"), "2:1:", "t5.buckets: expected a multiple of 4, got 30",
     NULL},
    {ENTRY("terms: [{t5: {distance: 16}}]"),
     "2:1:", "t5.distance: expected more than half of the 32 buckets, got 16", NULL},
    {GAUSS("windw: query"), "2:32:", "unknown key \"windw\"; nearest is \"window\"", NULL},
    {GAUSS("window: 10"), "2:40:", "window: unknown word \"10\"; expected one of: query",
     "{fixed: D}"},
    {GAUSS("window: {fixed: 0}"), "2:48:", "fixed: expected a number from 0.01", "got \"0\""},
    {GAUSS("heads: 9"), "2:1:", "gauss: heads: 9, but the model has 8 heads", NULL},
    {GAUSS("hard_cut: true"), "2:1:", "hard_cut needs window: {fixed: D}", NULL},
    {GAUSS("window: {fixed: 0.9}, hard_cut: true"), "2:1:", "with D of 1 or more", NULL},
    {GAUSS("hard_cut: 1"), "2:42:", "gauss.hard_cut: expected true or false, got \"1\"", NULL},
    {ENTRY("branches: []"), "2:25:", "branches: expected a list of one or more, as [global,", NULL},
    {ENTRY("branches: [globl]"), "2:26:", "nearest is \"global\"", "expected one of: "},
    {ENTRY("branches: [{windw: 1}]"), "2:27:", "unknown key \"windw\"; nearest is \"window\"",
     NULL},
    {ENTRY("branches: [{window: -1}]"), "2:35:", "window: expected a whole number from 0",
     "got \"-1\""},
    {ENTRY("branches: [global, {window: 1}]"),
     "2:1:", "fusion is missing: 2 branches need a fusion, such as concat", NULL},
    {ENTRY("fusion: gate"), "2:23:", "fusion: expected no fusion, because there is one branch",
     NULL},
    {ENTRY(SUM "squeze"), "2:52:", "unknown word \"squeze\"; nearest is \"squeeze\"", NULL},
    {ENTRY(SUM "{sum: 3}"), "2:58:", "sum has no options", NULL},
    {ENTRY(SUM "{squeeze: 0}"), "2:62:", "squeeze.r: expected a whole number from 1", "got \"0\""},
    {ENTRY("branches: [global, forward, backward], fusion: gate"),
     "2:1:", "fusion gate: expected 2 branches, got 3", NULL},
};

static const struct refused places[] = {
    {HEAD "{layers: 0-2}]}", "2:1:", "layers: expected 1-2, 3, 1,4-6, all, lower(1/3)", "\"0-2\""},
    {HEAD "{layers: 1-7}]}", "2:1:", "layers: 1-7 is beyond the last layer of the stack, 6", NULL},
    {HEAD "{layers: 3-1}]}", "2:1:", "layers: 3-1 selects none of 6 layers; expected at least one",
     NULL},
    {HEAD "{layers: upper(1/7)}]}", "2:1:", "layers: upper(1/7) selects none of 6 layers", NULL},
    {HEAD "{layers: 1-3},\n{layers: 3}]}",
     "3:1:", "layers: 3 has layer 3, which \"1-3\" already has", NULL},
    {"encoder: {cross: []}", "1:11:", "unknown key \"cross\"", NULL},
    {"decoder: {attention: [\n{layers: 1, branches: [backward]}]}",
     "2:1:", "backward reads later words, which a decoder does not have", NULL},
    {"decoder: {cross: [\n{layers: 1, branches: [{window: 1}]}]}",
     "2:1:", "branches: expected global, because a target word", NULL},
    {"decoder: {cross: [\n{layers: 1, branches: [forward]}]}",
     "2:1:", "branches: expected global, because a target word", NULL},
    {"decoder: {cross: [\n{layers: 1, terms: [rope]}]}",
     "2:1:", "terms: rope compares positions of one sentence", "encoder.attention"},
};

static const struct refused sizes[] = {
    {"model: {heads: 3,\n width: 9}", "2:9:", "width: expected an even number", "got 9"},
    {"model: {width: 8,\n heads: 3}", "2:9:", "heads: 3 does not divide the width 8", NULL},
    {"model: {width: 12, heads: 4}\n" ENTRY("terms: [rope]"),
     "3:1:", "rope: share 1 of the 3 columns of a head is 3", "in pairs"},
};

static void expect_refused(const struct refused *row)
{
    struct translator_options options;
    struct tree *tree = tree_parse(&arena, "dir/f.yaml", row->yaml);
    EXPECT_DIE(row->part, translator_options_read(&options, tree, &arena));
    refused_check(row);
}

TEST(slips_in_an_entry)
{
    for (size_t i = 0; i < COUNT_OF(entries); i++) expect_refused(&entries[i]);
}

TEST(slips_of_place)
{
    for (size_t i = 0; i < COUNT_OF(places); i++) expect_refused(&places[i]);
}

TEST(slips_of_size)
{
    for (size_t i = 0; i < COUNT_OF(sizes); i++) expect_refused(&sizes[i]);
}

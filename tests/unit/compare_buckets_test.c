/* results/compare: buckets of sentences by length, with exact bounds. */
#include "tests/support/test.h"

#include "results/compare/compare_parts.h"

/* Two systems of one run. In sentences of this length A has every n-gram and B none. */
TEST(sentences_by_length)
{
    static const int64_t words[] = {1, 9, 10, 19, 20, 59, 60, 61, 1000};
    static const struct {
        const char *name, *count;
    } expected[] = {{"0 to 9", "2"},
                    {"10 to 19", "2"},
                    {"20 to 29", "1"},
                    {"50 to 59", "1"},
                    {"60 and more", "3"}};
    struct bleu_stats all[COUNT_OF(words)] = {{0}}, none[COUNT_OF(words)] = {{0}};
    for (size_t s = 0; s < COUNT_OF(words); s++) {
        all[s].hyp_len = all[s].ref_len = none[s].hyp_len = none[s].ref_len = words[s];
        for (int n = 0; n < BLEU_ORDER; n++)
            all[s].match[n] = all[s].total[n] = none[s].total[n] = words[s] > n ? words[s] - n : 0;
    }
    const struct bleu_stats *stats[COMPARED][1] = {{all}, {none}};
    struct comparison comparison = {
        .sentences = COUNT_OF(words),
        .system = {{.runs = 1, .stats = stats[0]}, {.runs = 1, .stats = stats[1]}}};
    const struct sheet *sheet = compare_lengths(&comparison);
    assert_int_equal(sheet->rows, COUNT_OF(expected));
    for (int row = 0; row < sheet->rows; row++) {
        assert_string_equal(sheet_get(sheet, row, 0), expected[row].name);
        assert_string_equal(sheet_get(sheet, row, 1), expected[row].count);
        assert_string_equal(sheet_get(sheet, row, 2), "100.00");
        assert_string_equal(sheet_get(sheet, row, 3), "0.00");
        assert_string_equal(sheet_get(sheet, row, 4), "-100.00");
    }
    arena_free(&comparison.arena);
}

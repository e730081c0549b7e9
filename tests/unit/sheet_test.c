/* Tests results/sheet/number_format.h and results/sheet/sheet.h: the printed digits and columns. */
#include "tests/support/test.h"

#include "results/sheet/number_format.h"
#include "results/sheet/sheet.h"

TEST(numbers_as_people_read_them)
{
    assert_string_equal(number_fixed(&arena, 36.125, 2), "36.12"); /* half to even, like printf */
    assert_string_equal(number_fixed(&arena, -0.001, 2), "0.00");
    assert_string_equal(number_fixed(&arena, -0.01, 2), "-0.01");
    assert_string_equal(number_signed(&arena, 0.456, 2), "+0.46");
    assert_string_equal(number_signed(&arena, -0.314, 2), "-0.31");
    assert_string_equal(number_signed(&arena, 0.001, 2), "0.00");
    assert_string_equal(number_count(&arena, 0), "0");
    assert_string_equal(number_count(&arena, 999), "999");
    assert_string_equal(number_count(&arena, 1000), "1,000");
    assert_string_equal(number_count(&arena, 3681280), "3,681,280");
    assert_string_equal(number_count(&arena, -123456), "-123,456");
    assert_string_equal(number_count(&arena, 176362496), "176,362,496");
    assert_string_equal(number_short(&arena, 0.0314), "0.0314");
    assert_string_equal(number_short(&arena, 3.2e-9), "3.2e-09");
    assert_string_equal(number_short(&arena, 12), "12");
    assert_int_equal(number_mean_decimals(25.495, 0.76707), 2); /* 25.50 ± 0.77 */
    assert_int_equal(number_mean_decimals(-0.21, 0.014), 3);    /* -0.210 ± 0.014 */
    assert_int_equal(number_mean_decimals(3, 0.00001), 4);      /* five digits at most */
    assert_int_equal(number_mean_decimals(1200, 345), 0);
    assert_int_equal(number_mean_decimals(0.5, 0), -1);
    assert_int_equal(number_mean_decimals(3.2e-9, 1e-9), -1);
    assert_string_equal(number_seconds(&arena, 45.24), "45.2 s");
    assert_string_equal(number_seconds(&arena, 99.96), "1 min 40 s");
    assert_string_equal(number_seconds(&arena, 1025), "17 min 05 s");
    assert_string_equal(number_seconds(&arena, 12000), "3 h 20 min");
    assert_string_equal(number_bytes(&arena, 0), "0 MB");
    assert_string_equal(number_bytes(&arena, 300), "1 MB");
    assert_string_equal(number_bytes(&arena, 999.4e6), "999 MB");
    assert_string_equal(number_bytes(&arena, 999.6e6), "1.0 GB");
    assert_string_equal(number_age(&arena, 8.9), "8 s");
    assert_string_equal(number_age(&arena, 119), "119 s");
    assert_string_equal(number_age(&arena, 720), "12 min");
    assert_string_equal(number_age(&arena, 3 * 3600), "3 h");
    assert_string_equal(number_age(&arena, 5 * 86400 + 1), "5 d");
    assert_string_equal(number_age(&arena, -5), "0 s");
    assert_string_equal(number_age(&arena, NAN), "0 s");
}

TEST(widths_are_those_of_a_terminal)
{
    assert_int_equal(sheet_width("abc"), 3);
    assert_int_equal(sheet_width("Größe ±"), 7);
    assert_int_equal(sheet_width("e\xcc\x81"), 1); /* a combining accent */
    assert_int_equal(sheet_width("日本"), 4);
    assert_int_equal(sheet_width("a\x1b[2J"), 5);
    assert_int_equal(sheet_width("\xff\xfe"), 2);
}

static char *rendered(const struct sheet *sheet)
{
    return PRINTED(sheet_text(sheet, out));
}

TEST(columns_stand_below_each_other)
{
    struct sheet *sheet = sheet_new(&arena, 4, 3);
    sheet->title = "A title";
    sheet->column[0] = (struct sheet_column){"", SHEET_LEFT, 0};
    sheet->column[1] = (struct sheet_column){"Count", SHEET_RIGHT, 0};
    sheet->column[2] = (struct sheet_column){"BLEU", SHEET_NUMBER, 2};
    static const char *const cells[4][3] = {{"Größe", "1,000", "36.12 ± 0.21 (3)"},
                                            {"日本", "20", "7.5"},
                                            {"x\x1by", NULL, "failed"},
                                            {"+ gate", "3", "+12"}};
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 3; column++)
            sheet_set(sheet, row, column, cells[row][column]);
    sheet_caption(&arena, sheet, "Of %d rows.", 4);
    sheet_caption(&arena, sheet, "Second line.");
    char *text = rendered(sheet);
    assert_string_equal(text, "A title\n"
                              "        Count               BLEU\n"
                              "────────────────────────────────\n"
                              "Größe   1,000   36.12 ± 0.21 (3)\n"
                              "日本       20    7.5\n"
                              "x?y         -             failed\n"
                              "+ gate      3  +12\n"
                              "Of 4 rows.\n"
                              "Second line.\n");
}

TEST(an_empty_table_has_a_header)
{
    struct sheet *sheet = sheet_new(&arena, 0, 1);
    sheet->column[0] = (struct sheet_column){"names", SHEET_LEFT, 0};
    char *text = rendered(sheet);
    assert_string_equal(text, "names\n─────\n");
}

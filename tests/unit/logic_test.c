/* Tests logic/pairs: valid and invalid lines, names of files, and counts of the files that Bowman
 * et al. published. These counts come from other programs. */
#include "tests/support/test.h"

#include "logic/pairs.h"

static struct formula_names names;
static const char *here;
static const struct location location = {.file = "here"};

BEFORE(each)
{
    static const char *const letters[] = {"a", "b", "c", "d", "e", "f", NULL};
    names = formula_names_read(location, letters);
    here = arena_text(&arena, test_folder("here"));
}

static const char *put(const char *name, const char *text)
{
    const char *path = arena_print(&arena, "%s/%s", here, name);
    put_text(path, text);
    return path;
}

/* ---- faults ---- */

static char heard[4096]; /* texts LINE:COLUMN: MESSAGE; */

static void hear(void *context, struct location at, const char *message)
{
    char *end_of = heard + strlen(heard);
    snprintf(end_of, sizeof heard - (size_t)(end_of - heard), "%d:%d: %s;", at.line, at.column,
             message);
}

static struct logic_pairs read_file(const char *name, const char *text)
{
    struct logic_pairs pairs = {.names = &names, .arena = &arena, .fault = hear};
    *heard = 0;
    logic_pairs_read(&pairs, put(name, text));
    return pairs;
}

TEST(lines_are_read)
{
    struct logic_pairs pairs =
        read_file("train2", "<\t( a ( and b ) )\t( not ( not a ) )\r\n"
                            "^\t( not ( not a ) )\t( not a )\n"
                            "=\t( not ( not a ) )\ta"); /* the last line may have no newline */
    assert_string_equal(heard, "");
    assert_int_equal(pairs.pairs, 3);
    assert_int_equal(pairs.statements, 4); /* one statement occurs three times */
    assert_int_equal(pairs.pair[0].relation, RELATION_FORWARD);
    assert_int_equal(pairs.pair[1].premise, pairs.pair[0].hypothesis);
    assert_int_equal(pairs.pair[2].premise, pairs.pair[0].hypothesis);
    const struct logic_statement *twice = &pairs.statement[pairs.pair[0].hypothesis];
    assert_int_equal(twice->bytes, strlen("( not ( not a ) )"));
    assert_memory_equal(twice->text, "( not ( not a ) )", twice->bytes);
    assert_int_equal(twice->formula.operators, 2);
    assert_int_equal(pairs.file[0].split, LOGIC_TRAIN);
    assert_int_equal(pairs.file[0].bin, 2);
    assert_int_equal(pairs.file[0].count, 3);
}

TEST(faults_say_line_and_column)
{
    static const struct said wrong[] = {
        {"=\ta", "2:1: 2 columns; expected relation, premise and hypothesis, separated by tabs;"},
        {"", "2:1: 1 column; expected"},
        {"=\ta\ta\ta", "2:1: 4 columns; expected"},
        {"=>\ta\ta", "2:1: relation: unknown word \"=>\"; nearest is \"=\"; expected one of: =, <, "
                     ">, ^, |, v, #;"},
        {"\ta\ta", "2:1: relation: unknown word \"\"; expected one of: ="},
        {"=\t\ta", "2:3: the premise is empty; expected a statement;"},
        {"=\ta\t", "2:5: the hypothesis is empty; expected a statement;"},
        {"=\ta\t( not a", "2:12: the statement ends; expected \")\";"},
        {"=\t( a ( ant b ) )\ta", "2:9: symbol: unknown word \"ant\"; nearest is \"and\";"},
        {"#\ta\t( b ( or ( not b ) ) )",
         "2:5: the hypothesis is always true; expected a statement that is true for some values of "
         "its variables and false for others;"},
        {"#\t( b ( and ( not b ) ) )\ta", "2:3: the premise is never true;"},
        {"<\ta\t( not b )", "2:1: wrong relation \"<\"; expected \"#\" (independence);"},
        {"^\ta\t( not a )", ""},
        {"=\ta\ta", "2:3: wrong bin: 0 operators belong to bin 0; the file has bin 1;"},
        {"<\ta\t( ( not b ) ( or a ) )",
         "2:5: wrong bin: 2 operators belong to bin 2; the file has bin 1;"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        struct logic_pairs pairs = read_file(
            "test1", arena_print(&arena, "v\ta\t( not a )\n%s\n#\tf\t( not c )\n", wrong[i].text));
        /* The first line is wrong and the last line is right. So reading must continue after a
         * wrong line. */
        expect_part(heard, "1:1: wrong relation \"v\"; expected \"^\" (negation);");
        expect_part(heard, wrong[i].says);
        assert_int_equal(pairs.pairs, *wrong[i].says ? 1 : 2);
    }
    /* A refused statement is refused again in any position. */
    read_file("test1", "=\t( not )\ta\n=\ta\t( not )\n");
    expect_part(heard, "1:9: \")\"; expected \"(\" or a variable;2:11: \")\"; expected");
}

TEST(the_first_fault_dies_without_a_listener)
{
    struct logic_pairs pairs = {.names = &names, .arena = &arena};
    EXPECT_DIE("here/valid0:2:3: symbol: unknown word \"g\"; expected one of: (, ), not, and, or, "
               "a, b, c, d, e, f",
               logic_pairs_read(&pairs, put("valid0", "=\ta\ta\n#\tg\ta\n")));
}

TEST(files_are_named_by_split_and_bin)
{
    struct logic_pairs pairs = {.names = &names, .arena = &arena};
#define REFUSED(message, name) EXPECT_DIE(message, logic_pairs_read(&pairs, put(name, "")))
    REFUSED("here/train13: expected a bin of 0 to 12 after \"train\"", "train13");
    REFUSED("here/train130: expected a bin of 0 to 12", "train130");
    REFUSED("here/train06: expected a bin of 0 to 12", "train06");
    REFUSED("here/train6.txt: expected a bin of 0 to 12", "train6.txt");
    REFUSED("here/tets6: name of the file: unknown split \"tets\"; nearest is \"test\"; expected "
            "one of: train, valid, test",
            "tets6");
    REFUSED("here/6: name of the file: unknown split \"\"", "6");
    REFUSED("here/notes: expected the name of a split and a bin of 0 to 12, as in train6", "notes");
    EXPECT_DIE("train3: cannot be read", logic_pairs_read(&pairs, "/nowhere/train3"));
    logic_pairs_read(&pairs, put("train6", ""));
    REFUSED("here/train6: is a second file of train6, after ", "train6");
}

TEST(a_byte_order_mark_is_no_text)
{
    struct logic_pairs pairs = read_file("train1", "\xEF\xBB\xBF^\ta\t( not a )\n#\tg\ta\n");
    assert_int_equal(pairs.pairs, 1);
    assert_true(!strncmp(heard, "2:3: symbol", 11)); /* line 1 has no fault */
    pairs = read_file("train1", "\xEF\xBB\xBF#\tg\ta\n");
    assert_true(!strncmp(heard, "1:3: symbol", 11)); /* columns are counted after the mark */
    EXPECT_DIE("here/train1: the file has only a byte order mark; expected pairs",
               read_file("train1", "\xEF\xBB\xBF"));
}

/* A NUL or a Latin-1 letter is an error of encoding, not an unknown word. */
TEST(a_file_is_text)
{
    struct logic_pairs pairs = {.names = &names, .arena = &arena};
    const char *path = put("train1", "=\ta\ta\n#\tb\ta\n");
    file_write(path, "=\ta\ta\n#\tb\0\ta\n", 13);
    EXPECT_DIE("here/train1:2: byte 4 is a NUL; expected text", logic_pairs_read(&pairs, path));
    EXPECT_DIE("here/train2:2: byte 3 (0xe4) is not valid UTF-8; convert the file",
               logic_pairs_read(&pairs, put("train2", "=\ta\ta\n#\t\xE4\ta\n")));
}

TEST(bins_are_a_range)
{
    struct logic_bins bins = logic_bins_read(location, "0-6");
    assert_int_equal(bins.first, 0);
    assert_int_equal(bins.last, 6);
    bins = logic_bins_read(location, "12");
    assert_int_equal(bins.first, 12);
    assert_int_equal(bins.last, 12);
    static const char *const wrong[] = {"",    "-",    "0-13",  "13",
                                        "6-0", "0-",   "-6",    "0-6-",
                                        "a",   "0-06", "0 - 6", "0-12345678901234567890"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        EXPECT_DIE(
            arena_print(&arena, "here: \"%s\": expected bins of 0 to 12, as in 0-6", wrong[i]),
            logic_bins_read(location, wrong[i]));
}

/* ---- counts ---- */

/* Lines, shares of relations and majorities are numbers of the papers. */
TEST(published_files_have_the_published_numbers)
{
    static const int train_lines[] = {30,    2319,  12451, 23252, 30373, 34152, 32952,
                                      26671, 18962, 12634, 8181,  4894,  4831},
                     test_lines[] = {6,    410,  2198, 4104, 5361, 6027, 5816,
                                     4707, 3347, 2230, 1444, 864,  853};
    static const double majority[] = {0,    58.8, 55.0, 54.7, 53.6, 53.9, 53.6,
                                      51.4, 51.6, 51.4, 51.3, 50.6, 48.2},
                        share[] = {1.9, 11.0, 11.0, 1.7, 10.7, 10.6, 53.1}; /* = < > ^ | v # */
    const char *folder = test_data_folder();
    if (!folder || !file_is_folder(arena_print(&arena, "%s/logic", folder)))
        test_skip("no folder logic among real data (SANLAB_DATA)");
    struct logic_pairs pairs = {.names = &names, .arena = &arena, .fault = hear};
    *heard = 0;
    for (int bin = 0; bin < LOGIC_BINS; bin++) {
        logic_pairs_read(&pairs, arena_print(&arena, "%s/logic/train%d", folder, bin));
        logic_pairs_read(&pairs, arena_print(&arena, "%s/logic/test%d", folder, bin));
    }
    assert_string_equal(heard, "");
    assert_int_equal(pairs.pairs, 249069);
    int all[RELATIONS] = {0};
    for (int f = 0; f < pairs.files; f++) {
        const struct logic_file *file = &pairs.file[f];
        const bool test = file->split == LOGIC_TEST;
        int count[RELATIONS] = {0}, largest = 0;
        for (int i = file->first; i < file->first + file->count; i++)
            count[pairs.pair[i].relation]++;
        for (int k = 0; k < RELATIONS; k++) {
            all[k] += count[k];
            if (count[k] > largest) largest = count[k];
        }
        assert_int_equal(file->count, (test ? test_lines : train_lines)[file->bin]);
        if (test && file->bin && fabs(100. * largest / file->count - majority[file->bin]) > .0501)
            fail_msg("bin %d: majority %.3f", file->bin, 100. * largest / file->count);
    }
    for (int k = 0; k < RELATIONS; k++)
        if (fabs(100. * all[k] / pairs.pairs - share[k]) > .0501)
            fail_msg("%s: %.3f%%", relation_symbols[k], 100. * all[k] / pairs.pairs);
    int most = 0;
    for (int i = 0; i < pairs.statements; i++)
        if (pairs.statement[i].formula.tokens > most) most = pairs.statement[i].formula.tokens;
    assert_int_equal(most, 79);
}

/* Tests core/corpus/controlled: the labels of a sentence equal those that an independent parser
 * finds in its words. */
#include "tests/support/test.h"

#include "core/corpus/controlled.h"

enum { SENTENCES = 3000 };

/* State of the parser, which follows the grammar in controlled.h. */
struct reading {
    const struct controlled_sentence *of;
    int at;
    int object, verb; /* positions in the first clause */
};

static bool is(const struct reading *r, const char *tag)
{
    return r->at < r->of->words && !strcmp(r->of->tag[r->at], tag);
}

static void take(struct reading *r, const char *tag)
{
    if (!is(r, tag)) fail_msg("word %d is %s, not %s", r->at, r->of->tag[r->at], tag);
    r->at++;
}

static int largest(int a, int b)
{
    return a > b ? a : b;
}

/* Each function parses a constituent and returns the depth of its tree. A word has depth 0. */
static int read_simple(struct reading *r)
{
    take(r, "DET");
    if (is(r, "ADJ")) r->at++;
    take(r, "NOUN");
    return 1;
}

static int read_place(struct reading *r)
{
    take(r, "ADP");
    return 1 + read_simple(r);
}

static int read_phrase(struct reading *r, int *noun)
{
    if (is(r, "PRON")) return r->at++, 1;
    const int depth = read_simple(r);
    *noun = r->at - 1;
    if (is(r, "ADP")) return 1 + read_place(r);
    if (!is(r, "PRON")) return depth;
    assert_string_equal(r->of->word[r->at++], "that");
    take(r, "VERB");
    const int clause = 1 + 1 + read_simple(r), relative = 1 + clause;
    return 1 + largest(depth, relative);
}

static int read_clause(struct reading *r, bool first)
{
    int noun = -1, place = 0;
    if (is(r, "AUX") || is(r, "ADV"))
        r->at++;
    else if (is(r, "ADP"))
        place = read_place(r);
    const int subject = read_phrase(r, &noun);
    if (first) r->verb = r->at;
    take(r, "VERB");
    const int verb = 1 + read_phrase(r, &noun);
    if (first) r->object = noun;
    return 1 + largest(largest(subject, verb), place);
}

TEST(trees_are_those_of_the_words)
{
    int deepest = 0;
    for (uint32_t i = 0; i < SENTENCES; i++) {
        struct controlled_sentence sentence;
        controlled_make(1, "controlled_test", i, &sentence);
        struct reading reading = {.of = &sentence};
        int depth = read_clause(&reading, true);
        if (sentence.second) {
            take(&reading, "CCONJ");
            assert_int_equal(reading.at, sentence.second);
            depth = 1 + largest(depth, read_clause(&reading, false));
        }
        take(&reading, "PUNCT");
        assert_int_equal(reading.at, sentence.words);
        assert_int_equal(sentence.depth, depth);
        assert_int_equal(sentence.object, reading.object);
        deepest = largest(deepest, depth);
    }
    assert_int_equal(deepest, 8);
}

static bool among(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (!strcmp(word, *words)) return true;
    return false;
}

/* The object of eat or cook is food, and the object of write is a text. sentence.odd is a noun of
 * another kind. */
TEST(an_odd_noun_is_odd)
{
    static const char *const food[] = {"cake", "cakes", "apple", "apples", "soup", "soups",
                                       "egg",  "eggs",  "pear",  "pears",  NULL};
    static const char *const text[] = {"book",      "books",      "letter", "letters",
                                       "newspaper", "newspapers", "poem",   "poems",
                                       "map",       "maps",       NULL};
    static const char *const eats[] = {"eat", "eats", "ate", "cook", "cooks", "cooked", NULL};
    static const char *const writes[] = {"write", "writes", "wrote", NULL};
    int seen = 0;
    for (uint32_t i = 0; i < SENTENCES; i++) {
        struct controlled_sentence sentence;
        controlled_make(1, "controlled_test", i, &sentence);
        struct reading reading = {.of = &sentence};
        read_clause(&reading, true);
        const char *verb = sentence.word[reading.verb];
        const char *const *fits = among(verb, eats) ? food : among(verb, writes) ? text : NULL;
        if (!fits) continue;
        assert_true(among(sentence.word[sentence.object], fits));
        assert_non_null(sentence.odd);
        assert_false(among(sentence.odd, fits));
        seen++;
    }
    assert_true(seen > 300);
}

/* After "das", an adjective ends in e, as it does after "die" before a feminine noun. After "den"
 * and "dem", it ends in en. */
TEST(german_adjectives_agree)
{
    static const char *const one[] = {"das", "dieses", "jedes", NULL};
    static const char *const she[] = {"die", "diese", "jede", NULL};
    static const char *const other[] = {"den", "dem", "diesen", "diesem", "jeden", "jedem", NULL};
    static const char *const feminine[] = {"Frau",    "Tante", "Katze",  "Ziege",  "Suppe", "Birne",
                                           "Zeitung", "Karte", "Brücke", "Schule", NULL};
    static const char *const weak[] = {"alte", "junge", "kleine", "große", "rote", "schwarze",
                                       "gute", "neue",  "kalte",  "warme", NULL};
    static const char *const strong[] = {"alten",  "jungen",    "kleinen", "großen",
                                         "roten",  "schwarzen", "guten",   "neuen",
                                         "kalten", "warmen",    NULL};
    int seen[3] = {0};
    for (uint32_t i = 0; i < SENTENCES; i++) {
        struct controlled_sentence sentence;
        controlled_make(1, "controlled_test", i, &sentence);
        for (int w = 0; w + 2 < sentence.targets; w++) {
            const char *article = sentence.target[w], *adjective = sentence.target[w + 1];
            if (!among(adjective, weak) && !among(adjective, strong)) continue;
            const bool her = among(article, she) && among(sentence.target[w + 2], feminine);
            if (among(article, one) || her) assert_true(among(adjective, weak));
            if (among(article, other)) assert_true(among(adjective, strong));
            seen[0] += among(article, one), seen[1] += her, seen[2] += among(article, other);
        }
    }
    for (int k = 0; k < 3; k++) assert_true(seen[k] > 100);
}

/* Tests core/text/untokenize.h: running text from tokens of treebanks, with the end of each
 * token. */
#include "tests/support/test.h"

#include "core/text/untokenize.h"

static void expect(const char *tokens, const char *text)
{
    struct buffer out = {0};
    buffer_add(&out, "x", 1); /* the text is appended */
    size_t end[64], count = 0;
    for (const char *at = tokens; *at; at++) count += *at != ' ' && (at == tokens || at[-1] == ' ');
    untokenize_line(tokens, strlen(tokens), &out, end);
    if (count) assert_int_equal(end[count - 1], out.bytes);
    for (size_t i = 1; i < count; i++) assert_true(end[i] > end[i - 1]);
    untokenize_line("", 0, &out, NULL);
    buffer_add_byte(&out, 0);
    assert_string_equal(out.text + 1, text);
    buffer_free(&out);
}

TEST(signs)
{
    expect("", "");
    expect("plain words", "plain words");
    expect("Yes , we do .", "Yes, we do.");
    expect("What ? ! No : ( 5 % [ 3 ] ) ; so ...", "What?! No: (5% [3]); so...");
    expect("It costs $ 300 and # 16 €", "It costs $300 and #16 €");
    expect("anglo - saxon / other", "anglo - saxon / other");
    expect("so … and ?… ends", "so… and?… ends");
    expect(". begins", ". begins");
    expect("ends (", "ends (");
}

TEST(endings_of_words)
{
    expect("I do n't know , it 's Tom 's .", "I don't know, it's Tom's.");
    expect("They ca n’t ; he ’s O 'Brien", "They can’t; he’s O'Brien");
    expect("Iraq ’ s and William L. ' s wife", "Iraq’s and William L.'s wife");
    expect("Williams ' wild side", "Williams' wild side");
    expect("friends ’ couches", "friends’ couches");
    expect("he ’ she ’ they", "he’ she’ they");
    expect("I can 't", "I can't"); /* as in Tatoeba */
}

TEST(quotation_marks)
{
    expect("the genus \" Allomyces \" .", "the genus \"Allomyces\".");
    expect("\" One \" , \" two \"", "\"One\", \"two\"");
    expect("He said `` so '' .", "He said \"so\".");
    expect("the term ' genocide ' was", "the term 'genocide' was");
    expect("an ` honest ' word", "an 'honest' word");
    expect("“ There ” and ‘ here ’", "“There” and ‘here’");
    expect("no end \"", "no end \"");
    expect("said ' so '", "said 'so'");
    expect("an end '", "an end'");
}

TEST(ends_are_those_of_tokens)
{
    struct buffer out = {0};
    size_t end[6];
    const char *tokens = "`` I do n't '' .";
    untokenize_line(tokens, strlen(tokens), &out, end);
    static const size_t expected[] = {1, 2, 5, 8, 9, 10}; /* ends in "I don't". */
    assert_memory_equal(end, expected, sizeof end);
    buffer_free(&out);
}

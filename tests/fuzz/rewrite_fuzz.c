/* Input: a file of rewrite rules and, after the first '|', a line for them. Every token comes from
 * a token of the line, and running text keeps all their letters. */
#include "core/corpus/corpus_line.h"
#include "core/corpus/rewrite.h"
#include "core/text/untokenize.h"
#include "core/text/utf8.h"
#include "tests/fuzz/support/fuzz.h"

static void look_at(const struct rewritten *line, int words)
{
    CHECK(line_count_words(false, line->text, strlen(line->text)) == line->words, "%d tokens",
          line->words);
    for (int i = 0; i < line->words; i++)
        CHECK(line->from[i] >= (i ? line->from[i - 1] : 0) && line->from[i] < words,
              "token %d is from %d", i, line->from[i]);
    CHECK(line->changed >= 0 && line->changed <= words, "%d changed", line->changed);
}

static void run(void *context)
{
    char *line = context;
    const char *text = fuzz_part(&line, '|');
    if (utf8_check(line, strlen(line)) >= 0) return;
    struct buffer clean = {0}, running = {0};
    line_clean((struct line_format){0}, line, strlen(line), &clean);
    const int words = (int)line_count_words(false, clean.text, clean.bytes);
    const struct rewrite_rules *rules = rewrite_read(&arena, fuzz_put("a.tsv", text, strlen(text)));
    const struct rewritten left = rewrite_line(&arena, rules, clean.text, clean.bytes);
    look_at(&left, words);
    size_t *end = ARENA_ARRAY(&arena, size_t, left.words + 1);
    untokenize_line(left.text, strlen(left.text), &running, end);
    CHECK((left.words ? end[left.words - 1] : 0) == running.bytes, "a token is lost");
    CHECK(utf8_check(running.text, running.bytes) < 0, "a character is cut");
    buffer_free(&clean);
    buffer_free(&running);
}

FUZZ_TEXT(run);

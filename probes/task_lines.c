/* Reads the text of probing tasks. Splits lines into tokens. Sentences with 5 to 28 tokens are
 * kept, and each distinct token of these sentences gets an index. */
#include "probes/task_lines.h"

#include <string.h>

#include "core/base/buffer.h"
#include "core/base/file.h"
#include "core/config/shipped.h"
#include "core/corpus/corpus_line.h"
#include "core/corpus/treebank.h"
#include "core/text/lower.h"
#include "core/text/utf8.h"
#include "probes/task_data.h"

/* Returns the tokens of a line of raw text. */
static char *tokenized(struct arena *arena, const char *line)
{
    const struct line_format raw = {.raw = true};
    SCOPED(buffer_free) struct buffer clean = {0}, words = {0}, plain = {0};
    line_clean(raw, line, strlen(line), &clean);
    line_words(raw, clean.text, clean.bytes, &words);
    line_plain(words.text, words.bytes, &plain);
    return buffer_take(&plain, arena);
}

static const char **read_lines(struct arena *arena, const char *path, int *count)
{
    size_t bytes;
    if (shipped_ends(path, ".conllu")) {
        const struct treebank bank = treebank_read(arena, path, true);
        const int *line;
        *count = bank.sentences;
        return treebank_sentences(&bank, &line, arena);
    }
    char *text = file_read_given(arena, path, &bytes);
    text = utf8_text(path, text, &bytes);
    return file_cut_lines(arena, text, bytes, count);
}

static int32_t word_id(struct task_lines *lines, struct hash_table *index, const char *word,
                       size_t bytes, struct arena *arena)
{
    int64_t *id = hash_table_at(index, word, bytes, lines->words);
    if (*id == lines->words) {
        ARENA_MORE(arena, lines->word, lines->words);
        ARENA_MORE(arena, lines->count, lines->words);
        lines->word[lines->words] = arena_text_range(arena, word, bytes);
        lines->count[lines->words++] = 0;
    }
    lines->count[*id]++;
    return (int32_t)*id;
}

static void add_sentence(struct task_lines *lines, struct hash_table *index, int line, int words,
                         struct arena *arena)
{
    const char *text = lines->line[line];
    int64_t *times = hash_table_at(lines->known, text, strlen(text), 0);
    if ((*times)++) {
        lines->twice++;
        return;
    }
    int32_t *word = ARENA_ARRAY(arena, int32_t, words);
    const char *at = text;
    for (int w = 0; w < words; w++) {
        const size_t bytes = strcspn(at, " ");
        word[w] = word_id(lines, index, at, bytes, arena);
        at += bytes + (at[bytes] != 0);
    }
    ARENA_ADD(arena, lines->sentence, lines->sentences,
              (struct task_sentence){.text = text, .line = line, .words = words, .word = word});
}

struct task_lines task_lines_read(struct arena *arena, const char *path, bool raw)
{
    struct task_lines lines = {.path = path, .known = hash_table_new(arena, 0)};
    struct hash_table *index = hash_table_new(arena, 0);
    lines.line = read_lines(arena, path, &lines.lines);
    for (int i = 0; i < lines.lines; i++) {
        char *text = raw ? tokenized(arena, lines.line[i]) : arena_text(arena, lines.line[i]);
        const int tokens = task_data_squeeze(text);
        lines.line[i] = text;
        lines.shorter += tokens < TASK_LEAST_WORDS;
        lines.longer += tokens > TASK_MOST_WORDS;
        if (tokens >= TASK_LEAST_WORDS && tokens <= TASK_MOST_WORDS)
            add_sentence(&lines, index, i, tokens, arena);
    }
    return lines;
}

const char *task_lines_lower(struct arena *arena, const char *word)
{
    struct buffer lower = {0};
    lower_add(&lower, word, strlen(word));
    return buffer_take(&lower, arena);
}

const char *task_lines_join(struct arena *arena, const struct task_lines *lines,
                            const int32_t *word, int words)
{
    struct buffer text = {0};
    for (int w = 0; w < words; w++) {
        const char *one = lines->word[word[w]];
        if (w) buffer_add_byte(&text, ' ');
        buffer_add(&text, one, strlen(one));
    }
    return buffer_take(&text, arena);
}

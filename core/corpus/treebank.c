/* Reads treebanks. A file is read whole and split in place. Forms are copied to the text of their
 * sentence. */
#include "core/corpus/treebank.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/buffer.h"
#include "core/base/file.h"
#include "core/config/shipped.h"
#include "core/corpus/corpus_line.h"
#include "core/text/utf8.h"

enum {
    COLUMN_ID = 0,
    COLUMN_FORM = 1,
    COLUMN_TAG = 3,
    COLUMN_HEAD = 6,
    COLUMN_RELATION = 7,
    COLUMNS = 10
};

struct treebank_reader {
    struct treebank *treebank;
    struct arena *arena;
    /* true: the form of a range replaces its words; `within` is the last replaced word */
    bool written;
    int within;
    int number; /* number of the current line */
    /* number of the last word that was read in the sentence, from 1 */
    int last;
    int documents;                /* number of comments `# newdoc` so far */
    struct treebank_sentence now; /* current sentence, without its text */
    struct buffer text;
};

static void end_sentence(struct treebank_reader *reader)
{
    struct treebank *treebank = reader->treebank;
    if (!reader->now.words) return;
    reader->now.document = reader->documents;
    reader->now.text = arena_text_range(reader->arena, reader->text.text, reader->text.bytes);
    ARENA_ADD(reader->arena, treebank->sentence, treebank->sentences, reader->now);
    buffer_clear(&reader->text);
    reader->now = (struct treebank_sentence){0};
    reader->last = reader->within = 0;
}

static void add_word(struct treebank_reader *reader, const char *const column[COLUMNS])
{
    struct treebank_sentence *now = &reader->now;
    const char *form = column[COLUMN_FORM];
    const size_t before = reader->text.bytes;
    SCOPED(buffer_free) struct buffer clean = {0};
    line_clean((struct line_format){0}, form, strlen(form), &clean);
    const int tokens = (int)line_count_words(false, clean.text, clean.bytes);
    if (!tokens)
        die("%s:%d: the word has no form; expected one in the second column",
            reader->treebank->path, reader->number);
    if (before) buffer_add_byte(&reader->text, ' ');
    buffer_add(&reader->text, clean.text, clean.bytes);
    for (int i = 0; i < tokens; i++) {
        ARENA_ADD(reader->arena, now->word, now->tokens, now->words);
    }
    ARENA_MORE(reader->arena, now->tag, now->words);
    ARENA_MORE(reader->arena, now->line, now->words);
    ARENA_MORE(reader->arena, now->head, now->words);
    ARENA_MORE(reader->arena, now->relation, now->words);
    now->head[now->words] = column[COLUMN_HEAD];
    now->relation[now->words] = column[COLUMN_RELATION];
    now->line[now->words] = reader->number;
    now->tag[now->words++] = column[COLUMN_TAG];
}

/* Returns the kind of a line, which is determined by its first column: 'w' for "3", '-' for "3-4",
 * '.' for "3.1"; 0 if the column is invalid. */
static char kind_of(const char *id)
{
    const size_t first = strspn(id, "0123456789");
    const char sign = id[first];
    if (!first) return 0;
    if (!sign) return 'w';
    if (sign != '-' && sign != '.') return 0;
    const char *rest = id + first + 1;
    return *rest && !rest[strspn(rest, "0123456789")] ? sign : 0;
}

static void read_line(struct treebank_reader *reader, char *line)
{
    struct treebank *treebank = reader->treebank;
    const char *column[COLUMNS];
    const int columns = file_cut_columns(line, column, COLUMNS);
    if (columns != COLUMNS)
        die("%s:%d: %d column%s between tabs; expected ten, as a line of CoNLL-U has",
            treebank->path, reader->number, columns, columns == 1 ? "" : "s");
    const char kind = kind_of(column[COLUMN_ID]);
    if (!kind)
        die("%s:%d: \"%.40s\" is not the number of a word; expected a number such as 3, 3-4 or 3.1",
            treebank->path, reader->number, column[COLUMN_ID]);
    treebank->ranges += kind == '-';
    treebank->empty += kind == '.';
    if (kind == '-' && reader->written) {
        reader->within = (int)strtol(strchr(column[COLUMN_ID], '-') + 1, NULL, 10);
        add_word(reader, column);
    }
    if (kind != 'w') return;
    if (strtol(column[COLUMN_ID], NULL, 10) != ++reader->last)
        die("%s:%d: word %.20s; expected word %d", treebank->path, reader->number,
            column[COLUMN_ID], reader->last);
    if (reader->last > reader->within) add_word(reader, column);
}

/* True for the comment that begins a document: "# newdoc" or "# newdoc id = x". */
static bool is_newdoc(const char *comment)
{
    static const char word[] = "newdoc";
    const char *at = comment + 1 + strspn(comment + 1, " \t");
    return !strncmp(at, word, strlen(word)) && (!at[strlen(word)] || at[strlen(word)] == ' ');
}

struct treebank treebank_read(struct arena *arena, const char *path, bool written)
{
    struct treebank treebank = {.path = path};
    struct treebank_reader reader = {.treebank = &treebank, .arena = arena, .written = written};
    size_t bytes;
    int lines;
    char *text = utf8_read(arena, path, INT32_MAX, &bytes);
    char **line = (char **)file_cut_lines(arena, text, bytes, &lines);
    for (int i = 0; i < lines; i++) {
        const size_t length = strlen(line[i]);
        reader.number = i + 1;
        if (length && line[i][length - 1] == '\r') line[i][length - 1] = 0;
        if (!*line[i])
            end_sentence(&reader);
        else if (*line[i] != '#')
            read_line(&reader, line[i]);
        else
            reader.documents += is_newdoc(line[i]);
    }
    end_sentence(&reader);
    buffer_free(&reader.text);
    if (!treebank.sentences) die("%s: has no sentence; expected CoNLL-U", path);
    return treebank;
}

/* Returns the next word between white space, and ends it with a NUL byte; NULL if there is none. */
static char *next_word(char **at)
{
    static const char space[] = " \t\v\f\r";
    char *word = *at + strspn(*at, space), *end = word + strcspn(word, space);
    *at = end + (*end != 0);
    *end = 0;
    return *word ? word : NULL;
}

static struct treebank_sentence read_tags(struct arena *arena, const char *text, const char *of,
                                          int number, char *tags, const char *path)
{
    struct treebank_sentence sentence = {.text = text};
    sentence.tokens = (int)line_count_words(false, text, strlen(text));
    for (char *rest = tags, *one; (one = next_word(&rest));) {
        ARENA_ADD(arena, sentence.tag, sentence.words, one);
    }
    if (sentence.words != sentence.tokens)
        die("%s:%d: %d tag%s, but sentence %d of %s has %d token%s: %.60s", path, number,
            sentence.words, sentence.words == 1 ? "" : "s", number, of, sentence.tokens,
            sentence.tokens == 1 ? "" : "s", text);
    sentence.word = ARENA_ARRAY(arena, int32_t, sentence.tokens + 1);
    sentence.line = ARENA_ARRAY(arena, int, sentence.tokens + 1);
    for (int i = 0; i < sentence.tokens; i++) sentence.word[i] = i, sentence.line[i] = number;
    return sentence;
}

struct treebank treebank_of_lines(struct arena *arena, const char *const *sentence, int sentences,
                                  const char *of, char *tags, size_t bytes, const char *path)
{
    struct treebank treebank = {.path = path};
    int lines;
    tags = utf8_text(path, tags, &bytes);
    char **line = (char **)file_cut_lines(arena, tags, bytes, &lines);
    treebank.sentence = ARENA_ARRAY(arena, struct treebank_sentence, sentences + 1);
    for (int i = 0; i < sentences && i < lines; i++)
        treebank.sentence[treebank.sentences++] =
            read_tags(arena, sentence[i], of, i + 1, line[i], path);
    if (lines != sentences)
        die("%s: %d line%s of tags; expected a line for each of the %d sentences of %s", path,
            lines, lines == 1 ? "" : "s", sentences, of);
    return treebank;
}

struct location treebank_place(const struct treebank *treebank, int sentence, int word)
{
    const struct treebank_sentence *at = &treebank->sentence[sentence];
    return (struct location){treebank->path, at->line[word], 1};
}

const char **treebank_sentences(const struct treebank *treebank, const int **line,
                                struct arena *arena)
{
    const char **sentence = ARENA_ARRAY(arena, const char *, treebank->sentences + 1);
    int *first = ARENA_ARRAY(arena, int, treebank->sentences + 1);
    for (int i = 0; i < treebank->sentences; i++) {
        sentence[i] = treebank->sentence[i].text;
        first[i] = treebank->sentence[i].words ? treebank->sentence[i].line[0] : i + 1;
    }
    *line = first;
    return sentence;
}

bool sentences_are_treebank(const char *path)
{
    return shipped_ends(path, ".conllu");
}

struct sentences sentences_read(struct arena *arena, const char *path)
{
    struct sentences text = {0};
    if (sentences_are_treebank(path)) {
        const struct treebank treebank = treebank_read(arena, path, true);
        text.sentence = treebank_sentences(&treebank, &text.line, arena);
        text.count = treebank.sentences;
    } else {
        size_t bytes;
        char *all = file_read_given(arena, path, &bytes);
        all = utf8_text(path, all, &bytes);
        text.sentence = file_cut_lines(arena, all, bytes, &text.count);
    }
    if (!text.count) die("%s: has no sentence; expected at least one", path);
    return text;
}

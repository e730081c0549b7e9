/* Rewriting. Tokens are separated by single blanks, so the left side of a rule is a substring of
 * the line. Left sides are keys of a hash table, in which longer substrings are looked up first. */
#include "core/corpus/rewrite.h"

#include <string.h>

#include "core/base/buffer.h"
#include "core/base/file.h"
#include "core/base/hash_table.h"
#include "core/corpus/corpus_line.h"
#include "core/text/utf8.h"

const struct shipped rewrite_shipped = {
    .folder = "rules", .ending = ".tsv", .none = "there is no file of rules", .also = "none"};

struct rewrite_rule {
    const char *right;
    size_t bytes;     /* number of bytes of `right` */
    int words, takes; /* number of right tokens, number of left tokens */
    bool same;        /* both sides are equal; such a rule prevents shorter rules */
    int line;
};

struct rewrite_rules {
    struct rewrite_rule *rule;
    int rules, longest;      /* longest: number of tokens of the longest left side */
    struct hash_table *left; /* text -> index into `rule` */
};

const char *rewrite_file(struct arena *arena, const char *rules, struct location location,
                         const char *what)
{
    if (!*rules || !strcmp(rules, rewrite_shipped.also)) return NULL;
    return shipped_file(arena, &rewrite_shipped, rules, location.line ? location.file : "",
                        location, what);
}

/* ---- a file of rules ---- */

/* Returns a side of a rule as tokens between single blanks. */
static const char *side_text(struct arena *arena, const char *text, size_t *length)
{
    struct buffer clean = {0};
    line_clean((struct line_format){0}, text, strlen(text), &clean);
    *length = clean.bytes;
    return buffer_take(&clean, arena);
}

static int count_words(const char *text, size_t bytes)
{
    return (int)line_count_words(false, text, bytes);
}

static void add_rule(struct arena *arena, struct rewrite_rules *rules, const char *path, int number,
                     const char *const side[2])
{
    size_t bytes, length;
    const char *left = side_text(arena, side[0], &bytes),
               *right = side_text(arena, side[1], &length);
    if (!bytes) die("%s:%d: no tokens before the tab; expected tokens", path, number);
    const int64_t known = *hash_table_at(rules->left, left, bytes, rules->rules);
    if (known < rules->rules)
        die("%s:%d: a second rule for \"%s\", first in line %d; expected one rule", path, number,
            left, rules->rule[known].line);
    const int takes = count_words(left, bytes);
    if (takes > rules->longest) rules->longest = takes;
    ARENA_ADD(arena, rules->rule, rules->rules,
              (struct rewrite_rule){.right = right,
                                    .bytes = length,
                                    .words = count_words(right, length),
                                    .takes = takes,
                                    .same = !strcmp(left, right),
                                    .line = number});
}

static bool is_remark(const char *line)
{
    const char *end = line + strlen(line);
    while (end > line && (end[-1] == ' ' || end[-1] == '\r')) end--;
    return line == end || (*line == '#' && (line + 1 == end || line[1] == ' '));
}

const struct rewrite_rules *rewrite_read(struct arena *arena, const char *path)
{
    struct rewrite_rules *rules = ARENA_NEW(arena, struct rewrite_rules);
    size_t bytes;
    int lines;
    char *text = utf8_read(arena, path, 0, &bytes);
    char **line = (char **)file_cut_lines(arena, text, bytes, &lines);
    rules->left = hash_table_new(arena, 0);
    for (int i = 0; i < lines; i++) {
        const char *side[2];
        const int fields = file_cut_columns(line[i], side, 2);
        if (fields == 2)
            add_rule(arena, rules, path, i + 1, side);
        else if (fields > 2 || !is_remark(line[i]))
            die("%s:%d: %s; expected the tokens of the text, a tab and their replacement", path,
                i + 1, fields > 2 ? "more than two fields" : "one field");
    }
    return rules;
}

/* ---- a line ---- */

/* Returns the offsets of the tokens of a line, [words + 1]. The last element is the offset that a
 * further token would have. */
static size_t *find_words(struct arena *arena, const char *text, size_t bytes, int *words)
{
    *words = count_words(text, bytes);
    size_t *start = ARENA_ARRAY(arena, size_t, *words + 1);
    for (int i = 0; i < *words; i++) {
        const char *blank = memchr(text + start[i], ' ', bytes - start[i]);
        start[i + 1] = blank ? (size_t)(blank - text) + 1 : bytes + 1;
    }
    return start;
}

/* Returns the rule for the tokens from `word` on; NULL if there is none. */
static const struct rewrite_rule *find_rule(const struct rewrite_rules *rules, const char *text,
                                            const size_t *start, int word, int words)
{
    if (!rules) return NULL;
    int takes = words - word < rules->longest ? words - word : rules->longest;
    for (; takes > 0; takes--) {
        const size_t bytes = start[word + takes] - 1 - start[word];
        const int64_t found = hash_table_get(rules->left, text + start[word], bytes);
        if (found != HASH_TABLE_ABSENT) return &rules->rule[found];
    }
    return NULL;
}

struct rewritten rewrite_line(struct arena *arena, const struct rewrite_rules *rules,
                              const char *words, size_t bytes)
{
    struct rewritten result = {0};
    struct buffer text = {0};
    int32_t *from = NULL;
    int count;
    const size_t *start = find_words(arena, words, bytes, &count);
    for (int i = 0; i < count;) {
        const struct rewrite_rule *rule = find_rule(rules, words, start, i, count);
        const struct rewrite_rule kept = {.right = words + start[i],
                                          .bytes = start[i + 1] - 1 - start[i],
                                          .words = 1,
                                          .takes = 1,
                                          .same = true};
        if (!rule) rule = &kept;
        if (text.bytes && rule->words) buffer_add_byte(&text, ' ');
        buffer_add(&text, rule->right, rule->bytes);
        for (int k = 0; k < rule->words; k++) {
            ARENA_ADD(arena, from, result.words, rule->words == rule->takes ? i + k : i);
        }
        if (!rule->same) result.changed += rule->takes;
        i += rule->takes;
    }
    result.text = buffer_take(&text, arena);
    result.from = from;
    return result;
}

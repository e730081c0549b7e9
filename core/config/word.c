/* Suggestions for misspelled words: the nearest valid word. */
#include "core/config/word.h"

#include <string.h>

enum {
    WORD_LIMIT = 120, /* bytes; longer words get no suggestion */
    LIST_LIMIT = 400  /* bytes of a printed list of words, with its NUL */
};

static int lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Returns the distance of Damerau and Levenshtein (optimal string alignment): insertions,
 * deletions, substitutions and swaps of adjacent letters. Ignores case. */
static int distance(const char *a, int a_length, const char *b, int b_length)
{
    int row[3][WORD_LIMIT + 1];
    for (int j = 0; j <= b_length; j++) row[0][j] = j;
    for (int i = 1; i <= a_length; i++) {
        int *now = row[i % 3], *before = row[(i + 2) % 3], *swapped = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= b_length; j++) {
            bool same = lower(a[i - 1]) == lower(b[j - 1]);
            now[j] = least(least(before[j], now[j - 1]) + 1, before[j - 1] + !same);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                now[j] = least(now[j], swapped[j - 2] + 1);
        }
    }
    return row[a_length % 3][b_length];
}

const char *word_nearest(const char *word, const char *const *words)
{
    size_t length = strlen(word);
    if (!length || length > WORD_LIMIT) return NULL;
    /* The largest distance is 1 for up to 2 letters, 2 for up to 8 letters, else a third of the
     * letters. At least one letter must match. */
    int best = length < 3 ? 1 : length < 9 ? 2 : (int)length / 3;
    size_t most = 2; /* length of the longest listed word with which the word begins */
    const char *nearest = NULL, *begin = NULL;
    for (; *words; words++) {
        size_t other = strlen(*words);
        if (other > WORD_LIMIT) continue;
        if (other > most && !strncmp(word, *words, other)) begin = *words, most = other;
        int far = distance(word, (int)length, *words, (int)other);
        if (far >= (int)(length > other ? length : other)) continue;
        if (far < best || (far == best && !nearest)) {
            best = far;
            nearest = *words;
        }
    }
    return nearest ? nearest : begin;
}

const char *word_near(char text[WORD_NEAR], const char *word, const char *const *words)
{
    const char *nearest = word_nearest(word, words);
    *text = 0;
    if (nearest) snprintf(text, WORD_NEAR, "; nearest is \"%s\"", nearest);
    return text;
}

const char *word_article(const char *word)
{
    return *word && strchr("aeiou", *word) ? "an" : "a";
}

bool word_same(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

bool word_within(const char *key, const char *of)
{
    const size_t length = strlen(of);
    return !strncmp(key, of, length) && (!key[length] || key[length] == '.');
}

bool word_ends(const char *key, const char *tail)
{
    const size_t length = strlen(key), end = strlen(tail);
    return length >= end && !strcmp(key + length - end, tail) &&
           (length == end || key[length - end - 1] == '.');
}

bool word_known(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (!strcmp(*words, word)) return true;
    return false;
}

bool word_begins(const char *text, const char *const *words)
{
    while (*words && strncmp(text, *words, strlen(*words)) != 0) words++;
    return *words;
}

/* Writes a list of as many words as fit. Words with a comma are quoted. Returns the number of words
 * that do not fit. */
static int list_words(const char *const *words, char list[LIST_LIMIT])
{
    int left = 0;
    strcpy(list, *words ? "" : "nothing");
    for (size_t used = 0; *words; words++) {
        const char *quote = strchr(*words, ',') ? "\"" : "";
        const int more = snprintf(list + used, LIST_LIMIT - used, "%s%s%s%s", used ? ", " : "",
                                  quote, *words, quote);
        if (!left && used + (size_t)more < LIST_LIMIT)
            used += (size_t)more;
        else
            list[used] = 0, left++;
    }
    return left;
}

void word_describe(char text[WORD_TEXT], const char *what, const char *problem, const char *word,
                   const char *const *words)
{
    char list[LIST_LIMIT], more[32] = "", near[WORD_NEAR];
    const int left = list_words(words, list);
    if (left) snprintf(more, sizeof more, " and %d more", left);
    const bool listed = !*word_near(near, word, words) || !left;
    snprintf(text, WORD_TEXT, "%s: %s \"%.120s\"%s%s%s%s", what, problem, word, near,
             listed ? "; expected one of: " : "", listed ? list : "", listed ? more : "");
}

void word_refuse(struct location location, const char *what, const char *problem, const char *word,
                 const char *const *words)
{
    char text[WORD_TEXT];
    word_describe(text, what, problem, word, words);
    die_at(location, "%s", text);
}

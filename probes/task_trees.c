/* Reads dependency trees. The treebank is read twice, as syntactic words and as surface text. A
 * syntactic word and a surface word match if they have the same line in the file. */
#include "probes/task_trees.h"

#include <string.h>

#include "core/base/buffer.h"
#include "core/corpus/treebank.h"
#include "core/text/utf8.h"
#include "probes/task_data.h"

/* ---- trees ---- */

/* Returns the index of a word's head; -1 for the root. */
static int read_head(const struct treebank *bank, int sentence, int word)
{
    const struct treebank_sentence *at = &bank->sentence[sentence];
    const char *text = at->rest[word].head;
    int head = 0;
    for (const char *digit = text; *digit >= '0' && *digit <= '9' && head <= at->words; digit++)
        head = 10 * head + (*digit - '0');
    if (!*text || text[strspn(text, "0123456789")] || head > at->words)
        die("%s:%d: the head of the word is \"%.20s\"; expected 0 to %d in the seventh column, "
            "since the tasks need dependency trees",
            bank->path, at->line[word], text, at->words);
    return head - 1;
}

/* Returns the number of words on the path from a word to the root. Dies on a cycle. */
static int depth_of(const struct treebank *bank, int sentence, const struct task_tree *tree,
                    int word)
{
    int depth = 1;
    for (int at = word; tree->node[at].head >= 0; at = tree->node[at].head)
        if (++depth > tree->words)
            die("%s:%d: the path from this word to the root has a cycle; expected a tree",
                bank->path, bank->sentence[sentence].line[word]);
    return depth;
}

static struct task_tree read_tree(struct arena *arena, const struct treebank *bank, int sentence)
{
    const struct treebank_sentence *from = &bank->sentence[sentence];
    struct task_tree tree = {.words = from->words, .root = -1};
    tree.node = ARENA_ARRAY(arena, struct task_node, tree.words);
    for (int w = 0; w < tree.words; w++) {
        tree.node[w] = (struct task_node){.form = from->rest[w].form,
                                          .tag = from->tag[w],
                                          .features = from->rest[w].features,
                                          .relation = from->rest[w].relation,
                                          .head = read_head(bank, sentence, w),
                                          .token = -1};
        if (tree.node[w].head >= 0) continue;
        if (tree.root >= 0)
            die("%s:%d: the sentence has a second root; expected one word with the head 0",
                bank->path, from->line[w]);
        tree.root = w;
    }
    for (int w = 0; w < tree.words; w++) {
        const int depth = depth_of(bank, sentence, &tree, w);
        if (depth > tree.depth) tree.depth = depth;
    }
    return tree;
}

/* ---- the same tokens ---- */

static int count_tokens(const char *form)
{
    int tokens = 0;
    const char *at = form, *end = form + strlen(form);
    for (size_t bytes; (bytes = utf8_word(&at, end)); at += bytes) tokens++;
    return tokens;
}

/* Sets the token index of each word of `bank` that is one token of the same sentence in `as`. A
 * word and a token are the same if they have the same line of the file. */
static void place_words(struct task_tree *tree, const struct treebank_sentence *bank,
                        const struct treebank_sentence *as)
{
    for (int w = 0, other = 0, token = 0; other < as->words; other++) {
        const int tokens = count_tokens(as->rest[other].form);
        while (w < bank->words && bank->line[w] < as->line[other]) w++;
        if (w < bank->words && bank->line[w] == as->line[other] && tokens == 1)
            tree->node[w].token = token;
        token += tokens;
    }
}

static bool is_line(const struct treebank_sentence *sentence, const char *line)
{
    SCOPED(arena_free) struct arena scratch = {0};
    char *text = arena_text(&scratch, sentence->text);
    task_data_squeeze(text);
    return !strcmp(text, line);
}

NORETURN static void refuse_line(const struct treebank *bank, int sentence,
                                 const struct task_lines *lines)
{
    const char *here = bank->sentence[sentence].text, *there = lines->line[sentence];
    int token = 1;
    while (*here && strcspn(here, " ") == strcspn(there, " ") &&
           !strncmp(here, there, strcspn(here, " "))) {
        here += strcspn(here, " ");
        there += strcspn(there, " ");
        here += *here == ' ';
        there += *there == ' ';
        token++;
    }
    die("%s:%d: sentence %d differs from line %d of %s: token %d is \"%.*s\", in the line "
        "\"%.*s\"; expected a treebank of this text",
        bank->path, bank->sentence[sentence].line[0], sentence + 1, sentence + 1, lines->path,
        token, (int)strcspn(here, " "), here, (int)strcspn(there, " "), there);
}

struct task_tree *task_trees_read(struct arena *arena, const struct task_lines *lines,
                                  const char *path)
{
    const struct treebank bank = treebank_read(arena, path, false);
    const struct treebank written = treebank_read(arena, path, true);
    struct task_tree *tree = ARENA_ARRAY(arena, struct task_tree, lines->lines);
    if (written.sentences != bank.sentences)
        die("%s: %d sentences have words, %d have words or ranges; expected words in each sentence",
            path, bank.sentences, written.sentences);
    for (int i = 0; i < lines->lines && i < bank.sentences; i++) {
        const struct treebank_sentence *words = &bank.sentence[i], *as = &written.sentence[i];
        if (!is_line(as, lines->line[i])) as = words;
        if (as == words && !is_line(as, lines->line[i])) refuse_line(&bank, i, lines);
        tree[i] = read_tree(arena, &bank, i);
        place_words(&tree[i], words, as);
    }
    if (bank.sentences != lines->lines)
        die("%s: %d sentences; expected one for each of the %d lines of %s", path, bank.sentences,
            lines->lines, lines->path);
    return tree;
}

/* ---- words ---- */

bool task_node_has(const struct task_node *node, const char *name, const char *value)
{
    const size_t length = strlen(name);
    for (const char *at = node->features; *at; at += *at == '|') {
        const size_t end = strcspn(at, "|");
        if (end > length && at[length] == '=' && !strncmp(at, name, length))
            return end - length - 1 == strlen(value) &&
                   !strncmp(at + length + 1, value, strlen(value));
        at += end;
    }
    return !*value;
}

bool task_node_is(const struct task_node *node, const char *relation)
{
    const size_t length = strlen(relation);
    return !strncmp(node->relation, relation, length) && strchr(":", node->relation[length]);
}

/* Reads words of treebanks, removes duplicate sentences, and labels words for tasks and
 * controls. */
#include "probes/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash_table.h"
#include "core/base/random.h"
#include "core/config/word.h"

const char *const words_set_names[] = {"train", "dev", "test", "further", NULL};
const char *const word_task_names[] = {"pos", "relation", "distance", "head", "tree", NULL};

/* ---- reading ---- */

/* Counts the sentences of all files that are not equal to an earlier one, and adds them. */
static void add_sentences(struct words *words, struct hash_table *known, enum words_set set)
{
    const struct treebank *bank = &words->bank[set];
    const bool documents = bank->sentence[bank->sentences - 1].document > 0;
    int last = -1;
    for (int i = 0; i < bank->sentences; i++) {
        const struct treebank_sentence *text = &bank->sentence[i];
        const int document = documents ? text->document : i;
        if ((*hash_table_at(known, text->text, strlen(text->text), 0))++) {
            words->removed[set]++;
            continue;
        }
        if (document != last) words->documents++;
        last = document;
        words->sentence[words->sentences++] =
            (struct words_sentence){text, set, i, words->documents - 1};
        words->words += text->words;
    }
    if (last < 0) die("%s: all its sentences are in an earlier file; expected others", bank->path);
}

/* Writes the forms of a sentence's words. A form may have several tokens between blanks. */
static void add_forms(struct words *words, struct hash_table *forms, int sentence,
                      struct arena *arena)
{
    const struct words_sentence *at = &words->sentence[sentence];
    const char *begin = at->text->text;
    for (int t = 0; t < at->text->tokens; t++) {
        const char *end = begin + strcspn(begin, " ");
        while (t + 1 < at->text->tokens && at->text->word[t + 1] == at->text->word[t])
            end += 1 + strcspn(end + 1, " "), t++;
        const int word = words->first[sentence] + at->text->word[t];
        const char *form = arena_text_range(arena, begin, (size_t)(end - begin));
        const int64_t id = *hash_table_at(forms, form, strlen(form), words->forms);
        if (id == words->forms) words->name[words->forms++] = form;
        words->form[word] = (int32_t)id;
        words->of[word] = sentence;
        words->trained[id] += at->set == WORDS_TRAIN;
        begin = end + (*end == ' ');
    }
}

struct words words_read(struct arena *arena, const char *const *path, int sets)
{
    struct words words = {.sets = sets};
    struct hash_table *known = hash_table_new(arena, 0), *forms = hash_table_new(arena, 0);
    int sentences = 0;
    for (int set = 0; set < sets; set++) {
        words.bank[set] = treebank_read(arena, path[set], false);
        sentences += words.bank[set].sentences;
    }
    words.sentence = ARENA_ARRAY(arena, struct words_sentence, sentences);
    for (int set = 0; set < sets; set++) add_sentences(&words, known, (enum words_set)set);
    words.first = ARENA_ARRAY(arena, int32_t, words.sentences + 1);
    words.of = ARENA_ARRAY(arena, int32_t, words.words);
    words.form = ARENA_ARRAY(arena, int32_t, words.words);
    words.lost = ARENA_ARRAY(arena, bool, words.words);
    words.name = ARENA_ARRAY(arena, const char *, words.words);
    words.trained = ARENA_ARRAY(arena, int, words.words);
    for (int s = 0; s < words.sentences; s++) {
        words.first[s + 1] = words.first[s] + words.sentence[s].text->words;
        add_forms(&words, forms, s, arena);
    }
    return words;
}

/* ---- labels ---- */

static struct location place_of(const struct words *words, int word)
{
    const struct words_sentence *sentence = &words->sentence[words->of[word]];
    return treebank_place(&words->bank[sentence->set], sentence->number,
                          word - words->first[words->of[word]]);
}

/* Returns the number of the head of a word, from 1; 0 for the root. */
static int head_of(const struct words *words, int word)
{
    const struct treebank_sentence *text = words->sentence[words->of[word]].text;
    const char *head = text->head[word - words->first[words->of[word]]];
    char *end;
    const long number = strtol(head, &end, 10);
    if (!strchr("0123456789", *head) || end == head || *end || number > text->words)
        die_at(place_of(words, word),
               "the word has the head \"%.20s\"; expected 0 to %d in the seventh column", head,
               text->words);
    return (int)number;
}

/* Returns the label of a word as a text; NULL if the word is not an item. */
static const char *text_of(const struct words *words, enum word_task task, int word,
                           struct arena *arena)
{
    enum { FAR = 10 };
    const struct treebank_sentence *text = words->sentence[words->of[word]].text;
    const int index = word - words->first[words->of[word]];
    if (task == WORDS_POS || task == WORDS_RELATION) {
        const char *label = task == WORDS_POS ? text->tag[index] : text->relation[index];
        if (!*label || !strcmp(label, "_"))
            die_at(place_of(words, word), "the word has no label; expected one in column %s",
                   task == WORDS_POS ? "four" : "eight");
        return arena_text_range(arena, label,
                                task == WORDS_POS ? strlen(label) : strcspn(label, ":"));
    }
    const int head = head_of(words, word), distance = head - (index + 1);
    if (task == WORDS_HEAD) return head ? arena_print(arena, "%+d", distance) : NULL;
    if (!head) return "root";
    return abs(distance) < FAR ? arena_print(arena, "%d", abs(distance)) : "10+";
}

/* Collects the labels of train, and sorts them. */
static void name_labels(const struct words *words, const char *const *text,
                        struct word_labels *labels, struct arena *arena)
{
    struct hash_table *known = hash_table_new(arena, 0);
    for (int w = 0; w < words->words; w++) {
        if (!text[w] || words->sentence[words->of[w]].set != WORDS_TRAIN) continue;
        if ((*hash_table_at(known, text[w], strlen(text[w]), 0))++) continue;
        ARENA_ADD(arena, labels->name, labels->labels, text[w]);
    }
    ARENA_ADD(arena, labels->name, labels->labels, NULL);
    if (--labels->labels < 2)
        die("%s: all words have the same label; expected two or more labels",
            words->bank[WORDS_TRAIN].path);
    qsort(labels->name, (size_t)labels->labels, sizeof *labels->name, compare_texts);
}

struct word_labels words_labels(const struct words *words, enum word_task task, struct arena *arena)
{
    struct word_labels labels = {.label = ARENA_ARRAY(arena, int32_t, words->words)};
    const char **text = ARENA_ARRAY(arena, const char *, words->words);
    for (int w = 0; w < words->words; w++)
        text[w] = words->lost[w] ? NULL : text_of(words, task, w, arena);
    name_labels(words, text, &labels, arena);
    struct hash_table *index = hash_table_new(arena, (size_t)labels.labels);
    for (int l = 0; l < labels.labels; l++)
        hash_table_put(index, labels.name[l], strlen(labels.name[l]), l);
    if (task == WORDS_HEAD) labels.head = ARENA_ARRAY(arena, int32_t, words->words);
    for (int w = 0; w < words->words; w++) {
        labels.label[w] = WORDS_NONE;
        if (labels.head) labels.head[w] = WORDS_NONE;
        if (!text[w]) continue;
        int64_t label = hash_table_get(index, text[w], strlen(text[w]));
        if (label == HASH_TABLE_ABSENT && task != WORDS_HEAD)
            word_refuse(place_of(words, w), word_task_names[task], "no word of train has the label",
                        text[w], labels.name);
        labels.label[w] = label == HASH_TABLE_ABSENT ? labels.labels : (int32_t)label;
        if (labels.head) labels.head[w] = head_of(words, w) - 1;
    }
    return labels;
}

/* ---- controls ---- */

/* Returns the number of items of train with each label [labels], and their sum. */
static int *count_labels(const struct words *words, const struct word_labels *labels, int *all,
                         struct arena *arena)
{
    int *count = ARENA_ARRAY(arena, int, labels->labels + 1);
    *all = 0;
    for (int w = 0; w < words->words; w++) {
        if (words->sentence[words->of[w]].set != WORDS_TRAIN || labels->label[w] < 0) continue;
        count[labels->label[w]]++;
        (*all)++;
    }
    return count;
}

struct word_labels words_control(const struct words *words, enum word_task task,
                                 const struct word_labels *labels, struct arena *arena)
{
    struct word_labels control = *labels;
    int all;
    const int *count = count_labels(words, labels, &all, arena);
    const uint32_t places = 3; /* of a head: the word itself, the first, the last */
    control.label = ARENA_ARRAY(arena, int32_t, words->words);
    if (labels->head) control.head = ARENA_ARRAY(arena, int32_t, words->words);
    for (int w = 0; w < words->words; w++) {
        const int32_t sentence = words->of[w];
        const struct random_key key = {(uint32_t)task, random_stream(words->name[words->form[w]])};
        control.label[w] = labels->label[w];
        if (labels->head) control.head[w] = labels->head[w];
        if (labels->label[w] < 0) continue;
        if (labels->head) {
            const uint32_t place = random_below(key, 0, 0, places);
            control.head[w] = place == 0   ? w - words->first[sentence]
                              : place == 1 ? 0
                                           : words->sentence[sentence].text->words - 1;
            continue;
        }
        int rest = (int)random_below(key, 0, 0, (uint32_t)all), label = 0;
        while (rest >= count[label]) rest -= count[label++];
        control.label[w] = label;
    }
    return control;
}

int32_t *words_guess(const struct words *words, const struct word_labels *labels, bool by_form,
                     struct arena *arena)
{
    SCOPED(arena_free) struct arena scratch = {0};
    const int L = labels->labels;
    int all, most = 0;
    const int *count = count_labels(words, labels, &all, &scratch);
    for (int l = 1; l < L; l++)
        if (count[l] > count[most]) most = l;
    int32_t *best = ARENA_ARRAY(&scratch, int32_t, words->forms);
    int *of_form = ARENA_ARRAY(&scratch, int, (size_t)words->forms *(size_t)L);
    for (int w = 0; w < words->words && by_form; w++)
        if (words->sentence[words->of[w]].set == WORDS_TRAIN && labels->label[w] >= 0)
            of_form[words->form[w] * L + labels->label[w]]++;
    for (int f = 0; f < words->forms; f++) {
        const int *own = of_form + f * L;
        int form = 0;
        for (int l = 1; l < L; l++)
            if (own[l] > own[form]) form = l;
        best[f] = own[form] ? form : most;
    }
    int32_t *guess = ARENA_ARRAY(arena, int32_t, words->words);
    for (int w = 0; w < words->words; w++) guess[w] = best[words->form[w]];
    return guess;
}

/* ---- scores ---- */

struct words_score words_score(const struct words *words, const int32_t *answer,
                               const int32_t *predicted, enum words_set set, bool frequent)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct words_score score = {.error = (double)NAN};
    int *of = ARENA_ARRAY(&arena, int, words->documents),
        *right = ARENA_ARRAY(&arena, int, words->documents);
    double squares = 0;
    for (int w = 0; w < words->words; w++) {
        const struct words_sentence *sentence = &words->sentence[words->of[w]];
        if (sentence->set != set || answer[w] < 0) continue;
        if (frequent && words->trained[words->form[w]] < WORDS_FREQUENT) continue;
        of[sentence->document]++;
        right[sentence->document] += predicted[w] == answer[w];
    }
    for (int d = 0; d < words->documents; d++) {
        score.words += of[d];
        score.right += right[d];
        score.documents += of[d] > 0;
    }
    if (!score.words) return score;
    const double share = (double)score.right / score.words;
    for (int d = 0; d < words->documents; d++)
        squares += (right[d] - share * of[d]) * (right[d] - share * of[d]);
    const double D = score.documents;
    score.accuracy = 100 * share;
    if (D > 1) score.error = 100 * sqrt(squares * D / (D - 1)) / score.words;
    return score;
}

double words_detectable(double error)
{
    static const double level = 1.959964, power = 0.841621; /* normal quantiles 0.975 and 0.8 */
    return (level + power) * sqrt(2) * error;
}

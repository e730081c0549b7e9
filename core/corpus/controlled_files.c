/* Writes the files of the controlled language. Sentences are drawn until a file has the requested
 * number of lines. In a task, each label has the same number of lines. A sentence that was drawn
 * before is skipped. */
#include "core/corpus/controlled_files.h"

#include <stdio.h>
#include <string.h>

#include "core/base/buffer.h"
#include "core/base/file.h"
#include "core/base/random.h"
#include "core/base/hash_table.h"
#include "core/corpus/controlled.h"
#include "core/corpus/text_folder.h"

enum { ATTEMPTS = 2000000 }; /* maximum number of sentences that a stream draws */

/* A stream of random sentences. `seen` has the sentences that were drawn before. */
struct drawing {
    const struct controlled_options *options;
    const char *stream;
    uint32_t number; /* number of the next sentence */
    struct controlled_sentence sentence;
    struct hash_table *seen;
    struct arena arena;
};

static struct drawing drawing_open(const struct controlled_options *options, const char *stream)
{
    return (struct drawing){.options = options, .stream = stream, .seen = hash_table_new(NULL, 0)};
}

static void drawing_close(struct drawing *drawing)
{
    hash_table_free(drawing->seen);
    arena_free(&drawing->arena);
}

/* Draws the next sentence. Returns false if the same sentence was drawn before. */
static bool drawing_next(struct drawing *drawing, struct arena *arena)
{
    SCOPED(buffer_free) struct buffer line = {0};
    if (drawing->number >= ATTEMPTS)
        die("corpus controlled: %s: the grammar has too few different sentences; expected a "
            "smaller number",
            drawing->stream);
    controlled_make(drawing->options->seed, drawing->stream, drawing->number++, &drawing->sentence);
    for (int i = 0; i < drawing->sentence.words; i++) {
        if (i) buffer_add_byte(&line, ' ');
        buffer_add(&line, drawing->sentence.word[i], strlen(drawing->sentence.word[i]));
    }
    int64_t *times =
        hash_table_at(drawing->seen, arena_text_range(arena, line.text, line.bytes), line.bytes, 0);
    return (*times)++ == 0;
}

/* Returns a random number below `count`: a function of the seed, `stream`, and the number of
 * sentences drawn so far. */
static int choice(const struct drawing *drawing, const char *stream, int count)
{
    uint32_t word[4];
    random_block((struct random_key){drawing->options->seed, random_stream(stream)}, 0,
                 drawing->number, 0, word);
    return (int)((uint64_t)word[0] * (uint64_t)count >> 32);
}

/* ---- parallel text ---- */

static void put_words(const char *const *word, int words, FILE *out)
{
    for (int i = 0; i < words; i++) fprintf(out, "%s%c", word[i], i + 1 < words ? ' ' : '\n');
}

static void put_treebank(const char *const *word, const char *const *tag, int words, FILE *out)
{
    for (int i = 0; i < words; i++)
        fprintf(out, "%d\t%s\t_\t%s\t_\t_\t_\t_\t_\t_\n", i + 1, word[i], tag ? tag[i] : "_");
    fputc('\n', out);
}

static void write_pairs(struct drawing *drawing, const char *split, int pairs, bool tagged)
{
    enum { ENGLISH, GERMAN, ENGLISH_BANK, GERMAN_BANK, FILES };
    static const char *const ending[FILES] = {"en", "de", "en.conllu", "de.conllu"};
    const int files = tagged ? FILES : ENGLISH_BANK;
    struct file_writer writer[FILES];
    for (int f = 0; f < files; f++)
        writer[f] = file_create(
            arena_print(&drawing->arena, "%s/%s.%s", drawing->options->out, split, ending[f]));
    for (int i = 0; i < pairs; i++) {
        const struct controlled_sentence *one = &drawing->sentence;
        const char *target[CONTROLLED_WORDS];
        while (!drawing_next(drawing, &drawing->arena)) {}
        for (int t = 0; t < one->targets; t++) target[t] = one->target[t];
        put_words(one->word, one->words, writer[ENGLISH].stream);
        put_words(target, one->targets, writer[GERMAN].stream);
        if (!tagged) continue;
        put_treebank(one->word, one->tag, one->words, writer[ENGLISH_BANK].stream);
        put_treebank(target, NULL, one->targets, writer[GERMAN_BANK].stream);
    }
    for (int f = 0; f < files; f++) file_commit(&writer[f]);
}

/* ---- tasks ---- */

/* Returns the label that a task gives to the last drawn sentence; NULL if the task cannot use the
 * sentence. The function may change the sentence. For example, it swaps two words and returns the
 * label I. */
typedef const char *label_function(struct drawing *drawing);

static const char *label_length(struct drawing *drawing)
{
    static const int below[] = {7, 9, 12, 15};
    static const char *const bins[] = {"0", "1", "2", "3", "4"};
    size_t bin = 0;
    while (bin < COUNT_OF(below) && drawing->sentence.words >= below[bin]) bin++;
    return bins[bin];
}

static const char *const contents[] = {"girl",   "woman", "teacher", "child", "dog",  "cat",
                                       "horse",  "bird",  "cake",    "apple", "soup", "book",
                                       "letter", "map",   "house",   "tree",  NULL};

/* Returns the word of `contents` that is in the sentence; NULL unless there is exactly one. */
static const char *label_content(struct drawing *drawing)
{
    const char *found = NULL;
    for (int w = 0; w < drawing->sentence.words; w++)
        for (int c = 0; contents[c]; c++) {
            if (strcmp(drawing->sentence.word[w], contents[c]) != 0) continue;
            if (found) return NULL;
            found = contents[c];
        }
    return found;
}

static const char *label_depth(struct drawing *drawing)
{
    static const char *const depths[] = {"3", "5", "6", "7", "8"};
    for (size_t i = 0; i < COUNT_OF(depths); i++)
        if (drawing->sentence.depth == *depths[i] - '0') return depths[i];
    return NULL;
}

static const char *label_shift(struct drawing *drawing)
{
    struct controlled_sentence *one = &drawing->sentence;
    const char **word = one->word;
    if (choice(drawing, "shifted", 2)) return "O";
    const int at = choice(drawing, "shift", one->words - 2);
    const char *first = word[at];
    if (!strcmp(first, word[at + 1])) return NULL;
    word[at] = word[at + 1];
    word[at + 1] = first;
    return "I";
}

static const char *label_odd(struct drawing *drawing)
{
    struct controlled_sentence *one = &drawing->sentence;
    if (!one->odd) return NULL;
    if (choice(drawing, "odd", 2)) return "O";
    one->word[one->object] = one->odd;
    return "C";
}

/* At random, either swaps the two clauses around the conjunction and returns "I", or returns "O".
 * Returns NULL if the sentence has only one clause. */
static const char *label_inversion(struct drawing *drawing)
{
    struct controlled_sentence *one = &drawing->sentence;
    const char *word[CONTROLLED_WORDS];
    const int begin = one->second, end = one->words - 1; /* range of the second clause */
    int words = 0;
    if (!begin) return NULL;
    if (choice(drawing, "inverted", 2)) return "O";
    for (int i = begin; i < end; i++) word[words++] = one->word[i];
    word[words++] = one->word[begin - 1];
    for (int i = 0; i < begin - 1; i++) word[words++] = one->word[i];
    for (int i = 0; i < words; i++) one->word[i] = word[i];
    return "I";
}

static const struct probing_file {
    const char *file;
    int labels;
    label_function *label; /* NULL: the label is a member of struct controlled_sentence */
    size_t at;             /* offset of this member, a const char * */
} tasks[] = {
    {"sentence_length", 5, label_length, 0},
    {"word_content", COUNT_OF(contents) - 1, label_content, 0},
    {"tree_depth", 5, label_depth, 0},
    {"top_constituents", 5, NULL, offsetof(struct controlled_sentence, top)},
    {"bigram_shift", 2, label_shift, 0},
    {"past_present", 2, NULL, offsetof(struct controlled_sentence, tense)},
    {"subj_number", 2, NULL, offsetof(struct controlled_sentence, subject_number)},
    {"obj_number", 2, NULL, offsetof(struct controlled_sentence, object_number)},
    {"odd_man_out", 2, label_odd, 0},
    {"coordination_inversion", 2, label_inversion, 0},
};

static const char *label_of(const struct probing_file *task, struct drawing *drawing)
{
    const char *sentence = (const char *)&drawing->sentence;
    return task->label ? task->label(drawing)
                       : *(const char *const *)(const void *)(sentence + task->at);
}

/* Writes the lines of one split. Each label has the same number of lines. */
static void write_items(struct drawing *drawing, const struct probing_file *task, const char *split,
                        int items, FILE *out)
{
    const int each = items / task->labels > 1 ? items / task->labels : 1;
    SCOPED(arena_free) struct arena scratch = {0};
    struct hash_table *had = hash_table_new(&scratch, 0);
    for (int left = each * task->labels; left > 0;) {
        if (!drawing_next(drawing, &drawing->arena)) continue;
        const char *label = label_of(task, drawing);
        if (!label) continue;
        int64_t *times = hash_table_at(had, label, strlen(label), 0);
        if (*times == each) continue;
        ++*times;
        left--;
        fprintf(out, "%s\t%s\t", split, label);
        put_words(drawing->sentence.word, drawing->sentence.words, out);
    }
}

static void write_task(const struct controlled_options *options, const struct probing_file *task)
{
    struct drawing drawing = drawing_open(options, task->file);
    struct file_writer writer =
        file_create(arena_print(&drawing.arena, "%s/probing/%s.txt", options->out, task->file));
    write_items(&drawing, task, "tr", options->items, writer.stream);
    write_items(&drawing, task, "va", options->items / 5, writer.stream);
    write_items(&drawing, task, "te", options->items / 5, writer.stream);
    file_commit(&writer);
    drawing_close(&drawing);
}

void controlled_write(const struct controlled_options *options)
{
    struct drawing drawing = drawing_open(options, "text");
    text_folder_open(options->out, "description.json", "language", "controlled");
    file_make_folder(arena_print(&drawing.arena, "%s/probing", options->out));
    write_pairs(&drawing, "test", options->test, true);
    write_pairs(&drawing, "dev", options->dev, false);
    write_pairs(&drawing, "train", options->train, false);
    for (size_t i = 0; i < COUNT_OF(tasks); i++) write_task(options, &tasks[i]);
    struct file_writer writer =
        file_create(arena_print(&drawing.arena, "%s/description.json", options->out));
    fprintf(writer.stream,
            "{\"language\": \"controlled\", \"seed\": %lu, \"train\": %d, \"dev\": %d, "
            "\"test\": %d, \"items\": %d}\n",
            (unsigned long)options->seed, options->train, options->dev, options->test,
            options->items);
    file_commit(&writer);
    text_folder_close(options->out);
    drawing_close(&drawing);
}

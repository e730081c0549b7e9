/* Text is read once and stays in memory: as words, then as numbers of pieces, then, when the pieces
 * of train are counted and so have ids, as ids in the same arrays. */
#include "core/corpus/prepare.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/json_file.h"
#include "core/corpus/corpus.h"
#include "core/corpus/corpus_pairs.h"
#include "core/corpus/corpus_pieces.h"
#include "core/corpus/corpus_shard.h"
#include "core/text/utf8.h"

struct ticker {
    void (*tell)(void *context, int64_t done, int64_t total); /* or NULL */
    void *context;
    int64_t done, total; /* sentences */
};

struct preparation {
    const struct corpus_options *options;
    const char *folder;
    struct arena arena;
    struct corpus_sources sources;
    int merges;
    struct pairs pairs[SPLITS];
    struct speller speller[SIDES];
    struct pieces pieces[SPLITS][SIDES];
    int overlong[SPLITS]; /* left out of train, cut elsewhere */
    struct text_audit audit;
    struct vocabulary vocabulary[SIDES];
    int64_t tokens[SPLITS][SIDES];
    json_t *files; /* name -> digest of what was written */
    struct ticker ticker;
};

static void tick(void *context)
{
    struct ticker *ticker = context;
    const bool due = ++ticker->done % 4096 == 0 || ticker->done == ticker->total;
    if (due && ticker->tell) ticker->tell(ticker->context, ticker->done, ticker->total);
}

static const char *path_of(struct preparation *preparation, const char *name)
{
    return arena_print(&preparation->arena, "%s/%s", preparation->folder, name);
}

/* A file of the corpus is complete: its digest goes into corpus.json. */
static void note_file(struct preparation *preparation, const char *name)
{
    char digest[DIGEST_TEXT];
    digest_file(path_of(preparation, name), digest);
    json_object_set_new(preparation->files, name, json_string(digest));
}

/* ---- text ---- */

static void find_sources(struct preparation *preparation)
{
    struct arena *arena = &preparation->arena;
    preparation->sources = corpus_sources(preparation->options, arena, digest_file);
    const char *missing = corpus_missing(preparation->options, &preparation->sources, arena);
    if (missing) die("corpus: missing %s", missing);
}

/* What was left out of a split, in words. */
static const char *drops_text(struct arena *arena, const struct pairs *pairs)
{
    return arena_print(arena,
                       "empty: %d, too many words: %d, words of one side to those of the other: "
                       "%d, not UTF-8: %d",
                       pairs->fate[PAIR_EMPTY], pairs->fate[PAIR_WORDS_OVER],
                       pairs->fate[PAIR_RATIO_OVER], pairs->fate[PAIR_INVALID]);
}

static void read_pairs(struct preparation *preparation)
{
    const struct corpus_options *options = preparation->options;
    pairs_read(&preparation->arena, options, &preparation->sources, preparation->pairs,
               &preparation->audit);
    for (int split = 0; split < SPLITS; split++) {
        const struct pairs *pairs = &preparation->pairs[split];
        if (!corpus_has_split(options, split)) continue;
        if (!pairs->count && split == SPLIT_DEV && options->dev_every)
            die("corpus.dev_every: %d, but train keeps %d pairs", options->dev_every,
                preparation->pairs[SPLIT_TRAIN].count);
        if (!pairs->count)
            die("corpus.%s: no pair is left of the %d of %s (%s)", split_names[split], pairs->lines,
                options->part[split].text[0], drops_text(&preparation->arena, pairs));
        preparation->ticker.total += SIDES * (int64_t)pairs->count;
    }
    if (options->threshold)
        preparation->ticker.total += SIDES * (int64_t)preparation->pairs[SPLIT_TRAIN].count;
}

/* ---- pieces ---- */

/* Merges of both sides of train together, or those of a file. */
static void make_codes(struct preparation *preparation)
{
    const struct corpus_input *codes = preparation->sources.codes;
    const char *ready = codes ? codes->file : NULL;
    const char *path = path_of(preparation, "codes.bpe");
    if (ready) {
        struct bpe *bpe =
            bpe_read(ready, BPE_ALL_MERGES); /* refuses it by the user's name for it */
        size_t bytes;
        const char *text = file_read(&preparation->arena, ready, 0, &bytes);
        file_write(path, text, bytes);
        preparation->merges = bpe_merges(bpe);
        bpe_free(bpe);
    } else {
        const struct pairs *train = &preparation->pairs[SPLIT_TRAIN];
        struct bpe_words *words = bpe_words_new();
        for (int side = 0; side < SIDES; side++)
            for (int i = 0; i < train->count; i++)
                bpe_words_add_text(words, train->words[side][i], strlen(train->words[side][i]));
        struct bpe_learning learning = {.merges = preparation->options->merges, .min_frequency = 2};
        struct file_writer writer = file_create(path);
        preparation->merges = bpe_learn(words, &learning, writer.stream);
        file_commit(&writer);
        bpe_words_free(words);
    }
    note_file(preparation, "codes.bpe");
}

static struct pieces spell(struct preparation *preparation, enum split_name split,
                           enum side_name side)
{
    const struct pairs *pairs = &preparation->pairs[split];
    return pieces_spell(&preparation->speller[side], pairs->words[side], pairs->count, tick,
                        &preparation->ticker);
}

/* The pieces of train that are frequent enough on their side (THUMT's recipe). */
static void write_kept_pieces(struct preparation *preparation, enum side_name side)
{
    struct speller *speller = &preparation->speller[side];
    struct pieces train = spell(preparation, SPLIT_TRAIN, side);
    pieces_count(speller, &train);
    pieces_free(&train);
    const char *name = arena_print(&preparation->arena, "pieces.%s", side_names[side]);
    struct file_writer writer = file_create(path_of(preparation, name));
    bool first = true;
    for (int32_t p = 0; p < speller->piece->words; p++) {
        const struct bpe_word *piece = &speller->piece->word[p];
        if (piece->count < preparation->options->threshold) continue;
        /* A byte order mark is the file's where it begins it: the piece keeps its own. */
        const size_t mark = first ? utf8_mark(piece->text, piece->bytes) : 0;
        first = false;
        fwrite(piece->text, 1, mark, writer.stream);
        fwrite(piece->text, 1, piece->bytes, writer.stream);
        fprintf(writer.stream, " %lld\n", (long long)piece->count);
    }
    file_commit(&writer);
    note_file(preparation, name);
}

static void spell_all(struct preparation *preparation)
{
    const int threshold = preparation->options->threshold;
    for (int side = 0; side < SIDES; side++) {
        struct speller *speller = &preparation->speller[side];
        speller_open(speller, corpus_merges(preparation->folder, side, 0));
        if (threshold) {
            write_kept_pieces(preparation, side);
            speller_close(speller);
            speller_open(speller, corpus_merges(preparation->folder, side, threshold));
        }
        for (int split = 0; split < SPLITS; split++)
            preparation->pieces[split][side] = spell(preparation, split, side);
    }
}

/* Appends sentence i of `from`, cut to `most` pieces. `to` uses the same memory of pieces: it never
 * overtakes `from`. */
static void append_sentence(struct pieces *to, const struct pieces *from, int i, int64_t most)
{
    int64_t length = from->start[i + 1] - from->start[i];
    if (length > most) length = most;
    int64_t begin = to->start[to->sentences], end = begin + length;
    memmove(to->piece + begin, from->piece + from->start[i], (size_t)length * sizeof *to->piece);
    to->piece[end - 1] = PIECES_END;
    to->start[++to->sentences] = end;
}

/* Overlong sentences leave train; elsewhere, where lines must stay lines, they are cut. */
static void fit_lengths(struct preparation *preparation, enum split_name split)
{
    struct pairs *pairs = &preparation->pairs[split];
    int64_t most = preparation->options->max_length;
    int lines = pairs->count, *kept = heap_alloc(((size_t)lines + 1) * sizeof *kept);
    pairs->count = 0;
    struct pieces old[SIDES], *pieces = preparation->pieces[split];
    for (int side = 0; side < SIDES; side++) {
        old[side] = pieces[side];
        pieces[side].sentences = 0;
        pieces[side].start = heap_alloc(((size_t)lines + 1) * sizeof *pieces[side].start);
    }
    for (int i = 0; i < lines; i++) {
        bool overlong = false;
        for (int side = 0; side < SIDES; side++)
            overlong |= old[side].start[i + 1] - old[side].start[i] > most;
        preparation->overlong[split] += overlong;
        if (overlong && split == SPLIT_TRAIN) continue;
        for (int side = 0; side < SIDES; side++)
            append_sentence(&pieces[side], &old[side], i, most);
        kept[pairs->count] = i;
        pairs->reference[pairs->count++] = pairs->reference[i];
    }
    if (split == SPLIT_TRAIN) text_audit_keep(&preparation->audit, kept, pairs->count);
    free(kept);
    for (int side = 0; side < SIDES; side++) free(old[side].start);
    if (split != SPLIT_TRAIN && preparation->overlong[split])
        warn("corpus.%s: pairs cut to %d pieces on a side (corpus.max_length): %d; references stay "
             "whole",
             split_names[split], preparation->options->max_length, preparation->overlong[split]);
    if (split == SPLIT_TRAIN && lines && !pairs->count)
        die("corpus.train: all %d pairs have more than %d pieces on a side (corpus.max_length)",
            lines, preparation->options->max_length);
}

/* ---- vocabularies and ids ---- */

/* The pieces that train has, of one side or (joint) of both. */
static struct vocabulary collect_vocabulary(struct preparation *preparation, int first, int last)
{
    struct bpe_words *all = bpe_words_new();
    for (int side = first; side <= last; side++) {
        const struct bpe_words *piece = preparation->speller[side].piece;
        for (int32_t p = 0; p < piece->words; p++)
            if (piece->word[p].count)
                bpe_words_add(all, piece->word[p].text, piece->word[p].bytes, piece->word[p].count);
    }
    /* The speller ends its pieces with NULs. */
    struct vocabulary vocabulary = vocabulary_build(&preparation->arena, all->word, all->words);
    bpe_words_free(all);
    return vocabulary;
}

static void make_vocabularies(struct preparation *preparation)
{
    bool joint = preparation->options->joint;
    for (int side = 0; side < SIDES; side++)
        pieces_count(&preparation->speller[side], &preparation->pieces[SPLIT_TRAIN][side]);
    for (int side = 0; side < SIDES; side++) {
        preparation->vocabulary[side] =
            joint && side ? preparation->vocabulary[SIDE_SOURCE]
                          : collect_vocabulary(preparation, joint ? SIDE_SOURCE : side,
                                               joint ? SIDE_TARGET : side);
        const char *name = arena_print(&preparation->arena, "vocabulary.%s", side_names[side]);
        vocabulary_write(&preparation->vocabulary[side], path_of(preparation, name));
        note_file(preparation, name);
    }
}

/* Numbers of pieces become ids, in place. */
static void number_to_id(const struct speller *speller, const struct vocabulary *vocabulary,
                         struct pieces *pieces)
{
    SCOPED(heap_free) int32_t *id = heap_alloc((size_t)speller->piece->words * sizeof *id);
    for (int32_t p = 0; p < speller->piece->words; p++)
        id[p] = vocabulary_id_bytes(vocabulary, speller->piece->word[p].text,
                                    speller->piece->word[p].bytes);
    for (int64_t t = 0; t < pieces->start[pieces->sentences]; t++)
        pieces->piece[t] = pieces->piece[t] == PIECES_END ? VOCABULARY_EOS : id[pieces->piece[t]];
}

static void write_references(struct preparation *preparation, const char *file,
                             const char *const *reference, int count)
{
    struct file_writer writer = file_create(path_of(preparation, file));
    for (int i = 0; i < count; i++) fprintf(writer.stream, "%s\n", reference[i]);
    file_commit(&writer);
    note_file(preparation, file);
}

static void write_split(struct preparation *preparation, enum split_name name)
{
    const struct pairs *pairs = &preparation->pairs[name];
    struct split split = {.sentences = pairs->count};
    for (int side = 0; side < SIDES; side++) {
        struct pieces *pieces = &preparation->pieces[name][side];
        number_to_id(&preparation->speller[side], &preparation->vocabulary[side], pieces);
        split.side[side] = (struct side){.token = pieces->piece, .start = pieces->start};
        preparation->tokens[name][side] = pieces->start[pieces->sentences];
    }
    const char *file = arena_print(&preparation->arena, "%s.shard", split_names[name]);
    shard_write(path_of(preparation, file), &split);
    note_file(preparation, file);

    file = arena_print(&preparation->arena, "%s.reference", split_names[name]);
    write_references(preparation, file, pairs->reference, pairs->count);
    for (int r = 0; r < pairs->references; r++)
        write_references(
            preparation,
            arena_print(&preparation->arena, "%s.reference.%d", split_names[name], r + 2),
            pairs->more[r], pairs->count);
}

/* ---- the description ---- */

static json_t *describe_inputs(const struct preparation *preparation)
{
    json_t *inputs = json_object();
    for (int i = 0; i < preparation->sources.inputs; i++) {
        const struct corpus_input *input = &preparation->sources.input[i];
        json_object_set_new(inputs, input->name,
                            json_pack("{s:s, s:s}", "path", input->path, "sha256", input->digest));
    }
    return inputs;
}

static json_t *describe_splits(struct preparation *preparation)
{
    const struct text_findings findings = text_audit_end(&preparation->audit);
    json_t *splits = json_object();
    for (int split = 0; split < SPLITS; split++) {
        const struct pairs *pairs = &preparation->pairs[split];
        const int64_t *tokens = preparation->tokens[split];
        const int *fate = pairs->fate;
        json_object_set_new(
            splits, split_names[split],
            json_pack("{s:i, s:i, s:i, s:i, s:I, s:I, s:{s:i, s:i, s:i, s:i, s:i}, s:i}", "lines",
                      pairs->lines, "markup", pairs->markup, "held_out", fate[PAIR_HELD_OUT],
                      "pairs", pairs->count, "source_tokens", (json_int_t)tokens[SIDE_SOURCE],
                      "target_tokens", (json_int_t)tokens[SIDE_TARGET], "dropped", "empty",
                      fate[PAIR_EMPTY], "invalid", fate[PAIR_INVALID], "words",
                      fate[PAIR_WORDS_OVER], "ratio", fate[PAIR_RATIO_OVER], "overlong",
                      split == SPLIT_TRAIN ? preparation->overlong[split] : 0, "cut",
                      split == SPLIT_TRAIN ? 0 : preparation->overlong[split]));
    }
    text_findings_write(&findings, splits);
    return splits;
}

static void write_description(struct preparation *preparation)
{
    const struct corpus_options *options = preparation->options;
    json_auto_t *root = json_pack(
        "{s:i, s:s, s:s, s:b, s:b, s:b, s:b, s:i, s:i, s:i, s:i, s:{s:i, s:i}, s:o, s:o, s:O}",
        "format", CORPUS_FORMAT, "source", options->source, "target", options->target, "raw",
        options->text == CORPUS_RAW, "segmented", options->segmented, "lowercase",
        options->lowercase, "joint", options->joint, "threshold", options->threshold, "merges",
        preparation->merges, "max_length", options->max_length, "max_words", options->max_words,
        "vocabulary", "source", preparation->vocabulary[SIDE_SOURCE].size, "target",
        preparation->vocabulary[SIDE_TARGET].size, "splits", describe_splits(preparation), "inputs",
        describe_inputs(preparation), "files", preparation->files);
    CHECK(root, "the description cannot be packed");
    json_file_write(path_of(preparation, "corpus.json"), root);
}

void corpus_prepare(const struct corpus_options *options, const char *folder,
                    void (*progress)(void *context, int64_t done, int64_t total), void *context)
{
    struct preparation preparation = {.options = options,
                                      .folder = folder,
                                      .files = json_object(),
                                      .ticker = {.tell = progress, .context = context}};
    find_sources(&preparation);
    read_pairs(&preparation);
    file_remove_tree(path_of(&preparation, "corpus.json")); /* an older corpus ends here */
    make_codes(&preparation);
    spell_all(&preparation);
    for (int split = 0; split < SPLITS; split++) fit_lengths(&preparation, split);
    make_vocabularies(&preparation);
    for (int split = 0; split < SPLITS; split++) write_split(&preparation, split);
    write_description(&preparation);

    for (int side = 0; side < SIDES; side++) {
        speller_close(&preparation.speller[side]);
        for (int split = 0; split < SPLITS; split++) pieces_free(&preparation.pieces[split][side]);
    }
    for (int split = 0; split < SPLITS; split++) pairs_free(&preparation.pairs[split]);
    json_decref(preparation.files);
    arena_free(&preparation.arena);
}

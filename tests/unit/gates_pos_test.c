/* Tests probes/gates_pos: gates of words, means by class, standard errors by a bootstrap over
 * sentences, and shuffles. Expected values are computed from given gates. In a small model, the
 * gates of words are compared with the gates of its positions. */
#include "tests/support/test.h"

#include "probes/gates_pos.h"
#include "tests/support/seeded_model.h"
#include "tests/support/made_corpus.h"

enum { SENTENCES = 40, WORDS = 4 * SENTENCES };

/* Gates of sentences that have four words of one piece, and <eos>. Each of the two layers has two
 * gates. */
struct made_gates {
    struct tagged_text text;
    struct gates gates;
    int64_t start[SENTENCES + 1];
    int32_t first[SENTENCES + 1], word[5 * SENTENCES], class[WORDS], pieces[WORDS];
    int64_t frequency[WORDS];
    double of_word[2 * WORDS], of_sentence[2 * SENTENCES];
    struct moments cell[2 * 2];
};
static struct made_gates made;
static const int layer[] = {1, 3}, heads[] = {2, 2};
static const char *const names[] = {"A", "B", "C"};

static void make(void)
{
    memset(&made, 0, sizeof made);
    for (int s = 0; s <= SENTENCES; s++) made.start[s] = 5 * s, made.first[s] = 4 * s;
    for (int w = 0; w < WORDS; w++) made.pieces[w] = 1;
    made.text =
        (struct tagged_text){.split = {.sentences = SENTENCES, .side = {{NULL, made.start}}},
                             .words = WORDS,
                             .first = made.first,
                             .word = made.word,
                             .class = made.class,
                             .pieces = made.pieces,
                             .frequency = made.frequency,
                             .classes = 3,
                             .name = names};
    made.gates = (struct gates){.sets = 1,
                                .layers = 2,
                                .layer = layer,
                                .heads = heads,
                                .width = 2,
                                .cell = made.cell,
                                .text = &made.text,
                                .word = made.of_word,
                                .sentence = made.of_sentence};
}

TEST(means_are_of_words)
{
    make();
    made.class[1] = 1; /* words 1 and 2 are B, word 5 is C, all others are A */
    made.class[2] = 1;
    made.class[5] = 2;
    made.pieces[6] = 0; /* this word of A is not counted, but later words are */
    for (int w = 0; w < WORDS; w++) {
        made.of_word[w] = w == 1 ? 0.2 : w == 2 ? 0.4 : w == 5 ? 0.9 : 0.5;
        made.of_word[WORDS + w] = w == 1 ? 0.6 : 0.5;
    }
    const struct gates_pos pos = gates_by_pos(&made.gates, -1, &arena);
    assert_int_equal(pos.classes, 3);
    const struct gates_class *all = pos.of, *first = pos.of + 3, *second = pos.of + 6;
    assert_int_equal(first[0].words, WORDS - 4);
    assert_float_equal(first[0].mean, 0.5, 1e-12);
    assert_int_equal(first[1].words, 2);
    assert_int_equal(first[1].sentences, 1);
    assert_float_equal(first[1].mean, 0.3, 1e-12);
    assert_float_equal(second[1].mean, 0.55, 1e-12);
    assert_float_equal(all[1].mean, 0.425, 1e-12);
    /* A class with one word has a mean but no error, because other sentences have no word of the
     * class. */
    assert_int_equal(first[2].words, 1);
    assert_float_equal(first[2].mean, 0.9, 1e-12);
    assert_true(isnan(first[2].error));
    assert_float_equal(first[0].error, 0, 1e-12); /* all gates of A are equal */
    const struct ratio_item share = gates_of_sentence(&made.gates, 0, 0, 1);
    assert_int_equal(share.weight, 2);
    assert_float_equal(share.number, 0.6, 1e-12);
    assert_int_equal(gates_of_sentence(&made.gates, 0, 0, 2).weight, 0);
    assert_int_equal(gates_of_sentence(&made.gates, 1, 0, 0).weight, 2); /* without words 5 and 6 */
    /* Variance between classes in layer 1: V = sum n (mean - all)^2 / N. A class has n words, and N
     * is 159. */
    const double n = WORDS - 1, mean = (0.5 * (n - 3) + 0.6 + 0.9) / n;
    const double between =
        ((n - 3) * pow(0.5 - mean, 2) + 2 * pow(0.3 - mean, 2) + pow(0.9 - mean, 2)) / n;
    assert_float_equal(pos.between[1], between, 1e-12);
}

/* The words of a sentence have the same gate. So the mean has the standard error of 40 independent
 * numbers, sd / sqrt(40). The result sd / sqrt(160) would assume independent words. */
TEST(errors_are_of_sentences)
{
    make();
    double squares = 0;
    for (int w = 0; w < WORDS; w++) {
        const int s = w / 4;
        made.of_word[w] = made.of_word[WORDS + w] = s % 2 ? 0.4 : 0.6;
        squares += w % 4 ? 0 : 0.01;
    }
    const struct gates_pos pos = gates_by_pos(&made.gates, -1, &arena);
    const double expected = sqrt(squares / SENTENCES / SENTENCES); /* 0.0158 */
    assert_float_equal(pos.of[0].error, expected, 0.1 * expected);
    assert_int_equal(pos.of[0].sentences, SENTENCES);
}

/* If classes depend only on frequency, every shuffle within deciles gives the same variance between
 * classes. If classes determine the gate within every decile, no shuffle reaches this variance. */
TEST(shuffles_keep_to_their_decile)
{
    make();
    for (int w = 0; w < WORDS; w++) {
        made.frequency[w] = w / 16;
        made.class[w] = w < WORDS / 2;
        made.of_word[w] = made.frequency[w] * 0.01; /* depends only on frequency */
        made.of_word[WORDS + w] = w % 2 ? 0.7 : 0.3;
    }
    const int *decile = gates_deciles(&made.text, &arena);
    for (int w = 0; w < WORDS; w++) assert_int_equal(decile[w], w / 16);
    struct gates_pos pos = gates_by_pos(&made.gates, -1, &arena);
    assert_true(pos.between[1] > 1e-5);
    assert_int_equal(pos.reached[1], GATES_SHUFFLES);
    for (int w = 0; w < WORDS; w++) made.class[w] = w % 2;
    pos = gates_by_pos(&made.gates, -1, &arena);
    assert_int_equal(pos.reached[2], 0);
    assert_float_equal(pos.between[2], 0.04, 1e-12);
    /* Words of a decile may be at any positions. */
    for (int w = 0; w < WORDS; w++) made.frequency[w] = w % 10;
    decile = gates_deciles(&made.text, &arena);
    for (int w = 0; w < WORDS; w++) assert_int_equal(decile[w], w % 10);
    /* Words of the same frequency share a decile, however many they are. */
    for (int w = 0; w < WORDS; w++) made.frequency[w] = w < 150 ? 1 : 2;
    made.pieces[3] = 0;
    decile = gates_deciles(&made.text, &arena);
    assert_int_equal(decile[0], 0);
    assert_int_equal(decile[149], 0);
    assert_int_equal(decile[150], 9);
    assert_int_equal(decile[3], -1);
}

static const char hybrid[] =
    "model: {width: 8, heads: 2, feedforward: 12}\n"
    "decoder: {layers: 1}\n"
    "encoder: {layers: 2, attention: [{layers: 1-2, branches: [global, {window: 1}], fusion: "
    "gate}]}\n";

/* Measures the gates of a treebank in a model. Sentence 2 is "abc a€b", which has 3 + 3 pieces and
 * <eos>. */
TEST(words_are_means_of_their_pieces)
{
    made_put_all("abc b b\na abc abc\n", "x\ny\n");
    made_options.merges = 0; /* pieces are letters */
    struct corpus *corpus = made_prepare();
    const struct translator_options options = options_of(hybrid);
    made_put("a.conllu", "1\tb\t_\tX\t_\t_\t_\t_\t_\t_\n\n"
                         "1\tabc\t_\tNOUN\t_\t_\t_\t_\t_\t_\n2\ta€b\t_\tADJ\t_\t_\t_\t_\t_\t_\n");
    const struct treebank bank =
        treebank_read(&arena, arena_print(&arena, "%s/a.conllu", made_text), false);
    const struct tokenized_reading plain = {0};
    const struct tagged_text *text =
        tagged_read(&arena, corpus, &plain, &bank, (struct tag_reading){0});
    struct frozen *frozen = frozen_start(corpus, &options, 7);
    const struct gates gates = gates_measure(frozen, NULL, text, &arena);
    for (int l = 0; l < 2; l++) {
        const char *path = arena_print(&arena, "encoder.%d.attention.gate", l + 1);
        const real *gate = rows_alone(frozen->model, &text->split, 1, path);
        double word[2] = {0}, all = 0;
        for (int t = 0; t < 7; t++) {
            const double both = ((double)gate[2 * t] + (double)gate[2 * t + 1]) / 2;
            if (t < 6) word[t / 3] += both / 3;
            all += both;
        }
        assert_float_equal(gates_of_word(&gates, 0, l, 1), word[0], 1e-6);
        assert_float_equal(gates_of_word(&gates, -1, l, 2), word[1], 1e-6);
        const struct ratio_item share = gates_of_sentence(&gates, 1, l, -1);
        assert_int_equal(share.weight, 7);
        assert_float_equal(share.number, all, 1e-5);
    }
    /* The value of a split is the mean over all its positions, <eos> included. */
    const struct ratio_item one = gates_of_sentence(&gates, 0, -1, -1),
                            two = gates_of_sentence(&gates, 1, -1, -1);
    const struct moments moments = gates_over(&gates, -1, -1, -1);
    assert_int_equal(one.weight + two.weight, moments.n);
    assert_float_equal((one.number + two.number) / (one.weight + two.weight),
                       moments_mean(&moments), 1e-9);
    frozen_close(frozen);
}

EACH_TEST(made_begin);

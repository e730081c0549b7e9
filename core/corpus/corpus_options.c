/* The options of the section `corpus`. Paths are not part of the id: the digests of the files
 * are. */
#include "core/corpus/corpus_options.h"

#include "core/corpus/reader.h"

#define FIELD(name) offsetof(struct corpus_options, name)
#define IN_FIELDS "train_format = fields or dev_format = fields or test_format = fields"

static const struct option rows[] = {
    ROW_TEXT("source", FIELD(source), NULL, OPTION_ID, "source language: ending of its files"),
    ROW_TEXT("target", FIELD(target), NULL, OPTION_ID, "target language: ending of its files"),
    ROW_TEXTS("train", FIELD(part[SPLIT_TRAIN]), NULL, OPTION_NO_ID,
              "text under $SANLAB_DATA or data/: paths without .LANGUAGE or with {SOURCE|TARGET}"),
    ROW_TEXTS("dev", FIELD(part[SPLIT_DEV]), "", OPTION_NO_ID, "the same for validation"),
    ROW_TEXTS("test", FIELD(part[SPLIT_TEST]), "", OPTION_NO_ID, "the same for the test"),
    ROW_TEXTS("test_references", FIELD(references), "", OPTION_NO_ID,
              "more references of the test: files of a sentence a line, as many as test has"),
    ROW_TEXT("origin", FIELD(origin), "", OPTION_NO_ID,
             "where to get the files; said when some are missing"),
    ROW_CHOICE(
        "train_format", FIELD(format[SPLIT_TRAIN]), "lines", READER_FORMATS, OPTION_ID,
        "a sentence a line; lines and tags (TED); <seg> of SGML or XML; both sides in a line"),
    ROW_CHOICE("dev_format", FIELD(format[SPLIT_DEV]), "lines", READER_FORMATS, OPTION_ID,
               "the same for validation"),
    ROW_CHOICE("test_format", FIELD(format[SPLIT_TEST]), "lines", READER_FORMATS, OPTION_ID,
               "the same for the test"),
    ROW_TEXT("separator", FIELD(separator), "'|||'", OPTION_ID, "what stands between fields",
             .when = IN_FIELDS),
    ROW_INT("source_field", FIELD(field[SIDE_SOURCE]), "-2", -100, 100, OPTION_ID,
            "the field that is the source, from 1; -1 is the last one", .when = IN_FIELDS),
    ROW_INT("target_field", FIELD(field[SIDE_TARGET]), "-1", -100, 100, OPTION_ID,
            "the field that is the target", .when = IN_FIELDS),
    ROW_INT("dev_every", FIELD(dev_every), "0", 0, 1e6, OPTION_ID,
            "instead of dev: each N-th pair that is kept of train is for validation; 0: none"),
    ROW_CHOICE(
        "text", FIELD(text), "tokens", "tokens|raw", OPTION_ID,
        "tokens: words between blanks, scored as words; raw: tokenized here, scored as text"),
    ROW_BOOL("segmented", FIELD(segmented), "false", OPTION_ID,
             "raw text: Han and Kana come segmented, and blanks beside them are not text"),
    ROW_BOOL("lowercase", FIELD(lowercase), "false", OPTION_ID,
             "lower-case everything, references too"),
    ROW_CHOICE("bad_utf8", FIELD(bad_utf8), "error", "error|drop-pair", OPTION_ID,
               "what a line that is not UTF-8 leads to"),
    ROW_INT("max_words", FIELD(max_words), "0", 0, 1e6, OPTION_ID,
            "leave out pairs with more words and signs on a side (every split); 0: none"),
    ROW_INT("train_max_words", FIELD(train_max_words), "0", 0, 1e6, OPTION_ID,
            "the same, of train alone"),
    ROW_REAL("train_max_ratio", FIELD(train_max_ratio), "0", 0, 1e6, OPTION_ID,
             "leave pairs out of train with more than so many times the words on a side; 0: none"),
    ROW_INT("max_length", FIELD(max_length), "256", 2, 1e6, OPTION_ID,
            "pieces with <eos>: longer pairs are left out of train, cut in dev and test"),
    ROW_INT("train_limit", FIELD(limit[SPLIT_TRAIN]), "0", 0, 2e9, OPTION_ID,
            "take the first pairs only; 0: all"),
    ROW_INT("dev_limit", FIELD(limit[SPLIT_DEV]), "0", 0, 2e9, OPTION_ID,
            "the same for validation"),
    ROW_INT("test_limit", FIELD(limit[SPLIT_TEST]), "0", 0, 2e9, OPTION_ID,
            "the same for the test"),
    ROW_INT("merges", FIELD(merges), "8000", 0, 1e6, OPTION_ID,
            "BPE merges, learned on both sides of train together", .when = "codes = ''"),
    ROW_TEXT("codes", FIELD(codes), "", OPTION_NO_ID,
             "path of ready merges (subword-nmt's format) instead of learning them"),
    ROW_BOOL("joint", FIELD(joint), "true", OPTION_ID, "one vocabulary for both sides"),
    ROW_INT("threshold", FIELD(threshold), "0", 0, 1e9, OPTION_ID,
            "split pieces again that are rarer than this in train"),
};

const struct section corpus_section = {"corpus", "parallel text, and how it becomes token ids",
                                       rows, COUNT_OF(rows), sizeof(struct corpus_options)};

/* The options of the section `corpus`. The id of a corpus contains the digests of the files, but
 * not their paths. */
#include "core/corpus/corpus_options.h"

#include "core/corpus/reader.h"

#define FIELD(name) offsetof(struct corpus_options, name)
#define IN_FIELDS "train_format = fields or dev_format = fields or test_format = fields"

static const struct option rows[] = {
    OPTION_TEXT("source", FIELD(source), NULL, OPTION_ID,
                "source language: extension of its files"),
    OPTION_TEXT("target", FIELD(target), NULL, OPTION_ID,
                "target language: extension of its files"),
    OPTION_TEXTS(
        "train", FIELD(part[SPLIT_TRAIN]), NULL, OPTION_NO_ID,
        "paths of text under $SANLAB_DATA or data/, without .LANGUAGE or with {SOURCE|TARGET}"),
    OPTION_TEXTS("dev", FIELD(part[SPLIT_DEV]), "", OPTION_NO_ID,
                 "paths of the validation text, in the same form"),
    OPTION_TEXTS("test", FIELD(part[SPLIT_TEST]), "", OPTION_NO_ID,
                 "paths of the test text, in the same form"),
    OPTION_TEXTS("test_references", FIELD(references), "", OPTION_NO_ID,
                 "files of more references for corpus.test, one line per sentence of it"),
    OPTION_TEXT("origin", FIELD(origin), "", OPTION_NO_ID,
                "source of the files, printed if some are missing"),
    OPTION_CHOICE(
        "train_format", FIELD(format[SPLIT_TRAIN]), "lines", READER_FORMATS, OPTION_ID,
        "file format: a sentence per line, the same with lines of tags (TED), <seg> of SGML "
        "or XML, both sides per line"),
    OPTION_CHOICE("dev_format", FIELD(format[SPLIT_DEV]), "lines", READER_FORMATS, OPTION_ID,
                  "file format of the validation text"),
    OPTION_CHOICE("test_format", FIELD(format[SPLIT_TEST]), "lines", READER_FORMATS, OPTION_ID,
                  "file format of the test text"),
    OPTION_TEXT("separator", FIELD(separator), "'|||'", OPTION_ID,
                "separator of the fields of a line (format fields)", .when = IN_FIELDS),
    OPTION_INT("source_field", FIELD(field[SIDE_SOURCE]), "-2", -100, 100, OPTION_ID,
               "index of the source field (format fields), from 1; -1: the last",
               .when = IN_FIELDS),
    OPTION_INT("target_field", FIELD(field[SIDE_TARGET]), "-1", -100, 100, OPTION_ID,
               "index of the target field (format fields), from 1; -1: the last",
               .when = IN_FIELDS),
    OPTION_INT("dev_every", FIELD(dev_every), "0", 0, 1e6, OPTION_ID,
               "interval N, from 2: every N-th kept training pair is held out as dev, in place of "
               "corpus.dev; 0: none"),
    OPTION_CHOICE(
        "text", FIELD(text), "tokens", "tokens|raw", OPTION_ID,
        "kind of text: tokens between blanks, scored as words; raw: tokenized here, scored "
        "as text"),
    OPTION_BOOL(
        "segmented", FIELD(segmented), "false", OPTION_ID,
        "segmentation of Han and Kana by blanks, which are not part of the text (needs text: raw)"),
    OPTION_BOOL("lowercase", FIELD(lowercase), "false", OPTION_ID,
                "lower-casing of all text, references included"),
    OPTION_CHOICE("bad_utf8", FIELD(bad_utf8), "error", "error|drop-pair", OPTION_ID,
                  "treatment of a line that is not UTF-8: an error, or removal of its pair"),
    OPTION_INT(
        "max_words", FIELD(max_words), "0", 0, 1e6, OPTION_ID,
        "most words per side, punctuation included; longer pairs are dropped (every split); 0: "
        "no limit"),
    OPTION_INT("train_max_words", FIELD(train_max_words), "0", 0, 1e6, OPTION_ID,
               "most words per side of a training pair; longer pairs are dropped; 0: no limit"),
    OPTION_REAL("train_max_ratio", FIELD(train_max_ratio), "0", 0, 1e6, OPTION_ID,
                "largest ratio, from 1, of the word counts of a training pair's sides; other pairs "
                "are dropped; 0: no limit"),
    OPTION_INT(
        "max_length", FIELD(max_length), "256", 2, 1e6, OPTION_ID,
        "most pieces per side, <eos> included; longer pairs are dropped from train, cut in dev "
        "and test"),
    OPTION_INT("train_limit", FIELD(limit[SPLIT_TRAIN]), "0", 0, 2e9, OPTION_ID,
               "number of training pairs, from the first; 0: all"),
    OPTION_INT("dev_limit", FIELD(limit[SPLIT_DEV]), "0", 0, 2e9, OPTION_ID,
               "number of validation pairs, from the first; 0: all"),
    OPTION_INT("test_limit", FIELD(limit[SPLIT_TEST]), "0", 0, 2e9, OPTION_ID,
               "number of test pairs, from the first; 0: all"),
    OPTION_INT(
        "merges", FIELD(merges), "8000", 0, 1e6, OPTION_ID,
        "number of BPE merges learned on both sides of train together (without corpus.codes)",
        .when = "codes = ''"),
    OPTION_TEXT("codes", FIELD(codes), "", OPTION_NO_ID,
                "file of BPE merges (subword-nmt's format) to use instead of learned ones"),
    OPTION_BOOL("joint", FIELD(joint), "true", OPTION_ID, "one vocabulary for both sides"),
    OPTION_INT(
        "threshold", FIELD(threshold), "0", 0, 1e9, OPTION_ID,
        "smallest count of a piece on its side of train; rarer pieces are split again; 0: none"),
};

const struct section corpus_section = {"corpus", "parallel text and its conversion to token ids",
                                       rows, COUNT_OF(rows), sizeof(struct corpus_options)};

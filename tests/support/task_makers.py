"""Tests the makers of scripts/data/tasks: each maker selects sentences of a small text and labels them.

    task_makers.py FOLDER

The expected sentences and labels were found by hand. Prints TAP. Writes treebanks to FOLDER."""

import sys
import traceback
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from itertools import permutations

sys.dont_write_bytecode = True
sys.path.insert(0, "scripts/data")
import philox
from drafts import Draft
from program import BadInput
from trees import has_relation, read_features, read_trees

loader = SourceFileLoader("tasks", "scripts/data/tasks")
tasks = module_from_spec(spec_from_loader("tasks", loader))
loader.exec_module(tasks)
BANK = f"{sys.argv[1]}/t.conllu"

# Requested lines of tr. A label needs FEW / 2 = 10 candidates for tr, and one each for va and te: 12.
FEW = 20


def read_text(lines, bank=None):
    """Returns the text of the lines. `bank` is their treebank."""
    lines, trees = [line.split() for line in lines], None
    if bank is not None:
        with open(BANK, "w", encoding="utf-8") as file:
            file.write(bank)
        trees = read_trees(BANK, "t.txt", lines)
    return tasks.Text("t.txt", lines, trees)


def made(make, text):
    """Returns the draft of a maker."""
    draft = Draft("Task", 1, FEW)
    make(draft, text)
    return draft


def label_of(draft, text):
    """Returns the label of a candidate; None if there is none."""
    return draft.candidates.get(text, (None, None))[0]


def group_of(draft, text):
    """Returns the group of a candidate."""
    return draft.candidates[text][1]


def equal(found, expected):
    """Raises an error unless both values are equal."""
    if found != expected:
        raise AssertionError(f"{found!r}, expected {expected!r}")


def refused(expected, lines, bank):
    """Raises an error unless read_text refuses the treebank with this message."""
    try:
        read_text(lines, bank)
    except BadInput as error:
        equal(str(error), f"{BANK}:{expected}")
    else:
        raise AssertionError(f"no error, expected {expected!r}")


def bank_of(*sentences):
    """Returns a treebank. A word is "form tag features head relation"."""
    return "\n".join("".join("{0}\t{1}\t_\t{2}\t_\t{3}\t{4}\t{5}\t_\t_\n".format(number, *word.split())
                             for number, word in enumerate(words, 1)) for words in sentences)


# ---- text ----


def sentences_are_lines_of_5_to_28_tokens():
    numbers = [str(number) for number in range(1, 30)]
    text = read_text(["a b c d", "a b  c\td e\r", "a b c d e", "", " ".join(numbers[:28]), " ".join(numbers),
                      "日本 語 の 文 。\u3000ok"])
    equal((text.lines, text.shorter, text.longer, text.twice), (7, 2, 1, 1))
    equal([sentence.text for sentence in text.sentences],
          ["a b c d e", " ".join(numbers[:28]), "日本 語 の 文 。 ok"])


# ---- tasks of lines ----


def lengths_have_the_six_bins():
    bins = "000011112222333344444555"  # bins of 5, 6, .., 28 words
    text = read_text(f"w{i}" + (words - 1) * " x" for words in range(5, 29) for i in range(12))
    draft = made(tasks.make_length, text)
    equal(len(draft.candidates), 24 * 12)
    for one in draft.candidates:
        equal(label_of(draft, one), bins[len(one.split()) - 5])


def a_bin_with_few_sentences_is_left_out():
    text = read_text([f"a b c d e{i}" for i in range(12)] + [f"a b c d e f g h i{i}" for i in range(12)] +
                     [f"a b c d e f g h i k l m n{i}" for i in range(11)])
    draft = made(tasks.make_length, text)
    equal({label for label, _ in draft.candidates.values()}, {"0", "1"})
    equal(draft.left, "; left out: 11 of class 2, which needs 12")


def content_words_need_sentences():
    # 120 sentences. Twenty words (fa, fb, ..) are in 18 sentences each, and ten words (ta, tb, ..) in 12 each.
    # The task excludes the full stop and the numbers.
    letter = "abcdefghijklmnopqrst"
    lines = [f"f{letter[3 * i % 20]} f{letter[(3 * i + 1) % 20]} f{letter[(3 * i + 2) % 20]} t{letter[i % 10]} {i} ."
             for i in range(120)]
    draft = made(tasks.make_content, read_text(lines))
    equal(draft.problem, None)
    equal({label for label, _ in draft.candidates.values()}, {f"t{one}" for one in letter[:10]})
    # Without the first sentence, "ta" is in 11 sentences. The added sentence also has "ta", but it is not
    # counted, because it has a second target word, "tb".
    equal(made(tasks.make_content, read_text([*lines[1:], "fa ta tb 777 ."])).problem,
          'among the 10 words of rank 21 to 30, "ta" is the only one in 11 sentences; needed 12')
    equal(made(tasks.make_content, read_text(["a b c d e"])).problem, "5 different words; needed 30")


def words_have_a_letter_or_a_number():
    words = "a", "é", "日", "½", "\u0301", "a-", "٣"
    equal([word for word in (*words, ".", "¿", "€", "--", "a4", "3") if tasks.is_content(word)], list(words))


def a_swap_that_makes_another_sentence_is_left_out():
    # The text has all 24 orders of four words. So a swap always gives another sentence of the text.
    text = read_text(" ".join(order) + " ." for order in permutations("abcd"))
    draft = made(tasks.make_shift, text)
    equal({label for label, _ in draft.candidates.values()}, {"O"})
    equal(draft.left.split(" ", 4)[4], "that equal another sentence of the text with two words swapped")


# ---- tasks of trees ----


def inflection_is_that_of_the_main_clause():
    past, present, part = "Mood=Ind|Tense=Past|VerbForm=Fin", "Tense=Pres|VerbForm=Fin", "Tense=Past|VerbForm=Part"
    order = "Mood=Imp|VerbForm=Fin"
    bank = bank_of(
        ["The DET _ 2 det", "dogs NOUN Number=Plur 4 nsubj", f"were AUX {past} 4 aux",
         "eating VERB Tense=Pres|VerbForm=Part 0 root", "bread NOUN Number=Sing 4 obj"],
        ["She PRON Number=Sing 2 nsubj", f"says VERB {present} 0 root", "cats NOUN Number=Plur 4 nsubj",
         f"slept VERB {past} 2 ccomp", ". PUNCT _ 2 punct"],
        ["Cakes NOUN Case=Nom|Number=Plur 3 nsubj:pass", f"Were AUX {past} 3 aux:pass", f"eaten VERB {part} 0 root",
         "by ADP _ 5 case", "mice NOUN Number=Plur 3 obl"],
        ["A DET _ 2 det", "man NOUN Number=Sing 5 nsubj", f"is AUX {present} 5 cop", "no DET _ 5 det",
         "islands NOUN Number=Plur 0 root"],
        [f"Give VERB {order} 0 root", "men NOUN Number=Plur 1 iobj", "fish NOUN _ 1 obj", "and CCONJ _ 5 cc",
         f"go VERB {order} 1 conj"])
    dogs, cats, cakes, man, give = lines = ["The dogs were eating bread", "She says cats slept .",
                                            "Cakes Were eaten by mice", "A man is no islands",
                                            "Give men fish and go"]
    text = read_text(lines, bank)

    tense = made(tasks.make_tense, text)
    equal([label_of(tense, line) for line in lines], ["PAST", "PRES", "PAST", "PRES", None])
    equal(tense.left, "; left out: 1 without Tense=Pres or Past")
    # The labeled verbs are "were", "says", "Were" and "is".
    equal(group_of(tense, dogs), group_of(tense, cakes))
    equal(len({group_of(tense, line) for line in (dogs, cats, man)}), 3)

    subject = made(tasks.make_subject, text)
    equal([label_of(subject, line) for line in lines], ["NNS", None, "NNS", "NN", None])
    equal(subject.left, "; left out: 2 without exactly one noun as nsubj")

    number = made(tasks.make_object, text)
    equal(label_of(number, dogs), "NN")
    equal(label_of(number, give), None)  # "fish" has no feature Number
    equal(len(number.candidates), 1)


def chains(words, depth, first, count):
    """Returns sentences of `words` words. Words 1 to `depth` form a chain. Word 1 is the head of the others."""
    return [[f"d{depth}x{i} X _ {w - 1 if w <= depth else 1} dep" for w in range(1, words + 1)]
            for i in range(first, first + count)]


def lines_of(sentences):
    """Returns the text of sentences for bank_of."""
    return [" ".join(word.split()[0] for word in words) for words in sentences]


def depths_are_of_equal_lengths():
    sentences = [*chains(6, 3, 0, 11), *chains(6, 4, 0, 12), *chains(6, 5, 0, 12), *chains(7, 3, 0, 5),
                 *chains(7, 4, 0, 3)]
    text = read_text(lines_of(sentences), bank_of(*sentences))
    equal((text.sentences[0].tree.depth, text.sentences[-1].tree.depth), (3, 4))
    equal(made(tasks.make_depth, text).problem,
          "each of the depths 3 to 5 has 11 sentences with the lengths of the other depths; needed 12")
    sentences += chains(7, 5, 0, 1)
    draft = made(tasks.make_depth, read_text(lines_of(sentences), bank_of(*sentences)))
    equal(draft.problem, None)
    groups = {}
    for one, (label, group) in draft.candidates.items():
        equal(one[1], label)
        groups.setdefault(group, []).append((label, len(one.split())))
    # 11 sets of six words and one set of seven words; a set has each depth once
    equal(sorted(sorted(group) for group in groups.values()),
          11 * [[(depth, 6) for depth in "345"]] + [[(depth, 7) for depth in "345"]])


# ---- drafts ----


def add(draft, label, count, each):
    """Adds sentences with a label. A group has `each` sentences; 0: no sentence has a group."""
    for i in range(count):
        equal(draft.add(label, f"{label}{i}", f"{label} {i // each}" if each else None), True)


def too_few_candidates_are_a_problem():
    def problem(*added):
        draft = Draft("Task", 1, 1000)
        for one in added:
            add(draft, *one)
        draft.leave(7, "of no use")
        draft.split()
        return draft.problem

    left = "; left out: 7 of no use"
    equal(problem(("A", 119, 0), ("B", 120, 0)), "class A has 119 sentences; needed 120" + left)
    equal(problem(("A", 120, 0)), "1 class of at least 120 sentences; needed two" + left)
    # All candidates of a group are in one split. va and te each take at most a twelfth of the 120 candidates of
    # a label. So both groups of 60 are in tr.
    equal(problem(("A", 120, 60), ("B", 120, 0)), "class A has 0 sentences for va; needed 10" + left)
    equal(problem(("A", 120, 0), ("B", 120, 0)), None)


def a_text_is_added_once():
    draft = Draft("Task", 1, 1000)
    equal([draft.add("A", "a b"), draft.add("B", "a b"), label_of(draft, "a b")], [True, False, "A"])


# ---- random numbers ----


def philox_has_the_known_answer():
    # Salmon et al. 2011: counter 0, key 0 (Random123, kat_vectors)
    equal(philox.blocks((0, 0), [0], 0), [0xE169C58D6627E8D5])
    # FNV-1a, from the list of its authors
    equal([philox.stream(text) for text in ("", "a", "foobar")], [0x811C9DC5, 0xE40C292C, 0xBF9CF968])


def lanes_are_independent():
    numbers = [2 ** 32 - 1, 0, 1, 2 ** 31] * 2000
    equal(philox.blocks((5, 7), numbers, 3), 2000 * [philox.blocks((5, 7), [number], 3)[0] for number in numbers[:4]])
    equal(sorted(philox.permutation((1, 2), 0, 1000)), list(range(1000)))


# ---- treebanks ----

IM = """1-2\tIm\t_\t_\t_\t_\t_\t_\t_\t_
1\tIn\t_\tADP\t_\t_\t3\tcase\t_\t_
2\tdem\t_\tDET\t_\t_\t3\tdet\t_\t_
3\tHaus\t_\tNOUN\t_\t_\t0\troot\t_\t_
4\t10 000\t_\tNUM\t_\t_\t3\tnummod\t_\t_
5\tja\t_\tINTJ\t_\t_\t3\tdiscourse\t_\t_
"""


def words_know_their_tokens():
    for line, tokens in (("Im Haus 10 000 ja", [-1, -1, 1, -1, 4]), ("In dem Haus 10 000 ja", [0, 1, 2, -1, 5])):
        tree = read_text([line], IM).sentences[0].tree
        equal([node.token for node in tree.nodes], tokens)
        equal((tree.root, tree.depth), (2, 2))


def words_have_their_columns():
    bank = "# text = du\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\r\n1\tde\tde\tADP\tP\tA=b|C=d|A=e\t2\tcase:x\te\tf\r\n" \
        "1.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n2\tle\tle\tDET\tD\t_\t0\troot\t_\t_"
    lines = [["du"]]
    with open(BANK, "w", encoding="utf-8-sig", newline="\n") as file:
        file.write(bank)
    tree, = read_trees(BANK, "t.txt", lines)
    equal([tuple(node) for node in tree.nodes],
          [("de", "ADP", "A=b|C=d|A=e", "case:x", 1, -1), ("le", "DET", "_", "root", -1, -1)])
    equal(read_features("A=b|C=d|A=e"), {"A": "b", "C": "d"})
    equal([has_relation(tree.nodes[0], relation) for relation in ("case", "case:x", "ca")], [True, True, False])


def other_treebanks_are_refused():
    differs = ': sentence 1 differs from line 1 of t.txt: token {} is "{}", in the line "{}"; expected a treebank ' \
        "of this text"
    refused("2" + differs.format(1, "In", "Im"), ["Im Haus 10 000 so"], IM)  # compared with the syntactic words
    refused("2" + differs.format(6, "ja", "so"), ["In dem Haus 10 000 so"], IM)
    refused(" 1 sentences; expected one for each of the 2 lines of t.txt", ["Im Haus 10 000 ja", "und so"], IM)
    columns = " in the seventh column, since the tasks need dependency trees"
    refused('1: the head of the word is "2"; expected 0 to 1' + columns, ["a"], bank_of(["a X _ 2 dep"]))
    refused('1: the head of the word is "_"; expected 0 to 1' + columns, ["a"], bank_of(["a X _ _ dep"]))
    refused("1: the path from this word to the root has a cycle; expected a tree", ["a b"],
            bank_of(["a X _ 2 dep", "b X _ 1 dep"]))
    refused("2: the sentence has a second root; expected one word with the head 0", ["a b"],
            bank_of(["a X _ 0 root", "b X _ 0 x"]))


TESTS = [sentences_are_lines_of_5_to_28_tokens, lengths_have_the_six_bins, a_bin_with_few_sentences_is_left_out,
         content_words_need_sentences, words_have_a_letter_or_a_number,
         a_swap_that_makes_another_sentence_is_left_out, inflection_is_that_of_the_main_clause,
         depths_are_of_equal_lengths, too_few_candidates_are_a_problem, a_text_is_added_once,
         philox_has_the_known_answer, lanes_are_independent, words_know_their_tokens, words_have_their_columns,
         other_treebanks_are_refused]
for number, test in enumerate(TESTS, 1):
    try:
        test()
        print(f"ok {number} - {test.__name__}")
    except Exception:
        print(f"not ok {number} - {test.__name__}\n# " + traceback.format_exc().strip().replace("\n", "\n# "))
print(f"1..{len(TESTS)}")

"""Tests scripts/data/grammar.py: the labels of a sentence equal those that an independent parser finds in its
words. Prints TAP."""

import sys
import traceback

sys.dont_write_bytecode = True
sys.path.insert(0, "scripts/data")
from grammar import Chance, Sentence

CHANCE = Chance(1, "controlled_test")
SENTENCES = [Sentence(CHANCE.words(number)) for number in range(3000)]


def equal(found, expected):
    """Raises an error unless both values are equal."""
    if found != expected:
        raise AssertionError(f"{found!r}, expected {expected!r}")


class Parser:
    """Follows the grammar in the first comment of scripts/data/grammar.py.

    A method reads a constituent and returns the depth of its tree. A word has depth 0."""

    def __init__(self, sentence):
        self.words, self.tags, self.at = sentence.words, sentence.tags, 0
        self.noun = self.verb = self.object = None  # the last two belong to the first clause

    def next_is(self, *tags):
        """True if the next word has one of these tags."""
        return self.at < len(self.tags) and self.tags[self.at] in tags

    def take(self, tag):
        """Skips a word with this tag."""
        equal(self.tags[self.at], tag)
        self.at += 1

    def read_simple(self):
        """DET [ADJ] N"""
        self.take("DET")
        self.at += self.next_is("ADJ")
        self.take("NOUN")
        return 1

    def read_place(self):
        """P NP"""
        self.take("ADP")
        return 1 + self.read_simple()

    def read_phrase(self):
        """NP"""
        if self.next_is("PRON"):
            self.at += 1
            return 1
        depth = self.read_simple()
        self.noun = self.at - 1
        if self.next_is("ADP"):
            return 1 + self.read_place()
        if not self.next_is("PRON"):
            return depth
        equal(self.words[self.at], "that")
        self.at += 1
        self.take("VERB")
        clause = 1 + 1 + self.read_simple()
        return 1 + max(depth, 1 + clause)

    def read_clause(self, first=False):
        """S1"""
        place = 0
        if self.next_is("AUX", "ADV"):
            self.at += 1
        elif self.next_is("ADP"):
            place = self.read_place()
        subject = self.read_phrase()
        if first:
            self.verb = self.at
        self.take("VERB")
        verb = 1 + self.read_phrase()
        if first:
            self.object = self.noun
        return 1 + max(subject, verb, place)


def trees_are_those_of_the_words():
    deepest = 0
    for sentence in SENTENCES:
        parser = Parser(sentence)
        depth = parser.read_clause(first=True)
        if sentence.begin:
            parser.take("CCONJ")
            equal(parser.at, sentence.begin)
            depth = 1 + max(depth, parser.read_clause())
        parser.take("PUNCT")
        equal((parser.at, sentence.depth(), sentence.object), (len(sentence.words), depth, parser.object))
        deepest = max(deepest, depth)
    equal(deepest, 8)


def an_odd_noun_is_odd():
    # The object of eat or cook is food, and the object of write is a text. `odd` is a noun of another kind.
    food = set("cake cakes apple apples soup soups egg eggs pear pears".split())
    text = set("book books letter letters newspaper newspapers poem poems map maps".split())
    fits = {**dict.fromkeys("eat eats ate cook cooks cooked".split(), food),
            **dict.fromkeys("write writes wrote".split(), text)}
    seen = 0
    for sentence in SENTENCES:
        parser = Parser(sentence)
        parser.read_clause(first=True)
        nouns = fits.get(sentence.words[parser.verb])
        if nouns:
            equal((sentence.words[sentence.object] in nouns, sentence.odd in nouns, sentence.odd is None),
                  (True, False, False))
            seen += 1
    equal(seen > 300, True)


def german_adjectives_agree():
    # After "das", an adjective ends in e, as it does after "die" before a feminine noun. After "den" and "dem", it
    # ends in en.
    one, she = {"das", "dieses", "jedes"}, {"die", "diese", "jede"}
    other = {"den", "dem", "diesen", "diesem", "jeden", "jedem"}
    feminine = set("Frau Tante Katze Ziege Suppe Birne Zeitung Karte Brücke Schule".split())
    weak = set("alte junge kleine große rote schwarze gute neue kalte warme".split())
    strong = {word + "n" for word in weak}
    seen = [0, 0, 0]
    for sentence in SENTENCES:
        words = sentence.german()
        for article, adjective, noun in zip(words, words[1:], words[2:]):
            if adjective in weak | strong:
                cases = article in one, article in she and noun in feminine, article in other
                if any(cases):
                    equal(adjective in strong, cases[2])
                seen = [count + case for count, case in zip(seen, cases)]
    equal([count > 100 for count in seen], [True] * 3)


def a_sentence_is_a_function_of_its_number():
    # Sentence k is a function of seed, stream and k, however many sentences are drawn together.
    for number in (0, 511, 512, 2999):
        alone = Sentence(Chance(1, "controlled_test").words(number))
        equal(alone.words, SENTENCES[number].words)


TESTS = [trees_are_those_of_the_words, an_odd_noun_is_odd, german_adjectives_agree,
         a_sentence_is_a_function_of_its_number]
for number, test in enumerate(TESTS, 1):
    try:
        test()
        print(f"ok {number} - {test.__name__}")
    except Exception:
        print(f"not ok {number} - {test.__name__}\n# " + traceback.format_exc().strip().replace("\n", "\n# "))
print(f"1..{len(TESTS)}")

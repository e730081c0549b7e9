"""A controlled language: English sentences of a small grammar, with German translations.

  S    -> S1 | S1 CC S1                       S1 -> [ADV | PP] NP VP, or a question: AUX NP VP
  VP   -> V NP                                NP -> DET [ADJ] N [PP] | NP REL | PRON
  PP   -> P NP                                REL -> that V NP

Each verb allows only certain kinds of nouns as subject and as object. In German, the verb is first in a
question, last in a relative clause, and otherwise second. Determiners and adjectives agree in case, gender and
number. First, a random tree of words is drawn. Then the tree is written in both languages. All grammatical
properties are correct by construction."""

from collections import namedtuple
from functools import lru_cache
from itertools import count

import philox

# ---- words ----

PERSON, ANIMAL, FOOD, TEXT, PLACE, ANY = 1, 2, 4, 8, 16, 31
ALIVE, SOLD, KNOWN = PERSON | ANIMAL, FOOD | TEXT | ANIMAL, PERSON | TEXT | PLACE
MASCULINE, FEMININE, NEUTER, PLURAL = range(4)

# A word of two forms: [singular, plural] in English and in German.
Noun = namedtuple("Noun", "english german gender kind")
NOUNS = [
    Noun(("girl", "girls"), ("Mädchen", "Mädchen"), NEUTER, PERSON),
    Noun(("woman", "women"), ("Frau", "Frauen"), FEMININE, PERSON),
    Noun(("teacher", "teachers"), ("Lehrer", "Lehrer"), MASCULINE, PERSON),
    Noun(("child", "children"), ("Kind", "Kinder"), NEUTER, PERSON),
    Noun(("doctor", "doctors"), ("Arzt", "Ärzte"), MASCULINE, PERSON),
    Noun(("aunt", "aunts"), ("Tante", "Tanten"), FEMININE, PERSON),
    Noun(("dog", "dogs"), ("Hund", "Hunde"), MASCULINE, ANIMAL),
    Noun(("cat", "cats"), ("Katze", "Katzen"), FEMININE, ANIMAL),
    Noun(("horse", "horses"), ("Pferd", "Pferde"), NEUTER, ANIMAL),
    Noun(("bird", "birds"), ("Vogel", "Vögel"), MASCULINE, ANIMAL),
    Noun(("goat", "goats"), ("Ziege", "Ziegen"), FEMININE, ANIMAL),
    Noun(("cake", "cakes"), ("Kuchen", "Kuchen"), MASCULINE, FOOD),
    Noun(("apple", "apples"), ("Apfel", "Äpfel"), MASCULINE, FOOD),
    Noun(("soup", "soups"), ("Suppe", "Suppen"), FEMININE, FOOD),
    Noun(("egg", "eggs"), ("Ei", "Eier"), NEUTER, FOOD),
    Noun(("pear", "pears"), ("Birne", "Birnen"), FEMININE, FOOD),
    Noun(("book", "books"), ("Buch", "Bücher"), NEUTER, TEXT),
    Noun(("letter", "letters"), ("Brief", "Briefe"), MASCULINE, TEXT),
    Noun(("newspaper", "newspapers"), ("Zeitung", "Zeitungen"), FEMININE, TEXT),
    Noun(("poem", "poems"), ("Gedicht", "Gedichte"), NEUTER, TEXT),
    Noun(("map", "maps"), ("Karte", "Karten"), FEMININE, TEXT),
    Noun(("house", "houses"), ("Haus", "Häuser"), NEUTER, PLACE),
    Noun(("river", "rivers"), ("Fluss", "Flüsse"), MASCULINE, PLACE),
    Noun(("bridge", "bridges"), ("Brücke", "Brücken"), FEMININE, PLACE),
    Noun(("tree", "trees"), ("Baum", "Bäume"), MASCULINE, PLACE),
    Noun(("school", "schools"), ("Schule", "Schulen"), FEMININE, PLACE),
]

# German: present singular and plural, past singular and plural. Subject and object: kinds of nouns.
Verb = namedtuple("Verb", "base third past german subject object")
VERBS = [
    Verb("see", "sees", "saw", ("sieht", "sehen", "sah", "sahen"), ALIVE, ANY),
    Verb("hear", "hears", "heard", ("hört", "hören", "hörte", "hörten"), ALIVE, ALIVE),
    Verb("eat", "eats", "ate", ("isst", "essen", "aß", "aßen"), ALIVE, FOOD),
    Verb("write", "writes", "wrote", ("schreibt", "schreiben", "schrieb", "schrieben"), PERSON, TEXT),
    Verb("buy", "buys", "bought", ("kauft", "kaufen", "kaufte", "kauften"), PERSON, SOLD),
    Verb("feed", "feeds", "fed", ("füttert", "füttern", "fütterte", "fütterten"), PERSON, ANIMAL),
    Verb("find", "finds", "found", ("findet", "finden", "fand", "fanden"), ALIVE, ANY),
    Verb("cook", "cooks", "cooked", ("kocht", "kochen", "kochte", "kochten"), PERSON, FOOD),
    Verb("know", "knows", "knew", ("kennt", "kennen", "kannte", "kannten"), PERSON, KNOWN),
    Verb("paint", "paints", "painted", ("malt", "malen", "malte", "malten"), PERSON, ANY),
]

# Determiners, singular and plural, and their German stems. "d" stands for the irregular forms of the article.
Determiner = namedtuple("Determiner", "english german")
DETERMINERS = [Determiner(("the", "the"), ("d", "d")), Determiner(("this", "these"), ("dies", "dies")),
               Determiner(("every", "all"), ("jed", "all"))]

# A word with one form, or with a German stem.
Word = namedtuple("Word", "english german")


def words(text):
    """Returns the words of a text "english german, english german, .."."""
    return [Word(*pair.split()) for pair in text.split(", ")]


ADJECTIVES = words("old alt, young jung, small klein, big groß, red rot, black schwarz, good gut, new neu, "
                   "cold kalt, warm warm")
ADVERBS = words("here hier, there dort, often oft, now jetzt, again wieder, soon bald")
PREPOSITIONS = words("near bei, behind hinter, under unter, with mit")  # all of them take the dative
CONJUNCTIONS = words("and und, but aber")


@lru_cache(maxsize=None)
def nouns_of(kinds):
    """Returns the nouns of these kinds."""
    return [noun for noun in NOUNS if noun.kind & kinds]


@lru_cache(maxsize=None)
def verbs_of(kind):
    """Returns the verbs that allow this kind of noun as subject."""
    return [verb for verb in VERBS if verb.subject & kind]


# ---- choosing ----


class Chance:
    """Random words for each sentence of a stream. The words of AT_ONCE sentences are computed together."""

    AT_ONCE = 512

    def __init__(self, seed, stream):
        self.key, self.first, self.blocks = (seed, philox.stream(stream)), 0, []

    def words(self, number):
        """Yields the words of a sentence, as numbers below 2^32."""
        first = number - number % self.AT_ONCE
        if self.first != first:
            self.first, self.blocks = first, []
        blocks = self.blocks
        for block in count():
            if block == len(blocks):
                steps = range(first, first + self.AT_ONCE)
                blocks.append(philox.lanes(self.key, [block] * self.AT_ONCE, steps))
            for half in blocks[block]:
                both = half[number - first]
                yield both & philox.WORD
                yield both >> 32

    def below(self, number, bound):
        """Returns a number from 0 to bound - 1, from the first word of a sentence."""
        return next(self.words(number)) * bound >> 32


# A noun with determiner and adjective (or None).
Simple = namedtuple("Simple", "determiner adjective noun plural")
# A noun phrase. A preposition with a place follows the noun, or a relative clause of verb and object (or None).
Phrase = namedtuple("Phrase", "head pronoun preposition place verb object")
# The adverb, or the preposition with its place, is before the subject (or None).
Clause = namedtuple("Clause", "subject object verb adverb preposition place past question")


class Chooser:
    """Draws the parts of one sentence from random words."""

    def __init__(self, random):
        self.random = random

    def one_of(self, words):
        """Returns a random element of a list."""
        return words[next(self.random) * len(words) >> 32]

    def percent(self):
        """Returns a random number from 0 to 99."""
        return next(self.random) * 100 >> 32

    def simple(self, kinds, single=False):
        """Draws a noun of these kinds with its determiner."""
        determiner, noun = self.one_of(DETERMINERS), self.one_of(nouns_of(kinds))
        plural = not single and self.percent() < 45
        return Simple(determiner, self.one_of(ADJECTIVES) if self.percent() < 35 else None, noun, plural)

    def place(self):
        """Draws a preposition and its noun."""
        return self.one_of(PREPOSITIONS), self.simple(PLACE, single=True)

    def phrase(self, kinds, second=False):
        """Draws a noun phrase. It may be a pronoun if it is the subject of the second clause."""
        head = self.simple(kinds)
        preposition = place = verb = thing = None
        if self.percent() < 25:
            preposition, place = self.place()
        elif head.noun.kind & ALIVE and self.percent() < 20:
            verb = self.one_of(verbs_of(head.noun.kind))
            thing = self.simple(verb.object)
        return Phrase(head, second and self.percent() < 70, preposition, place, verb, thing)

    def clause(self, second=False):
        """Draws a clause."""
        past = self.percent() < 50
        subject = self.phrase(ALIVE, second)
        verb = self.one_of(verbs_of(subject.head.noun.kind))
        thing = self.phrase(verb.object)
        adverb = preposition = place = None
        opening = 100 if second else self.percent()
        if 15 <= opening < 35:
            adverb = self.one_of(ADVERBS)
        elif 35 <= opening < 55:
            preposition, place = self.place()
        return Clause(subject, thing, verb, adverb, preposition, place, past, opening < 15)


# ---- English ----


def verb_word(verb, past, plural):
    """Returns the form of a verb."""
    return verb.past if past else verb.base if plural else verb.third


class English:
    """Writes English words with their universal tags."""

    def __init__(self):
        self.words, self.tags = [], []

    def say(self, word, tag):
        """Appends a word."""
        self.words.append(word)
        self.tags.append(tag)

    def say_simple(self, simple):
        """Appends a noun with its determiner."""
        self.say(simple.determiner.english[simple.plural], "DET")
        if simple.adjective:
            self.say(simple.adjective.english, "ADJ")
        self.say(simple.noun.english[simple.plural], "NOUN")

    def say_place(self, preposition, place):
        """Appends a preposition and its noun, if there is one."""
        if preposition:
            self.say(preposition.english, "ADP")
            self.say_simple(place)

    def say_phrase(self, phrase, past):
        """Appends a noun phrase."""
        head = phrase.head
        if phrase.pronoun:
            self.say(("he", "she", "it", "they")[PLURAL if head.plural else head.noun.gender], "PRON")
            return
        self.say_simple(head)
        self.say_place(phrase.preposition, phrase.place)
        if phrase.verb:
            self.say("that", "PRON")
            self.say(verb_word(phrase.verb, past, head.plural), "VERB")
            self.say_simple(phrase.object)

    def say_clause(self, clause):
        """Appends a clause. Returns the index of the noun of its object."""
        plural = clause.subject.head.plural
        if clause.question:
            self.say("did" if clause.past else "do" if plural else "does", "AUX")
        if clause.adverb:
            self.say(clause.adverb.english, "ADV")
        self.say_place(clause.preposition, clause.place)
        self.say_phrase(clause.subject, clause.past)
        self.say(clause.verb.base if clause.question else verb_word(clause.verb, clause.past, plural), "VERB")
        noun = len(self.words) + 1 + bool(clause.object.head.adjective)
        self.say_phrase(clause.object, clause.past)
        return noun


# ---- German ----

NOMINATIVE, ACCUSATIVE, DATIVE = range(3)
ARTICLES = ("der", "die", "das", "die"), ("den", "die", "das", "die"), ("dem", "der", "dem", "den")
ENDINGS = ("er", "e", "es", "e"), ("en", "e", "es", "e"), ("em", "er", "em", "en")


class German:
    """Writes German words."""

    def __init__(self):
        self.words = []

    def add(self, word):
        """Appends a word. A punctuation mark replaces a preceding comma."""
        if word in (",", ".", "?") and self.words and self.words[-1] == ",":
            self.words.pop()
        self.words.append(word)

    def add_simple(self, simple, case):
        """Appends a noun with its determiner."""
        form = PLURAL if simple.plural else simple.noun.gender
        stem = simple.determiner.german[simple.plural]
        self.add(ARTICLES[case][form] if stem == "d" else stem + ENDINGS[case][form])
        if simple.adjective:
            long = form == PLURAL or case == DATIVE or (case == ACCUSATIVE and form == MASCULINE)
            self.add(simple.adjective.german + ("en" if long else "e"))
        self.add(simple.noun.german[simple.plural])

    def add_place(self, preposition, place):
        """Appends a preposition and its noun, if there is one."""
        if preposition:
            self.add(preposition.german)
            self.add_simple(place, DATIVE)

    def add_phrase(self, phrase, case, past):
        """Appends a noun phrase."""
        head = phrase.head
        form = PLURAL if head.plural else head.noun.gender
        if phrase.pronoun:
            self.add(("er", "sie", "es", "sie")[form])
            return
        self.add_simple(head, case)
        self.add_place(phrase.preposition, phrase.place)
        if phrase.verb:
            self.add(",")
            self.add(("der", "die", "das", "die")[form])
            self.add_simple(phrase.object, ACCUSATIVE)
            self.add(phrase.verb.german[2 * past + head.plural])
            self.add(",")

    def add_clause(self, clause):
        """Appends a clause."""
        verb = clause.verb.german[2 * clause.past + clause.subject.head.plural]
        inverted = clause.question or clause.adverb or clause.preposition
        if clause.adverb:
            self.add(clause.adverb.german)
        self.add_place(clause.preposition, clause.place)
        if inverted:
            self.add(verb)
        self.add_phrase(clause.subject, NOMINATIVE, clause.past)
        if not inverted:
            self.add(verb)
        self.add_phrase(clause.object, ACCUSATIVE, clause.past)


# ---- sentences ----


def phrase_depth(phrase):
    """Returns the depth of an NP: 1 for DET N, 3 with a PP (NP, PP, NP), 5 with a relative clause (NP, REL, S,
    VP, NP)."""
    return 1 if phrase.pronoun else 5 if phrase.verb else 3 if phrase.preposition else 1


def clause_depth(clause):
    """Returns the depth of a clause."""
    return 1 + max(phrase_depth(clause.subject), 1 + phrase_depth(clause.object))


class Sentence:
    """A sentence in both languages, with its grammatical properties.

    `object` (the index of the noun of the object) and `odd` (a noun that the verb does not allow, in the same
    number, or None) belong to the first clause. `begin` is the index of the first word after the conjunction; 0:
    there is only one clause."""

    def __init__(self, random):
        choose = Chooser(random)
        self.first, self.second, self.begin = choose.clause(), None, 0
        two = not self.first.question and choose.percent() < 35
        kinds = ANY & ~self.first.verb.object
        plural = self.first.object.head.plural
        self.odd = choose.one_of(nouns_of(kinds)).english[plural] if kinds else None
        english = English()
        self.object = english.say_clause(self.first)
        if two:
            self.second, self.conjunction = choose.clause(second=True), choose.one_of(CONJUNCTIONS)
            english.say(self.conjunction.english, "CCONJ")
            self.begin = len(english.words)
            english.say_clause(self.second)
        self.end = "?" if self.first.question else "."
        english.say(self.end, "PUNCT")
        self.words, self.tags = english.words, english.tags

    def german(self):
        """Returns the German words."""
        german = German()
        german.add_clause(self.first)
        if self.second:
            german.add(",")
            german.add(self.conjunction.german)
            german.add_clause(self.second)
        german.add(self.end)
        return german.words

    def depth(self):
        """Returns the depth of the constituency tree; words have depth 0."""
        if not self.second:
            return clause_depth(self.first)
        return 1 + max(clause_depth(self.first), clause_depth(self.second))

    def top(self):
        """Returns the constituents below the sentence."""
        first = self.first
        return ("S_CC_S_." if self.second else "AUX_NP_VP_?" if first.question else "ADVP_NP_VP_." if first.adverb
                else "PP_NP_VP_." if first.preposition else "NP_VP_.")

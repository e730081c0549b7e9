/* Makes sentences of the controlled language. First, a random tree of indices into word tables is
 * drawn. Then the tree is written in both languages, with the word order and the endings of each
 * language. */
#include "core/corpus/controlled.h"

#include <stdio.h>
#include <string.h>

#include "core/base/random.h"

/* ---- words ---- */

enum { PERSON = 1, ANIMAL = 2, FOOD = 4, TEXT = 8, PLACE = 16, ANY = 31 };
enum { ALIVE = PERSON | ANIMAL, SOLD = FOOD | TEXT | ANIMAL, KNOWN = PERSON | TEXT | PLACE };
enum { MASCULINE, FEMININE, NEUTER, PLURAL };

static const struct noun {
    const char *one, *more, *german, *germans;
    int gender, kind;
} nouns[] = {
    {"girl", "girls", "Mädchen", "Mädchen", NEUTER, PERSON},
    {"woman", "women", "Frau", "Frauen", FEMININE, PERSON},
    {"teacher", "teachers", "Lehrer", "Lehrer", MASCULINE, PERSON},
    {"child", "children", "Kind", "Kinder", NEUTER, PERSON},
    {"doctor", "doctors", "Arzt", "Ärzte", MASCULINE, PERSON},
    {"aunt", "aunts", "Tante", "Tanten", FEMININE, PERSON},
    {"dog", "dogs", "Hund", "Hunde", MASCULINE, ANIMAL},
    {"cat", "cats", "Katze", "Katzen", FEMININE, ANIMAL},
    {"horse", "horses", "Pferd", "Pferde", NEUTER, ANIMAL},
    {"bird", "birds", "Vogel", "Vögel", MASCULINE, ANIMAL},
    {"goat", "goats", "Ziege", "Ziegen", FEMININE, ANIMAL},
    {"cake", "cakes", "Kuchen", "Kuchen", MASCULINE, FOOD},
    {"apple", "apples", "Apfel", "Äpfel", MASCULINE, FOOD},
    {"soup", "soups", "Suppe", "Suppen", FEMININE, FOOD},
    {"egg", "eggs", "Ei", "Eier", NEUTER, FOOD},
    {"pear", "pears", "Birne", "Birnen", FEMININE, FOOD},
    {"book", "books", "Buch", "Bücher", NEUTER, TEXT},
    {"letter", "letters", "Brief", "Briefe", MASCULINE, TEXT},
    {"newspaper", "newspapers", "Zeitung", "Zeitungen", FEMININE, TEXT},
    {"poem", "poems", "Gedicht", "Gedichte", NEUTER, TEXT},
    {"map", "maps", "Karte", "Karten", FEMININE, TEXT},
    {"house", "houses", "Haus", "Häuser", NEUTER, PLACE},
    {"river", "rivers", "Fluss", "Flüsse", MASCULINE, PLACE},
    {"bridge", "bridges", "Brücke", "Brücken", FEMININE, PLACE},
    {"tree", "trees", "Baum", "Bäume", MASCULINE, PLACE},
    {"school", "schools", "Schule", "Schulen", FEMININE, PLACE},
};

static const struct verb_forms {
    const char *base, *third, *past;
    const char *german[4]; /* present singular and plural, past singular and plural */
    int subject, object;   /* kinds of nouns */
} verbs[] = {
    {"see", "sees", "saw", {"sieht", "sehen", "sah", "sahen"}, ALIVE, ANY},
    {"hear", "hears", "heard", {"hört", "hören", "hörte", "hörten"}, ALIVE, ALIVE},
    {"eat", "eats", "ate", {"isst", "essen", "aß", "aßen"}, ALIVE, FOOD},
    {"write", "writes", "wrote", {"schreibt", "schreiben", "schrieb", "schrieben"}, PERSON, TEXT},
    {"buy", "buys", "bought", {"kauft", "kaufen", "kaufte", "kauften"}, PERSON, SOLD},
    {"feed", "feeds", "fed", {"füttert", "füttern", "fütterte", "fütterten"}, PERSON, ANIMAL},
    {"find", "finds", "found", {"findet", "finden", "fand", "fanden"}, ALIVE, ANY},
    {"cook", "cooks", "cooked", {"kocht", "kochen", "kochte", "kochten"}, PERSON, FOOD},
    {"know", "knows", "knew", {"kennt", "kennen", "kannte", "kannten"}, PERSON, KNOWN},
    {"paint", "paints", "painted", {"malt", "malen", "malte", "malten"}, PERSON, ANY},
};

/* Determiners in English, singular and plural, and their German stems. The stem "d" stands for the
 * irregular forms of the article. */
static const char *const determiners[][4] = {
    {"the", "the", "d", "d"}, {"this", "these", "dies", "dies"}, {"every", "all", "jed", "all"}};
static const char *const adjectives[][2] = {
    {"old", "alt"},   {"young", "jung"},    {"small", "klein"}, {"big", "groß"},
    {"red", "rot"},   {"black", "schwarz"}, {"good", "gut"},    {"new", "neu"},
    {"cold", "kalt"}, {"warm", "warm"}};
static const char *const adverbs[][2] = {{"here", "hier"}, {"there", "dort"},   {"often", "oft"},
                                         {"now", "jetzt"}, {"again", "wieder"}, {"soon", "bald"}};
/* All these prepositions take the dative. */
static const char *const prepositions[][2] = {
    {"near", "bei"}, {"behind", "hinter"}, {"under", "unter"}, {"with", "mit"}};
static const char *const conjunctions[][2] = {{"and", "und"}, {"but", "aber"}};

/* ---- choosing ---- */

struct chance {
    struct random_key key;
    uint32_t number;
    uint64_t used;
    uint32_t word[4];
};

static int choose(struct chance *chance, int count)
{
    if (chance->used % 4 == 0)
        random_block(chance->key, chance->used / 4, chance->number, 0, chance->word);
    const uint64_t word = chance->word[chance->used++ % 4];
    return (int)(word * (uint64_t)count >> 32);
}

static bool happens(struct chance *chance, int percent)
{
    return choose(chance, 100) < percent;
}

/* Returns a random noun of these kinds. All nouns of these kinds are equally likely. */
static int choose_noun(struct chance *chance, int kinds)
{
    int noun = -1, count = 0;
    for (size_t i = 0; i < COUNT_OF(nouns); i++) count += (nouns[i].kind & kinds) != 0;
    for (int left = 1 + choose(chance, count); left > 0;) left -= (nouns[++noun].kind & kinds) != 0;
    return noun;
}

struct simple {
    int determiner, adjective, noun; /* adjective -1: none */
    bool plural;
};
struct phrase {
    struct simple head;
    bool pronoun;
    int preposition; /* preposition of a place that follows the noun; -1: none */
    struct simple place;
    int verb; /* verb of a relative clause; -1: none */
    struct simple object;
};
struct clause {
    struct phrase subject, object;
    int verb, adverb, preposition; /* adverb or preposition before the subject; -1: none */
    struct simple place;
    bool past, question;
};

static struct simple choose_simple(struct chance *chance, int kinds, bool single)
{
    struct simple simple = {choose(chance, COUNT_OF(determiners)), -1, choose_noun(chance, kinds),
                            !single && happens(chance, 45)};
    if (happens(chance, 35)) simple.adjective = choose(chance, COUNT_OF(adjectives));
    return simple;
}

static int choose_verb(struct chance *chance, int subject)
{
    int verb = -1, count = 0;
    for (size_t i = 0; i < COUNT_OF(verbs); i++) count += (verbs[i].subject & subject) != 0;
    for (int left = 1 + choose(chance, count); left > 0;)
        left -= (verbs[++verb].subject & subject) != 0;
    return verb;
}

static struct phrase choose_phrase(struct chance *chance, int kinds)
{
    struct phrase phrase = {
        .head = choose_simple(chance, kinds, false), .preposition = -1, .verb = -1};
    const int kind = nouns[phrase.head.noun].kind;
    if (happens(chance, 25)) {
        phrase.preposition = choose(chance, COUNT_OF(prepositions));
        phrase.place = choose_simple(chance, PLACE, true);
    } else if (kind & ALIVE && happens(chance, 20)) {
        phrase.verb = choose_verb(chance, kind);
        phrase.object = choose_simple(chance, verbs[phrase.verb].object, false);
    }
    return phrase;
}

static struct clause choose_clause(struct chance *chance, bool second)
{
    struct clause clause = {.adverb = -1, .preposition = -1, .past = happens(chance, 50)};
    clause.subject = choose_phrase(chance, ALIVE);
    clause.subject.pronoun = second && happens(chance, 70);
    clause.verb = choose_verb(chance, nouns[clause.subject.head.noun].kind);
    clause.object = choose_phrase(chance, verbs[clause.verb].object);
    if (second) return clause;
    const int opening = choose(chance, 100);
    clause.question = opening < 15;
    if (opening >= 15 && opening < 35) clause.adverb = choose(chance, COUNT_OF(adverbs));
    if (opening >= 35 && opening < 55) {
        clause.preposition = choose(chance, COUNT_OF(prepositions));
        clause.place = choose_simple(chance, PLACE, true);
    }
    return clause;
}

/* ---- English ---- */

static void say(struct controlled_sentence *to, const char *word, const char *tag)
{
    CHECK(to->words < CONTROLLED_WORDS, "a sentence is too long");
    to->word[to->words] = word;
    to->tag[to->words++] = tag;
}

static const char *noun_word(int noun, bool plural)
{
    return plural ? nouns[noun].more : nouns[noun].one;
}

static void say_simple(struct controlled_sentence *to, const struct simple *simple)
{
    say(to, determiners[simple->determiner][simple->plural], "DET");
    if (simple->adjective >= 0) say(to, adjectives[simple->adjective][0], "ADJ");
    say(to, noun_word(simple->noun, simple->plural), "NOUN");
}

static const char *verb_word(int verb, bool past, bool plural)
{
    return past ? verbs[verb].past : plural ? verbs[verb].base : verbs[verb].third;
}

static void say_phrase(struct controlled_sentence *to, const struct phrase *phrase, bool past)
{
    static const char *const pronouns[] = {"he", "she", "it", "they"};
    const struct noun *noun = &nouns[phrase->head.noun];
    if (phrase->pronoun) {
        say(to, pronouns[phrase->head.plural ? PLURAL : noun->gender], "PRON");
        return;
    }
    say_simple(to, &phrase->head);
    if (phrase->preposition >= 0) {
        say(to, prepositions[phrase->preposition][0], "ADP");
        say_simple(to, &phrase->place);
    }
    if (phrase->verb >= 0) {
        say(to, "that", "PRON");
        say(to, verb_word(phrase->verb, past, phrase->head.plural), "VERB");
        say_simple(to, &phrase->object);
    }
}

static int say_clause(struct controlled_sentence *to, const struct clause *clause)
{
    const bool plural = clause->subject.head.plural;
    if (clause->question) say(to, clause->past ? "did" : plural ? "do" : "does", "AUX");
    if (clause->adverb >= 0) say(to, adverbs[clause->adverb][0], "ADV");
    if (clause->preposition >= 0) {
        say(to, prepositions[clause->preposition][0], "ADP");
        say_simple(to, &clause->place);
    }
    say_phrase(to, &clause->subject, clause->past);
    say(to,
        clause->question ? verbs[clause->verb].base : verb_word(clause->verb, clause->past, plural),
        "VERB");
    const int object = to->words + 1 + (clause->object.head.adjective >= 0); /* index of its noun */
    say_phrase(to, &clause->object, clause->past);
    return object;
}

/* ---- German ---- */

enum grammatical_case { NOMINATIVE, ACCUSATIVE, DATIVE };

/* Appends a German word. If it is a punctuation mark, it replaces a preceding comma. */
static void add(struct controlled_sentence *to, const char *stem, const char *ending)
{
    if (to->targets && strchr(",.?", *stem) && !strcmp(to->target[to->targets - 1], ","))
        to->targets--;
    CHECK(to->targets < CONTROLLED_WORDS, "a sentence is too long");
    const int length =
        snprintf(to->target[to->targets], sizeof to->target[0], "%s%s", stem, ending);
    CHECK(length < (int)sizeof to->target[0], "%s%s: too long a word", stem, ending);
    to->targets++;
}

static void add_simple(struct controlled_sentence *to, const struct simple *simple,
                       enum grammatical_case which)
{
    static const char *const article[3][4] = {
        {"der", "die", "das", "die"}, {"den", "die", "das", "die"}, {"dem", "der", "dem", "den"}};
    static const char *const strong[3][4] = {
        {"er", "e", "es", "e"}, {"en", "e", "es", "e"}, {"em", "er", "em", "en"}};
    const struct noun *noun = &nouns[simple->noun];
    const int form = simple->plural ? PLURAL : noun->gender;
    const char *stem = determiners[simple->determiner][2 + simple->plural];
    if (!strcmp(stem, "d"))
        add(to, article[which][form], "");
    else
        add(to, stem, strong[which][form]);
    const bool en = form == PLURAL || which == DATIVE || (which == ACCUSATIVE && form == MASCULINE);
    if (simple->adjective >= 0) add(to, adjectives[simple->adjective][1], en ? "en" : "e");
    add(to, simple->plural ? noun->germans : noun->german, "");
}

static void add_phrase(struct controlled_sentence *to, const struct phrase *phrase,
                       enum grammatical_case which, bool past)
{
    static const char *const pronouns[] = {"er", "sie", "es", "sie"};
    static const char *const relatives[] = {"der", "die", "das", "die"};
    const int form = phrase->head.plural ? PLURAL : nouns[phrase->head.noun].gender;
    if (phrase->pronoun) {
        add(to, pronouns[form], "");
        return;
    }
    add_simple(to, &phrase->head, which);
    if (phrase->preposition >= 0) {
        add(to, prepositions[phrase->preposition][1], "");
        add_simple(to, &phrase->place, DATIVE);
    }
    if (phrase->verb >= 0) {
        add(to, ",", "");
        add(to, relatives[form], "");
        add_simple(to, &phrase->object, ACCUSATIVE);
        add(to, verbs[phrase->verb].german[2 * past + phrase->head.plural], "");
        add(to, ",", "");
    }
}

static void add_clause(struct controlled_sentence *to, const struct clause *clause)
{
    const char *verb = verbs[clause->verb].german[2 * clause->past + clause->subject.head.plural];
    const bool inverted = clause->question || clause->adverb >= 0 || clause->preposition >= 0;
    if (clause->adverb >= 0) add(to, adverbs[clause->adverb][1], "");
    if (clause->preposition >= 0) {
        add(to, prepositions[clause->preposition][1], "");
        add_simple(to, &clause->place, DATIVE);
    }
    if (inverted) add(to, verb, "");
    add_phrase(to, &clause->subject, NOMINATIVE, clause->past);
    if (!inverted) add(to, verb, "");
    add_phrase(to, &clause->object, ACCUSATIVE, clause->past);
}

/* ---- grammatical properties ---- */

/* Returns the depth of an NP. DET N has depth 1. With a PP, the depth is 3: NP, PP, NP. With a
 * relative clause, it is 5: NP, REL, S, VP, NP. */
static int phrase_depth(const struct phrase *phrase)
{
    return phrase->pronoun ? 1 : phrase->verb >= 0 ? 5 : phrase->preposition >= 0 ? 3 : 1;
}

static int clause_depth(const struct clause *clause)
{
    const int subject = phrase_depth(&clause->subject), verb = 1 + phrase_depth(&clause->object);
    return 1 + (subject > verb ? subject : verb);
}

void controlled_make(uint32_t seed, const char *stream, uint32_t number,
                     struct controlled_sentence *sentence)
{
    struct chance chance = {.key = {seed, random_stream(stream)}, .number = number};
    const struct clause first = choose_clause(&chance, false);
    const bool two = !first.question && happens(&chance, 35);
    *sentence =
        (struct controlled_sentence){.tense = first.past ? "PAST" : "PRES",
                                     .subject_number = first.subject.head.plural ? "NNS" : "NN",
                                     .object_number = first.object.head.plural ? "NNS" : "NN",
                                     .depth = clause_depth(&first)};
    sentence->object = say_clause(sentence, &first);
    /* A noun that the verb does not allow, in the same grammatical number. */
    const int kinds = ANY & ~verbs[first.verb].object;
    sentence->odd = kinds ? noun_word(choose_noun(&chance, kinds), first.object.head.plural) : NULL;
    add_clause(sentence, &first);
    sentence->top = first.question           ? "AUX_NP_VP_?"
                    : first.adverb >= 0      ? "ADVP_NP_VP_."
                    : first.preposition >= 0 ? "PP_NP_VP_."
                                             : "NP_VP_.";
    if (two) {
        const struct clause second = choose_clause(&chance, true);
        const int conjunction = choose(&chance, COUNT_OF(conjunctions));
        const int depth = clause_depth(&second);
        say(sentence, conjunctions[conjunction][0], "CCONJ");
        sentence->second = sentence->words;
        say_clause(sentence, &second);
        add(sentence, ",", "");
        add(sentence, conjunctions[conjunction][1], "");
        add_clause(sentence, &second);
        sentence->top = "S_CC_S_.";
        sentence->depth = 1 + (depth > sentence->depth ? depth : sentence->depth);
    }
    say(sentence, first.question ? "?" : ".", "PUNCT");
    add(sentence, first.question ? "?" : ".", "");
}

"""Reads the dependency trees of a text from a treebank in CoNLL-U."""

from collections import namedtuple
from functools import lru_cache

from program import BadInput

# token that is this word, -1 if there is none.
Node = namedtuple("Node", "form tag features relation head token")
Tree = namedtuple("Tree", "nodes root depth")


@lru_cache(maxsize=None)
def read_features(text):
    """Returns the features of "Number=Sing|Tense=Past". Of equal names, the first one counts."""
    found = {}
    for part in text.split("|"):
        name, equals, value = part.partition("=")
        if equals:
            found.setdefault(name, value)
    return found


def has_relation(node, relation):
    """True if the word has this relation to its head, or a subtype of it ("nsubj:pass")."""
    return node.relation == relation or node.relation.startswith(relation + ":")


def read_treebank(path):
    """Returns the sentences of a treebank, each twice: (syntactic words, words as written).

    A word is (line number, columns). `sanlab` has checked the form of the file (core/corpus/treebank.h)."""
    sentences, words, written, within = [], [], [], 0
    with open(path, encoding="utf-8-sig", newline="\n") as file:
        for number, line in enumerate([*file, ""], 1):
            line = line.removesuffix("\n").removesuffix("\r")
            if line and not line.startswith("#"):
                columns = line.split("\t")
                if "-" in columns[0]:  # a range (3-4), which replaces its words in the written text
                    within = int(columns[0].split("-")[1])
                    written.append((number, columns))
                elif "." not in columns[0]:
                    words.append((number, columns))
                    if int(columns[0]) > within:
                        written.append((number, columns))
            elif not line and written:
                sentences.append((words, written))
                words, written, within = [], [], 0
    having = sum(bool(words) for words, _ in sentences)
    if having != len(sentences):
        raise BadInput(f"{path}: {having} sentences have words, {len(sentences)} have words or ranges; "
                       "expected words in each sentence")
    return sentences


def tokens_of(words):
    """Returns the tokens of each word. A form may contain blanks ("10 000")."""
    return [columns[1].split() for _, columns in words]


def place_tokens(words, chosen):
    """Returns the index of the token that is this word, for each word; -1 if there is none.

    `chosen` has the words of which the line consists. A word and a token are the same if they have the same
    line of the file."""
    token_at, count = {}, 0
    for (number, _), tokens in zip(chosen, tokens_of(chosen)):
        if len(tokens) == 1:
            token_at[number] = count
        count += len(tokens)
    return [token_at.get(number, -1) for number, _ in words]


def read_tree(path, words, places):
    """Returns the tree of a sentence."""
    nodes, root = [], -1
    for (number, columns), token in zip(words, places):
        _, form, _, tag, _, features, head, relation, _, _ = columns
        if not (head.isascii() and head.isdigit()) or int(head) > len(words):
            raise BadInput(f'{path}:{number}: the head of the word is "{head[:20]}"; expected 0 to {len(words)} '
                           "in the seventh column, since the tasks need dependency trees")
        if int(head) == 0 and root >= 0:
            raise BadInput(f"{path}:{number}: the sentence has a second root; expected one word with the head 0")
        if int(head) == 0:
            root = len(nodes)
        nodes.append(Node(form, tag, features, relation, int(head) - 1, token))
    depth, heads = 0, [node.head for node in nodes]
    for head, (number, _) in zip(heads, words):
        steps = 1
        while head >= 0:
            head, steps = heads[head], steps + 1
            if steps > len(nodes):
                raise BadInput(f"{path}:{number}: the path from this word to the root has a cycle; expected a tree")
        depth = max(depth, steps)
    return Tree(nodes, root, depth)


def refuse_line(path, number, words, name, line):
    """Raises BadInput with the first token in which a sentence differs from its line of the text."""
    tokens = [token for of_word in tokens_of(words) for token in of_word]
    at = next((i for i, (one, other) in enumerate(zip(tokens, line)) if one != other), min(len(tokens), len(line)))
    here, there = ("".join(some[at:at + 1]) for some in (tokens, line))
    raise BadInput(f"{path}:{words[0][0]}: sentence {number} differs from line {number} of {name}: token {at + 1} is "
                   f'"{here}", in the line "{there}"; expected a treebank of this text')


def read_trees(path, name, lines):
    """Returns the trees of all lines. The treebank has the same sentences in the same order.

    The tokens of a line are either the text of its sentence as written ("im"), or the syntactic words ("in
    dem")."""
    sentences, trees = read_treebank(path), []
    for number, (line, (words, written)) in enumerate(zip(lines, sentences), 1):
        for chosen in (written, words):
            if sum(tokens_of(chosen), []) == line:
                trees.append(read_tree(path, words, place_tokens(words, chosen)))
                break
        else:
            refuse_line(path, number, words, name, line)
    if len(sentences) != len(lines):
        raise BadInput(f"{path}: {len(sentences)} sentences; expected one for each of the {len(lines)} lines of "
                       f"{name}")
    return trees

"""Philox4x32-10 in numpy: an implementation of the description in core/base/random.h.

A stream is (seed, path name); every function takes arrays of indices and returns arrays."""

import numpy as np

MASK = np.uint64(0xFFFFFFFF)


def stream(path):
    """32-bit FNV-1a of a path name."""
    value = 2166136261
    for byte in path.encode():
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return value


def words(counter, key):
    """Ten rounds: maps counter [..., 4] and key (2 numbers), 32 bits each, to words [..., 4]."""
    c0, c1, c2, c3 = (counter[..., i].astype(np.uint64) for i in range(4))
    k0, k1 = key
    for _ in range(10):
        p0, p1 = np.uint64(0xD2511F53) * c0, np.uint64(0xCD9E8D57) * c2
        c0, c2 = p1 >> np.uint64(32) ^ c1 ^ np.uint64(k0), p0 >> np.uint64(32) ^ c3 ^ np.uint64(k1)
        c1, c3 = p1 & MASK, p0 & MASK
        k0, k1 = k0 + 0x9E3779B9 & 0xFFFFFFFF, k1 + 0xBB67AE85 & 0xFFFFFFFF
    return np.stack([c0, c1, c2, c3], axis=-1)


def blocks(seed, path, block, step=0, branch=0):
    """Returns the four words of each block number."""
    block = np.asarray(block, np.uint64)
    counter = np.stack([block & MASK, block >> np.uint64(32), np.full_like(block, step),
                        np.full_like(block, branch)], axis=-1)
    return words(counter, (seed, stream(path)))


def pick(values, column):
    """Returns values[..., column[...]]."""
    return np.take_along_axis(values, column[..., None].astype(np.int64), axis=-1)[..., 0]


def uniform(seed, path, index, step=0):
    """Numbers in [0, 1): the upper 24 bits of word index % 4 of block index / 4."""
    index = np.asarray(index, np.uint64)
    word = pick(blocks(seed, path, index // np.uint64(4), step), index % np.uint64(4))
    return (word >> np.uint64(8)).astype(np.float64) * 2.0**-24


def normal(seed, path, index):
    """Box and Muller's cosine branch of words 0 and 1 of block index."""
    word = blocks(seed, path, index).astype(np.float64)
    radius = np.sqrt(-2 * np.log((word[..., 0] + 1) * 2.0**-32))
    return radius * np.cos(2 * np.pi * word[..., 1] * 2.0**-32)


def below(seed, path, index, step, bound):
    """Whole numbers below `bound` (per index): words 1 and 0 as 64 bits, scaled."""
    word = blocks(seed, path, index, step)
    bound = np.asarray(bound, np.uint64)
    high, low = word[..., 1] * bound, word[..., 0] * bound
    return high + (low >> np.uint64(32)) >> np.uint64(32)


def permute(seed, path, step, count):
    """Fisher and Yates from the end."""
    order, index = list(range(count)), np.arange(count)
    other = below(seed, path, index, step, index + 1).tolist()
    for i in range(count - 1, 0, -1):
        order[i], order[other[i]] = order[other[i]], order[i]
    return np.array(order, np.int64)


def threshold(probability):
    return int(probability * 65536 + 0.5)


def keeps(seed, path, index, step, branch, probability):
    """True where dropout keeps the value: 16-bit lane (index / 16) % 8 of its block."""
    index = np.asarray(index, np.uint64)
    block = index // np.uint64(128) * np.uint64(16) + index % np.uint64(16)
    lane = index // np.uint64(16) % np.uint64(8)
    word = pick(blocks(seed, path, block, step, branch), lane // np.uint64(2))
    half = word >> np.uint64(16) * (lane % np.uint64(2)) & np.uint64(0xFFFF)
    return half >= threshold(probability)


def dropout_mask(seed, path, index, step, branch, probability):
    """Returns the factors of values: 0, or the inverse of the exact probability of being kept."""
    scale = 65536 / (65536 - threshold(probability))
    return keeps(seed, path, index, step, branch, probability) * scale


def check():
    """Checks the known answers of Random123's test (kat_vectors, philox4x32 10)."""
    zeros = words(np.zeros(4, np.uint64), (0, 0))
    ones = words(np.full(4, 0xFFFFFFFF, np.uint64), (0xFFFFFFFF, 0xFFFFFFFF))
    assert [hex(w) for w in zeros] == ["0x6627e8d5", "0xe169c58d", "0xbc57ac4c", "0x9b00dbd8"]
    assert [hex(w) for w in ones] == ["0x408f276d", "0x41c83b0e", "0xa20bc7c6", "0x6d5451fd"]

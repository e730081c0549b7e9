"""Counter-based random numbers: Philox4x32-10 (Salmon et al. 2011), with the numbers of core/base/random.h.

A number is a pure function of a key (seed, stream), the number of a block, and a step. All blocks of a list
are computed at once: a long integer has a lane of 64 bits for each block. A lane holds the product of two
numbers of 32 bits, so no lane overflows into the next one."""

import struct

ROUNDS = 10
MULTIPLY = 0xD2511F53, 0xCD9E8D57
WEYL = 0x9E3779B9, 0xBB67AE85
WORD = 0xFFFFFFFF
AT_ONCE = 4096  # lanes of an integer; the integers of a round then stay in the cache


def stream(path):
    """Returns the stream of a path name, which is the 32-bit FNV-1a hash of its bytes."""
    number = 2166136261
    for byte in path.encode():
        number = (number ^ byte) * 16777619 & WORD
    return number


def blocks(key, numbers, step):
    """Returns the first two words of each block: word 0 in the lower half, word 1 in the upper half.

    The numbers of the blocks have at most 32 bits."""
    words = []
    for first in range(0, len(numbers), AT_ONCE):
        part = numbers[first:first + AT_ONCE]
        words += lanes(key, part, [step] * len(part))[0]
    return words


def lanes(key, numbers, steps):
    """Returns words 0 and 1 of at most AT_ONCE blocks, and their words 2 and 3, as blocks() does.

    Each block has its number and its step."""
    form = f"<{len(numbers)}Q"
    ones, c0, c2 = (int.from_bytes(struct.pack(form, *lane), "little")
                    for lane in ([1] * len(numbers), numbers, steps))
    low = ones * WORD  # the lower half of each lane
    c1 = c3 = 0
    k0, k1 = key
    for _ in range(ROUNDS):
        p0, p1 = c0 * MULTIPLY[0], c2 * MULTIPLY[1]
        c0 = p1 >> 32 & low ^ c1 ^ ones * k0
        c2 = p0 >> 32 & low ^ c3 ^ ones * k1
        c1, c3 = p1 & low, p0 & low
        k0, k1 = (k0 + WEYL[0]) & WORD, (k1 + WEYL[1]) & WORD
    return [struct.unpack(form, both.to_bytes(8 * len(numbers), "little"))
            for both in (c0 | c1 << 32, c2 | c3 << 32)]


def below(words, bound):
    """Returns a random number from 0 to bound - 1, from the words of a block."""
    return words * bound >> 64


def permutation(key, step, count):
    """Returns a random permutation of 0 to count - 1 (Fisher and Yates)."""
    order, words = list(range(count)), blocks(key, range(count), step)
    for i in range(count - 1, 0, -1):
        j = below(words[i], i + 1)
        order[i], order[j] = order[j], order[i]
    return order

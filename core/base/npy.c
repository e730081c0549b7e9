/* The header is a literal of Python: a map of three keys, which may come in any order and with any
 * blanks. It is not believed: its shape must give the size of the file. */
#include "core/base/npy.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/file.h"

static const char magic[] = "\x93NUMPY";
enum { MAGIC = sizeof magic - 1, HEADER = MAGIC + 4, WORD = 128 };

void npy_write(const char *path, const float *number, int64_t rows, int64_t columns)
{
    /* Two multiples of 64: numpy leaves room for a first dimension of 21 digits. */
    char header[128];
    memset(header, ' ', sizeof header);
    const int used =
        snprintf(header + HEADER, sizeof header - HEADER,
                 "{'descr': '<f4', 'fortran_order': False, 'shape': (%" PRId64 ", %" PRId64 "), }",
                 rows, columns);
    CHECK(rows >= 0 && columns >= 0 && HEADER + used < (int)sizeof header, "%" PRId64 " x %" PRId64,
          rows, columns);
    header[HEADER + used] = ' ';
    header[sizeof header - 1] = '\n';
    memcpy(header, magic, MAGIC);
    header[MAGIC] = 1;
    header[MAGIC + 1] = 0;
    header[MAGIC + 2] = (char)(sizeof header - HEADER);
    header[MAGIC + 3] = 0;
    struct file_writer writer = file_create(path);
    fwrite(header, 1, sizeof header, writer.stream);
    fwrite(number, sizeof *number, (size_t)(rows * columns), writer.stream);
    file_commit(&writer);
}

/* ---- the header ---- */

/* What is left of it. */
struct literal {
    const char *path, *at, *end;
};

NORETURN static void refuse(const struct literal *literal, const char *expected)
{
    const size_t left = (size_t)(literal->end - literal->at);
    const int shown = (int)(left < 24 ? left : 24);
    die("%s: its header has \"%.*s\" where %s was expected", literal->path, shown, literal->at,
        expected);
}

static void pass_blanks(struct literal *literal)
{
    while (literal->at < literal->end && memchr(" \t\r\n", *literal->at, 4)) literal->at++;
}

/* Goes over the sign, if it is next. */
static bool take(struct literal *literal, char sign)
{
    pass_blanks(literal);
    if (literal->at == literal->end || *literal->at != sign) return false;
    literal->at++;
    return true;
}

static void need(struct literal *literal, char sign, const char *expected)
{
    if (!take(literal, sign)) refuse(literal, expected);
}

/* What stands between quotes, either kind. */
static void read_text(struct literal *literal, char text[WORD])
{
    pass_blanks(literal);
    const size_t left = (size_t)(literal->end - literal->at);
    const char quote = left ? *literal->at : 0;
    const char *close =
        quote == '\'' || quote == '"' ? memchr(literal->at + 1, quote, left - 1) : NULL;
    if (!close || close - literal->at > WORD) refuse(literal, "a text in quotes");
    const size_t bytes = (size_t)(close - literal->at) - 1;
    memcpy(text, literal->at + 1, bytes);
    text[bytes] = 0;
    literal->at = close + 1;
}

static bool take_word(struct literal *literal, const char *word)
{
    pass_blanks(literal);
    const size_t length = strlen(word);
    if ((size_t)(literal->end - literal->at) < length || memcmp(literal->at, word, length) != 0)
        return false;
    literal->at += length;
    return true;
}

static void read_order(struct literal *literal)
{
    if (take_word(literal, "False")) return;
    if (take_word(literal, "True"))
        die("%s: its numbers stand column by column (fortran_order: True), expected row by row "
            "(numpy.ascontiguousarray)",
            literal->path);
    refuse(literal, "False");
}

static int64_t read_size(struct literal *literal)
{
    pass_blanks(literal);
    int64_t size = 0;
    const char *begin = literal->at;
    for (; literal->at < literal->end && *literal->at >= '0' && *literal->at <= '9'; literal->at++)
        if (__builtin_mul_overflow(size, 10, &size) ||
            __builtin_add_overflow(size, *literal->at - '0', &size))
            die("%s: its shape is too large", literal->path);
    if (literal->at == begin) refuse(literal, "a whole number");
    return size;
}

static void read_shape(struct literal *literal, struct npy *npy)
{
    pass_blanks(literal);
    const char *begin = literal->at;
    int64_t size[2] = {0};
    int dimensions = 0;
    need(literal, '(', "(");
    while (!take(literal, ')')) {
        const int64_t one = read_size(literal);
        if (dimensions < 2) size[dimensions] = one;
        dimensions++;
        if (!take(literal, ',')) {
            need(literal, ')', "a comma or )");
            break;
        }
    }
    if (dimensions != 2)
        die("%s: its shape is %.*s, expected two dimensions: (rows, columns)", literal->path,
            (int)(literal->at - begin), begin);
    npy->rows = size[0];
    npy->columns = size[1];
}

static void read_type(struct literal *literal)
{
    char type[WORD];
    read_text(literal, type);
    if (strcmp(type, "<f4"))
        die("%s: its numbers are of type '%s', expected '<f4' (numpy: .astype(\"<f4\"))",
            literal->path, type);
}

static void read_header(struct literal *literal, struct npy *npy)
{
    static const char *const key[] = {"descr", "fortran_order", "shape"};
    bool seen[COUNT_OF(key)] = {false};
    need(literal, '{', "{");
    while (!take(literal, '}')) {
        char word[WORD];
        size_t k = 0;
        const struct literal before = *literal;
        read_text(literal, word);
        while (k < COUNT_OF(key) && strcmp(word, key[k])) k++;
        if (k == COUNT_OF(key) || seen[k])
            refuse(&before, "descr, fortran_order and shape, each once,");
        seen[k] = true;
        need(literal, ':', "a colon");
        if (k == 0) read_type(literal);
        if (k == 1) read_order(literal);
        if (k == 2) read_shape(literal, npy);
        if (!take(literal, ',')) {
            need(literal, '}', "a comma or }");
            break;
        }
    }
    for (size_t k = 0; k < COUNT_OF(key); k++)
        if (!seen[k]) die("%s: its header has no %s", literal->path, key[k]);
    pass_blanks(literal);
    if (literal->at < literal->end) refuse(literal, "its end");
}

/* ---- the file ---- */

static int open_file(const char *path, size_t *bytes)
{
    const int file = file_open(path, O_RDONLY);
    struct stat info;
    if (file < 0) die("%s: cannot be read: %s", path, file_why(errno));
    if (fstat(file, &info) != 0) die("%s: cannot be read: %s", path, strerror(errno));
    *bytes = (size_t)info.st_size;
    return file;
}

/* What the header says; returns where the numbers begin. */
static size_t read_begin(const char *path, struct npy *npy)
{
    enum { MOST = 0xffff };
    char begin[HEADER + MOST];
    const int file = open_file(path, &npy->bytes);
    const ssize_t got = pread(file, begin, sizeof begin, 0);
    const int reason = errno;
    close(file);
    if (got < 0) die("%s: cannot be read: %s", path, strerror(reason));
    if (got < HEADER || memcmp(begin, magic, MAGIC) != 0)
        die("%s: not a .npy file: it does not begin with \\x93NUMPY and a version", path);
    const unsigned char *number = (const unsigned char *)begin + MAGIC;
    if (number[0] != 1 || number[1] != 0)
        die("%s: .npy of version %d.%d, expected 1.0", path, number[0], number[1]);
    const size_t length = number[2] + 256u * number[3];
    if (HEADER + length > (size_t)got)
        die("%s: its %zu bytes end within a header of %zu", path, npy->bytes, length);
    read_header(&(struct literal){path, begin + HEADER, begin + HEADER + length}, npy);
    if ((HEADER + length) % sizeof(float))
        die("%s: its numbers begin at byte %zu, expected a multiple of %zu", path, HEADER + length,
            sizeof(float));
    return HEADER + length;
}

struct npy npy_open(const char *path)
{
    struct npy npy = {0};
    const size_t begin = read_begin(path, &npy);
    int64_t size;
    const int file = open_file(path, &npy.bytes);
    const bool whole = !__builtin_mul_overflow(npy.rows, npy.columns, &size) &&
                       !__builtin_mul_overflow(size, (int64_t)sizeof(float), &size) &&
                       npy.bytes >= begin && (size_t)size == npy.bytes - begin;
    if (whole) npy.map = mmap(NULL, npy.bytes, PROT_READ, MAP_PRIVATE, file, 0);
    const int reason = errno;
    close(file);
    if (!whole)
        die("%s: %zu bytes behind its header, expected %" PRId64 " rows of %" PRId64
            " numbers of %zu bytes",
            path, npy.bytes - begin, npy.rows, npy.columns, sizeof(float));
    if (npy.map == MAP_FAILED) die("%s: cannot be mapped: %s", path, strerror(reason));
    npy.number = (const float *)(const void *)((const char *)npy.map + begin);
    return npy;
}

void npy_close(struct npy *npy)
{
    if (npy->map) munmap(npy->map, npy->bytes);
    *npy = (struct npy){0};
}

int64_t npy_bad_row(const struct npy *npy)
{
    for (int64_t i = 0; i < npy->rows * npy->columns; i++)
        if (!isfinite(npy->number[i])) return i / npy->columns;
    return -1;
}

/* Reads and writes .npy files. The header is a Python literal: a dictionary of three keys, in any
 * order and with any blanks. Its shape must match the size of the file. */
#include "core/base/npy.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buffer.h"
#include "core/base/file.h"

static const char magic[] = "\x93NUMPY";
enum { MAGIC = sizeof magic - 1, HEADER = MAGIC + 4 };

void npy_write(const char *path, const float *number, int64_t rows, int64_t columns)
{
    /* 128 bytes, as in files of numpy, which reserves room for a first dimension of 21 digits. */
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

/* Converts a Python literal to JSON and parses it. Quotes, brackets and capital letters are
 * replaced, and a comma after the last member is removed. */
static json_t *json_of(const char *text, size_t bytes, json_error_t *error)
{
    SCOPED(buffer_free) struct buffer json = {0};
    char quote = 0;
    for (size_t i = 0, next; i < bytes; i++) {
        char sign = text[i];
        for (next = i + 1; next < bytes && memchr(" \t\r\n", text[next], 4);) next++;
        if (quote ? sign == quote : sign == '\'' || sign == '"') {
            quote = quote ? 0 : sign;
            sign = '"';
        } else if (!quote && sign == ',' && next < bytes && memchr(")}", text[next], 2)) {
            continue;
        } else if (!quote) {
            sign = sign == '(' ? '[' : sign == ')' ? ']' : (char)tolower(sign);
        }
        buffer_add_byte(&json, sign);
    }
    return json_loadb(json.text, json.bytes, JSON_REJECT_DUPLICATES, error);
}

static void read_header(const char *path, const char *text, size_t bytes, struct npy *npy)
{
    json_error_t error = {.text = ""};
    const char *type;
    int by_columns;
    json_int_t rows, columns;
    json_auto_t *literal = json_of(text, bytes, &error);
    const char *line = memchr(text, '\n', bytes);
    if (!literal ||
        json_unpack_ex(literal, &error, JSON_STRICT, "{s:s, s:b, s:[I, I!]}", "descr", &type,
                       "fortran_order", &by_columns, "shape", &rows, &columns) != 0 ||
        rows < 0 || columns < 0)
        die("%s: its header is %.*s: expected descr, fortran_order and a shape of two dimensions, "
            "(rows, columns), each once: %s",
            path, (int)(line ? (size_t)(line - text) : bytes), text, error.text);
    if (strcmp(type, "<f4"))
        die("%s: its numbers are of type '%s', expected '<f4' (numpy: .astype(\"<f4\"))", path,
            type);
    if (by_columns)
        die("%s: its numbers are stored by column (fortran_order: True), expected by row "
            "(numpy.ascontiguousarray)",
            path);
    npy->rows = rows;
    npy->columns = columns;
}

/* Reads the header. Returns the offset of the numbers. */
static size_t read_begin(const char *path, struct npy *npy)
{
    const char *begin = npy->map;
    if (npy->bytes < HEADER || memcmp(begin, magic, MAGIC) != 0)
        die("%s: not a .npy file: it does not begin with \\x93NUMPY and a version", path);
    const unsigned char *number = (const unsigned char *)begin + MAGIC;
    if (number[0] != 1 || number[1] != 0)
        die("%s: .npy of version %d.%d, expected 1.0", path, number[0], number[1]);
    const size_t length = number[2] + 256u * number[3], end = HEADER + length;
    if (end > npy->bytes)
        die("%s: truncated: %zu bytes, its header alone has %zu", path, npy->bytes, length);
    read_header(path, begin + HEADER, length, npy);
    if (end % sizeof(float))
        die("%s: its numbers begin at byte %zu, expected a multiple of %zu", path, end,
            sizeof(float));
    return end;
}

struct npy npy_open(const char *path)
{
    struct npy npy = {0};
    int64_t size;
    struct stat info;
    const int file = file_open(path, O_RDONLY);
    if (file < 0 || fstat(file, &info) != 0) die("%s: cannot be read: %s", path, file_why(errno));
    npy.bytes = (size_t)info.st_size;
    if (npy.bytes) npy.map = mmap(NULL, npy.bytes, PROT_READ, MAP_PRIVATE, file, 0);
    const int reason = errno;
    close(file);
    if (npy.map == MAP_FAILED) die("%s: cannot be mapped: %s", path, strerror(reason));
    const size_t begin = read_begin(path, &npy);
    if (__builtin_mul_overflow(npy.rows, npy.columns, &size) ||
        __builtin_mul_overflow(size, (int64_t)sizeof(float), &size) ||
        (size_t)size != npy.bytes - begin)
        die("%s: %zu bytes after its header, expected %" PRId64 " rows of %" PRId64
            " numbers of %zu bytes",
            path, npy.bytes - begin, npy.rows, npy.columns, sizeof(float));
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

const char *npy_fault(const struct npy *npy, const char *path, const struct npy_bounds *column,
                      int columns, struct arena *arena)
{
    if (npy->columns != columns)
        return arena_print(arena, "%s has %lld columns, expected %d", path, (long long)npy->columns,
                           columns);
    for (int64_t i = 0; i < npy->rows * columns; i++) {
        const double value = (double)npy->number[i], least = column[i % columns].least,
                     most = column[i % columns].most;
        if (!(value >= least && value <= most))
            return arena_print(arena, "%s: row %lld has %g in column %d, expected %g to %g", path,
                               (long long)(i / columns) + 1, value, (int)(i % columns) + 1, least,
                               most);
    }
    return npy->rows ? NULL : arena_print(arena, "%s has no rows", path);
}

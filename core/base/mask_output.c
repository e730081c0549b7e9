/* Replaces standard output by a custom stream that masks text. The stream keeps an incomplete
 * character until its remaining bytes arrive. */
#include "core/base/mask_output.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/mask.h"

void mask_line(FILE *out, const char *format, ...)
{
    char *text;
    va_list list;
    va_start(list, format);
    const int length = vasprintf(&text, format, list);
    va_end(list);
    CHECK(length >= 0, "bad format %s", format);
    mask_put(text, out);
    fputc('\n', out);
    free(text);
}

static struct {
    FILE *stream;
    char rest[4]; /* incomplete character, or CR of CR LF, at the end of the last write */
    size_t rests;
    bool passes; /* true: writes are not masked */
} masked;

/* True if the `left` bytes of `text` may be the incomplete start of a character, or the CR of CR
 * LF. */
static bool is_begin(const unsigned char *text, size_t left)
{
    const size_t whole = *text == '\r'   ? 2
                         : *text >= 0xf0 ? 4
                         : *text >= 0xe0 ? 3
                         : *text >= 0xc2 ? 2
                                         : 1;
    for (size_t i = 1; i < left && i < whole; i++)
        if (*text == '\r' || (text[i] & 0xc0) != 0x80) return false;
    return left < whole && *text <= 0xf4;
}

/* Masks `bytes` bytes of `text` and writes them. Keeps an incomplete character at the end, unless
 * `last` is true. The masked text is never longer than the text. */
static bool write_masked(const char *text, size_t bytes, bool last)
{
    SCOPED(heap_free) char *out = heap_alloc(bytes);
    size_t used = 0;
    bool good = true;
    for (size_t i = 0; i < bytes;) {
        const unsigned char *at = (const unsigned char *)text + i;
        const size_t left = bytes - i;
        if (!last && is_begin(at, left)) {
            memcpy(masked.rest, at, masked.rests = left);
            break;
        }
        int32_t character;
        size_t length = mask_take(text + i, left, &character);
        if (*at == '\n' || *at == '\t') character = *at;
        if (*at == '\r' && left > 1 && at[1] == '\n') character = *at;
        if (character == '?')
            out[used++] = '?';
        else
            memcpy(out + used, at, length), used += length;
        i += length;
    }
    good = file_put(STDOUT_FILENO, out, used);
    return good;
}

static ssize_t cookie_write(void *cookie, const char *text, size_t bytes)
{
    if (masked.passes) return file_put(STDOUT_FILENO, text, bytes) ? (ssize_t)bytes : 0;
    const size_t rests = masked.rests;
    masked.rests = 0;
    SCOPED(heap_free) char *whole = heap_alloc(rests + bytes);
    memcpy(whole, masked.rest, rests);
    memcpy(whole + rests, text, bytes);
    const bool good = write_masked(whole, rests + bytes, false);
    const int reason = errno;
    errno = reason;
    return good ? (ssize_t)bytes : 0;
}

static int cookie_close(void *cookie)
{
    const bool good = write_masked(masked.rest, masked.rests, true);
    masked.rests = 0;
    return close(STDOUT_FILENO) == 0 && good ? 0 : -1;
}

void mask_stdout(void)
{
    static char buffer[1 << 16];
    if (masked.stream) return;
    masked.stream = fopencookie(
        NULL, "w", (cookie_io_functions_t){.write = cookie_write, .close = cookie_close});
    if (!masked.stream) die("standard output: %s", strerror(errno));
    setvbuf(masked.stream, buffer, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, sizeof buffer);
    fflush(stdout);
    stdout = masked.stream;
}

static int file_of(FILE *out)
{
    return out == masked.stream ? STDOUT_FILENO : fileno(out);
}

bool mask_is_terminal(FILE *out)
{
    return isatty(file_of(out)) == 1;
}

int mask_columns(FILE *out)
{
    struct winsize size = {0};
    if (!mask_is_terminal(out) || ioctl(file_of(out), TIOCGWINSZ, &size) != 0) return INT_MAX;
    return size.ws_col ? size.ws_col : INT_MAX;
}

void mask_pass(FILE *out, const char *sequence)
{
    if (out != masked.stream) {
        fputs(sequence, out);
    } else if (fflush(out) == 0) { /* by the stream, which records errors */
        masked.passes = true;
        fputs(sequence, out);
        fflush(out);
        masked.passes = false;
    }
}

/* Computes SHA-256 and SHA-1 with libcrypto, which uses the processor's instructions for these
 * functions. Its newer interface (EVP) would take two milliseconds in each process, to set up all
 * of its algorithms. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "core/base/digest.h"

#include <errno.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/file.h"

void digest_open(struct digest *digest)
{
    digest->context = heap_alloc(sizeof(SHA256_CTX));
    SHA256_Init(digest->context);
}

void digest_add(struct digest *digest, const void *bytes, size_t count)
{
    SHA256_Update(digest->context, bytes, count);
}

static void write_text(const unsigned char *raw, int bytes, char *text)
{
    static const char digit[] = "0123456789abcdef";
    for (int i = 0; i < bytes; i++) {
        *text++ = digit[raw[i] >> 4];
        *text++ = digit[raw[i] & 15];
    }
    *text = 0;
}

void digest_close(struct digest *digest, char text[DIGEST_TEXT])
{
    unsigned char raw[SHA256_DIGEST_LENGTH];
    SHA256_Final(raw, digest->context);
    free(digest->context);
    digest->context = NULL;
    write_text(raw, sizeof raw, text);
}

void digest_bytes(const void *bytes, size_t count, char text[DIGEST_TEXT])
{
    struct digest digest;
    digest_open(&digest);
    digest_add(&digest, bytes, count);
    digest_close(&digest, text);
}

static FILE *stream_of(const char *path)
{
    FILE *file = file_lines(path);
    if (!file) die("%s: cannot be read: %s", path, strerror(ENOENT));
    return file;
}

void digest_file(const char *path, char text[DIGEST_TEXT])
{
    char buffer[1 << 16];
    size_t count;
    FILE *file = stream_of(path);
    struct digest digest;
    digest_open(&digest);
    while ((count = fread(buffer, 1, sizeof buffer, file)) > 0) digest_add(&digest, buffer, count);
    file_close(file, path);
    digest_close(&digest, text);
}

void digest_blob(const char *path, char text[DIGEST_TEXT])
{
    char buffer[1 << 16];
    unsigned char raw[SHA_DIGEST_LENGTH];
    size_t count;
    FILE *file = stream_of(path);
    SHA_CTX context;
    struct stat info;
    if (fstat(fileno(file), &info) != 0) die("%s: cannot be read: %s", path, strerror(errno));
    count = 1 + (size_t)snprintf(buffer, sizeof buffer, "blob %lld", (long long)info.st_size);
    SHA1_Init(&context);
    SHA1_Update(&context, buffer, count); /* including the NUL */
    while ((count = fread(buffer, 1, sizeof buffer, file)) > 0)
        SHA1_Update(&context, buffer, count);
    file_close(file, path);
    SHA1_Final(raw, &context);
    write_text(raw, sizeof raw, text);
}

void digest_name(const char *row, char name[DIGEST_NAME])
{
    enum { MOST = 120, DIGITS = 8 };
    static const char good[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._=,+-";
    size_t length = 0;
    bool changed = !*row;
    for (const char *at = row; *at && length < MOST; at++) {
        bool stays = strchr(good, *at) && (length || (*at != '.' && *at != '-'));
        if (stays)
            name[length++] = *at;
        else if (!length || name[length - 1] != '_')
            name[length++] = '_';
        changed |= !stays || (length == MOST && at[1]);
    }
    if (!length) name[length++] = '_';
    name[length] = 0;
    if (!changed) return;
    char digest[DIGEST_TEXT];
    digest_bytes(row, strlen(row), digest);
    snprintf(name + length, DIGEST_NAME - length, "-%.*s", DIGITS, digest);
}

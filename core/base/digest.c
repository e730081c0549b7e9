/* Computes SHA-256 and SHA-1 with libcrypto, which uses the processor's instructions for these
 * functions. */
#include "core/base/digest.h"

#include <errno.h>
#include <openssl/evp.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/file.h"

static void open_as(struct digest *digest, const EVP_MD *function)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    CHECK(context && EVP_DigestInit_ex(context, function, NULL) == 1, "libcrypto: digest begin");
    digest->context = context;
}

void digest_open(struct digest *digest)
{
    open_as(digest, EVP_sha256());
}

void digest_add(struct digest *digest, const void *bytes, size_t count)
{
    CHECK(EVP_DigestUpdate(digest->context, bytes, count) == 1, "libcrypto: digest update");
}

void digest_close(struct digest *digest, char text[DIGEST_TEXT])
{
    unsigned char raw[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    CHECK(EVP_DigestFinal_ex(digest->context, raw, &length) == 1 && 2 * length < DIGEST_TEXT,
          "libcrypto: digest end");
    EVP_MD_CTX_free(digest->context);
    digest->context = NULL;
    for (unsigned i = 0; i < length; i += 4)
        snprintf(text + 2 * i, 9, "%02x%02x%02x%02x", raw[i], raw[i + 1], raw[i + 2], raw[i + 3]);
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

static void close_with(struct digest *digest, FILE *file, const char *path, char text[DIGEST_TEXT])
{
    char buffer[1 << 16];
    size_t count;
    while ((count = fread(buffer, 1, sizeof buffer, file)) > 0) digest_add(digest, buffer, count);
    file_close(file, path);
    digest_close(digest, text);
}

void digest_file(const char *path, char text[DIGEST_TEXT])
{
    FILE *file = stream_of(path);
    struct digest digest;
    digest_open(&digest);
    close_with(&digest, file, path, text);
}

void digest_blob(const char *path, char text[DIGEST_TEXT])
{
    char head[32];
    FILE *file = stream_of(path);
    struct digest digest;
    struct stat info;
    if (fstat(fileno(file), &info) != 0) die("%s: cannot be read: %s", path, strerror(errno));
    open_as(&digest, EVP_sha1());
    digest_add(&digest, head, /* including the NUL */
               1 + (size_t)snprintf(head, sizeof head, "blob %lld", (long long)info.st_size));
    close_with(&digest, file, path, text);
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

/* libcrypto's SHA-256, which uses the processor's instructions for it. */
#include "core/base/digest.h"

#include <errno.h>
#include <openssl/evp.h>
#include <string.h>

#include "core/base/file.h"

void digest_open(struct digest *digest)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    CHECK(context && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1, "libcrypto: SHA-256");
    digest->context = context;
}

void digest_add(struct digest *digest, const void *bytes, size_t count)
{
    CHECK(EVP_DigestUpdate(digest->context, bytes, count) == 1, "libcrypto: SHA-256 update");
}

void digest_close(struct digest *digest, char text[DIGEST_TEXT])
{
    unsigned char raw[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    CHECK(EVP_DigestFinal_ex(digest->context, raw, &length) == 1 && length == 32,
          "libcrypto: SHA-256 end");
    EVP_MD_CTX_free(digest->context);
    digest->context = NULL;
    for (unsigned i = 0; i < length; i++) snprintf(text + 2 * i, 3, "%02x", raw[i]);
}

void digest_bytes(const void *bytes, size_t count, char text[DIGEST_TEXT])
{
    struct digest digest;
    digest_open(&digest);
    digest_add(&digest, bytes, count);
    digest_close(&digest, text);
}

void digest_file(const char *path, char text[DIGEST_TEXT])
{
    FILE *file = file_lines(path);
    if (!file) die("%s: cannot be read: %s", path, strerror(ENOENT));
    struct digest digest;
    digest_open(&digest);
    char buffer[1 << 16];
    size_t count;
    while ((count = fread(buffer, 1, sizeof buffer, file)) > 0) digest_add(&digest, buffer, count);
    file_close(file, path);
    digest_close(&digest, text);
}

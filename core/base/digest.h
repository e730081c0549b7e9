/* Computes SHA-256 of bytes and files, as lower-case hexadecimal text. These digests identify
 * stages and detect changed files. Also computes the ids that git gives to the contents of files
 * (blob ids). */
#pragma once

#include "core/base/base.h"

enum { DIGEST_TEXT = 65 }; /* 64 hexadecimal digits and a NUL */

struct digest {
    void *context; /* of libcrypto: SHA256_CTX */
};

void digest_open(struct digest *digest);
void digest_add(struct digest *digest, const void *bytes, size_t count);
void digest_close(struct digest *digest, char text[DIGEST_TEXT]); /* also frees the context */

void digest_bytes(const void *bytes, size_t count, char text[DIGEST_TEXT]);
/* Dies if the file cannot be read. */
void digest_file(const char *path, char text[DIGEST_TEXT]);
/* Computes the blob id that git gives to a file's content. It has 40 digits and is the SHA-1 of
 * "blob SIZE", a NUL and the content. Dies if the file cannot be read. */
void digest_blob(const char *path, char text[DIGEST_TEXT]);

enum { DIGEST_NAME = 130 }; /* bytes of a folder's name with its NUL */
/* Makes the name of a folder from a row's name. Letters, digits and . _ = , + - stay, except a
 * leading dot or minus. Each run of other bytes becomes one "_". The name is cut to 120 bytes. If
 * the name differs from the row's name, 8 digits of the digest of the row's name are its suffix. So
 * different rows have different folders. */
void digest_name(const char *row, char name[DIGEST_NAME]);

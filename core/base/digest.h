/* SHA-256 of bytes and files, as lower-case hexadecimal text: identities and integrity. Git's blob
 * ids of files. */
#pragma once

#include "core/base/base.h"

enum { DIGEST_TEXT = 65 }; /* 64 hexadecimal digits and a NUL */

struct digest {
    void *context; /* libcrypto's */
};

void digest_open(struct digest *digest);
void digest_add(struct digest *digest, const void *bytes, size_t count);
void digest_close(struct digest *digest, char text[DIGEST_TEXT]); /* writes it, frees the context */

void digest_bytes(const void *bytes, size_t count, char text[DIGEST_TEXT]);
/* Dies when the file cannot be read. */
void digest_file(const char *path, char text[DIGEST_TEXT]);
/* The blob id that git gives to a file's content: 40 digits, the SHA-1 of "blob SIZE", a NUL and
 * the content. Dies when the file cannot be read. */
void digest_blob(const char *path, char text[DIGEST_TEXT]);

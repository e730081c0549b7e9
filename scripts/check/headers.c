/* The headers that the program needs, with their packages on Debian and Ubuntu, and on Fedora and
 * Rocky. `make` compiles this file first, so that a missing header gives one line. */
#if !__has_include(<yaml.h>)
#error yaml.h is missing; install libyaml-dev (Fedora: libyaml-devel)
#endif
#if !__has_include(<jansson.h>)
#error jansson.h is missing; install libjansson-dev (Fedora: jansson-devel)
#endif
#if !__has_include(<openssl/sha.h>)
#error openssl/sha.h is missing; install libssl-dev (Fedora: openssl-devel)
#endif
#if !__has_include(<utf8proc.h>)
#error utf8proc.h is missing; install libutf8proc-dev (Fedora: utf8proc-devel)
#endif
#if !__has_include(<sqlite3.h>)
#error sqlite3.h is missing; install libsqlite3-dev (Fedora: sqlite-devel)
#else
#include <sqlite3.h>
#if SQLITE_VERSION_NUMBER < 3037000
#error SQLite is older than 3.37; use the wheel or the archive (docs/install.md)
#endif
#endif

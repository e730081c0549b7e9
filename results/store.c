#include "results/store.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "core/base/file.h"
#include "results/schema.h"

enum {
    PATIENCE_SECONDS = 30 /* how long a writer waits for others */
};

NORETURN static void refuse(int code, const char *path, const char *message)
{
    switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        die("%s: is damaged (%s); `sanlab collect --rebuild` builds it anew from the run folders",
            path, message);
    case SQLITE_BUSY:
        die("%s: another program has kept it locked for %d s (%s)", path, PATIENCE_SECONDS,
            message);
    case SQLITE_FULL:
        die("%s: the disk is full; nothing half was written", path);
    case SQLITE_CONSTRAINT:
    case SQLITE_MISUSE:
    case SQLITE_RANGE:
    case SQLITE_ERROR:
        CHECK(false, "%s: %s", path, message);
    default:
        die("%s: %s", path, message);
    }
}

NORETURN static void refuse_now(sqlite3 *database)
{
    const char *path = sqlite3_db_filename(database, "main");
    refuse(sqlite3_errcode(database), path && *path ? path : "the database in memory",
           sqlite3_errmsg(database));
}

/* Statements. */

sqlite3_stmt *store_prepare(struct store *store, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) != SQLITE_OK)
        refuse_now(store->database);
    return statement;
}

void store_bind_list(sqlite3_stmt *statement, const char *types, va_list list)
{
    for (int at = 1; types[at - 1]; at++) {
        int code = SQLITE_MISUSE;
        switch (types[at - 1]) {
        case 's':
            code =
                sqlite3_bind_text(statement, at, va_arg(list, const char *), -1, SQLITE_TRANSIENT);
            break;
        case 'i':
            code = sqlite3_bind_int64(statement, at, va_arg(list, int64_t));
            break;
        case 'n': {
            int64_t value = va_arg(list, int64_t);
            code = value >= 0 ? sqlite3_bind_int64(statement, at, value)
                              : sqlite3_bind_null(statement, at);
            break;
        }
        case 'd': {
            double value = va_arg(list, double);
            code = isfinite(value) ? sqlite3_bind_double(statement, at, value)
                                   : sqlite3_bind_null(statement, at);
            break;
        }
        }
        CHECK(code == SQLITE_OK, "parameter %d of: %s", at, sqlite3_sql(statement));
    }
}

void store_bind(sqlite3_stmt *statement, const char *types, ...)
{
    va_list list;
    va_start(list, types);
    store_bind_list(statement, types, list);
    va_end(list);
}

bool store_next(sqlite3_stmt *statement)
{
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) refuse_now(sqlite3_db_handle(statement));
    sqlite3_reset(statement);
    return false;
}

void store_finish(sqlite3_stmt *statement)
{
    sqlite3_finalize(statement);
}

sqlite3_stmt *store_ask(struct store *store, const char *sql, const char *types, ...)
{
    sqlite3_stmt *statement = store_prepare(store, sql);
    va_list list;
    va_start(list, types);
    store_bind_list(statement, types, list);
    va_end(list);
    return statement;
}

void store_run(struct store *store, const char *sql, const char *types, ...)
{
    sqlite3_stmt *statement = store_prepare(store, sql);
    va_list list;
    va_start(list, types);
    store_bind_list(statement, types, list);
    va_end(list);
    while (store_next(statement)) continue;
    store_finish(statement);
}

const char *store_text(sqlite3_stmt *statement, int column, struct arena *arena)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text ? arena_text(arena, text) : NULL;
}

double store_real(sqlite3_stmt *statement, int column)
{
    bool absent = sqlite3_column_type(statement, column) == SQLITE_NULL;
    return absent ? (double)NAN : sqlite3_column_double(statement, column);
}

void store_begin(struct store *store)
{
    store_run(store, "BEGIN IMMEDIATE", "");
}

void store_commit(struct store *store)
{
    store_run(store, "COMMIT", "");
}

/* Opening. */

static int64_t ask_number(struct store *store, const char *sql)
{
    sqlite3_stmt *statement = store_ask(store, sql, "");
    int64_t number = store_next(statement) ? sqlite3_column_int64(statement, 0) : 0;
    store_finish(statement);
    return number;
}

static void script_run(struct store *store, const char *script)
{
    if (sqlite3_exec(store->database, script, NULL, NULL, NULL) != SQLITE_OK)
        refuse_now(store->database);
}

static sqlite3 *database_open(const char *path, int flags)
{
    sqlite3 *database = NULL;
    int code = sqlite3_open_v2(path, &database, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (code != SQLITE_OK) refuse(code, path, sqlite3_errmsg(database));
    sqlite3_busy_timeout(database, PATIENCE_SECONDS * 1000);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return database;
}

static void schema_create(struct store *store)
{
    store_begin(store);
    script_run(store, store_schema);
    script_run(store, "PRAGMA application_id = 0x73616e6c; PRAGMA user_version = 2;");
    store_commit(store);
}

/* Dies unless this is a sound database of ours. */
static void store_check(struct store *store)
{
    static_assert(STORE_APPLICATION == 0x73616e6c && STORE_VERSION == 2, "see schema_create");
    if (file_bytes(store->path) == 0)
        die("%s: is empty; `sanlab collect --rebuild` builds it anew from the run folders",
            store->path);
    if (ask_number(store, "PRAGMA application_id") != STORE_APPLICATION)
        die("%s: is a database, but not one of sanlab", store->path);
    int64_t version = ask_number(store, "PRAGMA user_version");
    if (version != STORE_VERSION)
        die("%s: has schema version %lld, this program has %d; `sanlab collect --rebuild` builds "
            "it anew from the run folders",
            store->path, (long long)version, STORE_VERSION);
    struct arena arena = {0};
    const char *damage = store_damage(store, file_bytes(store->path) <= STORE_CHECK_BYTES, &arena);
    if (damage) refuse(SQLITE_CORRUPT, store->path, damage);
    arena_free(&arena);
}

const char *store_damage(struct store *store, bool whole, struct arena *arena)
{
    sqlite3_stmt *ask =
        store_ask(store,
                  whole ? "PRAGMA quick_check(1)"
                        : "SELECT quick_check FROM sqlite_schema AS s, pragma_quick_check(s.name) "
                          "WHERE s.type = 'table' AND s.name NOT IN ('metric', 'event', 'timing') "
                          "AND quick_check <> 'ok'",
                  "");
    const char *verdict = store_next(ask) ? store_text(ask, 0, arena) : "ok";
    store_finish(ask);
    return strcmp(verdict, "ok") ? verdict : NULL;
}

/* What the first page says, which is never in the write-ahead log only: it is written before. */
struct header {
    bool ours, log; /* log: it has a write-ahead log */
    int64_t version;
};

static struct header header_read(const char *path)
{
    enum { LOG = 18, VERSION = 60, APPLICATION = 68, BYTES = 72 }; /* sqlite.org/fileformat */
    unsigned char page[BYTES];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? pread(file, page, BYTES, 0) : 0;
    if (file >= 0) close(file);
    if (got != BYTES || memcmp(page, "SQLite format 3", 16) != 0) return (struct header){0};
    struct header header = {.log = page[LOG] == 2};
    int64_t application = 0;
    for (int i = 0; i < 4; i++) {
        header.version = header.version << 8 | page[VERSION + i];
        application = application << 8 | page[APPLICATION + i];
    }
    header.ours = application == STORE_APPLICATION;
    return header;
}

/* A write-ahead log needs memory that all its users share: one machine. */
static bool on_network(const char *path)
{
    static const uint32_t magic[] = {
        0x6969,     /* NFS */
        0x517B,     /* SMB */
        0xFF534D42, /* CIFS */
        0xFE534D42, /* SMB 2 */
        0x01021997, /* 9P */
        0x0BD00BD0, /* Lustre */
        0x47504653, /* GPFS */
        0x00C36400, /* Ceph */
        0x19830326, /* BeeGFS */
        0x5346414F, /* AFS */
        0x65735546, /* FUSE: sshfs and the like */
    };
    struct statfs info;
    if (getenv("SANLAB_NETWORK")) return true;
    if (statfs(path, &info) != 0) return false;
    for (size_t i = 0; i < COUNT_OF(magic); i++)
        if ((uint32_t)info.f_type == magic[i]) return true;
    return false;
}

/* An older version's database, or one that a network file system cannot serve, is thrown away: the
 * collector fills the new one. */
static bool must_renew(const struct store *store)
{
    struct header header = header_read(store->path);
    return header.ours &&
           (header.version < STORE_VERSION || (header.log && on_network(store->runs)));
}

/* RUNS/sanlab.lock: shared by everyone who has the database open, exclusive for who replaces it.
 * (A database that is replaced while it is open would lose its write-ahead log to the new one.)
 * Comes back without it when the file `unless` appears meanwhile; NULL: waits in any case. */
static int lock_take(const char *runs, short type, const char *unless)
{
    char *path = heap_print("%s/sanlab.lock", runs);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) die("%s: cannot be written: %s", path, strerror(errno));
    struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
    double end = clock_seconds() + PATIENCE_SECONDS;
    while (fcntl(file, F_OFD_SETLK, &whole) != 0) {
        if (errno != EAGAIN && errno != EACCES) break; /* no locks on this file system */
        if (unless && file_exists(unless)) break;
        if (clock_seconds() > end)
            die("%s/sanlab.db: another sanlab has kept it open for %d s", runs, PATIENCE_SECONDS);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    free(path);
    return file;
}

static struct store *store_new(const char *runs)
{
    struct store *store = heap_alloc(sizeof *store);
    store->runs = heap_print("%s", runs);
    store->path = heap_print("%s/sanlab.db", runs);
    store->lock = -1;
    return store;
}

static void remove_beside(const char *path, const char *ending)
{
    char *full = heap_print("%s%s", path, ending);
    if (unlink(full) != 0 && errno != ENOENT) die("%s: %s", full, strerror(errno));
    free(full);
}

/* The caller holds the exclusive lock. */
static void build_and_replace(const char *runs, void (*fill)(struct store *, void *), void *context)
{
    struct store *store = store_new(runs);
    char *beside = heap_print("%s/sanlab.db.new", runs);
    remove_beside(beside, "");
    remove_beside(beside, "-wal");
    store->database = database_open(beside, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    script_run(store, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;"
                      "PRAGMA foreign_keys = ON;");
    schema_create(store);
    if (fill) fill(store, context);
    script_run(store, on_network(runs) ? "PRAGMA synchronous = FULL; PRAGMA journal_mode = DELETE;"
                                       : "PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL;");
    char *path = heap_print("%s", store->path);
    store_close(store);
    int file = open(beside, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fsync(file) != 0) die("%s: sync failed: %s", beside, strerror(errno));
    close(file);
    file_crash_point("before-database");
    remove_beside(path, "-wal");
    remove_beside(path, "-shm");
    file_rename(beside, path);
    free(beside);
    free(path);
}

void store_rebuild(const char *runs, void (*fill)(struct store *store, void *context),
                   void *context)
{
    if (!file_is_folder(runs)) die("%s: no such folder", runs);
    int lock = lock_take(runs, F_WRLCK, NULL);
    build_and_replace(runs, fill, context);
    close(lock);
}

/* file:PATH?immutable=1, where everything but letters, digits and /._- is %XX. */
static char *immutable_address(struct arena *arena, const char *path)
{
    char *address = arena_alloc(arena, 3 * strlen(path) + 32), *at = address;
    at += sprintf(at, "file:");
    for (; *path; path++) {
        bool plain = (*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z') ||
                     (*path >= '0' && *path <= '9') || strchr("/._-", *path);
        at += plain ? sprintf(at, "%c", *path) : sprintf(at, "%%%02X", (unsigned char)*path);
    }
    sprintf(at, "?immutable=1");
    return address;
}

/* A copy in memory of a database whose folder cannot be written, or is not there. A write-ahead
 * log that is not folded in cannot be read there; then the copy starts empty, and the collector
 * fills it. */
static void store_copy(struct store *store)
{
    struct arena arena = {0};
    store->database = database_open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    bool whole = file_bytes(arena_print(&arena, "%s-wal", store->path)) <= 0;
    struct header header = header_read(store->path);
    bool older = header.ours && header.version < STORE_VERSION;
    if (file_exists(store->path) && whole && !older) {
        char *address = immutable_address(&arena, store->path);
        sqlite3 *source = database_open(address, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
        sqlite3_backup *copy = sqlite3_backup_init(store->database, "main", source, "main");
        CHECK(copy, "%s: %s", store->path, sqlite3_errmsg(store->database));
        int code = sqlite3_backup_step(copy, -1);
        sqlite3_backup_finish(copy);
        if (code != SQLITE_DONE) refuse(code, store->path, sqlite3_errstr(code));
        sqlite3_close(source);
        store_check(store);
    } else {
        schema_create(store);
    }
    script_run(store, "PRAGMA foreign_keys = ON;");
    arena_free(&arena);
}

struct store *store_open(const char *runs)
{
    struct store *store = store_new(runs);
    bool writable = eaccess(runs, W_OK) == 0;
    if (file_exists(store->path)) writable &= eaccess(store->path, W_OK) == 0;
    if (!writable) {
        store_copy(store);
        return store;
    }
    if (!file_exists(store->path)) {
        int lock = lock_take(runs, F_WRLCK, store->path); /* who makes it keeps it open */
        if (!file_exists(store->path)) build_and_replace(runs, NULL, NULL);
        close(lock);
    } else if (must_renew(store)) {
        int lock = lock_take(runs, F_WRLCK, NULL);
        if (must_renew(store)) build_and_replace(runs, NULL, NULL);
        close(lock);
    }
    store->lock = lock_take(runs, F_RDLCK, NULL);
    store->database = database_open(store->path, SQLITE_OPEN_READWRITE);
    script_run(store, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
                      "PRAGMA cell_size_check = ON;");
    store_check(store);
    return store;
}

void store_close(struct store *store)
{
    int code = sqlite3_close(store->database);
    CHECK(code == SQLITE_OK, "a statement of %s was not finished", store->path);
    if (store->lock >= 0) close(store->lock);
    free(store->runs);
    free(store->path);
    free(store);
}

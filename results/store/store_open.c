/* Opens the database, or builds a new one. A damaged database is not repaired but replaced. A new
 * database is built in another file of RUNS, under an exclusive lock. Then this file is renamed to
 * the name of the database. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/crash.h"
#include "core/base/file.h"
#include "core/base/file_system.h"
#include "core/base/path.h"
#include "core/config/shipped.h"
#include "results/sheet/number_format.h"
#include "results/store/offer.h"
#include "results/store/schema.h"
#include "results/store/store.h"
#include "results/store/store_file.h"

#define LOCK_REFUSED "%s/" STORE_LOCK ": cannot be written: %s; nothing is added to the database"

/* Exits with an error if the database, or a file that SQLite adds to it, is not a regular file.
 * SQLite opens all these files, and would wait forever for a pipe. Exception: a rebuild (`anew`)
 * removes these files. It refuses only folders, because they may contain files of the user. */
static void refuse_strangers(const char *path, bool anew)
{
    for (const char *const *ending = store_file_ending; *ending; ending++) {
        struct stat info;
        SCOPED(heap_free) char *file = heap_print("%s%s", path, *ending);
        const bool there = path_stat(file, &info);
        if (there && S_ISDIR(info.st_mode))
            die("%s: is a folder, expected a file of the database; move it away", file);
        if (there && !S_ISREG(info.st_mode) && !anew)
            die("%s: is not a regular file; `sanlab collect --rebuild` removes it", file);
    }
}

/* The SQL function telling(KIND). Returns the names of values that describe a stage of the kind
 * (offer.h), best first, separated by blanks; null if there are none. */
static void telling(sqlite3_context *context, int count, sqlite3_value **argument)
{
    const char *kind = (const char *)sqlite3_value_text(argument[0]);
    const struct offer *offer = count && kind ? offer_of(kind) : NULL;
    if (offer && offer->telling) sqlite3_result_text(context, offer->telling, -1, SQLITE_STATIC);
}

/* Returns date and time as text, for the SQL function clock. */
static const char *clock_text(struct arena *arena, double seconds)
{
    char text[TIME_TEXT];
    return arena_text(arena, time_print(text, "%Y-%m-%d %H:%M:%S %z", seconds, false));
}

/* SQL functions that format a number for people (number_format.h). */
typedef const char *number_printer(struct arena *arena, double value);
static const struct printer {
    const char *name;
    number_printer *print;
} printers[] = {{"short", number_short},
                {"counted", number_count},
                {"seconds", number_seconds},
                {"age", number_age},
                {"clock", clock_text}};

static void print_number(sqlite3_context *context, int count, sqlite3_value **argument)
{
    const struct printer *printer = sqlite3_user_data(context);
    SCOPED(arena_free) struct arena arena = {0};
    if (!count || sqlite3_value_type(*argument) == SQLITE_NULL) return;
    const char *text = printer->print(&arena, sqlite3_value_double(*argument));
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static sqlite3 *database_open(const char *path, int flags)
{
    sqlite3 *database = NULL;
    int code = sqlite3_open_v2(path, &database, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (code != SQLITE_OK) store_refuse_at(database, path);
    sqlite3_busy_timeout(database, STORE_PATIENCE * 1000);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    /* Another program may have added triggers and views to the database. They are never run. */
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_create_function(database, "telling", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                            telling, NULL, NULL);
    for (size_t i = 0; i < COUNT_OF(printers); i++)
        sqlite3_create_function(database, printers[i].name, 1, SQLITE_UTF8, (void *)&printers[i],
                                print_number, NULL, NULL);
    return database;
}

static void database_close(struct store *store)
{
    for (int i = 0; i < store->statements; i++) {
        sqlite3_stmt *one = store->statement[i].statement;
        CHECK(!sqlite3_stmt_busy(one), "rows were left unread: %s", sqlite3_sql(one));
        sqlite3_finalize(one);
    }
    free(store->statement);
    store->statement = NULL;
    store->statements = 0;
    CHECK(sqlite3_close(store->database) == SQLITE_OK, "%s cannot be closed", store->path);
}

static void schema_create(struct store *store)
{
    store_script(store, "BEGIN");
    store_script(store, store_schema);
    store_script(store, "PRAGMA application_id = 0x73616e6c; PRAGMA user_version = 11; COMMIT");
}

/* A write-ahead log needs memory that all its users share, so they must be on one machine. On a
 * network file system, they may be on several machines. */
static bool on_network(const char *runs)
{
    return file_system_of(runs) == FILE_SYSTEM_NETWORK;
}

/* True if a new database must be built, which the collector fills. This is the case if the file
 * does not exist or has an older version. It is also the case if the database has a write-ahead log
 * on a network file system. */
static bool must_build(const struct store *store)
{
    if (!file_exists(store->path)) return true;
    struct store_header header = store_header(store->path);
    return header.ours &&
           (header.version < STORE_VERSION || (header.log && on_network(store->runs)));
}

/* Opens the lock file. The user who creates it sets its group afterwards (path_share). In between,
 * other users cannot open the file, so this function retries. */
static int lock_open(const char *path, int flags)
{
    enum { TRIES = 10 };
    for (int i = 1;; i++) {
        const int file = file_open(path, flags);
        if (file >= 0 || errno != EACCES || i == TRIES) return file;
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
}

/* Locks RUNS/sanlab.lock and returns its file descriptor. Processes that use the database take a
 * shared lock (F_RDLCK). A process that replaces the database takes an exclusive lock (F_WRLCK).
 * Without this lock, the write-ahead log of the old database, which another process has open, would
 * be applied to the new database. If the file `unless` exists while this function waits, it returns
 * the descriptor without the lock (NULL: there is no such file). Returns -1 with errno EAGAIN if
 * others hold the lock after `patience` seconds. Returns -1 with errno EACCES if this user has no
 * permission to open the file. */
static int lock_take(const char *runs, short type, const char *unless, double patience)
{
    char *path = heap_print("%s/" STORE_LOCK, runs);
    int file = lock_open(path, (type == F_RDLCK ? O_RDONLY : O_RDWR) | O_CREAT), error = errno;
    struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
    const double end = clock_seconds() + patience;
    if (file >= 0) path_share(path);
    while (file >= 0 && fcntl(file, F_OFD_SETLK, &whole) != 0) {
        if (errno != EAGAIN && errno != EACCES) break; /* this file system has no locks */
        if (unless && file_exists(unless)) break;
        if (clock_seconds() > end) {
            close(file);
            file = -1;
            error = EAGAIN;
        }
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    if (file < 0 && error != EAGAIN && error != EACCES)
        die("%s: cannot be written: %s", path, file_why(error));
    free(path);
    errno = error;
    return file;
}

void store_check_runs(const char *runs)
{
    if (file_is_no_folder(runs)) die("--runs %s: this is a file; expected a folder", runs);
}

static struct store *store_new(const char *runs)
{
    enum { ENDING = 22 }; /* bytes of "/sanlab.db.new" and of a suffix that SQLite adds */
    struct store *store = heap_alloc(sizeof *store);
    SCOPED(heap_free) char *whole = realpath(runs, NULL);
    const int most = sqlite3_vfs_find(NULL)->mxPathname - ENDING;
    if (whole && (int)strlen(whole) > most) /* SQLite would not report this cause */
        die("%s: the path of this folder has %zu bytes; expected RUNS with a path of at most %d "
            "bytes",
            runs, strlen(whole), most);
    store_check_runs(runs);
    path_guard(runs);
    store->runs = heap_print("%s", runs);
    store->path = heap_print("%s/" STORE_FILE, runs);
    store->lock = -1;
    return store;
}

/* Removes the files that SQLite adds to a database. If `itself` is true, also removes the
 * database. */
static void remove_files(const char *path, bool itself)
{
    for (const char *const *ending = store_file_ending + !itself; *ending; ending++) {
        SCOPED(heap_free) char *file = heap_print("%s%s", path, *ending);
        if (!file_unlink(file)) die("%s: %s", file, file_why(errno));
    }
}

/* Creates an empty file for a new database, and gives it the group of RUNS. If SQLite created the
 * file, other users could not write it. */
static void create_file(const char *path)
{
    const int file = file_open(path, O_RDWR | O_CREAT | O_EXCL);
    if (file < 0) die("%s: cannot be written: %s", path, file_why(errno));
    close(file);
    path_share(path);
}

/* Builds a new database and replaces the old one. Requires the exclusive lock. */
static void build_and_replace(const char *runs, void (*fill)(struct store *, void *), void *context)
{
    struct store *store = store_new(runs);
    SCOPED(heap_free) char *beside = heap_print("%s/" STORE_FILE_NEW, runs);
    refuse_strangers(store->path, true);
    refuse_strangers(beside, true);
    remove_files(beside, true);
    create_file(beside);
    store->database = database_open(beside, SQLITE_OPEN_READWRITE);
    store_script(store, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;"
                        "PRAGMA foreign_keys = ON;");
    schema_create(store);
    if (fill) fill(store, context);
    store_script(store, on_network(runs)
                            ? "PRAGMA synchronous = FULL; PRAGMA journal_mode = DELETE;"
                            : "PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL;");
    SCOPED(heap_free) char *path = heap_print("%s", store->path);
    store_close(store);
    int file = file_open(beside, O_RDONLY);
    if (file < 0 || fsync(file) != 0) die("%s: sync failed: %s", beside, strerror(errno));
    close(file);
    crash_point("before-database");
    remove_files(path, false);
    file_rename(beside, path);
}

void store_need_runs(const char *runs)
{
    store_check_runs(runs);
    if (file_is_folder(runs)) return;
    if (!strcmp(runs, STORE_RUNS))
        die("no runs folder here (looked for ./" STORE_RUNS "; use --runs DIR)");
    struct arena arena = {0};
    die("--runs: there is no folder %s%s", runs, shipped_near(&arena, runs));
}

bool store_rebuild(const char *runs, void (*fill)(struct store *store, void *context),
                   void *context)
{
    store_need_runs(runs);
    path_guard(runs);
    const int lock = lock_take(runs, F_WRLCK, NULL, STORE_PATIENCE);
    if (lock < 0 && errno == EACCES)
        die(LOCK_REFUSED "; remove the file while no sanlab uses the folder", runs,
            strerror(EACCES));
    if (lock < 0) {
        warn("%s/" STORE_FILE ": another sanlab has kept it open for %d s; it is not built anew",
             runs, STORE_PATIENCE);
        return false;
    }
    build_and_replace(runs, fill, context);
    close(lock);
    return true;
}

/* Opens an empty database in memory, which the collector fills. It is used if the file cannot be
 * written now. */
static void open_memory(struct store *store)
{
    store->database = database_open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    store->copy = true;
    schema_create(store);
    store_script(store, "PRAGMA foreign_keys = ON;");
}

static void lock_release(struct store *store)
{
    if (store->lock >= 0) close(store->lock);
    store->lock = -1;
}

void store_leave(struct store *store)
{
    database_close(store);
    lock_release(store);
    open_memory(store);
}

struct store *store_export(const struct store *store, const char *path)
{
    struct store *made = heap_alloc(sizeof *made);
    const char *name = path ? path : ":memory:";
    *made = (struct store){.runs = heap_print("%s", store->runs),
                           .path = heap_print("%s", name),
                           .lock = -1,
                           .copy = true,
                           .database = database_open(name, SQLITE_OPEN_READWRITE)};
    sqlite3_backup *copy =
        path ? sqlite3_backup_init(made->database, "main", store->database, "main") : NULL;
    if (copy) sqlite3_backup_step(copy, -1);
    if (sqlite3_backup_finish(copy) != SQLITE_OK) store_refuse_at(made->database, path);
    store_script(made, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;"
                       "PRAGMA foreign_keys = ON; PRAGMA application_id = 0; BEGIN;");
    return made;
}

/* Opens the database and begins a transaction for reading. Returns SQLITE_OK, or the code of the
 * error. */
static int begin_reading(struct store *store)
{
    store->database = database_open(store->path, SQLITE_OPEN_READWRITE);
    /* Tests without waiting if this user has permission to write. SQLITE_BUSY also proves the
     * permission: another program is just writing. */
    sqlite3_busy_timeout(store->database, 0);
    int code =
        sqlite3_exec(store->database, "PRAGMA cell_size_check = ON; BEGIN IMMEDIATE; ROLLBACK",
                     NULL, NULL, NULL);
    sqlite3_busy_timeout(store->database, (int)(store_patience() * 1000));
    if (code == SQLITE_OK || (code & 0xff) == SQLITE_BUSY)
        code = sqlite3_exec(store->database, "BEGIN; PRAGMA user_version", NULL, NULL, NULL);
    sqlite3_busy_timeout(store->database, STORE_PATIENCE * 1000);
    store_share(store->path);
    return code & 0xff;
}

static bool rights_may_lack(int code)
{
    return code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
}

/* Like begin_reading, but retries if this user has no permission. SQLite in the process of another
 * user may have just added a file to the database. This user can open the file only after
 * begin_reading of that process has given it the group of RUNS. */
static int begin_reading_patiently(struct store *store)
{
    const double end = clock_seconds() + STORE_PATIENCE;
    for (;;) {
        const int code = begin_reading(store);
        if (!rights_may_lack(code) || clock_seconds() > end) return code;
        database_close(store);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
}

/* Like lock_take, but also warns if it returns -1. */
static int lock_take_now(const struct store *store, short type, const char *unless)
{
    const int lock = lock_take(store->runs, type, unless, store_patience());
    if (lock < 0 && errno == EACCES)
        warn(LOCK_REFUSED, store->runs, strerror(EACCES));
    else if (lock < 0)
        store_say_locked(store);
    return lock;
}

/* Opens the database, after building it if necessary. Warns and returns false if the database
 * cannot be used now. */
static bool open_file(struct store *store)
{
    if (file_exists(store->path) && eaccess(store->path, W_OK) != 0 && store_cannot_write(store))
        return false;
    if (must_build(store)) { /* Another process may build the first database, and then keep it open.
                                So waiting for the lock ends when the database exists. */
        const bool first = !file_exists(store->path);
        int lock = lock_take_now(store, F_WRLCK, first ? store->path : NULL);
        if (lock < 0) return false;
        if (first ? !file_exists(store->path) : must_build(store)) {
            if (!first) warn("%s: is built anew from the run folders", store->path);
            build_and_replace(store->runs, NULL, NULL);
        }
        close(lock);
    }
    store->lock = lock_take_now(store, F_RDLCK, NULL);
    if (store->lock < 0) return false;
    const int code = begin_reading_patiently(store);
    if (code == SQLITE_OK || store_is_damage(code)) return true; /* store_open checks for damage */
    if (code == SQLITE_BUSY)
        store_say_locked(store);
    else if (!rights_may_lack(code) || !store_cannot_write(store))
        store_refuse_now(store->database);
    database_close(store);
    lock_release(store);
    return false;
}

/* Renames a damaged database, and builds and opens a new one, which the collector fills. Exits with
 * an error if other processes use the damaged database. */
static void build_instead(struct store *store, const char *damage)
{
    SCOPED(heap_free) char *kept = heap_print("%s" STORE_DAMAGED, store->path);
    database_close(store);
    lock_release(store);
    const int lock = lock_take(store->runs, F_WRLCK, NULL, store_patience());
    if (lock < 0) store_refuse(SQLITE_CORRUPT, store->path, damage);
    file_rename(store->path, kept);
    build_and_replace(store->runs, NULL, NULL);
    close(lock);
    warn("%s: is damaged (%s); it is built anew from the run folders, and kept as %s", store->path,
         damage, kept);
    if (!open_file(store)) die("%s: cannot be opened", store->path);
}

struct store *store_open(const char *runs)
{
    struct store *store = store_new(runs);
    refuse_strangers(store->path, false);
    if (eaccess(runs, W_OK) != 0 || !open_file(store)) {
        open_memory(store);
        return store;
    }
    SCOPED(arena_free) struct arena arena = {0};
    const char *damage = store_check(store, &arena);
    if (damage) build_instead(store, damage);
    store_script(store, "COMMIT; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;");
    return store;
}

void store_close(struct store *store)
{
    database_close(store);
    lock_release(store);
    free(store->runs);
    free(store->path);
    free(store);
}

/* Runs a query on a database without sanlab: `sql DATABASE < QUERY` prints the names of the columns
 * and the rows, with | between cells, like sqlite3 -header. */
#include <sqlite3.h>
#include <stdio.h>

#include "core/base/arena.h"
#include "core/base/base.h"

static void check(int code, sqlite3 *database)
{
    if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE)
        die("sql: %s", sqlite3_errmsg(database));
}

static void put_row(sqlite3_stmt *ask, bool header)
{
    for (int i = 0; i < sqlite3_column_count(ask); i++) {
        const char *text =
            header ? sqlite3_column_name(ask, i) : (const char *)sqlite3_column_text(ask, i);
        printf("%s%s", i ? "|" : "", text ? text : "");
    }
    putchar('\n');
}

int main(int count, char **word)
{
    char query[1 << 16];
    sqlite3 *database;
    sqlite3_stmt *ask;
    if (count != 2) die("sql: expected a database");
    query[fread(query, 1, sizeof query - 1, stdin)] = 0;
    check(sqlite3_open_v2(word[1], &database, SQLITE_OPEN_READONLY, NULL), database);
    for (const char *left = query; *left;) {
        int code;
        check(sqlite3_prepare_v2(database, left, -1, &ask, &left), database);
        if (!ask) continue; /* blanks, a comment */
        for (int rows = 0; (code = sqlite3_step(ask)) == SQLITE_ROW; rows++) {
            if (!rows) put_row(ask, true);
            put_row(ask, false);
        }
        check(code, database);
        sqlite3_finalize(ask);
    }
    sqlite3_close(database);
    return 0;
}

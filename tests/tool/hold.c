/* A second program with an open database: `hold DATABASE STATEMENTS` runs the statements, prints
 * "held" and keeps its connection open until it is killed. */
#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/base.h"

int main(int count, char **word)
{
    sqlite3 *database;
    if (count != 3) die("hold: expected a database and statements");
    if (sqlite3_open_v2(word[1], &database, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
        sqlite3_exec(database, word[2], NULL, NULL, NULL) != SQLITE_OK)
        die("hold: %s", sqlite3_errmsg(database));
    puts("held");
    fflush(stdout);
    for (;;) pause();
}

/* The tables of RUNS/sanlab.db (store.h). A change here, or of what is put there, is a new
 * STORE_VERSION: the database is then built anew from the run folders. Times are seconds since
 * 1970, durations seconds. */
#ifndef RESULTS_STORE_SCHEMA_H
#define RESULTS_STORE_SCHEMA_H

static const char store_schema[] =
    "CREATE TABLE stage ("
    "  number    INTEGER PRIMARY KEY,"
    "  id        TEXT NOT NULL UNIQUE," /* 64 hexadecimal digits */
    "  kind      TEXT NOT NULL,"
    "  folder    TEXT NOT NULL UNIQUE," /* its name under RUNS/stages */
    "  canonical TEXT NOT NULL,"
    "  status    TEXT NOT NULL," /* collect.h lists the words */
    "  message   TEXT,"
    "  attempts  INTEGER NOT NULL DEFAULT 0,"
    "  step      INTEGER," /* the last one that a metric has */
    "  started   REAL,"
    "  finished  REAL,"
    "  wall      REAL NOT NULL DEFAULT 0,"
    "  telling   TEXT," /* name of the value that says most about it: bleu, dev_loss, loss */
    "  telling_value REAL,"
    /* Its time, in nanoseconds; 0: it must be looked into again (collect.c). */
    "  folder_modified INTEGER NOT NULL DEFAULT 0"
    ") STRICT;"

    /* How far each file was read: bytes, its time in nanoseconds, and the last bytes before that
     * place, by which a journal that was cut is recognized. */
    "CREATE TABLE file ("
    "  stage    INTEGER NOT NULL REFERENCES stage ON DELETE CASCADE,"
    "  name     TEXT NOT NULL,"
    "  bytes    INTEGER NOT NULL,"
    "  modified INTEGER NOT NULL,"
    "  tail     TEXT NOT NULL,"
    "  bad      INTEGER NOT NULL,"
    "  PRIMARY KEY (stage, name)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE name ("
    "  stage    INTEGER NOT NULL REFERENCES stage ON DELETE CASCADE,"
    "  position INTEGER NOT NULL,"
    "  name     TEXT NOT NULL,"
    "  PRIMARY KEY (stage, position)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE option ("
    "  stage INTEGER NOT NULL REFERENCES stage ON DELETE CASCADE,"
    "  key   TEXT NOT NULL,"
    "  value TEXT NOT NULL,"
    "  PRIMARY KEY (stage, key)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE input ("
    "  stage    INTEGER NOT NULL REFERENCES stage ON DELETE CASCADE,"
    "  position INTEGER NOT NULL,"
    "  input    TEXT NOT NULL," /* an id; that stage may be gone */
    "  PRIMARY KEY (stage, position)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE INDEX input_of_reader ON input (input);"

    /* `products` is there wherever anything is (collect.h). */
    "CREATE TABLE environment ("
    "  stage INTEGER NOT NULL REFERENCES stage ON DELETE CASCADE,"
    "  key   TEXT NOT NULL,"
    "  value TEXT NOT NULL,"
    "  PRIMARY KEY (stage, key)"
    ") STRICT, WITHOUT ROWID;"

    /* A number in value, or a text in text. */
    "CREATE TABLE summary ("
    "  stage INTEGER NOT NULL REFERENCES stage ON DELETE CASCADE,"
    "  name  TEXT NOT NULL,"
    "  value REAL,"
    "  text  TEXT,"
    "  PRIMARY KEY (stage, name)"
    ") STRICT, WITHOUT ROWID;"

    /* A value that was not finite is null. */
    "CREATE TABLE metric ("
    "  stage INTEGER NOT NULL REFERENCES stage ON DELETE CASCADE,"
    "  step  INTEGER,"
    "  name  TEXT NOT NULL,"
    "  layer INTEGER,"
    "  head  INTEGER,"
    "  \"set\" INTEGER," /* a word of SQL */
    "  class TEXT,"
    "  n     INTEGER,"
    "  value REAL"
    ") STRICT;"
    "CREATE INDEX metric_of_stage ON metric (stage, name, step);"

    /* The last value of each name without layer, head, set and class: what filters and lists
     * ask for. */
    "CREATE TABLE latest ("
    "  stage INTEGER NOT NULL REFERENCES stage ON DELETE CASCADE,"
    "  name  TEXT NOT NULL,"
    "  step  INTEGER,"
    "  value REAL,"
    "  PRIMARY KEY (stage, name)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE event ("
    "  stage   INTEGER NOT NULL REFERENCES stage ON DELETE CASCADE,"
    "  attempt INTEGER NOT NULL,"
    "  step    INTEGER,"
    "  event   TEXT NOT NULL,"
    "  time    REAL NOT NULL,"
    "  clock   REAL NOT NULL," /* since the attempt's process opened the journal */
    "  text    TEXT"
    ") STRICT;"
    "CREATE INDEX event_of_stage ON event (stage);"

    "CREATE TABLE timing ("
    "  stage   INTEGER NOT NULL REFERENCES stage ON DELETE CASCADE,"
    "  attempt INTEGER NOT NULL,"
    "  step    INTEGER,"
    "  name    TEXT NOT NULL,"
    "  time    REAL NOT NULL,"
    "  clock   REAL NOT NULL,"
    "  value   REAL"
    ") STRICT;"
    "CREATE INDEX timing_of_stage ON timing (stage);"

    /* What people wrote about a stage (notes.h). */
    "CREATE TABLE tag ("
    "  stage INTEGER NOT NULL REFERENCES stage ON DELETE CASCADE,"
    "  tag   TEXT NOT NULL,"
    "  PRIMARY KEY (stage, tag)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE note ("
    "  stage INTEGER NOT NULL REFERENCES stage ON DELETE CASCADE,"
    "  time  REAL NOT NULL,"
    "  text  TEXT NOT NULL"
    ") STRICT;"
    "CREATE INDEX note_of_stage ON note (stage);"

    "CREATE TABLE grid ("
    "  number   INTEGER PRIMARY KEY,"
    "  path     TEXT NOT NULL UNIQUE," /* of its record, under RUNS/grids */
    "  grid     TEXT NOT NULL,"
    "  title    TEXT,"
    "  note     TEXT,"
    "  bytes    INTEGER NOT NULL,"
    "  modified INTEGER NOT NULL"
    ") STRICT;"

    /* Which stages a grid's rows and seeds are made of; a stage may not have run yet. */
    "CREATE TABLE member ("
    "  grid     INTEGER NOT NULL REFERENCES grid ON DELETE CASCADE,"
    "  position INTEGER NOT NULL," /* of the row, from 0 */
    "  row      TEXT NOT NULL,"
    "  seed     INTEGER NOT NULL,"
    "  place    INTEGER NOT NULL," /* of the stage, in the order in which they run */
    "  kind     TEXT NOT NULL,"
    "  stage    TEXT NOT NULL," /* an id */
    "  PRIMARY KEY (grid, position, seed, place)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE INDEX member_of_stage ON member (stage);"

    /* Where a grid's rows stand on the axes that it names itself; at several places where equal
     * points are one row. */
    "CREATE TABLE axis ("
    "  grid     INTEGER NOT NULL REFERENCES grid ON DELETE CASCADE,"
    "  position INTEGER NOT NULL," /* of the row */
    "  name     TEXT NOT NULL,"
    "  value    TEXT NOT NULL,"
    "  PRIMARY KEY (grid, position, name, value)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE grid_tag ("
    "  grid INTEGER NOT NULL REFERENCES grid ON DELETE CASCADE,"
    "  tag  TEXT NOT NULL,"
    "  PRIMARY KEY (grid, tag)"
    ") STRICT, WITHOUT ROWID;"

    /* All names and tags of a stage: its own, and those that grids give it (collect.c). */
    "CREATE TABLE called ("
    "  stage INTEGER NOT NULL REFERENCES stage ON DELETE CASCADE,"
    "  name  TEXT NOT NULL,"
    "  PRIMARY KEY (stage, name)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE INDEX called_by_name ON called (name);"
    "CREATE TABLE tagged ("
    "  stage INTEGER NOT NULL REFERENCES stage ON DELETE CASCADE,"
    "  tag   TEXT NOT NULL,"
    "  PRIMARY KEY (stage, tag)"
    ") STRICT, WITHOUT ROWID;";

#endif

/* The tables and views of RUNS/sanlab.db (store.h). If this file or the content of rows changes,
 * STORE_VERSION must change. The database is then rebuilt from the run folders, which have all of
 * its content. So there is no code for migration. Times are seconds since 1970, durations
 * seconds. */
#pragma once

#include "results/store/store.h"

/* The first columns of views about grids: record, row and seed of a stage in the record of a grid.
 * `record` is the number of the record. `newest` is 1 if no other record of the same grid is
 * newer. */
#define STORE_MEMBER                                                                               \
    "grid.grid, grid.number AS record,"                                                            \
    "  grid.number = (SELECT number FROM grid AS other WHERE other.grid = grid.grid"               \
    "    ORDER BY modified DESC, number DESC LIMIT 1) AS newest,"                                  \
    "  position, row, seed"
#define STORE_BEGUN "member JOIN grid ON grid.number = member.grid JOIN stage ON id = member.stage"
/* All stages (`one`) of the point to which the row of `member` belongs. */
#define STORE_OF_POINT                                                                             \
    "FROM member AS one LEFT JOIN stage ON id = one.stage WHERE one.grid = member.grid"            \
    "  AND one.position = member.position AND one.seed = member.seed"

static const char store_schema[] =
    "CREATE TABLE stage ("
    "  number    INTEGER PRIMARY KEY,"
    "  id        TEXT NOT NULL UNIQUE," /* 64 hexadecimal digits */
    "  kind      TEXT NOT NULL,"
    "  folder    TEXT NOT NULL UNIQUE," /* name of the folder in RUNS/stages */
    "  canonical TEXT NOT NULL,"
    "  status    TEXT NOT NULL," /* status.h lists the words */
    "  message   TEXT,"
    "  attempts  INTEGER NOT NULL DEFAULT 0,"
    "  step      INTEGER," /* the last step of a metric */
    "  started   REAL,"
    "  finished  REAL,"
    "  wall      REAL NOT NULL DEFAULT 0,"
    /* The modification time of the folder in nanoseconds; 0: the folder must be read again
     * (collector.c). */
    "  folder_modified INTEGER NOT NULL DEFAULT 0"
    ") STRICT;"

    /* The state of each journal when it was last read: number of bytes read, and modification
     * time in nanoseconds. `tail` is a digest of the last bytes read. It shows if a journal was
     * truncated and written again. "records" are stage.json, environment.json and done.json: the
     * sums of their bytes and times. */
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

    /* If a stage has any keys here, it also has the key `products` (collector.h). */
    "CREATE TABLE environment ("
    "  stage INTEGER NOT NULL REFERENCES stage ON DELETE CASCADE,"
    "  key   TEXT NOT NULL,"
    "  value TEXT NOT NULL,"
    "  PRIMARY KEY (stage, key)"
    ") STRICT, WITHOUT ROWID;"

    /* All numbers of a stage; null if not finite. `origin` STORE_OF_LINE is a line of
     * metrics.jsonl. STORE_OF_DONE is a value of done.json in its first format (stage_folder.h).
     * STORE_OF_BOTH is a line of metrics.jsonl that is also a value of the stage as a whole. */
    "CREATE TABLE value ("
    "  stage  INTEGER NOT NULL REFERENCES stage ON DELETE CASCADE,"
    "  name   TEXT NOT NULL,"
    "  step   INTEGER,"
    "  layer  INTEGER,"
    "  head   INTEGER,"
    "  \"set\"  INTEGER," /* a keyword of SQL */
    "  class  TEXT,"
    "  n      INTEGER,"
    "  value  REAL,"
    "  origin INTEGER NOT NULL"
    ") STRICT;"
    "CREATE INDEX value_of_stage ON value (stage, name, step);"
    "CREATE INDEX value_of_whole ON value (stage, name) WHERE " STORE_WHOLE ";"

    /* The texts of done.json: status, signature, digests of outputs. */
    "CREATE TABLE word ("
    "  stage INTEGER NOT NULL REFERENCES stage ON DELETE CASCADE,"
    "  name  TEXT NOT NULL,"
    "  text  TEXT NOT NULL,"
    "  PRIMARY KEY (stage, name)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE event ("
    "  stage   INTEGER NOT NULL REFERENCES stage ON DELETE CASCADE,"
    "  attempt INTEGER NOT NULL,"
    "  step    INTEGER,"
    "  event   TEXT NOT NULL,"
    "  time    REAL NOT NULL,"
    "  clock   REAL NOT NULL," /* seconds since the process of the attempt opened the journal */
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

    /* Tags and notes of users (notes.h). */
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
    "  path     TEXT NOT NULL UNIQUE," /* path of its record in RUNS/grids */
    "  grid     TEXT NOT NULL,"
    "  title    TEXT,"
    "  note     TEXT,"
    "  bytes    INTEGER NOT NULL,"
    "  modified INTEGER NOT NULL"
    ") STRICT;"

    /* The stages of a grid's rows and seeds; a stage may not have run yet. */
    "CREATE TABLE member ("
    "  grid     INTEGER NOT NULL REFERENCES grid ON DELETE CASCADE,"
    "  position INTEGER NOT NULL," /* index of the row, from 0 */
    "  row      TEXT NOT NULL,"
    "  seed     INTEGER NOT NULL,"
    "  place    INTEGER NOT NULL," /* index of the stage, in the order in which the stages of the
                                      point run */
    "  kind     TEXT NOT NULL,"
    "  stage    TEXT NOT NULL," /* an id */
    "  PRIMARY KEY (grid, position, seed, place)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE INDEX member_of_stage ON member (stage);"

    /* The coordinates of rows on the named axes of a grid. A row has several coordinates on an axis
     * if several axis values compute the same row. */
    "CREATE TABLE axis ("
    "  grid     INTEGER NOT NULL REFERENCES grid ON DELETE CASCADE,"
    "  position INTEGER NOT NULL," /* index of the row, from 0 */
    "  name     TEXT NOT NULL,"
    "  value    TEXT NOT NULL,"
    "  PRIMARY KEY (grid, position, name, value)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE grid_tag ("
    "  grid INTEGER NOT NULL REFERENCES grid ON DELETE CASCADE,"
    "  tag  TEXT NOT NULL,"
    "  PRIMARY KEY (grid, tag)"
    ") STRICT, WITHOUT ROWID;"

    /* All names and tags of a stage: from its folder and from grids (ingest_names). */
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
    ") STRICT, WITHOUT ROWID;"

    /* The views are for queries of users and other programs; sanlab itself does not read them.
     * docs/format.md describes the columns. */
    "CREATE VIEW summary AS " STORE_SUMMARY ";"
    "CREATE VIEW metric AS SELECT stage, step, name, layer, head, \"set\", class, n, value"
    "  FROM value WHERE " STORE_LINES ";"
    "CREATE VIEW latest AS " STORE_LATEST ";"
    "CREATE VIEW point AS SELECT " STORE_MEMBER ","
    /* The status of the first stage that is not done; 'new' if that stage does not exist. */
    "  coalesce((SELECT coalesce(status, 'new') " STORE_OF_POINT
    "    AND status IS NOT 'done' ORDER BY one.place LIMIT 1), 'done') AS status,"
    "  count(*) AS stages, count(CASE status WHEN 'done' THEN 1 END) AS done, sum(wall) AS wall "
    "FROM member JOIN grid ON grid.number = member.grid LEFT JOIN stage ON id = member.stage "
    "GROUP BY member.grid, position, seed;"

    /* The values of done stages, except stages that run after a diverged stage of the point. These
     * are the values of stages as a whole. For metrics with a layer, head, set or class, these are
     * the values at the last step. */
    "CREATE VIEW result AS WITH made AS (SELECT " STORE_MEMBER ", member.kind,"
    "    stage.number AS stage,"
    "    (SELECT value FROM option WHERE option.stage = stage.number AND key = 'part') AS part"
    "  FROM " STORE_BEGUN "  WHERE status = 'done' AND NOT EXISTS (SELECT 1 " STORE_OF_POINT
    "    AND one.place < member.place AND status = 'diverged')) "
    "SELECT grid, record, newest, position, row, seed, kind, part, made.stage, name,"
    "  NULL AS layer, NULL AS head, NULL AS \"set\", NULL AS class, NULL AS n, value"
    "  FROM made JOIN value ON value.stage = made.stage WHERE " STORE_WHOLE
    "  AND value IS NOT NULL "
    "UNION ALL "
    "SELECT grid, record, newest, position, row, seed, kind, part, made.stage, name,"
    "  layer, head, \"set\", class, n, value"
    "  FROM made JOIN value ON value.stage = made.stage"
    "  WHERE NOT (" STORE_PLAIN ") AND NOT EXISTS (SELECT 1 FROM value AS later"
    "    WHERE later.stage = value.stage AND later.name = value.name"
    "    AND later.layer IS value.layer AND later.head IS value.head"
    "    AND later.\"set\" IS value.\"set\" AND later.class IS value.class"
    "    AND later.step > value.step);"

    /* Metrics by step, also of unfinished stages. For the step of a validation, the row also has
     * the number of the validation and the epoch. They allow a comparison of seeds, which may be
     * validated at different steps. */
    "CREATE VIEW curve AS SELECT " STORE_MEMBER ", member.kind,"
    "  stage.number AS stage, value.step, value.name, value.value,"
    "  CASE WHEN EXISTS (SELECT 1 FROM value AS at WHERE at.stage = value.stage AND"
    "    at.name = 'dev_loss' AND at.step = value.step)"
    "  THEN (SELECT count(DISTINCT at.step) FROM value AS at WHERE at.stage = value.stage AND"
    "    at.name = 'dev_loss' AND at.step <= value.step) END AS validation,"
    "  (SELECT at.value FROM value AS at WHERE at.stage = value.stage AND at.name = 'epochs' AND"
    "    at.step = value.step) AS epoch "
    "FROM " STORE_BEGUN " JOIN value ON value.stage = stage.number "
    "WHERE value.step IS NOT NULL AND " STORE_PLAIN ";";

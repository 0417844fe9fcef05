// SQLite for Swift: its types and the functions that Martlet uses.
//
// On Linux it is loaded with dlopen when the first database is opened and not linked: linked, it costs every start of the
// program 0.3 ms (measured), also the many that never open one. On Apple platforms it is part of the system's shared cache
// and linked.
#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>
#include <stdint.h>

// Loads SQLite, once. NULL, or why it cannot be used. Everything below needs it to have succeeded.
const char *csqlite_load(void);

const char *csqlite_version(void);
int csqlite_open(const char *path, sqlite3 **database, int flags);
void csqlite_close(sqlite3 *database);
void csqlite_busy_timeout(sqlite3 *database, int milliseconds);
int csqlite_exec(sqlite3 *database, const char *sql);
// The result code of the last failed call, with its extension, and SQLite's words for it.
int csqlite_error_code(sqlite3 *database);
const char *csqlite_error_message(sqlite3 *database);
// The system's error number behind it.
int csqlite_system_error(sqlite3 *database);
int64_t csqlite_last_insert_rowid(sqlite3 *database);
int csqlite_changes(sqlite3 *database);

// A statement to be used often.
int csqlite_prepare(sqlite3 *database, const char *sql, sqlite3_stmt **statement);
void csqlite_finalize(sqlite3_stmt *statement);
int csqlite_step(sqlite3_stmt *statement);
// Makes a statement ready to run again, without values.
void csqlite_reset(sqlite3_stmt *statement);
// Values are copied. Parameters count from 1.
int csqlite_bind_null(sqlite3_stmt *statement, int parameter);
int csqlite_bind_int(sqlite3_stmt *statement, int parameter, int64_t value);
int csqlite_bind_text(sqlite3_stmt *statement, int parameter, const char *text, uint64_t count);
int csqlite_bind_blob(sqlite3_stmt *statement, int parameter, const void *bytes, uint64_t count);
// Columns count from 0.
int csqlite_column_is_null(sqlite3_stmt *statement, int column);
int64_t csqlite_column_int(sqlite3_stmt *statement, int column);
// The bytes of a text or blob, valid until the next call on the statement; NULL when there are none.
const void *csqlite_column_bytes(sqlite3_stmt *statement, int column, int *count);

#endif

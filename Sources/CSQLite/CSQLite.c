#include "CSQLite.h"

#include <stddef.h>

#if defined(__linux__)

#include "CLoad.h"

#include <pthread.h>

#define FUNCTIONS(X)                                                                                                   \
  X(sqlite3_libversion) X(sqlite3_libversion_number) X(sqlite3_open_v2) X(sqlite3_close_v2) X(sqlite3_busy_timeout)    \
  X(sqlite3_exec) X(sqlite3_extended_errcode) X(sqlite3_errmsg) X(sqlite3_system_errno) X(sqlite3_last_insert_rowid)   \
  X(sqlite3_changes) X(sqlite3_prepare_v3) X(sqlite3_finalize) X(sqlite3_step) X(sqlite3_reset)                        \
  X(sqlite3_clear_bindings) X(sqlite3_bind_null) X(sqlite3_bind_int64) X(sqlite3_bind_text64) X(sqlite3_bind_blob64)   \
  X(sqlite3_column_type) X(sqlite3_column_int64) X(sqlite3_column_blob) X(sqlite3_column_bytes)

static struct {
#define MEMBER(name) __typeof__(name) *name;
  FUNCTIONS(MEMBER)
#undef MEMBER
} lib;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;

static void load(void) {
#define FUNCTION(name) {#name, (void **)&lib.name},
  static const cload_function functions[] = {FUNCTIONS(FUNCTION)};
#undef FUNCTION
  failure = cload("libsqlite3.so.0", "libsqlite3", functions, sizeof functions / sizeof *functions);
  if (!failure && lib.sqlite3_libversion_number() < 3037000) failure = "libsqlite3 is too old: 3.37 or later is needed";
}

const char *csqlite_load(void) {
  pthread_once(&once, load);
  return failure;
}

#define CALL(name) lib.name

#else

const char *csqlite_load(void) { return NULL; }

#define CALL(name) name

#endif

const char *csqlite_version(void) { return CALL(sqlite3_libversion)(); }
int csqlite_open(const char *path, sqlite3 **database, int flags) {
  return CALL(sqlite3_open_v2)(path, database, flags, NULL);
}
void csqlite_close(sqlite3 *database) { CALL(sqlite3_close_v2)(database); }
void csqlite_busy_timeout(sqlite3 *database, int milliseconds) { CALL(sqlite3_busy_timeout)(database, milliseconds); }
int csqlite_exec(sqlite3 *database, const char *sql) { return CALL(sqlite3_exec)(database, sql, NULL, NULL, NULL); }
int csqlite_error_code(sqlite3 *database) { return CALL(sqlite3_extended_errcode)(database); }
const char *csqlite_error_message(sqlite3 *database) { return CALL(sqlite3_errmsg)(database); }
int csqlite_system_error(sqlite3 *database) { return CALL(sqlite3_system_errno)(database); }
int64_t csqlite_last_insert_rowid(sqlite3 *database) { return CALL(sqlite3_last_insert_rowid)(database); }
int csqlite_changes(sqlite3 *database) { return CALL(sqlite3_changes)(database); }

int csqlite_prepare(sqlite3 *database, const char *sql, sqlite3_stmt **statement) {
  return CALL(sqlite3_prepare_v3)(database, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}
void csqlite_finalize(sqlite3_stmt *statement) { CALL(sqlite3_finalize)(statement); }
int csqlite_step(sqlite3_stmt *statement) { return CALL(sqlite3_step)(statement); }
void csqlite_reset(sqlite3_stmt *statement) {
  CALL(sqlite3_reset)(statement);
  CALL(sqlite3_clear_bindings)(statement);
}
int csqlite_bind_null(sqlite3_stmt *statement, int parameter) { return CALL(sqlite3_bind_null)(statement, parameter); }
int csqlite_bind_int(sqlite3_stmt *statement, int parameter, int64_t value) {
  return CALL(sqlite3_bind_int64)(statement, parameter, value);
}
int csqlite_bind_text(sqlite3_stmt *statement, int parameter, const char *text, uint64_t count) {
  return CALL(sqlite3_bind_text64)(statement, parameter, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
int csqlite_bind_blob(sqlite3_stmt *statement, int parameter, const void *bytes, uint64_t count) {
  // A null pointer would bind NULL, not an empty blob.
  return CALL(sqlite3_bind_blob64)(statement, parameter, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}
int csqlite_column_is_null(sqlite3_stmt *statement, int column) {
  return CALL(sqlite3_column_type)(statement, column) == SQLITE_NULL;
}
int64_t csqlite_column_int(sqlite3_stmt *statement, int column) { return CALL(sqlite3_column_int64)(statement, column); }
const void *csqlite_column_bytes(sqlite3_stmt *statement, int column, int *count) {
  const void *bytes = CALL(sqlite3_column_blob)(statement, column);
  *count = CALL(sqlite3_column_bytes)(statement, column);
  return bytes;
}

#if defined(__linux__)

#define _GNU_SOURCE
#include "CLoad.h"

#include <dlfcn.h>
#include <stdio.h>

// Kept for good: a library is loaded once.
static const char *reason(const char *format, const char *subject, const char *detail) {
  char *text;
  return asprintf(&text, format, subject, detail) < 0 ? "there is no memory" : text;
}

const char *cload(const char *file, const char *title, const cload_function *functions, size_t count) {
  // Lazily: of the many libraries behind one, most functions are never called.
  void *handle = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (!handle) {
    const char *error = dlerror();
    return error ? reason("%s%s", error, "") : reason("%s cannot be loaded%s", file, "");
  }
  for (size_t index = 0; index < count; index++) {
    *functions[index].place = dlsym(handle, functions[index].name);
    if (!*functions[index].place) return reason("%s is too old: it has no %s", title, functions[index].name);
  }
  return NULL;
}

#endif

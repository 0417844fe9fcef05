#ifndef CLOAD_H
#define CLOAD_H

#include <stddef.h>

// A function to find in a library, and where its address goes.
typedef struct {
  const char *name;
  void **place;
} cload_function;

// Loads a shared library when it is first needed: linking it would cost its time at every start of a program.
// Returns NULL, or why not, in words that stay valid. `title` is the library's name for people.
const char *cload(const char *file, const char *title, const cload_function *functions, size_t count);

#endif

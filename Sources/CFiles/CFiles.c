#define _GNU_SOURCE
#include "CFiles.h"

#include <fcntl.h>
#include <string.h>

#ifdef __linux__
#include <sys/vfs.h>
#endif

int cfiles_is_kernel_file(int descriptor) {
#ifdef __linux__
  // From linux/magic.h, which names them.
  static const unsigned long kernel[] = {
      0x9fa0,      // proc
      0x62656572,  // sysfs
      0x64626720,  // debugfs
      0x74726163,  // tracefs
      0x27e0eb,    // cgroup
      0x63677270,  // cgroup2
      0x73636673,  // securityfs
      0xcafe4a11,  // bpf
      0x6165676c,  // pstore
      0xde5e81e4,  // efivarfs
      0x62656570,  // configfs
      0x42494e4d,  // binfmt_misc
      0x1cd1,      // devpts
      0x19800202,  // mqueue
      0x187,       // autofs
  };
  struct statfs status;
  if (fstatfs(descriptor, &status) != 0) return 0;
  for (size_t index = 0; index < sizeof kernel / sizeof *kernel; index++)
    if ((unsigned long)status.f_type == kernel[index]) return 1;
#else
  (void)descriptor;
#endif
  return 0;
}

int cfiles_search_flag(void) {
#if defined(O_PATH)
  return O_PATH;
#elif defined(O_SEARCH)
  return O_SEARCH;
#else
  return O_RDONLY;
#endif
}

ptrdiff_t cfiles_find(const void *bytes, size_t count, const void *needle, size_t needle_count) {
  const char *found = memmem(bytes, count, needle, needle_count);
  return found ? found - (const char *)bytes : -1;
}

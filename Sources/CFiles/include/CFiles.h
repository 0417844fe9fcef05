// The few calls about files that Swift cannot make by itself.
#ifndef CFILES_H
#define CFILES_H

#include <stddef.h>

// Whether the file lives in memory of the kernel (proc, sysfs and their kin), where reading may block, lie or act.
int cfiles_is_kernel_file(int descriptor);

// The flag of `open` for a directory that is only to be walked through, which needs no permission to list it.
int cfiles_search_flag(void);

// The first place of `needle` in `bytes`, or -1.
ptrdiff_t cfiles_find(const void *bytes, size_t count, const void *needle, size_t needle_count);

#endif

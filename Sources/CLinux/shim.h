// Calls that the C library declares only under _GNU_SOURCE, which Swift's import of it leaves undefined.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <sys/types.h>

int renameat2(int old_folder, const char *old_name, int new_folder, const char *new_name, unsigned int flags);
int syncfs(int descriptor);
int sched_getaffinity(pid_t process, size_t size, void *mask);
ssize_t copy_file_range(
    int source, off_t *source_offset, int target, off_t *target_offset, size_t count, unsigned int flags);

#endif

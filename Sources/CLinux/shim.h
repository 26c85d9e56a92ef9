// Calls that Swift's import of the C library leaves out, most of them since they need _GNU_SOURCE.
//
// No header of the C library is included but the one for size_t: its types would belong to this module or to Glibc,
// whichever the compiler met first. pid_t is int, and off_t and ssize_t are long, on every Linux that Swift runs on.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <stddef.h>

int renameat2(int old_folder, const char *old_name, int new_folder, const char *new_name, unsigned int flags);
int syncfs(int descriptor);
// The type of the file system is the first long of what it writes, which has 120 bytes at most (statfs(2)).
int fstatfs(int descriptor, void *status);
int sched_getaffinity(int process, size_t size, void *mask);
long copy_file_range(
    int source, long *source_offset, int target, long *target_offset, size_t count, unsigned int flags);

// The tests run the program in a thread with a current folder and descriptors of its own (linux/sched.h,
// linux/close_range.h).
int unshare(int flags);
int close_range(unsigned int first, unsigned int last, int flags);
static const int IAPKG_CLONE_FS = 0x200;
static const int IAPKG_CLOSE_RANGE_UNSHARE = 2;

// Only the GNU C library has this one, with these numbers (malloc.h).
int mallopt(int setting, int value);
static const int IAPKG_M_TRIM_THRESHOLD = -1;
static const int IAPKG_M_MMAP_THRESHOLD = -3;
static const int IAPKG_M_ARENA_MAX = -8;

#endif

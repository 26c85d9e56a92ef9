// Calls that Swift's import of the C library leaves out, most of them because they require _GNU_SOURCE.
//
// Of the C library, only the header for size_t is included: other types would belong to this module or to Glibc,
// depending on which the compiler imports first. pid_t is int, and off_t and ssize_t are long, on every Linux that Swift runs on.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <stddef.h>

int renameat2(int old_folder, const char *old_name, int new_folder, const char *new_name, unsigned int flags);
int syncfs(int descriptor);
// Writes at most 120 bytes to `status`, beginning with a long, the type of the file system (statfs(2)).
int fstatfs(int descriptor, void *status);
int sched_getaffinity(int process, size_t size, void *mask);
long copy_file_range(
    int source, long *source_offset, int target, long *target_offset, size_t count, unsigned int flags);

// Landlock (linux/landlock.h), for which the C library has no functions. The numbers of these system calls are the same on
// every architecture that Swift runs on.
long syscall(long number, ...);
int prctl(int operation, ...);

// Returns the version of the kernel's Landlock interface, or -1.
static inline int iapkg_landlock_version(void) { return (int)syscall(444, (void *)0, (size_t)0, 1U); }

// Creates a ruleset, which denies these operations unless a rule allows them. A kernel with fewer fields accepts zeros.
static inline int iapkg_landlock_create(
    unsigned long long files, unsigned long long network, unsigned long long scopes) {
  unsigned long long attributes[3] = {files, network, scopes};
  return (int)syscall(444, attributes, sizeof attributes, 0U);
}

// Allows operations on a file, or on a folder and everything below it.
static inline int iapkg_landlock_allow(int ruleset, int file, unsigned long long operations) {
  struct {
    unsigned long long operations;
    int file;
  } __attribute__((packed)) rule = {operations, file};
  return (int)syscall(445, ruleset, 1, &rule, 0U);
}

// Limits this thread, and the threads and programs that it starts later, to a ruleset.
static inline int iapkg_landlock_restrict(int ruleset) { return (int)syscall(446, ruleset, 0U); }

// Prevents new privileges for started programs (PR_SET_NO_NEW_PRIVS), as landlock_restrict_self(2) requires.
static inline int iapkg_set_no_new_privileges(void) { return prctl(38, 1UL, 0UL, 0UL, 0UL); }

// The tests run the program in a thread with its own current folder and descriptors (linux/sched.h,
// linux/close_range.h).
int unshare(int flags);
int close_range(unsigned int first, unsigned int last, int flags);
static const int IAPKG_CLONE_FS = 0x200;
static const int IAPKG_CLOSE_RANGE_UNSHARE = 2;

// Only the GNU C library has mallopt, with these numbers (malloc.h).
int mallopt(int setting, int value);
static const int IAPKG_M_TRIM_THRESHOLD = -1;
static const int IAPKG_M_MMAP_THRESHOLD = -3;
static const int IAPKG_M_ARENA_MAX = -8;

#endif

// The minimum work of an installer that uses libarchive: two threads decode the entries of a ZIP archive and write them.
// Scripts/bench compiles this program and compares its time with that of iapkg. Usage: floor PACKAGE FOLDER

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *package;
static int folder;
static atomic_long next_entry;

static void stop(const char *what) {
  perror(what);
  _exit(1);
}

static struct archive *open_package(void) {
  struct archive *reader = archive_read_new();
  archive_read_support_format_zip_seekable(reader);
  if (archive_read_open_filename(reader, package, 1 << 20) != ARCHIVE_OK) stop(archive_error_string(reader));
  return reader;
}

static void make_folders(const char *path) {
  char part[4096];
  for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
    snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
    mkdirat(folder, part, 0777);
  }
}

static void write_entry(struct archive *reader, const char *path) {
  int file = openat(folder, path, O_CREAT | O_EXCL | O_WRONLY, 0666);
  if (file < 0) stop(path);
  const void *block;
  size_t count;
  la_int64_t offset;
  int result;
  while ((result = archive_read_data_block(reader, &block, &count, &offset)) == ARCHIVE_OK)
    if (pwrite(file, block, count, offset) != (ssize_t)count) stop(path);
  if (result != ARCHIVE_EOF) stop(archive_error_string(reader));
  close(file);
}

static void *unpack(void *unused) {
  (void)unused;
  struct archive *reader = open_package();
  struct archive_entry *entry;
  long mine = atomic_fetch_add(&next_entry, 1);
  for (long number = 0; archive_read_next_header(reader, &entry) == ARCHIVE_OK; number++) {
    if (number != mine) continue;
    if (archive_entry_filetype(entry) == AE_IFREG) write_entry(reader, archive_entry_pathname(entry));
    mine = atomic_fetch_add(&next_entry, 1);
  }
  archive_read_free(reader);
  return NULL;
}

int main(int count, char **words) {
  if (count != 3) return 64;
  package = words[1];
  mkdir(words[2], 0777);
  folder = open(words[2], O_RDONLY | O_DIRECTORY);
  if (folder < 0) stop(words[2]);

  struct archive *reader = open_package();
  struct archive_entry *entry;
  while (archive_read_next_header(reader, &entry) == ARCHIVE_OK) make_folders(archive_entry_pathname(entry));
  archive_read_free(reader);

  pthread_t other;
  pthread_create(&other, NULL, unpack, NULL);
  unpack(NULL);
  pthread_join(other, NULL);
  return 0;
}

/*
 * Tests the exported program on the GPUs of this host, a process for each rank:
 *   gcc -std=c11 -O2 -o self_test self_test.c -ldl && ./self_test FOLDER [LAUNCHES]
 */
#include "@NAME@.h"
#include <sys/wait.h>

#define PROGRAM oriel_@SYMBOL@

typedef struct {
  uint32_t which, sheet, rank, expect, buffer, pad;
  uint64_t offset, length, data;
} row;

static unsigned char *test;
static uint64_t rows, sheets;

static int read_test(const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/@NAME@.self_test", folder);
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) return 1;
  long length = ftell(file);
  rewind(file);
  test = length >= 24 ? malloc((size_t)length) : 0;
  int failed = !test || fread(test, 1, (size_t)length, file) != (size_t)length || memcmp(test, "ORIELST1", 8);
  fclose(file);
  if (failed) return 1;
  memcpy(&rows, test + 8, 8);
  memcpy(&sheets, test + 16, 8);
  return 0;
}

/* Writes the inputs of a sheet, or compares the outputs. */
static int sheet(oriel_handle *h, uint32_t which, uint64_t number, uint32_t expect) {
  for (uint64_t i = 0; i < rows; i++) {
    row r;
    memcpy(&r, test + 24 + i * sizeof r, sizeof r);
    if (r.which != which || r.sheet != number || r.rank != (uint32_t)h->rank || r.expect != expect) continue;
    uint64_t at = oriel_buffer(h, PROGRAM.buffers[r.buffer], 0) + r.offset;
    if (!expect) {
      ORIEL_DO(h, MemcpyHtoD, at, test + r.data, r.length);
      continue;
    }
    unsigned char *found = malloc(r.length + 1);
    if (!found) return oriel_fail(h, "out of memory");
    int result = h->cu.MemcpyDtoH(found, at, r.length);
    for (uint64_t b = 0; !result && b < r.length; b++)
      if (found[b] != test[r.data + b]) {
        oriel_fail(h, "wrong byte: rank=%d, buffer=%s, offset=%lu, found=0x%02x, expected=0x%02x", h->rank,
                   PROGRAM.buffers[r.buffer], (unsigned long)(r.offset + b), found[b], test[r.data + b]);
        result = -1;
      }
    free(found);
    if (result) return result < 0 ? 1 : oriel_refused(h, "cuMemcpyDtoH", result);
  }
  return 0;
}

static int run(int rank, const char *name, int launches) {
  oriel_group group;
  char why[512];
  if (oriel_join(&group, name, rank, (int)PROGRAM.world, 60)) {
    fprintf(stderr, "rank %d: ranks did not meet\n", rank);
    return 1;
  }
  oriel_options options = {.device = rank, .patience = 10, .all_gather = oriel_group_gather, .context = &group};
  for (uint32_t which = 0; which < PROGRAM.case_count; which++) {
    oriel_handle *h = oriel_open(&PROGRAM, (int)which, rank, &options, why, sizeof why);
    if (!h) {
      fprintf(stderr, "rank %d: %s\n", rank, why);
      return 1;
    }
    for (int launch = 0; launch < launches; launch++) {
      uint64_t number = (uint64_t)launch % sheets;
      /* Copies to the host wait for the launch: both are in the default stream. */
      if (sheet(h, which, number, 0) || oriel_launch(h, 0) || oriel_check(h) || sheet(h, which, number, 1)) {
        fprintf(stderr, "rank %d: launch %d: %s\n", rank, launch, oriel_error(h));
        return 1;
      }
    }
    oriel_close(h);
    if (!rank) {
      printf("ok: %s %s, ranks=%u, launches=%d\n", PROGRAM.name, PROGRAM.cases[which].params, PROGRAM.world, launches);
      fflush(stdout);
    }
  }
  oriel_leave(&group);
  return 0;
}

int main(int count, char **arguments) {
  int launches = count > 2 ? atoi(arguments[2]) : 1000, failed = 0;
  char name[32];
  if (read_test(count > 1 ? arguments[1] : ".") || launches < 1) {
    fprintf(stderr, "usage: self_test FOLDER [LAUNCHES]; FOLDER has @NAME@.self_test\n");
    return 2;
  }
  snprintf(name, sizeof name, "%ld", (long)getpid());
  for (int rank = 0; rank < (int)PROGRAM.world; rank++) {
    pid_t child = fork();
    if (!child) _exit(run(rank, name, launches));
    if (child < 0) {
      perror("fork");
      return 1; /* those that began do not meet, and end */
    }
  }
  for (uint32_t i = 0; i < PROGRAM.world; i++) {
    int status = 0;
    wait(&status);
    failed |= !WIFEXITED(status) || WEXITSTATUS(status);
  }
  return failed;
}

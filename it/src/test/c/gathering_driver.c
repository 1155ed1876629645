/*
 * A CUDA driver for tests of exported programs without a GPU. Its memory is the host's, shared among
 * processes by name. Its only kernel does, in one thread, what push_all_gather does: any other
 * kernel is refused. A launch ends before its call returns.
 *
 * GATHERING_BLOCKS: the blocks that fit; GATHERING_TORN: GPUs have no atomics on one another.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { INVALID = 1, NO_MEMORY = 2, NO_DEVICE = 101, NO_CONTEXT = 201, NOT_FOUND = 500, PIECES = 64, BASES = 24, VALUES = 5 };

typedef struct {
  uint64_t base;
  size_t bytes;
  char name[64];
  int own, file;
} piece;

typedef struct {
  unsigned grid[3], block[3], shared;
  void *stream;
  struct { unsigned id, pad, value[16]; } *attributes;
  unsigned count;
} config;

typedef struct {
  unsigned blocks;
  uint64_t bases[BASES], words[4 + VALUES];
} launch;

static piece pieces[PIECES];
static int recording;
static __thread void *current; /* of each thread, as in a real driver */
static launch recorded;

/* A killed process leaves nothing: the name is that of a file without one, under /proc. */
static int map(piece *to, char *name, size_t length, size_t bytes, int own) {
  int fd = own ? memfd_create("gathering", MFD_CLOEXEC) : open(name, O_RDWR | O_CLOEXEC);
  if (fd < 0) return NOT_FOUND;
  if (own) snprintf(name, length, "/proc/%ld/fd/%d", (long)getpid(), fd);
  if (own && ftruncate(fd, (off_t)bytes)) return NO_MEMORY;
  if (!own) bytes = (size_t)lseek(fd, 0, SEEK_END);
  void *at = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (!own) close(fd);
  if (at == MAP_FAILED) return NO_MEMORY;
  to->file = own ? fd : -1;
  to->base = (uint64_t)(uintptr_t)at;
  to->bytes = bytes;
  to->own = own;
  snprintf(to->name, sizeof to->name, "%s", name);
  return 0;
}

static piece *of(uint64_t base) {
  for (int i = 0; i < PIECES; i++)
    if (pieces[i].base && pieces[i].base == base) return &pieces[i];
  return 0;
}

static int drop(uint64_t base) {
  piece *it = of(base);
  if (!it) return INVALID;
  munmap((void *)(uintptr_t)it->base, it->bytes);
  if (it->own) close(it->file);
  it->base = 0;
  return 0;
}

static int inside(uint64_t at, size_t bytes) {
  for (int i = 0; i < PIECES; i++)
    if (pieces[i].base && at >= pieces[i].base && at + bytes <= pieces[i].base + pieces[i].bytes) return 1;
  return 0;
}

int cuInit(unsigned flags) { return flags ? INVALID : 0; }
int cuGetErrorName(int error, const char **name) { *name = error == NO_MEMORY ? "NO_MEMORY" : error == NOT_FOUND ? "NOT_FOUND" : "INVALID"; return 0; }
int cuDeviceGetCount(int *count) { *count = 8; return 0; }
int cuDeviceGet(int *device, int ordinal) { *device = ordinal; return ordinal < 0 || ordinal > 7 ? NO_DEVICE : 0; }
int cuDeviceGetUuid(unsigned char *uuid, int device) { memset(uuid, device + 1, 16); return 0; }
int cuDeviceGetP2PAttribute(int *yes, int which, int from, int to) { *yes = from != to && !(which == 3 && getenv("GATHERING_TORN")); return 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = &pieces[device]; return 0; }
int cuDevicePrimaryCtxRelease_v2(int device) { return device < 0; }
int cuCtxSetCurrent(void *context) { current = context; return 0; }
int cuCtxGetCurrent(void **context) { *context = current; return 0; }
int cuCtxSynchronize(void) { return current ? 0 : NO_CONTEXT; }
int cuDeviceGetAttribute(int *value, int which, int device) {
  *value = which == 75 ? 9 : which == 16 ? 1 : 0;
  return device < 0;
}
int cuMemAlloc_v2(uint64_t *at, size_t bytes) {
  if (!current) return NO_CONTEXT;
  char name[64];
  for (int i = 0; i < PIECES; i++)
    if (!pieces[i].base) {
      int result = map(&pieces[i], name, sizeof name, bytes, 1);
      *at = pieces[i].base;
      /* Fresh memory of a GPU holds anything. */
      if (!result) memset((void *)(uintptr_t)*at, 0x5a, bytes);
      return result;
    }
  return NO_MEMORY;
}
int cuMemFree_v2(uint64_t at) { return drop(at); }
int cuMemsetD8_v2(uint64_t at, unsigned char value, size_t bytes) {
  if (!current) return NO_CONTEXT;
  if (!inside(at, bytes)) return INVALID;
  memset((void *)(uintptr_t)at, value, bytes);
  return 0;
}
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  if (!current) return NO_CONTEXT;
  if (!inside(from, bytes)) return INVALID;
  memcpy(to, (void *)(uintptr_t)from, bytes);
  return 0;
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  if (!current) return NO_CONTEXT;
  if (!inside(to, bytes)) return INVALID;
  memcpy((void *)(uintptr_t)to, from, bytes);
  return 0;
}
int cuMemHostAlloc(void **page, size_t bytes, unsigned flags) { *page = calloc(1, bytes); return *page && flags == 3 ? 0 : NO_MEMORY; }
int cuMemFreeHost(void *page) { free(page); return 0; }
int cuIpcGetMemHandle(char *handle, uint64_t at) {
  piece *it = of(at);
  if (!it || !it->own) return INVALID;
  memcpy(handle, it->name, sizeof it->name);
  return 0;
}
typedef struct { char reserved[64]; } ipc;
int cuIpcOpenMemHandle_v2(uint64_t *at, ipc handle, unsigned flags) {
  if (flags != 1) return INVALID;
  for (int i = 0; i < PIECES; i++)
    if (!pieces[i].base) {
      int result = map(&pieces[i], handle.reserved, sizeof handle.reserved, 0, 0);
      *at = pieces[i].base;
      return result;
    }
  return NO_MEMORY;
}
int cuIpcCloseMemHandle(uint64_t at) { return drop(at); }
int cuModuleLoadData(void **module, const char *text) {
  *module = strdup(text);
  return strstr(text, "// form push_all_gather") && strstr(text, ".target sm_90") ? 0 : INVALID;
}
int cuModuleUnload(void *module) { free(module); return 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) {
  *function = module;
  return strstr(module, name) ? 0 : NOT_FOUND;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads, size_t shared) {
  const char *room = getenv("GATHERING_BLOCKS");
  *blocks = room ? atoi(room) : 1000;
  return !function || threads != 512 || shared;
}
int cuOccupancyMaxActiveClusters(int *clusters, void *function, const config *how) {
  *clusters = 0;
  return !function || !how;
}

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t *word(uint64_t at) { return (uint64_t *)(uintptr_t)at; }

/* One launch on this rank; what lanes do concurrently, one thread does in turn. */
static int gather(const launch *l) {
  const uint64_t *w = l->words, n = w[4], r = w[5], bytes = w[6], lanes = w[7];
  const uint64_t *in = l->bases, *out = in + n, *slots = out + n;
  uint64_t *abort_word = word(w[2]), epoch = *word(w[0]) + 1;
  if (l->blocks != n * lanes) return INVALID;
  if (*word(w[1])) return 0; /* an earlier launch gave up */
  for (int data = 0; data < 2; data++) {
    if (data) {
      for (uint64_t p = 0; p < n; p++) memcpy(word(out[p] + r * bytes), word(in[r]), bytes);
    }
    for (uint64_t p = 0; p < n; p++)
      for (uint64_t b = 0; p != r && b < lanes; b++)
        __atomic_store_n(word(slots[p] + (r * 2 * lanes + (uint64_t)data * lanes + b) * 128), epoch, __ATOMIC_RELEASE);
    for (uint64_t p = 0; p < n; p++)
      for (uint64_t b = 0; p != r && b < lanes; b++) {
        uint64_t at = slots[r] + (p * 2 * lanes + (uint64_t)data * lanes + b) * 128, begin = now();
        while ((int64_t)(__atomic_load_n(word(at), __ATOMIC_ACQUIRE) - epoch) < 0) {
          int asked = __atomic_load_n(abort_word, __ATOMIC_RELAXED) != 0;
          if (asked || now() - begin > w[3]) {
            word(w[1])[0] = asked ? 1 : 2;
            word(w[1])[1] = at;
            word(w[1])[2] = w[0] + (((p + n - r - 1) % n) * lanes + b) * 128;
            return 0;
          }
          usleep(50);
        }
      }
  }
  *word(w[0]) = epoch;
  return 0;
}

int cuLaunchKernelEx(const config *how, void *function, void **parameters, void **extra) {
  if (!current) return NO_CONTEXT;
  launch l = {.blocks = how->grid[0]};
  if (!function || extra || how->block[0] != 512 || how->count != 1 || how->attributes[0].id != 10) return INVALID;
  memcpy(l.bases, parameters[0], sizeof l.bases);
  for (int i = 0; i < 4 + VALUES; i++) memcpy(&l.words[i], parameters[1 + i], 8);
  if (recording) {
    recorded = l;
    return 0;
  }
  return gather(&l);
}
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) { return stream ? cuMemcpyHtoD_v2(to, from, bytes) : INVALID; }
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) { return stream ? cuMemcpyDtoH_v2(to, from, bytes) : INVALID; }
int cuStreamCreate(void **stream, unsigned flags) { *stream = malloc(1); return flags != 1; }
int cuStreamDestroy_v2(void *stream) { free(stream); return 0; }
int cuStreamSynchronize(void *stream) { return !stream; }
int cuStreamBeginCapture_v2(void *stream, int mode) { recording = 1; return !stream || mode != 2; }
int cuStreamEndCapture(void *stream, void **graph) { recording = 0; *graph = &recorded; return !stream; }
int cuGraphInstantiateWithFlags(void **executable, void *graph, uint64_t flags) { *executable = graph; return flags != 0; }
int cuGraphDestroy(void *graph) { return !graph; }
int cuGraphExecDestroy(void *executable) { return !executable; }
int cuGraphLaunch(void *executable, void *stream) { return executable && stream ? gather(&recorded) : INVALID; }

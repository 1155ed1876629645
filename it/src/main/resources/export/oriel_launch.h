/*
 * Launches a program that Oriel exported: one process for each GPU of a host, C11, the CUDA driver
 * by dlopen. Needs no CUDA toolkit and no Java. Link with -ldl.
 *
 *   #include "NAME.h"                                   the exported program; it includes this file
 *   oriel_group group;                                  any all-gather of the ranks serves; this one
 *   oriel_join(&group, "job", rank, world, 60);         uses a socket of the host
 *   oriel_options options = {.device = rank, .patience = 10, .all_gather = oriel_group_gather, .context = &group};
 *   char why[512];
 *   oriel_handle *h = oriel_open(&oriel_NAME, oriel_case(&oriel_NAME, "B=64"), rank, &options, why, sizeof why);
 *   uint64_t in = oriel_buffer(h, "in", 0);             an address on the GPU; fill it
 *   oriel_launch(h, stream);                            also inside a stream capture
 *   ... wait for the stream ...
 *   if (oriel_check(h)) puts(oriel_error(h));           which lane waits for which rank
 *   oriel_close(h);
 *
 * All ranks open the same case, launch equally often, and close. A rank may change an input once its
 * own launch has ended. Functions return 0 if all is well. A handle is used by one thread at a time.
 */
#ifndef ORIEL_LAUNCH_H
#define ORIEL_LAUNCH_H

#if !defined _GNU_SOURCE && !defined _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* with -std=c11: sockets and times of POSIX */
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#ifndef _POSIX_C_SOURCE
#error "with -std=c11 include this file before the C library's headers, or compile with -std=gnu11"
#endif
#ifdef __cplusplus
#error "this file is C: compile what includes it as C, and call that from C++"
#endif

#define ORIEL_MAX_WORLD 8
#define ORIEL_LINE 128   /* bytes of a slot, and of a lane's state */
#define ORIEL_STATUS 24  /* bytes: reason, address of the awaited word, address of the lane's line */

/* A rank's memory: offsets in the part that peers reach, and the kernel's values. */
typedef struct {
  uint64_t reached, slots;
  uint32_t lanes, packet_count;
  const uint64_t *values, *offsets, *bytes; /* bytes and offsets of each buffer */
  const uint64_t *packets;                  /* of each range: buffer, first and last byte, the rank that sends it */
  const uint32_t *signals;                  /* slots of each signal in the row of one source */
  const uint32_t *families;                 /* lanes of each family */
} oriel_rank;

typedef struct {
  const char *params;  /* such as "B=64" */
  const char *digest;  /* of the program with these parameters, and of the release */
  const char *proved;  /* the memory rules under which it was proved; "" if it was not */
  const oriel_rank *ranks;
} oriel_case_t;

typedef struct {
  const char *name, *entry;
  const char *const *ptx_80, *const *ptx_90; /* lines, up to a null; a null in place of no kernel */
  uint32_t world, threads, cluster, atomics;
  uint32_t buffer_count, signal_count, family_count, value_count, case_count;
  const char *const *buffers, *const *signals, *const *families;
  const oriel_case_t *cases;
} oriel_program;

/* Every rank gives `bytes` bytes; `all` gets those of all ranks in order. Returns 0 if it worked. */
typedef int (*oriel_all_gather)(void *context, const void *mine, void *all, size_t bytes);

typedef struct {
  int device;                  /* the GPU's number, as the driver counts */
  double patience;             /* seconds that one wait of a lane may last */
  oriel_all_gather all_gather; /* not needed if there is one rank */
  void *context;
  /* Where this process maps memory of the caller, for each rank; or null. Opening fills it with 0. */
  const uint64_t *memory;
} oriel_options;

typedef struct {
  char reserved[64];
} oriel_ipc;

typedef struct {
  int (*Init)(unsigned), (*DeviceGet)(int *, int), (*DeviceGetAttribute)(int *, int, int);
  int (*DeviceGetUuid)(unsigned char *, int), (*DeviceGetCount)(int *);
  int (*DeviceGetP2PAttribute)(int *, int, int, int);
  int (*DevicePrimaryCtxRetain)(void **, int), (*DevicePrimaryCtxRelease)(int);
  int (*CtxGetCurrent)(void **), (*CtxSetCurrent)(void *), (*CtxSynchronize)(void);
  int (*ModuleLoadData)(void **, const char *), (*ModuleUnload)(void *);
  int (*ModuleGetFunction)(void **, void *, const char *);
  int (*Occupancy)(int *, void *, int, size_t), (*Clusters)(int *, void *, const void *);
  int (*MemAlloc)(uint64_t *, size_t), (*MemFree)(uint64_t), (*MemsetD8)(uint64_t, unsigned char, size_t);
  int (*MemHostAlloc)(void **, size_t, unsigned), (*MemFreeHost)(void *);
  int (*MemcpyDtoH)(void *, uint64_t, size_t), (*MemcpyHtoD)(uint64_t, const void *, size_t);
  int (*IpcGetMemHandle)(void *, uint64_t), (*IpcCloseMemHandle)(uint64_t);
  int (*IpcOpenMemHandle)(uint64_t *, oriel_ipc, unsigned);
  int (*LaunchKernelEx)(const void *, void *, void **, void **);
  int (*GetErrorName)(int, const char **);
} oriel_driver;

typedef struct {
  uint32_t grid[3], block[3], shared, pad;
  void *stream, *attributes;
  uint32_t count, pad2;
} oriel_config;

typedef struct {
  uint32_t id, pad, value[16];
} oriel_attribute;

typedef struct {
  const oriel_program *program;
  const oriel_rank *layout;
  int rank, which, device, failed, asked, lent /* whether our context is current since there was none */;
  oriel_options options;
  oriel_driver cu;
  void *context, *module, *function, *library, *before; /* the caller's context */
  volatile uint64_t *abort;
  uint64_t own, own_bytes, base[ORIEL_MAX_WORLD];
  int opened[ORIEL_MAX_WORLD], allocated, retained;
  uint64_t *words, patience_ns;
  void **parameters;
  oriel_config config;
  oriel_attribute attributes[2];
  char error[512];
} oriel_handle;

/* What a rank tells the others when it opens: whether it could, and how to reach it. */
typedef struct {
  uint32_t ok, which;
  unsigned char uuid[16];
  oriel_ipc ipc;
  char digest[72], why[200];
} oriel_greeting;

static inline int oriel_fail(oriel_handle *h, const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  vsnprintf(h->error, sizeof h->error, format, rest);
  va_end(rest);
  return 1;
}

static inline int oriel_refused(oriel_handle *h, const char *call, int result) {
  const char *name = "unknown error";
  if (!result) return 0;
  if (h->cu.GetErrorName) h->cu.GetErrorName(result, &name);
  return oriel_fail(h, "the CUDA driver refused %s: %s (%d)", call, name ? name : "unknown error", result);
}

static inline const char *oriel_error(const oriel_handle *h) { return h->error; }

/* The number of the case with those parameters, such as "B=64"; -1 if it was not exported. */
static inline int oriel_case(const oriel_program *p, const char *params) {
  for (uint32_t i = 0; i < p->case_count; i++)
    if (!strcmp(p->cases[i].params, params)) return (int)i;
  return -1;
}

static inline int oriel_load_driver(oriel_handle *h) {
  h->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!h->library) return oriel_fail(h, "no CUDA driver: %s; install NVIDIA's driver", dlerror());
#define ORIEL_CU(member, symbol)                                                       \
  do {                                                                                 \
    void *found = dlsym(h->library, symbol);                                           \
    if (!found) return oriel_fail(h, "the CUDA driver is too old: it lacks " symbol "; install one for CUDA 12.0 or later"); \
    memcpy(&h->cu.member, &found, sizeof found);                                       \
  } while (0)
  ORIEL_CU(GetErrorName, "cuGetErrorName");
  ORIEL_CU(Init, "cuInit");
  ORIEL_CU(DeviceGet, "cuDeviceGet");
  ORIEL_CU(DeviceGetCount, "cuDeviceGetCount");
  ORIEL_CU(DeviceGetAttribute, "cuDeviceGetAttribute");
  ORIEL_CU(DeviceGetUuid, "cuDeviceGetUuid");
  ORIEL_CU(DeviceGetP2PAttribute, "cuDeviceGetP2PAttribute");
  ORIEL_CU(DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  ORIEL_CU(DevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
  ORIEL_CU(CtxGetCurrent, "cuCtxGetCurrent");
  ORIEL_CU(CtxSetCurrent, "cuCtxSetCurrent");
  ORIEL_CU(CtxSynchronize, "cuCtxSynchronize");
  ORIEL_CU(ModuleLoadData, "cuModuleLoadData");
  ORIEL_CU(ModuleUnload, "cuModuleUnload");
  ORIEL_CU(ModuleGetFunction, "cuModuleGetFunction");
  ORIEL_CU(Occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  ORIEL_CU(Clusters, "cuOccupancyMaxActiveClusters");
  ORIEL_CU(MemAlloc, "cuMemAlloc_v2");
  ORIEL_CU(MemFree, "cuMemFree_v2");
  ORIEL_CU(MemsetD8, "cuMemsetD8_v2");
  ORIEL_CU(MemHostAlloc, "cuMemHostAlloc");
  ORIEL_CU(MemFreeHost, "cuMemFreeHost");
  ORIEL_CU(MemcpyDtoH, "cuMemcpyDtoH_v2");
  ORIEL_CU(MemcpyHtoD, "cuMemcpyHtoD_v2");
  ORIEL_CU(IpcGetMemHandle, "cuIpcGetMemHandle");
  ORIEL_CU(IpcOpenMemHandle, "cuIpcOpenMemHandle_v2");
  ORIEL_CU(IpcCloseMemHandle, "cuIpcCloseMemHandle");
  ORIEL_CU(LaunchKernelEx, "cuLaunchKernelEx");
#undef ORIEL_CU
  return 0;
}

#define ORIEL_DO(h, call, ...)                                                     \
  do {                                                                             \
    if (oriel_refused(h, "cu" #call, (h)->cu.call(__VA_ARGS__))) return 1;         \
  } while (0)

static inline int oriel_load_kernel(oriel_handle *h, int capability) {
  const char *const *lines = capability >= 90 && h->program->ptx_90 ? h->program->ptx_90 : h->program->ptx_80;
  if (!lines) return oriel_fail(h, "the program needs a GPU of compute capability 9.0: capability=%d", capability);
  size_t length = 1;
  for (const char *const *line = lines; *line; line++) length += strlen(*line);
  char *text = malloc(length), *at = text;
  if (!text) return oriel_fail(h, "out of memory: bytes=%zu", length);
  for (const char *const *line = lines; *line; line++) {
    size_t bytes = strlen(*line);
    memcpy(at, *line, bytes);
    at += bytes;
  }
  *at = 0;
  int result = h->cu.ModuleLoadData(&h->module, text);
  free(text);
  if (oriel_refused(h, "cuModuleLoadData", result)) return 1;
  ORIEL_DO(h, ModuleGetFunction, &h->function, h->module, h->program->entry);
  return 0;
}

/* All lanes must be on the GPU at once: they wait for one another. */
static inline int oriel_room(oriel_handle *h) {
  int each = 0, processors = 0, clusters = 0;
  ORIEL_DO(h, DeviceGetAttribute, &processors, 16, h->device);
  ORIEL_DO(h, Occupancy, &each, h->function, (int)h->program->threads, 0);
  long room = (long)each * processors;
  if (h->program->cluster > 1) {
    ORIEL_DO(h, Clusters, &clusters, h->function, &h->config);
    room = (long)clusters * h->program->cluster;
  }
  if (h->layout->lanes > room)
    return oriel_fail(h, "lanes do not fit at once on this GPU: lanes=%u, room=%ld; export with fewer lanes", h->layout->lanes, room);
  return 0;
}

static inline void oriel_lay_out(oriel_handle *h) {
  const oriel_program *p = h->program;
  uint32_t bases = 8 * (p->buffer_count + 1);
  uint64_t *w = h->words;
  for (uint32_t b = 0; b < p->buffer_count; b++)
    for (uint32_t r = 0; r < p->world; r++)
      w[b * p->world + r] = h->base[r] + p->cases[h->which].ranks[r].offsets[b];
  for (uint32_t r = 0; r < p->world; r++)
    w[p->buffer_count * p->world + r] = h->base[r] + p->cases[h->which].ranks[r].slots;
  w += bases;
  w[0] = h->own;
  w[1] = h->own + (uint64_t)h->layout->lanes * ORIEL_LINE;
  w[2] = (uint64_t)(uintptr_t)h->abort;
  w[3] = h->patience_ns;
  memcpy(w + 4, h->layout->values, p->value_count * sizeof *w);
  h->parameters[0] = h->words;
  for (uint32_t i = 0; i < 4 + p->value_count; i++) h->parameters[1 + i] = w + i;
}

static inline int oriel_prepare(oriel_handle *h, oriel_greeting *greeting) {
  const oriel_program *p = h->program;
  int major = 0, minor = 0;
  if (oriel_load_driver(h)) return 1;
  ORIEL_DO(h, Init, 0);
  h->cu.CtxGetCurrent(&h->before);
  ORIEL_DO(h, DeviceGet, &h->device, h->options.device);
  ORIEL_DO(h, DevicePrimaryCtxRetain, &h->context, h->device);
  h->retained = 1;
  ORIEL_DO(h, CtxSetCurrent, h->context);
  ORIEL_DO(h, DeviceGetAttribute, &major, 75, h->device);
  ORIEL_DO(h, DeviceGetAttribute, &minor, 76, h->device);
  ORIEL_DO(h, DeviceGetUuid, greeting->uuid, h->device);
  if (oriel_load_kernel(h, 10 * major + minor)) return 1;
  h->config.grid[0] = h->layout->lanes;
  h->config.block[0] = p->threads;
  h->config.grid[1] = h->config.grid[2] = h->config.block[1] = h->config.block[2] = 1;
  h->config.attributes = h->attributes;
  if (major >= 9) { /* its fences then do not wait for other kernels' stores */
    h->attributes[h->config.count].id = 10;
    h->attributes[h->config.count++].value[0] = 1;
  }
  if (p->cluster > 1) {
    oriel_attribute *of = &h->attributes[h->config.count++];
    of->id = 4;
    of->value[0] = p->cluster;
    of->value[1] = of->value[2] = 1;
  }
  if (oriel_room(h)) return 1;
  h->own_bytes = (uint64_t)h->layout->lanes * ORIEL_LINE + ORIEL_STATUS;
  ORIEL_DO(h, MemAlloc, &h->own, h->own_bytes);
  ORIEL_DO(h, MemsetD8, h->own, 0, h->own_bytes);
  uint64_t last; /* synchronous copies: the memory is zero before a launch, and before peers hear of it */
  ORIEL_DO(h, MemcpyDtoH, &last, h->own, sizeof last);
  void *page = 0;
  ORIEL_DO(h, MemHostAlloc, &page, 64, 3 /* portable, mapped */);
  h->abort = page;
  *h->abort = 0;
  if (h->options.memory) return 0;
  ORIEL_DO(h, MemAlloc, &h->base[h->rank], h->layout->reached);
  h->allocated = 1;
  ORIEL_DO(h, MemsetD8, h->base[h->rank], 0, h->layout->reached);
  ORIEL_DO(h, MemcpyDtoH, &last, h->base[h->rank], sizeof last);
  if (p->world > 1) ORIEL_DO(h, IpcGetMemHandle, &greeting->ipc, h->base[h->rank]);
  return 0;
}

/* Gathers greetings; fails on every rank alike if one could not go on. */
static inline int oriel_agree(oriel_handle *h, oriel_greeting *mine, oriel_greeting *all, int failed) {
  mine->ok = !failed;
  snprintf(mine->why, sizeof mine->why, "%.*s", (int)sizeof mine->why - 1, failed ? h->error : "");
  if (h->program->world == 1) return failed;
  if (h->options.all_gather(h->options.context, mine, all, sizeof *mine))
    return oriel_fail(h, "ranks did not meet: the all-gather failed; see whether all ranks opened the program");
  for (uint32_t r = 0; r < h->program->world; r++) {
    if (!all[r].ok) {
      all[r].why[sizeof all[r].why - 1] = 0;
      return oriel_fail(h, "rank %u cannot open %s: %s", r, h->program->name, all[r].why);
    }
    if (all[r].which != mine->which || memcmp(all[r].digest, mine->digest, sizeof mine->digest))
      return oriel_fail(h, "ranks %d and %u open different programs or cases; open the same on all", h->rank, r);
  }
  return 0;
}

/* Every GPU that this process sees among those of the ranks must be reached as the program needs. */
static inline int oriel_reach(oriel_handle *h, const oriel_greeting *all) {
  int count = 0;
  for (uint32_t r = 0; r < h->program->world; r++)
    if ((int)r != h->rank && !memcmp(all[r].uuid, all[h->rank].uuid, sizeof all[r].uuid))
      return oriel_fail(h, "ranks %d and %u are on one GPU; give each rank a GPU of its own", h->rank, r);
  ORIEL_DO(h, DeviceGetCount, &count);
  for (int i = 0; i < count; i++) {
    int other = 0, yes = 1;
    unsigned char uuid[16];
    ORIEL_DO(h, DeviceGet, &other, i);
    if (other == h->device) continue;
    ORIEL_DO(h, DeviceGetUuid, uuid, other);
    for (uint32_t r = 0; r < h->program->world; r++) {
      if (memcmp(uuid, all[r].uuid, sizeof uuid)) continue;
      ORIEL_DO(h, DeviceGetP2PAttribute, &yes, 2 /* access */, h->device, other);
      if (!yes) return oriel_fail(h, "this GPU does not reach that of rank %u; use GPUs on NVLink", r);
      if (h->program->atomics) ORIEL_DO(h, DeviceGetP2PAttribute, &yes, 3 /* atomics */, h->device, other);
      if (!yes) return oriel_fail(h, "this GPU has no atomics on that of rank %u, which the program needs; use GPUs on NVLink", r);
    }
  }
  return 0;
}

static inline int oriel_map(oriel_handle *h, const oriel_greeting *all) {
  if (h->program->world > 1 && oriel_reach(h, all)) return 1;
  if (h->options.memory) {
    uint64_t last;
    for (uint32_t r = 0; r < h->program->world; r++) {
      h->base[r] = h->options.memory[r];
      if (!h->base[r] || h->base[r] % 256)
        return oriel_fail(h, "memory of rank %u is not at a multiple of 256: address=%lu", r, (unsigned long)h->base[r]);
    }
    /* Words of an earlier use would end waits at once. All ranks are here, and none has launched. */
    ORIEL_DO(h, MemsetD8, h->base[h->rank], 0, h->layout->reached);
    ORIEL_DO(h, MemcpyDtoH, &last, h->base[h->rank], sizeof last);
    return 0;
  }
  if (h->program->world == 1) return 0;
  for (uint32_t r = 0; r < h->program->world; r++) {
    if ((int)r == h->rank) continue;
    ORIEL_DO(h, IpcOpenMemHandle, &h->base[r], all[r].ipc, 1 /* peer access */);
    h->opened[r] = 1;
  }
  return 0;
}

static inline void oriel_unmap(oriel_handle *h) {
  for (uint32_t r = 0; r < ORIEL_MAX_WORLD; r++) {
    if (h->opened[r]) h->cu.IpcCloseMemHandle(h->base[r]);
    h->opened[r] = 0;
  }
}

/* Frees all that is left; the caller's context is current again. */
static inline void oriel_release(oriel_handle *h) {
  void *before = h->lent ? 0 : h->before;
  if (h->context) h->cu.CtxSetCurrent(h->context);
  oriel_unmap(h);
  if (h->allocated) h->cu.MemFree(h->base[h->rank]);
  if (h->own) h->cu.MemFree(h->own);
  if (h->abort) h->cu.MemFreeHost((void *)(uintptr_t)h->abort);
  if (h->module) h->cu.ModuleUnload(h->module);
  if (h->context) h->cu.CtxSetCurrent(before);
  if (h->retained) h->cu.DevicePrimaryCtxRelease(h->device);
  free(h->words);
  free(h->parameters);
  free(h);
}

/*
 * Collective. Null and a reason if the program cannot be opened; then on no rank. A thread without a
 * context has the GPU's primary one from now on.
 */
static inline oriel_handle *oriel_open(const oriel_program *p, int which, int rank, const oriel_options *options, char *why, size_t length) {
  if (rank < 0 || (uint32_t)rank >= p->world || (p->world > 1 && !options->all_gather)) {
    snprintf(why, length, "not a rank of %s, or no all-gather: rank=%d, world=%u", p->name, rank, p->world);
    return 0;
  }
  oriel_handle *h = calloc(1, sizeof *h);
  oriel_greeting *all = calloc(p->world, sizeof *all), mine = {.which = (uint32_t)which};
  int unknown = which < 0 || (uint32_t)which >= p->case_count;
  uint64_t *words = calloc(8 * (p->buffer_count + 1) + 4 + p->value_count, sizeof *words);
  void **parameters = calloc(5 + p->value_count, sizeof *parameters);
  if (!h || !all || !words || !parameters) {
    snprintf(why, length, "out of memory");
    free(h), free(all), free(words), free(parameters);
    return 0;
  }
  h->words = words;
  h->parameters = parameters;
  h->program = p;
  h->rank = rank;
  h->which = unknown ? 0 : which;
  h->options = *options;
  h->layout = &p->cases[h->which].ranks[rank];
  int refused = 0; /* the other ranks hear of it */
  if (unknown) refused = oriel_fail(h, "case was not exported; export it with this --set");
  else if (!(options->patience > 0 && options->patience < 1e6))
    refused = oriel_fail(h, "patience out of range: seconds=%g; give more than 0, less than a million", options->patience);
  else h->patience_ns = (uint64_t)(options->patience * 1e9);
  snprintf(mine.digest, sizeof mine.digest, "%s", p->cases[h->which].digest);
  int failed = oriel_agree(h, &mine, all, refused || oriel_prepare(h, &mine));
  if (!failed) failed = oriel_agree(h, &mine, all, oriel_map(h, all));
  free(all);
  if (!failed && h->before) h->cu.CtxSetCurrent(h->before);
  h->lent = !h->before;
  if (failed) {
    snprintf(why, length, "%s", h->error);
    oriel_release(h);
    return 0;
  }
  oriel_lay_out(h);
  return h;
}

/* A buffer of this rank: its address on the GPU, and its bytes; 0 if there is no such buffer. */
static inline uint64_t oriel_buffer(const oriel_handle *h, const char *name, uint64_t *bytes) {
  for (uint32_t b = 0; b < h->program->buffer_count; b++)
    if (!strcmp(h->program->buffers[b], name)) {
      if (bytes) *bytes = h->layout->bytes[b];
      return h->base[h->rank] + h->layout->offsets[b];
    }
  return 0;
}

/* Puts one launch into a stream (a CUstream), capturing or not. */
static inline int oriel_launch(oriel_handle *h, void *stream) {
  void *before = 0;
  if (h->failed) return 1;
  if (h->asked) return oriel_fail(h, "rank %d was asked to end; open the program again on all ranks", h->rank);
  h->cu.CtxGetCurrent(&before);
  if (before != h->context) ORIEL_DO(h, CtxSetCurrent, h->context);
  h->config.stream = stream;
  int result = h->cu.LaunchKernelEx(&h->config, h->function, h->parameters, 0);
  if (before != h->context) h->cu.CtxSetCurrent(before);
  return oriel_refused(h, "cuLaunchKernelEx", result);
}

/* The memory at that address of this process, as an offset of this rank's memory. */
static inline void oriel_describe(oriel_handle *h, uint64_t polled, char *text, size_t length) {
  const oriel_program *p = h->program;
  uint64_t at = polled - h->base[h->rank];
  if (polled >= h->own && polled < h->own + h->own_bytes) {
    snprintf(text, length, "lane %lu of this rank to end", (unsigned long)((polled - h->own) / ORIEL_LINE));
    return;
  }
  uint64_t row = 0;
  for (uint32_t s = 0; s < p->signal_count; s++) row += h->layout->signals[s];
  uint64_t line = (at - h->layout->slots) / ORIEL_LINE;
  if (row && at >= h->layout->slots && line < row * p->world) {
    uint64_t index = line % row;
    uint32_t s = 0;
    while (index >= h->layout->signals[s]) index -= h->layout->signals[s++];
    snprintf(text, length, "signal %s[%lu] of rank %lu", p->signals[s], (unsigned long)index, (unsigned long)(line / row));
    return;
  }
  for (uint32_t b = 0; b < p->buffer_count; b++)
    if (at >= h->layout->offsets[b] && at - h->layout->offsets[b] < h->layout->bytes[b]) {
      uint64_t in = at - h->layout->offsets[b];
      snprintf(text, length, "bytes at %s[%lu]", p->buffers[b], (unsigned long)in);
      const char *before = " from rank ";
      for (uint32_t sender = 0; sender < p->world; sender++)
        for (uint32_t i = 0; i < h->layout->packet_count; i++) {
          const uint64_t *range = h->layout->packets + 4 * i;
          if (range[0] != b || range[3] != sender || in < range[1] || in > range[2]) continue;
          size_t used = strlen(text);
          snprintf(text + used, length - used, "%s%lu", before, (unsigned long)sender);
          before = " or ";
          break;
        }
      return;
    }
  snprintf(text, length, "a word of no buffer");
}

/* After the stream is idle: 0 if all launches ended well; otherwise see oriel_error. */
static inline int oriel_check(oriel_handle *h) {
  uint64_t status[3] = {0};
  char what[160] = "";
  void *before = 0;
  if (h->failed) return 1;
  h->cu.CtxGetCurrent(&before);
  ORIEL_DO(h, CtxSetCurrent, h->context);
  int result = h->cu.MemcpyDtoH(status, h->own + (uint64_t)h->layout->lanes * ORIEL_LINE, sizeof status);
  h->cu.CtxSetCurrent(before);
  if (oriel_refused(h, "cuMemcpyDtoH", result)) return 1;
  if (!status[0]) return 0;
  h->failed = 1;
  if (status[0] >= 256) return oriel_fail(h, "rank %d: a check of the program failed: code=%lu", h->rank, (unsigned long)(status[0] - 256));
  if (status[0] == 4) return oriel_fail(h, "rank %d: a hook's table names a row that does not exist", h->rank);
  if (status[1]) oriel_describe(h, status[1], what, sizeof what);
  uint64_t lane = status[2] ? (status[2] - h->own) / ORIEL_LINE : 0, in = lane;
  uint32_t f = 0;
  while (f + 1 < h->program->family_count && in >= h->layout->families[f]) in -= h->layout->families[f++];
  return oriel_fail(h, "rank %d: lane %s[%lu] %s%s%s; open the program again on all ranks", h->rank,
                    h->program->families[f], (unsigned long)in,
                    status[0] == 1 ? "was asked to end" : "gave up waiting",
                    *what ? " while it waited for " : "", what);
}

/* Asks the lanes of this rank to end; launches that wait then end within milliseconds. */
static inline void oriel_abort(oriel_handle *h) {
  h->asked = 1;
  *h->abort = 1;
}

/* Collective. Destroy graphs of its launches before. */
static inline void oriel_close(oriel_handle *h) {
  if (!h) return;
  h->cu.CtxGetCurrent(&h->before);
  h->cu.CtxSetCurrent(h->context);
  h->cu.CtxSynchronize(); /* ends, since every wait does */
  oriel_unmap(h);
  if (h->program->world > 1) {
    char mine = 0, all[ORIEL_MAX_WORLD];
    /* Peers may write here until all have met. If they do not meet, the memory stays until the process ends. */
    if (h->options.all_gather(h->options.context, &mine, all, 1)) h->allocated = h->retained = 0;
  }
  oriel_release(h);
}

/* An all-gather among the processes of one user on one host. */
typedef struct {
  int rank, world, sockets[ORIEL_MAX_WORLD], seconds; /* rank 0 has one for each other rank */
} oriel_group;

static inline int oriel_transfer(int fd, void *bytes, size_t length, int send_it, int seconds) {
  char *at = bytes;
  while (length) {
    struct pollfd ready = {fd, send_it ? POLLOUT : POLLIN, 0};
    int found = poll(&ready, 1, 1000 * seconds);
    if (found < 0 && errno == EINTR) continue;
    if (found <= 0) return 1;
    ssize_t done = send_it ? send(fd, at, length, MSG_NOSIGNAL) : recv(fd, at, length, 0);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return 1;
    at += done;
    length -= (size_t)done;
  }
  return 0;
}

static inline int oriel_same_user(int fd) {
  struct {
    int process;
    unsigned user, group;
  } other = {0, 0, 0};
  socklen_t length = sizeof other;
  return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &other, &length) && other.user == getuid();
}

static inline void oriel_leave(oriel_group *g) {
  for (int i = 0; i < ORIEL_MAX_WORLD; i++)
    if (g->sockets[i] > 0) close(g->sockets[i]);
  memset(g, 0, sizeof *g);
}

/* Collective: ranks with the same name meet. Not 0 if one does not come within those seconds. */
static inline int oriel_join(oriel_group *g, const char *name, int rank, int world, int seconds) {
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  int length = snprintf(at.sun_path + 1, sizeof at.sun_path - 1, "oriel-%ld-%s", (long)getuid(), name);
  memset(g, 0, sizeof *g);
  if (world < 1 || world > ORIEL_MAX_WORLD || rank < 0 || rank >= world) return 1;
  g->rank = rank, g->world = world, g->seconds = seconds;
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
  if (length >= (int)sizeof at.sun_path - 1) return 1;
  time_t end = time(0) + seconds;
  if (rank) {
    while (time(0) < end) {
      int fd = socket(AF_UNIX, SOCK_STREAM, 0);
      uint32_t mine = (uint32_t)rank;
      if (fd < 0) return 1;
      fcntl(fd, F_SETFD, FD_CLOEXEC);
      if (!connect(fd, (struct sockaddr *)&at, size)) {
        g->sockets[0] = fd;
        /* Rank 0 answers once all have come. */
        if (oriel_same_user(fd) && !oriel_transfer(fd, &mine, sizeof mine, 1, seconds) &&
            !oriel_transfer(fd, &mine, sizeof mine, 0, seconds))
          return 0;
        oriel_leave(g);
        return 1;
      }
      close(fd);
      nanosleep(&(struct timespec){0, 20000000}, 0);
    }
    return 1;
  }
  int listener = socket(AF_UNIX, SOCK_STREAM, 0), missing = world - 1;
  if (listener < 0) return 1;
  fcntl(listener, F_SETFD, FD_CLOEXEC);
  if (!bind(listener, (struct sockaddr *)&at, size) && !listen(listener, ORIEL_MAX_WORLD))
    while (missing && time(0) < end) {
      struct pollfd ready = {listener, POLLIN, 0};
      uint32_t other = 0;
      if (poll(&ready, 1, 1000) <= 0) continue;
      int fd = accept(listener, 0, 0);
      if (fd < 0) continue;
      fcntl(fd, F_SETFD, FD_CLOEXEC);
      if (!oriel_same_user(fd) || oriel_transfer(fd, &other, sizeof other, 0, 1) || !other || other >= (uint32_t)world || g->sockets[other]) {
        close(fd);
        continue;
      }
      g->sockets[other] = fd;
      missing--;
    }
  close(listener);
  for (int r = 1; !missing && r < world; r++) missing = oriel_transfer(g->sockets[r], &(uint32_t){0}, sizeof(uint32_t), 1, seconds);
  if (missing) oriel_leave(g);
  return missing;
}

static inline int oriel_exchange(oriel_group *g, const void *mine, void *all, size_t bytes) {
  char *to = all;
  if (g->rank) {
    char *copy = to + (size_t)g->rank * bytes;
    memmove(copy, mine, bytes);
    return oriel_transfer(g->sockets[0], copy, bytes, 1, g->seconds) || oriel_transfer(g->sockets[0], all, bytes * (size_t)g->world, 0, g->seconds);
  }
  memmove(to, mine, bytes);
  for (int r = 1; r < g->world; r++)
    if (oriel_transfer(g->sockets[r], to + (size_t)r * bytes, bytes, 0, g->seconds)) return 1;
  for (int r = 1; r < g->world; r++)
    if (oriel_transfer(g->sockets[r], all, bytes * (size_t)g->world, 1, g->seconds)) return 1;
  return 0;
}

/* The all-gather. One that failed closes the group: bytes of it may still be on their way; join another. */
static inline int oriel_group_gather(void *context, const void *mine, void *all, size_t bytes) {
  oriel_group *g = context;
  if (!g->world) return 1;
  int failed = oriel_exchange(g, mine, all, bytes);
  if (failed) oriel_leave(g);
  return failed;
}

#endif

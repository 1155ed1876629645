/*
 * Stands in for the CUDA driver: its memory is the host's, its kernels do nothing. It keeps a list
 * of all that was made and not given back, fails at the call that a test names, and says what a
 * real driver would answer by undefined behaviour (used after its end, freed twice).
 *
 * -DVERSION=11020 -DOLD: a driver that lacks the functions of later ones.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef VERSION
#define VERSION 13000
#endif

enum { SUCCESS, INVALID_VALUE = 1, NO_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100,
       INVALID_DEVICE = 101, INVALID_CONTEXT = 201, PEER_UNSUPPORTED = 217, INVALID_HANDLE = 400,
       PEER_ENABLED = 704, CONTEXT_DESTROYED = 709 };

enum kind { CONTEXT, MEMORY, HOST, REGISTERED, HANDLE, RESERVED, MAPPED, MODULE, STREAM, EVENT,
            CAPTURE, GRAPH, EXECUTABLE, USER_OBJECT, OPENED, POOL, LINK, KINDS };

static const char *const NAMES[KINDS] = {
  "context", "memory", "host memory", "registered pages", "handle", "reserved addresses",
  "mapping", "module", "stream", "event", "capture", "graph", "executable graph", "user object",
  "opened memory", "pool", "link"};

#define GPUS_MAX 8
#define GRAIN (1L << 16)
#define USERS_MAX 4

typedef struct object {
  enum kind kind;
  int alive, device, count, file;
  uint64_t base, bytes /* of a graph: its kernels */, flags /* of memory: its types of handles */;
  int managed;
  struct object *pool; /* from which memory was taken */
  struct object *recorded; /* the graph that a stream is recording */
  struct object *users[USERS_MAX];
  void (*ended)(void *);
  void *with;
  struct object *next;
} object;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static object *all;
static object *contexts[GPUS_MAX];
static int peers[GPUS_MAX][GPUS_MAX];
static int torn[GPUS_MAX][GPUS_MAX]; /* no atomics from the one to the other */
static __thread object *current;
static int initialized, gpus = 2, reachable = 1;
static int resident = 4, multiprocessors = 132, clusters = 64;
static long calls, armed, failed, launched, made;
static int failure, refusal;
static long refusals; /* how often; always if it is negative */
static char attributes[256];
static char failed_at[64], refused[64];
static char broken[4096];

static void violate(const char *what, const char *name) {
  size_t at = strlen(broken);
  snprintf(broken + at, sizeof broken - at, "%s: %s; ", what, name);
}

/* What tests steer it by. */

void fake_arm(long at, int result) {
  pthread_mutex_lock(&lock);
  calls = 0;
  armed = at;
  failure = result;
  failed = 0;
  launched = 0;
  made = 0;
  failed_at[0] = 0;
  broken[0] = 0;
  pthread_mutex_unlock(&lock);
}

/* The next calls of that name fail so: as many, all if it is negative; none with an empty one. */
void fake_refuse(const char *name, int result, long times) {
  pthread_mutex_lock(&lock);
  snprintf(refused, sizeof refused, "%s", name);
  refusal = result;
  refusals = times;
  pthread_mutex_unlock(&lock);
}

/* Whether atomic steps of the one GPU on the other's memory are ones. */
void fake_atomics(int from, int to, int yes) { torn[from][to] = !yes; }

/* Blocks of a multiprocessor, multiprocessors, and clusters of any launch. */
void fake_room(int blocks, int of, int grouped) {
  resident = blocks;
  multiprocessors = of;
  clusters = grouped;
}

void fake_gpus(int count) { gpus = count; }
void fake_reachable(int yes) { reachable = yes; }
long fake_calls(void) { return calls; }
/* Kernels that ran, those of replayed graphs included. */
long fake_launched(void) { return launched; }
/* Whatever was made since it was armed, given back or not. */
long fake_made(void) { return made; }
/* Those of the last launch, in the order of their ids: "6=1; 10=1; ". */
const char *fake_attributes(void) { return attributes; }
const char *fake_failed(void) { return failed_at; }
const char *fake_broken(void) { return broken; }

/* Names and counts of live objects; forgets them: the next test begins with none. */
const char *fake_held(void) {
  static char text[1024];
  int count[KINDS] = {0};
  text[0] = 0;
  pthread_mutex_lock(&lock);
  for (object *o = all; o; o = o->next) {
    count[o->kind] += o->alive;
    o->alive = 0;
    o->count = 0;
  }
  memset(peers, 0, sizeof peers);
  pthread_mutex_unlock(&lock);
  for (int k = 0; k < KINDS; k++) {
    if (count[k]) {
      size_t at = strlen(text);
      snprintf(text + at, sizeof text - at, "%s %d; ", NAMES[k], count[k]);
    }
  }
  return text;
}

static int enter(const char *name) {
  pthread_mutex_lock(&lock);
  int result = SUCCESS;
  int refusing = refusals && !strcmp(name, refused);
  if (++calls == armed || refusing) {
    snprintf(failed_at, sizeof failed_at, "%s", name);
    failed++;
    result = calls == armed ? failure : refusal;
    if (refusing && refusals > 0) refusals--;
  }
  return result;
}

static int leave(int result) {
  pthread_mutex_unlock(&lock);
  return result;
}

/* A call that does nothing when it fails; in a live context. */
#define BEGIN                                                    \
  int failing = enter(__func__);                                 \
  if (failing) return leave(failing);                            \
  if (!initialized) return leave(NOT_INITIALIZED)
#define BEGIN_IN_CONTEXT                                         \
  BEGIN;                                                         \
  if (!in_context(__func__)) return leave(CONTEXT_DESTROYED)
/* One that gives something back: whatever it then says, it was tried. */
#define GIVE_BACK                                                \
  int failing = enter(__func__);                                 \
  if (!in_context(__func__)) return leave(CONTEXT_DESTROYED)

static int in_context(const char *name) {
  if (!current || !current->alive) {
    violate("no live context", name);
    return 0;
  }
  return 1;
}

static object *make(enum kind kind) {
  object *o = calloc(1, sizeof *o);
  made++;
  o->kind = kind;
  o->alive = 1;
  o->file = -1;
  o->device = current ? current->device : 0;
  o->next = all;
  all = o;
  return o;
}

static int live(object *o, enum kind kind, const char *name) {
  if (!o || !o->alive || o->kind != kind) {
    violate("used where there is none", name);
    return 0;
  }
  return 1;
}

static int end(object *o, enum kind kind, const char *name) {
  int there = live(o, kind, name);
  if (there) o->alive = 0;
  return there;
}

static object *at(enum kind kind, uint64_t base) {
  for (object *o = all; o; o = o->next)
    if (o->alive && o->kind == kind && o->base == base) return o;
  return NULL;
}

/* The reservation that holds those bytes. */
static object *reserved(uint64_t address, uint64_t bytes) {
  for (object *o = all; o; o = o->next)
    if (o->alive && o->kind == RESERVED && address >= o->base
        && address - o->base <= o->bytes && bytes <= o->bytes - (address - o->base))
      return o;
  return NULL;
}

static object *around(uint64_t address) {
  for (object *o = all; o; o = o->next)
    if (o->alive && (o->kind == MEMORY || o->kind == MAPPED || o->kind == HOST)
        && address >= o->base && address - o->base < o->bytes)
      return o;
  return NULL;
}

static void *pages(uint64_t bytes) {
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

/* Devices and contexts. */

int cuInit(unsigned flags) {
  int failing = enter(__func__);
  if (!failing) initialized = 1;
  (void)flags;
  return leave(failing);
}

int cuDriverGetVersion(int *version) {
  int failing = enter(__func__);
  *version = VERSION;
  return leave(failing);
}

int cuDeviceGetCount(int *count) {
  BEGIN;
  *count = gpus;
  return leave(gpus ? SUCCESS : NO_DEVICE);
}

int cuDeviceGet(int *device, int ordinal) {
  BEGIN;
  *device = ordinal;
  return leave(ordinal < gpus ? SUCCESS : INVALID_DEVICE);
}

int cuDeviceGetName(char *name, int length, int device) {
  BEGIN;
  snprintf(name, length, "fake %d", device);
  return leave(SUCCESS);
}

int cuDeviceGetUuid(char *uuid, int device) {
  BEGIN;
  memset(uuid, device + 1, 16);
  return leave(SUCCESS);
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  BEGIN;
  (void)device;
  *value = attribute == 75 ? 9 : attribute == 76 ? 0 : attribute == 16 ? multiprocessors
           : attribute == 33 ? 254 /* a bus that no host has */ : attribute == 34 ? 31 : 0;
  return leave(SUCCESS);
}

int cuDeviceCanAccessPeer(int *can, int device, int peer) {
  BEGIN;
  *can = reachable && device != peer;
  return leave(SUCCESS);
}

/* Attribute 3: whether atomics are native. */
int cuDeviceGetP2PAttribute(int *value, int attribute, int device, int peer) {
  BEGIN;
  if (device == peer) return leave(INVALID_DEVICE);
  *value = reachable && (attribute != 3 || !torn[device][peer]);
  return leave(SUCCESS);
}

int cuDevicePrimaryCtxRetain(object **context, int device) {
  BEGIN;
  object *o = contexts[device];
  if (!o) {
    o = contexts[device] = make(CONTEXT);
    o->device = device;
  }
  o->alive = 1;
  o->count++;
  *context = o;
  return leave(SUCCESS);
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  int failing = enter(__func__);
  object *o = contexts[device];
  if (!o || !o->alive) {
    violate("released more often than retained", __func__);
    return leave(INVALID_CONTEXT);
  }
  if (--o->count == 0) {
    o->alive = 0;
    for (object *left = all; left; left = left->next)
      if (left->alive && left->device == device && left->kind != CONTEXT && left->kind != HANDLE
          && left->kind != USER_OBJECT)
        violate("context ended before", NAMES[left->kind]);
    for (int peer = 0; peer < GPUS_MAX; peer++) peers[device][peer] = peers[peer][device] = 0;
  }
  return leave(failing);
}

int cuCtxSetCurrent(object *context) {
  BEGIN;
  if (context && !live(context, CONTEXT, __func__)) return leave(CONTEXT_DESTROYED);
  current = context;
  return leave(SUCCESS);
}

int cuCtxEnablePeerAccess(object *peer, unsigned flags) {
  BEGIN_IN_CONTEXT;
  (void)flags;
  if (!live(peer, CONTEXT, __func__)) return leave(INVALID_CONTEXT);
  if (!reachable) return leave(PEER_UNSUPPORTED);
  int *enabled = &peers[current->device][peer->device];
  int before = *enabled;
  *enabled = 1;
  return leave(before ? PEER_ENABLED : SUCCESS);
}

/* Memory. */

int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  BEGIN_IN_CONTEXT;
  void *p = bytes ? pages(bytes) : NULL;
  if (!p) return leave(bytes ? NO_MEMORY : INVALID_VALUE);
  object *o = make(MEMORY);
  o->base = *address = (uint64_t)p;
  o->bytes = bytes;
  return leave(SUCCESS);
}

/* Memory of a pool of another process ends as memory does. */
int cuMemFree_v2(uint64_t address) {
  GIVE_BACK;
  object *o = at(OPENED, address);
  if (o && o->pool) {
    o->alive = 0;
    return leave(failing);
  }
  if (o) violate("freed while opened", __func__);
  o = at(MEMORY, address);
  if (end(o, MEMORY, __func__)) munmap((void *)address, o->bytes);
  return leave(failing);
}

int cuMemAllocManaged(uint64_t *address, size_t bytes, unsigned flags) {
  BEGIN_IN_CONTEXT;
  (void)flags;
  void *p = pages(bytes);
  if (!p) return leave(NO_MEMORY);
  object *o = make(MEMORY);
  o->base = *address = (uint64_t)p;
  o->bytes = bytes;
  o->managed = 1;
  return leave(SUCCESS);
}

/* A pool whose memory has handles of those types; the properties begin with kind and types. */
int cuMemPoolCreate(object **pool, const int *properties) {
  BEGIN_IN_CONTEXT;
  *pool = make(POOL);
  (*pool)->flags = properties[1];
  return leave(SUCCESS);
}

int cuMemPoolDestroy(object *pool) {
  GIVE_BACK;
  end(pool, POOL, __func__);
  return leave(failing);
}

int cuMemAllocFromPoolAsync(uint64_t *address, size_t bytes, object *pool, object *stream) {
  BEGIN_IN_CONTEXT;
  (void)stream;
  if (!live(pool, POOL, __func__)) return leave(INVALID_HANDLE);
  void *p = pages(bytes);
  if (!p) return leave(NO_MEMORY);
  object *o = make(MEMORY);
  o->base = *address = (uint64_t)p;
  o->bytes = bytes;
  o->pool = pool;
  o->flags = pool->flags;
  return leave(SUCCESS);
}

int cuMemPoolSetAccess(object *pool, const void *access, size_t count) {
  BEGIN_IN_CONTEXT;
  (void)access;
  (void)count;
  return leave(live(pool, POOL, __func__) ? SUCCESS : INVALID_HANDLE);
}

int cuMemPoolExportToShareableHandle(int *file, object *pool, int type, uint64_t flags) {
  BEGIN_IN_CONTEXT;
  (void)flags;
  if (!live(pool, POOL, __func__) || !(pool->flags & type)) return leave(INVALID_VALUE);
  *file = memfd_create("pool", MFD_CLOEXEC);
  return leave(*file < 0 ? NO_MEMORY : SUCCESS);
}

int cuMemPoolImportFromShareableHandle(object **pool, void *file, int type, uint64_t flags) {
  BEGIN_IN_CONTEXT;
  (void)type;
  (void)flags;
  if (fcntl((int)(intptr_t)file, F_GETFD) < 0) return leave(INVALID_VALUE);
  *pool = make(POOL);
  return leave(SUCCESS);
}

int cuMemPoolExportPointer(uint64_t *data, uint64_t address) {
  BEGIN_IN_CONTEXT;
  object *o = at(MEMORY, address);
  if (!o || !o->pool) return leave(INVALID_VALUE);
  memset(data, 0, 64);
  *data = address;
  return leave(SUCCESS);
}

int cuMemPoolImportPointer(uint64_t *address, object *pool, const uint64_t *data) {
  BEGIN_IN_CONTEXT;
  if (!live(pool, POOL, __func__)) return leave(INVALID_HANDLE);
  if (!at(MEMORY, *data)) return leave(INVALID_VALUE);
  object *o = make(OPENED);
  o->base = *address = *data;
  o->pool = pool;
  return leave(SUCCESS);
}

int cuMemHostAlloc(void **host, size_t bytes, unsigned flags) {
  BEGIN_IN_CONTEXT;
  (void)flags;
  void *p = pages(bytes);
  if (!p) return leave(NO_MEMORY);
  object *o = make(HOST);
  o->base = (uint64_t)p;
  o->bytes = bytes;
  *host = p;
  return leave(SUCCESS);
}

int cuMemFreeHost(void *host) {
  GIVE_BACK;
  object *o = at(HOST, (uint64_t)host);
  if (end(o, HOST, __func__)) munmap(host, o->bytes);
  return leave(failing);
}

int cuMemHostGetDevicePointer_v2(uint64_t *address, void *host, unsigned flags) {
  BEGIN_IN_CONTEXT;
  (void)flags;
  *address = (uint64_t)host;
  return leave(SUCCESS);
}

int cuMemHostRegister_v2(void *host, size_t bytes, unsigned flags) {
  BEGIN_IN_CONTEXT;
  object *o = make(REGISTERED);
  o->base = (uint64_t)host;
  o->bytes = bytes;
  o->flags = flags;
  return leave(SUCCESS);
}

int cuMemHostUnregister(void *host) {
  GIVE_BACK;
  end(at(REGISTERED, (uint64_t)host), REGISTERED, __func__);
  return leave(failing);
}

int cuMemsetD8_v2(uint64_t to, unsigned char value, size_t bytes) {
  BEGIN_IN_CONTEXT;
  memset((void *)to, value, bytes);
  return leave(SUCCESS);
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  BEGIN_IN_CONTEXT;
  memcpy((void *)to, from, bytes);
  return leave(SUCCESS);
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  BEGIN_IN_CONTEXT;
  memcpy(to, (void *)from, bytes);
  return leave(SUCCESS);
}

int cuMemcpyDtoD_v2(uint64_t to, uint64_t from, size_t bytes) {
  BEGIN_IN_CONTEXT;
  memmove((void *)to, (void *)from, bytes);
  return leave(SUCCESS);
}

int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, object *stream) {
  BEGIN_IN_CONTEXT;
  if (!live(stream, STREAM, __func__)) return leave(INVALID_HANDLE);
  if (!stream->recorded) memmove((void *)to, (void *)from, bytes);
  return leave(SUCCESS);
}

int cuMemGetAddressRange_v2(uint64_t *base, size_t *bytes, uint64_t address) {
  BEGIN_IN_CONTEXT;
  object *o = around(address);
  if (!o) return leave(INVALID_VALUE);
  *base = o->base;
  *bytes = o->bytes;
  return leave(SUCCESS);
}

int cuPointerGetAttribute(void *value, int attribute, uint64_t address) {
  BEGIN_IN_CONTEXT;
  object *o = around(address);
  if (!o) return leave(INVALID_VALUE);
  switch (attribute) {
    case 2: *(int *)value = o->kind == HOST ? 1 : 2; break;
    case 7: *(uint64_t *)value = o->base; break;
    case 8: *(int *)value = o->managed; break;
    case 9: *(int *)value = o->device; break;
    case 10: *(char *)value = o->kind == MEMORY && !o->managed && !o->pool; break;
    case 11: case 19: *(uint64_t *)value = o->base; break;
    case 12: case 18: *(uint64_t *)value = o->bytes; break;
    case 14: *(uint64_t *)value = o->flags; break;
    case 17: *(object **)value = o->pool; break;
    default: return leave(INVALID_VALUE);
  }
  return leave(SUCCESS);
}

typedef struct { uint64_t base; char rest[56]; } ipc;

int cuIpcGetMemHandle(ipc *handle, uint64_t address) {
  BEGIN_IN_CONTEXT;
  memset(handle, 0, sizeof *handle);
  handle->base = address;
  return leave(SUCCESS);
}

int cuIpcOpenMemHandle_v2(uint64_t *address, ipc handle, unsigned flags) {
  BEGIN_IN_CONTEXT;
  (void)flags;
  if (!at(MEMORY, handle.base)) return leave(INVALID_VALUE);
  object *o = make(OPENED);
  o->base = *address = handle.base;
  return leave(SUCCESS);
}

int cuIpcCloseMemHandle(uint64_t address) {
  GIVE_BACK;
  end(at(OPENED, address), OPENED, __func__);
  return leave(failing);
}

/* Memory in steps. */

int cuMemGetAllocationGranularity(size_t *grain, const void *properties, int option) {
  BEGIN_IN_CONTEXT;
  (void)properties;
  (void)option;
  *grain = GRAIN;
  return leave(SUCCESS);
}

int cuMemCreate(object **handle, size_t bytes, const void *properties, uint64_t flags) {
  BEGIN_IN_CONTEXT;
  (void)flags;
  int file = memfd_create("fake", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, bytes)) return leave(NO_MEMORY);
  *handle = make(HANDLE);
  (*handle)->file = file;
  (*handle)->bytes = bytes;
  (*handle)->flags = ((const int *)properties)[1];
  return leave(SUCCESS);
}

int cuMemRetainAllocationHandle(object **handle, uint64_t address) {
  BEGIN_IN_CONTEXT;
  object *o = around(address);
  if (!o || o->kind != MAPPED) return leave(INVALID_VALUE);
  int file = fcntl(o->file, F_DUPFD_CLOEXEC, 0);
  if (file < 0) return leave(NO_MEMORY);
  *handle = make(HANDLE);
  (*handle)->file = file;
  (*handle)->bytes = o->bytes;
  (*handle)->flags = o->flags;
  return leave(SUCCESS);
}

int cuMemRelease(object *handle) {
  GIVE_BACK;
  if (end(handle, HANDLE, __func__)) close(handle->file);
  return leave(failing);
}

int cuMemAddressReserve(uint64_t *address, size_t bytes, size_t align, uint64_t wish, uint64_t f) {
  BEGIN_IN_CONTEXT;
  (void)align;
  (void)wish;
  (void)f;
  void *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return leave(NO_MEMORY);
  object *o = make(RESERVED);
  o->base = *address = (uint64_t)p;
  o->bytes = bytes;
  return leave(SUCCESS);
}

int cuMemAddressFree(uint64_t address, size_t bytes) {
  GIVE_BACK;
  if (at(MAPPED, address)) violate("freed while mapped", __func__);
  if (end(at(RESERVED, address), RESERVED, __func__)) munmap((void *)address, bytes);
  return leave(failing);
}

int cuMemMap(uint64_t address, size_t bytes, size_t offset, object *handle, uint64_t flags) {
  BEGIN_IN_CONTEXT;
  (void)flags;
  if (!live(handle, HANDLE, __func__) || !reserved(address, bytes)) return leave(INVALID_VALUE);
  if (handle->bytes && bytes > handle->bytes) return leave(INVALID_VALUE);
  void *p = mmap((void *)address, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, handle->file, offset);
  if (p == MAP_FAILED) return leave(NO_MEMORY);
  object *o = make(MAPPED);
  o->base = address;
  o->bytes = bytes;
  o->flags = handle->flags;
  o->file = fcntl(handle->file, F_DUPFD_CLOEXEC, 0);
  return leave(SUCCESS);
}

int cuMemSetAccess(uint64_t address, size_t bytes, const void *access, size_t count) {
  BEGIN_IN_CONTEXT;
  (void)access;
  (void)count;
  return leave(mprotect((void *)address, bytes, PROT_READ | PROT_WRITE) ? INVALID_VALUE : SUCCESS);
}

int cuMemUnmap(uint64_t address, size_t bytes) {
  GIVE_BACK;
  object *o = at(MAPPED, address);
  if (end(o, MAPPED, __func__)) close(o->file);
  if (o)
    mmap((void *)address, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  return leave(failing);
}

int cuMemExportToShareableHandle(int *file, object *handle, int type, uint64_t flags) {
  BEGIN_IN_CONTEXT;
  (void)flags;
  if (!live(handle, HANDLE, __func__)) return leave(INVALID_HANDLE);
  if (!(handle->flags & type)) return leave(INVALID_VALUE);
  *file = fcntl(handle->file, F_DUPFD_CLOEXEC, 0);
  return leave(*file < 0 ? NO_MEMORY : SUCCESS);
}

int cuMemImportFromShareableHandle(object **handle, void *file, int type) {
  BEGIN_IN_CONTEXT;
  int own = fcntl((int)(intptr_t)file, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return leave(INVALID_VALUE);
  *handle = make(HANDLE);
  (*handle)->file = own;
  (*handle)->flags = type;
  (*handle)->bytes = lseek(own, 0, SEEK_END);
  return leave(SUCCESS);
}

/* Kernels and streams. */

int cuModuleLoadData(object **module, const char *image) {
  BEGIN_IN_CONTEXT;
  if (!strstr(image, ".version")) return leave(INVALID_VALUE);
  *module = make(MODULE);
  return leave(SUCCESS);
}

/* Its code is the text that was added. */
int cuLinkCreate_v2(unsigned options, int *keys, void **values, object **link) {
  BEGIN_IN_CONTEXT;
  (void)options;
  (void)keys;
  (void)values;
  *link = make(LINK);
  return leave(SUCCESS);
}

int cuLinkAddData_v2(object *link, int type, char *text, size_t bytes, const char *name,
                     unsigned options, int *keys, void **values) {
  BEGIN_IN_CONTEXT;
  (void)name;
  (void)options;
  (void)keys;
  (void)values;
  if (!live(link, LINK, __func__)) return leave(INVALID_HANDLE);
  if (type != 1 || !bytes || text[bytes - 1]) return leave(INVALID_VALUE);
  link->base = (uint64_t)text;
  link->bytes = bytes;
  return leave(SUCCESS);
}

int cuLinkComplete(object *link, void **code, size_t *bytes) {
  BEGIN_IN_CONTEXT;
  if (!live(link, LINK, __func__) || !link->bytes) return leave(INVALID_HANDLE);
  *code = (void *)link->base;
  *bytes = link->bytes;
  return leave(SUCCESS);
}

int cuLinkDestroy(object *link) {
  GIVE_BACK;
  end(link, LINK, __func__);
  return leave(failing);
}

int cuModuleUnload(object *module) {
  GIVE_BACK;
  end(module, MODULE, __func__);
  return leave(failing);
}

int cuModuleGetFunction(object **function, object *module, const char *name) {
  BEGIN_IN_CONTEXT;
  (void)name;
  if (!live(module, MODULE, __func__)) return leave(INVALID_HANDLE);
  *function = module;
  return leave(SUCCESS);
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *count, object *f, int threads, size_t b) {
  BEGIN_IN_CONTEXT;
  (void)threads;
  (void)b;
  *count = resident;
  return leave(live(f, MODULE, __func__) ? SUCCESS : INVALID_HANDLE);
}

int cuStreamCreate(object **stream, unsigned flags) {
  BEGIN_IN_CONTEXT;
  *stream = make(STREAM);
  (*stream)->flags = flags;
  return leave(SUCCESS);
}

int cuStreamDestroy_v2(object *stream) {
  GIVE_BACK;
  end(stream, STREAM, __func__);
  return leave(failing);
}

int cuStreamQuery(object *stream) {
  BEGIN_IN_CONTEXT;
  return leave(live(stream, STREAM, __func__) ? SUCCESS : INVALID_HANDLE);
}

int cuStreamSynchronize(object *stream) {
  BEGIN_IN_CONTEXT;
  return leave(!stream || live(stream, STREAM, __func__) ? SUCCESS : INVALID_HANDLE);
}

int cuStreamGetFlags(object *stream, unsigned *flags) {
  BEGIN_IN_CONTEXT;
  if (!live(stream, STREAM, __func__)) return leave(INVALID_HANDLE);
  *flags = stream->flags;
  return leave(SUCCESS);
}

int cuStreamWaitEvent(object *stream, object *event, unsigned flags) {
  BEGIN_IN_CONTEXT;
  (void)flags;
  int there = live(stream, STREAM, __func__) && live(event, EVENT, __func__);
  return leave(there ? SUCCESS : INVALID_HANDLE);
}

int cuEventCreate(object **event, unsigned flags) {
  BEGIN_IN_CONTEXT;
  *event = make(EVENT);
  (*event)->flags = flags;
  return leave(SUCCESS);
}

int cuEventDestroy_v2(object *event) {
  GIVE_BACK;
  end(event, EVENT, __func__);
  return leave(failing);
}

int cuEventRecord(object *event, object *stream) {
  BEGIN_IN_CONTEXT;
  int there = live(stream, STREAM, __func__) && live(event, EVENT, __func__);
  return leave(there ? SUCCESS : INVALID_HANDLE);
}

int cuEventElapsedTime(float *millis, object *start, object *stop) {
  BEGIN_IN_CONTEXT;
  *millis = 0.001f;
  int there = live(start, EVENT, __func__) && live(stop, EVENT, __func__);
  return leave(there ? SUCCESS : INVALID_HANDLE);
}

/* Graphs. */

static void drop_users(object *of) {
  for (int i = 0; i < USERS_MAX; i++) {
    object *user = of->users[i];
    if (user && --user->count == 0) {
      user->alive = 0;
      user->ended(user->with);
    }
    of->users[i] = NULL;
  }
}

int cuStreamBeginCapture_v2(object *stream, int mode) {
  BEGIN_IN_CONTEXT;
  (void)mode;
  if (!live(stream, STREAM, __func__) || stream->recorded) return leave(INVALID_HANDLE);
  stream->recorded = make(CAPTURE);
  return leave(SUCCESS);
}

/* Where it fails, the driver ends the capture all the same. */
int cuStreamEndCapture(object *stream, object **graph) {
  GIVE_BACK;
  *graph = NULL;
  if (!live(stream, STREAM, __func__) || !stream->recorded) return leave(INVALID_HANDLE);
  object *recorded = stream->recorded;
  stream->recorded = NULL;
  if (failing) {
    recorded->alive = 0;
    drop_users(recorded);
    return leave(failing);
  }
  recorded->kind = GRAPH;
  *graph = recorded;
  return leave(SUCCESS);
}

int cuGraphDestroy(object *graph) {
  GIVE_BACK;
  if (end(graph, GRAPH, __func__)) drop_users(graph);
  return leave(failing);
}

int cuGraphExecDestroy(object *executable) {
  GIVE_BACK;
  if (end(executable, EXECUTABLE, __func__)) drop_users(executable);
  return leave(failing);
}

int cuGraphLaunch(object *executable, object *stream) {
  BEGIN_IN_CONTEXT;
  int there = live(executable, EXECUTABLE, __func__) && live(stream, STREAM, __func__);
  if (there) launched += executable->bytes;
  return leave(there ? SUCCESS : INVALID_HANDLE);
}

#ifndef OLD

int cuGraphInstantiateWithFlags(object **executable, object *graph, uint64_t flags) {
  BEGIN_IN_CONTEXT;
  (void)flags;
  if (!live(graph, GRAPH, __func__)) return leave(INVALID_HANDLE);
  *executable = make(EXECUTABLE);
  (*executable)->bytes = graph->bytes;
  for (int i = 0; i < USERS_MAX; i++)
    if (((*executable)->users[i] = graph->users[i])) graph->users[i]->count++;
  return leave(SUCCESS);
}

int cuStreamGetCaptureInfo_v2(object *stream, int *status, uint64_t *id, object **graph,
                              const void **nodes, size_t *count) {
  BEGIN_IN_CONTEXT;
  (void)id;
  (void)nodes;
  (void)count;
  if (!live(stream, STREAM, __func__)) return leave(INVALID_HANDLE);
  *status = stream->recorded != NULL;
  if (stream->recorded) *graph = stream->recorded;
  return leave(SUCCESS);
}

int cuUserObjectCreate(object **made, void *with, void (*ended)(void *), unsigned count,
                       unsigned flags) {
  BEGIN_IN_CONTEXT;
  (void)flags;
  *made = make(USER_OBJECT);
  (*made)->with = with;
  (*made)->ended = ended;
  (*made)->count = count;
  return leave(SUCCESS);
}

int cuUserObjectRelease(object *o, unsigned count) {
  GIVE_BACK;
  if (live(o, USER_OBJECT, __func__) && (o->count -= count) == 0) {
    o->alive = 0;
    o->ended(o->with);
  }
  return leave(failing);
}

int cuGraphRetainUserObject(object *graph, object *o, unsigned count, unsigned flags) {
  BEGIN_IN_CONTEXT;
  (void)count;
  (void)flags;
  if (!graph->alive || !live(o, USER_OBJECT, __func__)) return leave(INVALID_HANDLE);
  for (int i = 0; i < USERS_MAX; i++)
    if (!graph->users[i]) {
      graph->users[i] = o;
      return leave(SUCCESS);
    }
  return leave(NO_MEMORY);
}

int cuMemGetHandleForAddressRange(int *file, uint64_t address, size_t bytes, int type, uint64_t f) {
  BEGIN_IN_CONTEXT;
  (void)type;
  (void)f;
  if (!around(address)) return leave(INVALID_VALUE);
  *file = memfd_create("pages", MFD_CLOEXEC);
  return leave(*file < 0 || ftruncate(*file, bytes) ? NO_MEMORY : SUCCESS);
}

typedef struct {
  int id, pad;
  int value[16];
} attribute;

typedef struct {
  unsigned grid[3], block[3], shared;
  object *stream;
  const attribute *attributes;
  unsigned count;
} config;

/* Keeps them sorted: in which order they stand says nothing. */
static void keep(const config *how) {
  attributes[0] = 0;
  for (int id = 0; id < 32; id++)
    for (unsigned i = 0; i < how->count; i++)
      if (how->attributes[i].id == id) {
        size_t at = strlen(attributes);
        snprintf(attributes + at, sizeof attributes - at, "%d=%d; ", id,
                 how->attributes[i].value[0]);
      }
}

int cuLaunchKernelEx(const config *how, object *function, void **parameters, void **extra) {
  BEGIN_IN_CONTEXT;
  (void)parameters;
  (void)extra;
  int there = live(how->stream, STREAM, __func__) && live(function, MODULE, __func__);
  keep(how);
  if (there && how->stream->recorded) how->stream->recorded->bytes++;
  else launched += there;
  return leave(there ? SUCCESS : INVALID_HANDLE);
}

int cuOccupancyMaxActiveClusters(int *count, object *function, const config *how) {
  BEGIN_IN_CONTEXT;
  (void)how;
  *count = clusters;
  return leave(live(function, MODULE, __func__) ? SUCCESS : INVALID_HANDLE);
}

#endif

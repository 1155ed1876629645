/*
 * Stands in for the library that manages GPUs: two GPUs, as the driver of driver.c has them, that
 * have other numbers on their host, six links each, and a place on a fabric.
 *
 * -DALONE: NVLink joins no GPUs. -DSILENT: the library does not start.
 */
#include <stdio.h>
#include <string.h>

enum { SUCCESS, UNINITIALIZED, INVALID, UNSUPPORTED, NOT_FOUND = 6 };

#define FIRST 4
#define LINKS 6

static int started;
static int gpus[8];

typedef struct {
  unsigned char cluster[16];
  int status;
  unsigned clique;
  unsigned char state;
} fabric;

int nvmlInit_v2(void) {
#ifdef SILENT
  return UNINITIALIZED;
#endif
  started++;
  return SUCCESS;
}

int nvmlShutdown(void) { return started-- > 0 ? SUCCESS : UNINITIALIZED; }

int nvmlDeviceGetHandleByUUID(const char *uuid, int **device) {
  if (!started) return UNINITIALIZED;
  for (int i = 0; i < 8; i++) {
    char name[64];
    int b = i + 1;
    snprintf(name, sizeof name,
             "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b, b, b,
             b, b, b, b, b, b, b, b, b, b, b, b, b);
    if (!strcmp(name, uuid)) {
      *device = &gpus[i];
      return SUCCESS;
    }
  }
  return NOT_FOUND;
}

int nvmlDeviceGetIndex(int *device, unsigned *index) {
  *index = FIRST + (device - gpus);
  return SUCCESS;
}

int nvmlDeviceGetNvLinkState(int *device, unsigned link, int *active) {
  (void)device;
  if (link >= LINKS) return INVALID;
  *active = link != 1;
  return SUCCESS;
}

int nvmlDeviceGetP2PStatus(int *from, int *to, int capability, int *status) {
  if (from == to || capability != 2) return INVALID;
#ifdef ALONE
  *status = UNSUPPORTED;
#else
  *status = SUCCESS;
#endif
  return SUCCESS;
}

int nvmlDeviceGetGpuFabricInfo(int *device, fabric *info) {
  memset(info, 0, sizeof *info);
  info->cluster[15] = 9;
  info->clique = 3;
  info->state = device == gpus ? 3 : 1;
  return SUCCESS;
}

/*
 * Writes request blocks as C would: reads lines of
 *   kind id flags local length lkey remote rkey value
 * (numbers in hex without 0x; kind is w, r, i, a, c, m or s) and prints the 160 bytes of each in hex.
 * Pointers count from the start of the block, as if it lay at address 0.
 */
#include <infiniband/verbs.h>
#include <endian.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct block {
  struct ibv_send_wr wr;
  struct ibv_sge sge;
  uint64_t word;
  uint64_t unused;
};

int main(void) {
  char kind;
  uint64_t id, local, remote, value;
  uint32_t flags, length, lkey, rkey;
  while (scanf(" %c %" SCNx64 " %" SCNx32 " %" SCNx64 " %" SCNx32 " %" SCNx32 " %" SCNx64
               " %" SCNx32 " %" SCNx64,
               &kind, &id, &flags, &local, &length, &lkey, &remote, &rkey, &value) == 9) {
    struct block b;
    memset(&b, 0, sizeof b);
    b.wr.wr_id = id;
    b.wr.sg_list = (struct ibv_sge *)(uintptr_t)offsetof(struct block, sge);
    b.wr.num_sge = length ? 1 : 0;
    b.wr.send_flags = (flags & 1 ? IBV_SEND_SIGNALED : 0) | (flags & 2 ? IBV_SEND_FENCE : 0);
    b.sge.addr = local;
    b.sge.length = length;
    b.sge.lkey = lkey;
    if (kind == 'a') {
      b.wr.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
      b.wr.wr.atomic.remote_addr = remote;
      b.wr.wr.atomic.rkey = rkey;
      b.wr.wr.atomic.compare_add = value;
    } else if (kind == 'c') {
      b.wr.opcode = IBV_WR_ATOMIC_CMP_AND_SWP;
      b.wr.wr.atomic.remote_addr = remote;
      b.wr.wr.atomic.rkey = rkey;
      b.wr.wr.atomic.compare_add = value;
      b.wr.wr.atomic.swap = ~UINT64_C(0);
    } else {
      b.wr.opcode = kind == 'r'   ? IBV_WR_RDMA_READ
                    : kind == 'm' ? IBV_WR_RDMA_WRITE_WITH_IMM
                    : kind == 's' ? IBV_WR_SEND
                                  : IBV_WR_RDMA_WRITE;
      b.wr.wr.rdma.remote_addr = remote;
      b.wr.wr.rdma.rkey = rkey;
    }
    if (kind == 'm') {
      b.wr.imm_data = htobe32(0x01020304);
    }
    if (kind == 'i') {
      b.wr.send_flags |= IBV_SEND_INLINE;
      b.sge.addr = offsetof(struct block, word);
      b.word = value;
    }
    for (size_t i = 0; i < sizeof b; i++) {
      printf("%02x", ((unsigned char *)&b)[i]);
    }
    printf("\n");
  }
  return 0;
}

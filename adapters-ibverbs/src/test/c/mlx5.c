/*
 * Writes what queues of mlx5 interfaces hold, with the structures and setters of
 * infiniband/mlx5dv.h: reads "seed cases shown" and prints the 64 bytes of the first cases in hex,
 * then a hash of all of them.
 *
 * Each case draws the same 14 words, whatever it is, so that another program draws the same cases.
 * Of what is written here, only the wait segment is in no header of that package: it is written as
 * its documentation says, completion and queue number after 8 reserved bytes.
 */
#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define WAIT 0x0f
#define INLINE 0x80000000u
#define INVALID_KEY 0x100

struct wait_seg {
  __be32 reserved[2];
  __be32 completion;
  __be32 queue;
};

enum kind {
  NOP, WRITE, WRITE_IMMEDIATE, SEND, READ, FETCH_ADD, COMPARE_SWAP, WAITING,
  DONE, ARRIVED, FAILED, RECEIVE, BELL, KINDS
};

static uint64_t state;

static uint64_t draw(void) {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static const uint8_t opcodes[] = {
    MLX5_OPCODE_NOP,       MLX5_OPCODE_RDMA_WRITE, MLX5_OPCODE_RDMA_WRITE_IMM,
    MLX5_OPCODE_SEND,      MLX5_OPCODE_RDMA_READ,  MLX5_OPCODE_ATOMIC_FA,
    MLX5_OPCODE_ATOMIC_CS, WAIT};

static const uint8_t syndromes[] = {
    MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR,        MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR,
    MLX5_CQE_SYNDROME_LOCAL_PROT_ERR,          MLX5_CQE_SYNDROME_WR_FLUSH_ERR,
    MLX5_CQE_SYNDROME_MW_BIND_ERR,             MLX5_CQE_SYNDROME_BAD_RESP_ERR,
    MLX5_CQE_SYNDROME_LOCAL_ACCESS_ERR,        MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR,
    MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR,       MLX5_CQE_SYNDROME_REMOTE_OP_ERR,
    MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR, MLX5_CQE_SYNDROME_RNR_RETRY_EXC_ERR,
    MLX5_CQE_SYNDROME_REMOTE_ABORTED_ERR};

/* Fence and completion modes that the header has no name for stand as numbers. */
static const uint8_t fences[] = {0, MLX5_WQE_CTRL_INITIATOR_SMALL_FENCE, 2 << 5, 3 << 5,
                                 MLX5_WQE_CTRL_FENCE};
static const uint8_t reports[] = {0, 1 << 2, MLX5_WQE_CTRL_CQ_UPDATE, 3 << 2};

struct fields {
  uint64_t kind, head, modes, address, keys, bytes, local, value, compare, more;
  uint64_t data[4];
};

/* The payload of most elements: 0 nothing, 1 a gather entry, 2 bytes of the element's own. */
static int payload(unsigned char *at, const struct fields *f, int may_inline) {
  switch (f->more % (may_inline ? 3 : 2)) {
    case 0:
      return 0;
    case 1:
      mlx5dv_set_data_seg((struct mlx5_wqe_data_seg *)at, f->bytes % 0x7fffffff + 1,
                          (uint32_t)(f->keys >> 32), f->local);
      return 1;
    default: {
      struct mlx5_wqe_inl_data_seg *seg = (struct mlx5_wqe_inl_data_seg *)at;
      uint32_t bytes = f->bytes % 28 + 1;
      unsigned char data[32];
      for (int i = 0; i < 4; i++) {
        uint64_t word = htole64(f->data[i]);
        memcpy(data + 8 * i, &word, 8);
      }
      seg->byte_count = htobe32(bytes | INLINE);
      memcpy(seg + 1, data, bytes);
      return (4 + bytes + 15) / 16;
    }
  }
}

static void element(unsigned char *out, const struct fields *f) {
  int kind = (int)f->kind;
  int ds = 1;
  uint32_t immediate = kind == WRITE_IMMEDIATE ? (uint32_t)(f->value >> 32) : 0;
  unsigned char *at = out + 16;
  if (kind == WRITE || kind == WRITE_IMMEDIATE || kind == READ || kind == FETCH_ADD ||
      kind == COMPARE_SWAP) {
    struct mlx5_wqe_raddr_seg *remote = (struct mlx5_wqe_raddr_seg *)at;
    remote->raddr = htobe64(f->address);
    remote->rkey = htobe32((uint32_t)f->keys);
    at += 16;
    ds++;
  }
  if (kind == FETCH_ADD || kind == COMPARE_SWAP) {
    struct mlx5_wqe_atomic_seg *atomic = (struct mlx5_wqe_atomic_seg *)at;
    atomic->swap_add = htobe64(f->value);
    atomic->compare = kind == COMPARE_SWAP ? htobe64(f->compare) : 0;
    mlx5dv_set_data_seg((struct mlx5_wqe_data_seg *)(at + 16), 8, (uint32_t)(f->keys >> 32),
                        f->local);
    ds += 2;
  } else if (kind == WAITING) {
    struct wait_seg *wait = (struct wait_seg *)at;
    wait->completion = htobe32((uint32_t)f->value);
    wait->queue = htobe32((uint32_t)(f->compare & 0xffffff));
    ds++;
  } else if (kind != NOP) {
    ds += payload(at, f, kind != READ);
  }
  mlx5dv_set_ctrl_seg((struct mlx5_wqe_ctrl_seg *)out, (uint16_t)f->head, opcodes[kind], 0,
                      (uint32_t)(f->head >> 16) & 0xffffff,
                      fences[f->modes % 5] | reports[(f->modes >> 8) & 3] |
                          ((f->modes >> 16) & 1 ? MLX5_WQE_CTRL_SOLICITED : 0),
                      (uint8_t)ds, 0, htobe32(immediate));
}

static void completion(unsigned char *out, const struct fields *f) {
  struct mlx5_cqe64 *cqe = (struct mlx5_cqe64 *)out;
  uint32_t qp = (uint32_t)(f->head >> 16) & 0xffffff;
  uint8_t opcode;
  if (f->kind == DONE) {
    opcode = MLX5_CQE_REQ;
    cqe->sop_drop_qpn = htobe32((uint32_t)opcodes[f->more % 8] << 24 | qp);
    cqe->byte_cnt = htobe32((uint32_t)f->bytes);
  } else if (f->kind == ARRIVED) {
    opcode = f->more & 1 ? MLX5_CQE_RESP_SEND : MLX5_CQE_RESP_WR_IMM;
    cqe->sop_drop_qpn = htobe32(qp);
    cqe->byte_cnt = htobe32((uint32_t)f->bytes);
    cqe->imm_inval_pkey = htobe32((uint32_t)f->value);
  } else {
    struct mlx5_err_cqe *error = (struct mlx5_err_cqe *)out;
    opcode = f->more & 1 ? MLX5_CQE_RESP_ERR : MLX5_CQE_REQ_ERR;
    error->s_wqe_opcode_qpn = htobe32((uint32_t)(f->value & 0xff) << 24 | qp);
    error->vendor_err_synd = (uint8_t)f->compare;
    error->syndrome = syndromes[f->bytes % 13];
  }
  cqe->wqe_counter = htobe16((uint16_t)f->head);
  cqe->op_own = (uint8_t)(opcode << 4);
  mlx5dv_set_cqe_owner(cqe, (uint8_t)(f->modes & 1));
}

/* Doorbell records as words of their own, then the register: a control segment's first 8 bytes. */
static void bell(unsigned char *out, const struct fields *f) {
  __be32 *record = (__be32 *)out;
  record[MLX5_RCV_DBR] = htobe32((uint32_t)(f->value & 0xffff));
  record[MLX5_SND_DBR] = htobe32((uint32_t)(f->head & 0xffff));
  record[2] = htobe32((uint32_t)(f->compare & 0xffffff));
  struct mlx5_wqe_ctrl_seg control;
  mlx5dv_set_ctrl_seg(&control, (uint16_t)f->head, 0, 0, (uint32_t)(f->head >> 16) & 0xffffff, 0,
                      0, 0, 0);
  memcpy(out + 16, &control, 8);
}

static void receive(unsigned char *out, const struct fields *f) {
  if (f->more & 1) {
    mlx5dv_set_data_seg((struct mlx5_wqe_data_seg *)out, f->bytes % 0x7fffffff + 1,
                        (uint32_t)(f->keys >> 32), f->local);
  } else {
    mlx5dv_set_data_seg((struct mlx5_wqe_data_seg *)out, 0, INVALID_KEY, 0);
  }
}

int main(void) {
  uint64_t cases, shown, hash = 0xcbf29ce484222325u;
  if (scanf("%" SCNu64 " %" SCNu64 " %" SCNu64, &state, &cases, &shown) != 3) {
    return 1;
  }
  for (uint64_t i = 0; i < cases; i++) {
    struct fields f;
    uint64_t *words[] = {&f.kind,  &f.head,  &f.modes,   &f.address, &f.keys,
                         &f.bytes, &f.local, &f.value,   &f.compare, &f.more,
                         f.data,   f.data + 1, f.data + 2, f.data + 3};
    for (int w = 0; w < 14; w++) {
      *words[w] = draw();
    }
    f.kind %= KINDS;
    unsigned char out[64] __attribute__((aligned(64)));
    memset(out, 0, sizeof out);
    if (f.kind <= WAITING) {
      element(out, &f);
    } else if (f.kind <= FAILED) {
      completion(out, &f);
    } else if (f.kind == RECEIVE) {
      receive(out, &f);
    } else {
      bell(out, &f);
    }
    for (int b = 0; b < 64; b++) {
      hash = (hash ^ out[b]) * 0x100000001b3u;
      if (i < shown) {
        printf("%02x%s", out[b], b < 63 ? "" : "\n");
      }
    }
  }
  printf("%016" PRIx64 "\n", hash);
  return 0;
}

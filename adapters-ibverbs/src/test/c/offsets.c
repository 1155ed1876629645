/* Prints what the headers say about the structs and numbers that work requests are made of. */
#include <infiniband/verbs.h>
#include <stddef.h>
#include <stdio.h>

#define SIZE(type) printf("%s %zu\n", #type, sizeof(struct type))
#define FIELD(type, field) printf("%s.%s %zu\n", #type, #field, offsetof(struct type, field))
#define NUMBER(name) printf("%s %d\n", #name, (int)(name))

int main(void) {
  SIZE(ibv_sge);
  FIELD(ibv_sge, addr);
  FIELD(ibv_sge, length);
  FIELD(ibv_sge, lkey);
  SIZE(ibv_send_wr);
  FIELD(ibv_send_wr, wr_id);
  FIELD(ibv_send_wr, next);
  FIELD(ibv_send_wr, sg_list);
  FIELD(ibv_send_wr, num_sge);
  FIELD(ibv_send_wr, opcode);
  FIELD(ibv_send_wr, send_flags);
  FIELD(ibv_send_wr, imm_data);
  FIELD(ibv_send_wr, wr);
  FIELD(ibv_send_wr, wr.rdma.remote_addr);
  FIELD(ibv_send_wr, wr.rdma.rkey);
  FIELD(ibv_send_wr, wr.atomic.remote_addr);
  FIELD(ibv_send_wr, wr.atomic.compare_add);
  FIELD(ibv_send_wr, wr.atomic.swap);
  FIELD(ibv_send_wr, wr.atomic.rkey);
  FIELD(ibv_send_wr, wr.ud.ah);
  FIELD(ibv_send_wr, wr.ud.remote_qpn);
  FIELD(ibv_send_wr, wr.ud.remote_qkey);
  FIELD(ibv_send_wr, qp_type);
  FIELD(ibv_send_wr, qp_type.xrc.remote_srqn);
  FIELD(ibv_send_wr, bind_mw);
  FIELD(ibv_send_wr, bind_mw.mw);
  FIELD(ibv_send_wr, bind_mw.rkey);
  FIELD(ibv_send_wr, bind_mw.bind_info);
  FIELD(ibv_send_wr, tso.hdr);
  FIELD(ibv_send_wr, tso.hdr_sz);
  FIELD(ibv_send_wr, tso.mss);
  NUMBER(IBV_WR_RDMA_WRITE);
  NUMBER(IBV_WR_RDMA_READ);
  NUMBER(IBV_WR_ATOMIC_FETCH_AND_ADD);
  NUMBER(IBV_SEND_FENCE);
  NUMBER(IBV_SEND_SIGNALED);
  NUMBER(IBV_SEND_INLINE);
  return 0;
}

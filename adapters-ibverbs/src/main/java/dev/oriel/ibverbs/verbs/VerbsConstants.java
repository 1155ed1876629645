package dev.oriel.ibverbs.verbs;

/** Constants of the verbs headers in requests, queue pairs and completions. */
final class VerbsConstants {
  /** {@code IBV_WR_RDMA_WRITE}. */
  static final int WR_RDMA_WRITE = 0;

  /** {@code IBV_WR_RDMA_WRITE_WITH_IMM}. */
  static final int WR_RDMA_WRITE_WITH_IMM = 1;

  /** {@code IBV_WR_SEND}. */
  static final int WR_SEND = 2;

  /** {@code IBV_WR_RDMA_READ}. */
  static final int WR_RDMA_READ = 4;

  /** {@code IBV_WR_ATOMIC_CMP_AND_SWP}. */
  static final int WR_ATOMIC_CMP_AND_SWP = 5;

  /** {@code IBV_WR_ATOMIC_FETCH_AND_ADD}. */
  static final int WR_ATOMIC_FETCH_AND_ADD = 6;

  /** {@code IBV_SEND_FENCE}: starts only after earlier reads and atomics are complete. */
  static final int SEND_FENCE = 1;

  /** {@code IBV_SEND_SIGNALED}: reports its completion. */
  static final int SEND_SIGNALED = 2;

  /** {@code IBV_SEND_INLINE}: the bytes are copied while the request is posted. */
  static final int SEND_INLINE = 8;

  static final int QPT_RC = 2;
  static final int QPS_RESET = 0;
  static final int QPS_INIT = 1;
  static final int QPS_RTR = 2;
  static final int QPS_RTS = 3;
  static final int QPS_ERR = 6;
  static final int QP_STATE = 1;

  /** State, key index, port, access. */
  static final int TO_INIT = 0x39;

  /**
   * State, address, mtu, the peer's number, receive sequence, reads in flight, receiver-not-ready
   * timer.
   */
  static final int TO_RTR = 0x129181;

  /** State, timeout, retries, send sequence, reads in flight. */
  static final int TO_RTS = 0x12e01;

  /** {@code IBV_ATOMIC_NONE}: the device has no atomics. */
  static final int ATOMIC_NONE = 0;

  static final int WC_RECV = 128;
  static final int WC_RECV_RDMA_WITH_IMM = 129;
  static final int WC_WITH_IMM = 2;
  static final int PORT_ACTIVE = 4;
  static final int LINK_LAYER_ETHERNET = 2;
  static final int GID_TYPE_ROCE_V2 = 2;

  private VerbsConstants() {}
}

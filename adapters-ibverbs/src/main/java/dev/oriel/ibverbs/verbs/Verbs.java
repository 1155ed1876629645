package dev.oriel.ibverbs.verbs;

/** Numbers of {@code enum ibv_wr_opcode} and {@code enum ibv_send_flags}. */
public final class Verbs {
  /** {@code IBV_WR_RDMA_WRITE}. */
  public static final int WR_RDMA_WRITE = 0;

  /** {@code IBV_WR_RDMA_READ}. */
  public static final int WR_RDMA_READ = 4;

  /** {@code IBV_WR_ATOMIC_FETCH_AND_ADD}. */
  public static final int WR_ATOMIC_FETCH_AND_ADD = 6;

  /** {@code IBV_SEND_FENCE}: starts only after earlier reads and atomics are complete. */
  public static final int SEND_FENCE = 1;

  /** {@code IBV_SEND_SIGNALED}: reports its completion. */
  public static final int SEND_SIGNALED = 2;

  /** {@code IBV_SEND_INLINE}: the bytes are copied while the request is posted. */
  public static final int SEND_INLINE = 8;

  private Verbs() {}
}

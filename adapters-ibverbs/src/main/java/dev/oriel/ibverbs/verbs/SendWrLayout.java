package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.util.Arrays;

/**
 * {@code struct ibv_send_wr}: one send work request. The same on every 64-bit Linux; numbers are in
 * the host's byte order, including those of atomics.
 */
final class SendWrLayout {
  /** The struct; members that no request here uses are present for their size. */
  static final StructLayout LAYOUT =
      MemoryLayout.structLayout(
              JAVA_LONG.withName("wr_id"),
              ADDRESS.withName("next"),
              ADDRESS.withName("sg_list"),
              JAVA_INT.withName("num_sge"),
              JAVA_INT.withName("opcode"),
              JAVA_INT.withName("send_flags"),
              JAVA_INT.withName("imm_data"),
              MemoryLayout.unionLayout(rdma(), atomic(), datagram()).withName("wr"),
              MemoryLayout.unionLayout(xrc()).withName("qp_type"),
              MemoryLayout.paddingLayout(4),
              MemoryLayout.unionLayout(bindMemoryWindow(), segmentation()).withName("extra"))
          .withName("ibv_send_wr");

  /** Bytes of the struct. */
  static final long SIZE = LAYOUT.byteSize();

  /** The id that the completion repeats. */
  static final long WR_ID = offset("wr_id");

  /** The next request of a posted chain, or null. */
  static final long NEXT = offset("next");

  /** The gather entries. */
  static final long SG_LIST = offset("sg_list");

  /** The number of gather entries. */
  static final long NUM_SGE = offset("num_sge");

  /** See {@link VerbsConstants}. */
  static final long OPCODE = offset("opcode");

  /** See {@link VerbsConstants}. */
  static final long SEND_FLAGS = offset("send_flags");

  /** Immediate data, in network byte order. */
  static final long IMM_DATA = offset("imm_data");

  /** The address of a read or write at the peer. */
  static final long RDMA_REMOTE_ADDR = offset("wr", "rdma", "remote_addr");

  /** The peer's key for that address. */
  static final long RDMA_RKEY = offset("wr", "rdma", "rkey");

  /** The address of an atomic at the peer. */
  static final long ATOMIC_REMOTE_ADDR = offset("wr", "atomic", "remote_addr");

  /** The addend of FETCH_AND_ADD; the compared value of COMPARE_AND_SWAP. */
  static final long ATOMIC_COMPARE_ADD = offset("wr", "atomic", "compare_add");

  /** The new value of COMPARE_AND_SWAP. */
  static final long ATOMIC_SWAP = offset("wr", "atomic", "swap");

  /** The peer's key for an atomic; at another offset than that of reads and writes. */
  static final long ATOMIC_RKEY = offset("wr", "atomic", "rkey");

  private SendWrLayout() {}

  private static StructLayout rdma() {
    return MemoryLayout.structLayout(
            JAVA_LONG.withName("remote_addr"),
            JAVA_INT.withName("rkey"),
            MemoryLayout.paddingLayout(4))
        .withName("rdma");
  }

  private static StructLayout atomic() {
    return MemoryLayout.structLayout(
            JAVA_LONG.withName("remote_addr"),
            JAVA_LONG.withName("compare_add"),
            JAVA_LONG.withName("swap"),
            JAVA_INT.withName("rkey"),
            MemoryLayout.paddingLayout(4))
        .withName("atomic");
  }

  private static StructLayout datagram() {
    return MemoryLayout.structLayout(
            ADDRESS.withName("ah"),
            JAVA_INT.withName("remote_qpn"),
            JAVA_INT.withName("remote_qkey"))
        .withName("ud");
  }

  private static StructLayout xrc() {
    return MemoryLayout.structLayout(JAVA_INT.withName("remote_srqn")).withName("xrc");
  }

  private static StructLayout bindMemoryWindow() {
    return MemoryLayout.structLayout(
            ADDRESS.withName("mw"),
            JAVA_INT.withName("rkey"),
            MemoryLayout.paddingLayout(4),
            MemoryLayout.structLayout(
                    ADDRESS.withName("mr"),
                    JAVA_LONG.withName("addr"),
                    JAVA_LONG.withName("length"),
                    JAVA_INT.withName("mw_access_flags"),
                    MemoryLayout.paddingLayout(4))
                .withName("bind_info"))
        .withName("bind_mw");
  }

  private static StructLayout segmentation() {
    return MemoryLayout.structLayout(
            ADDRESS.withName("hdr"),
            JAVA_SHORT.withName("hdr_sz"),
            JAVA_SHORT.withName("mss"),
            MemoryLayout.paddingLayout(4))
        .withName("tso");
  }

  private static long offset(String... path) {
    return LAYOUT.byteOffset(
        Arrays.stream(path).map(PathElement::groupElement).toArray(PathElement[]::new));
  }
}

package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A reliable connected queue pair. Used by one thread at a time.
 *
 * <p>Its states: RESET, INIT ({@link #init}), ready to receive and to send ({@link #connect}). A
 * failed request puts it into ERROR; {@link #reset} returns it to RESET.
 */
public final class QueuePair extends NativeHandle {
  private static final ValueLayout.OfLong NETWORK = JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);
  private static final int MAX_READS = 16;
  private static final int MAX_GID = 255;
  private static final int MAX_MTU = 5;
  private static final byte HOPS = 64;
  private static final byte NOT_READY_TIMER = 12;

  private final ControlPathCalls library;
  private final HotPathCalls operations;
  private final Arena arena = Arena.ofShared();
  private final SendRequests request = SendRequests.allocate(arena, 1);
  private final MemorySegment receive = arena.allocate(ControlPathLayouts.RECV_WR);
  private final MemorySegment scatter = arena.allocate(SgeLayout.LAYOUT);
  private final MemorySegment bad = arena.allocate(ADDRESS);
  private final QueueSizes sizes;
  private final DeviceLimits limits;
  private final int number;

  @SuppressWarnings("restricted")
  QueuePair(
      ControlPathCalls library,
      ProtectionDomain domain,
      HotPathCalls operations,
      MemorySegment pointer,
      QueueSizes sizes,
      DeviceLimits limits,
      CompletionQueue sent,
      CompletionQueue received) {
    super(
        "queue pair",
        pointer.reinterpret(ControlPathLayouts.QP.byteSize()),
        domain,
        sent,
        received);
    this.library = library;
    this.operations = operations;
    this.sizes = sizes;
    this.limits = limits;
    this.number = remains().get(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.QP, "qp_num"));
  }

  /** Its number, in completions and for the peer. */
  public int number() {
    return number;
  }

  /** The capacity that the driver granted: at least the requested one. */
  public QueueSizes sizes() {
    return sizes;
  }

  /** RESET to INIT: receives may be posted, nothing moves yet. */
  public void init(int port, Set<RegistrationAccess> access) {
    if (access.contains(RegistrationAccess.RELAXED_ORDERING)) {
      throw new MachineException(
          "queue pair access out of range: access=RELAXED_ORDERING; ask for it at registration");
    }
    check("INIT", "port", port, 1, limits.ports());
    modify(
        "INIT",
        VerbsConstants.QPS_INIT,
        VerbsConstants.TO_INIT,
        a -> {
          a.set(
              JAVA_INT,
              ControlPathLayouts.at(ControlPathLayouts.QP_ATTR, "qp_access_flags"),
              access.stream().mapToInt(RegistrationAccess::bit).sum());
          a.set(
              JAVA_BYTE,
              ControlPathLayouts.at(ControlPathLayouts.QP_ATTR, "port_num"),
              (byte) port);
        });
  }

  /**
   * INIT to ready to send, towards the peer's end.
   *
   * @param gid the own address that packets are sent from
   * @param sequence the number of the own first packet, which the peer was sent
   * @throws MachineException if the device refuses it, or a number has more bits than its field
   */
  public void connect(PortState port, Gid gid, int sequence, QueueEnd peer, RetryLimits retry) {
    check("ready to send", "port", port.number(), 1, limits.ports());
    check("ready to send", "mtu", port.mtu(), 1, MAX_MTU);
    check("ready to send", "gid", gid.index(), 0, MAX_GID);
    check("ready to send", "sequence", sequence, 0, QueueEnd.MAX_24_BITS - 1);
    int mtu = Math.min(port.mtu(), peer.mtu());
    modify(
        "ready to receive",
        VerbsConstants.QPS_RTR,
        VerbsConstants.TO_RTR,
        a -> {
          a.set(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.QP_ATTR, "path_mtu"), mtu);
          a.set(
              JAVA_INT,
              ControlPathLayouts.at(ControlPathLayouts.QP_ATTR, "rq_psn"),
              peer.sequence());
          a.set(
              JAVA_INT,
              ControlPathLayouts.at(ControlPathLayouts.QP_ATTR, "dest_qp_num"),
              peer.pair());
          set(a, "max_dest_rd_atomic", Math.min(MAX_READS, limits.readsIn()));
          set(a, "min_rnr_timer", NOT_READY_TIMER);
          address(a, port, gid, peer);
        });
    modify(
        "ready to send",
        VerbsConstants.QPS_RTS,
        VerbsConstants.TO_RTS,
        a -> {
          a.set(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.QP_ATTR, "sq_psn"), sequence);
          set(a, "max_rd_atomic", Math.min(MAX_READS, limits.readsOut()));
          set(a, "timeout", retry.timeout());
          set(a, "retry_cnt", retry.retries());
          set(a, "rnr_retry", retry.notReady());
        });
  }

  /**
   * Refuses a number that is too large: only its low bits would reach the device, as another
   * number.
   */
  private void check(String to, String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw new MachineException(
          "queue pair out of range: pair=%d, to=%s, what=%s, value=%d, min=%d, max=%d; choose another"
              .formatted(number, to, what, value, least, most));
    }
  }

  private static void address(MemorySegment a, PortState port, Gid gid, QueueEnd peer) {
    long grh = ControlPathLayouts.at(ControlPathLayouts.QP_ATTR, "ah_attr", "grh");
    a.set(NETWORK, grh, peer.high());
    a.set(NETWORK, grh + Long.BYTES, peer.low());
    a.set(
        JAVA_BYTE,
        ControlPathLayouts.at(ControlPathLayouts.QP_ATTR, "ah_attr", "grh", "sgid_index"),
        (byte) gid.index());
    a.set(
        JAVA_BYTE,
        ControlPathLayouts.at(ControlPathLayouts.QP_ATTR, "ah_attr", "grh", "hop_limit"),
        HOPS);
    a.set(
        JAVA_SHORT,
        ControlPathLayouts.at(ControlPathLayouts.QP_ATTR, "ah_attr", "dlid"),
        (short) peer.lid());
    a.set(
        JAVA_BYTE,
        ControlPathLayouts.at(ControlPathLayouts.QP_ATTR, "ah_attr", "is_global"),
        (byte) (port.ethernet() ? 1 : 0));
    a.set(
        JAVA_BYTE,
        ControlPathLayouts.at(ControlPathLayouts.QP_ATTR, "ah_attr", "port_num"),
        (byte) port.number());
  }

  /** Any state to ERROR: requests under way are flushed. */
  public void fail() {
    modify("ERROR", VerbsConstants.QPS_ERR, VerbsConstants.QP_STATE, _ -> {});
  }

  /** Any state to RESET: posted requests are dropped without completions. */
  public void reset() {
    modify("RESET", VerbsConstants.QPS_RESET, VerbsConstants.QP_STATE, _ -> {});
  }

  private void modify(String name, int state, int mask, Consumer<MemorySegment> fill) {
    try (Arena confined = Arena.ofConfined()) {
      MemorySegment a = confined.allocate(ControlPathLayouts.QP_ATTR);
      a.set(JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.QP_ATTR, "qp_state"), state);
      fill.accept(a);
      library.check(VerbsFunction.MODIFY_QP, "pair=" + number + ", to=" + name, pointer(), a, mask);
    }
  }

  private static void set(MemorySegment a, String field, int value) {
    a.set(JAVA_BYTE, ControlPathLayouts.at(ControlPathLayouts.QP_ATTR, field), (byte) value);
  }

  /**
   * Posts a request.
   *
   * @throws MachineException if the queue is full or not connected, or carries no such request
   */
  public void post(WorkRequest work) {
    MemorySegment pair = pointer();
    if (work instanceof WorkRequest.WriteWord && sizes.inline() < Long.BYTES) {
      throw new MachineException(
          "inline longer than the queue allows: bytes=8, max=%d; make the queue pair with inline=8"
              .formatted(sizes.inline()));
    }
    request.put(0, work);
    int error = operations.send(pair, request.block(0), bad);
    if (error != 0) {
      throw refused("send", work.id(), error, sizes.sends());
    }
  }

  /**
   * Posts memory for a peer's send, or for the completion of a peer's write with immediate.
   *
   * @throws MachineException if the queue is full
   */
  public void receive(long id, WorkRequest.Local into) {
    MemorySegment pair = pointer();
    scatter.set(JAVA_LONG, SgeLayout.ADDR, into.address());
    scatter.set(JAVA_INT, SgeLayout.LENGTH, (int) into.bytes());
    scatter.set(JAVA_INT, SgeLayout.LKEY, into.key());
    receive.set(JAVA_LONG, ControlPathLayouts.at(ControlPathLayouts.RECV_WR, "wr_id"), id);
    receive.set(ADDRESS, ControlPathLayouts.at(ControlPathLayouts.RECV_WR, "sg_list"), scatter);
    receive.set(
        JAVA_INT,
        ControlPathLayouts.at(ControlPathLayouts.RECV_WR, "num_sge"),
        into.bytes() == 0 ? 0 : 1);
    int error = operations.receive(pair, receive, bad);
    if (error != 0) {
      throw refused("receive", id, error, sizes.receives());
    }
  }

  private MachineException refused(String what, long id, int error, int depth) {
    int errno = Math.abs(error);
    String remedy =
        errno == Errno.ENOMEM
            ? "the queue is full: poll completions before posting more"
            : "connect the queue pair first, and see its state";
    return new MachineException(
        "post refused: what=%s, id=%d, pair=%d, depth=%d, error=%s; %s"
            .formatted(what, id, number, depth, Errno.name(errno), remedy));
  }

  @Override
  void destroy() {
    try {
      library.check(VerbsFunction.DESTROY_QP, "pair=" + number, remains());
    } finally {
      arena.close();
    }
  }
}

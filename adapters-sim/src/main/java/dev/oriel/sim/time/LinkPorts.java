package dev.oriel.sim.time;

import dev.oriel.domain.topology.PeerKind;

/**
 * The contended resources: each rank has one NVLink port out and one in, and one port of either
 * direction for each rail of its network interfaces. The switches between them never block.
 *
 * <p>A message takes each of its ports for {@code overhead + bytes / bandwidth}, after all earlier
 * requests for that port, and leaves when both are done with it. The incoming port counts from the
 * time of the request, not from the arrival of the bytes. A message that still waits for its
 * sender's port therefore delays no other sender. The last byte arrives {@code latency} later: the
 * bytes do not stop half-way. A chain of messages pays the transfer once for each hop only where
 * the program itself waits for the end. All links of a kind have one latency, so an incoming port
 * is booked on the sender's clock.
 *
 * <p>Requests for ports come in the order of virtual time, with one exception. A read requests its
 * ports when it is issued, and takes them from the time at which its request has arrived.
 */
final class LinkPorts {
  private final int world;
  private final int rails;
  private final LinkCosts costs;
  private final SlowLinks slow;
  private final long[] free;
  private final long[] busy;
  private final long[] bytes;
  private long messages;

  LinkPorts(int world, LinkCosts costs, SlowLinks slow) {
    this.world = world;
    this.costs = costs;
    this.slow = slow;
    this.rails = costs.rails;
    int count = Math.multiplyExact(2 * (1 + rails), world);
    free = new long[count];
    busy = new long[count];
    bytes = new long[count];
  }

  /**
   * Books a message that requests its ports at {@code time}. Returns the time at which its last
   * byte leaves; it arrives {@link LinkCosts.Wire#latency} later.
   */
  long book(LinkCosts.Wire wire, int rail, int from, int to, long length, long time) {
    int out = out(wire, rail, from);
    int in = out(wire, rail, to) + 1;
    long takes = wire.overhead + wire.time(length);
    free[out] = Math.max(time, free[out]) + takes;
    free[in] = Math.max(time, free[in]) + takes;
    long end = Math.max(free[out], free[in]);
    busy[out] += takes;
    busy[in] += takes;
    bytes[out] += length;
    bytes[in] += length;
    messages++;
    return slow.leaves(from, to, takes, end);
  }

  private int out(LinkCosts.Wire wire, int rail, int rank) {
    return wire == costs.nvlink ? 2 * rank : 2 * (world + rails * rank + rail);
  }

  CostPrediction.Traffic traffic() {
    return new CostPrediction.Traffic(
        messages,
        total(0, 2 * world, false),
        total(0, 2 * world, true),
        total(2 * world, bytes.length, false),
        total(2 * world, bytes.length, true));
  }

  private long total(int from, int to, boolean in) {
    long sum = 0;
    for (int port = from + (in ? 1 : 0); port < to; port += 2) {
      sum += bytes[port];
    }
    return sum;
  }

  /** The port with the longest busy time; the first of equals. */
  CostPrediction.Port busiest() {
    int most = 0;
    for (int port = 1; port < busy.length; port++) {
      if (busy[port] > busy[most]) {
        most = port;
      }
    }
    boolean nvlink = most < 2 * world;
    int place = nvlink ? most / 2 : most / 2 - world;
    return new CostPrediction.Port(
        nvlink ? PeerKind.NVLINK : PeerKind.RDMA,
        nvlink ? place : place / rails,
        nvlink ? 0 : place % rails,
        (most & 1) == 1,
        busy[most] / 1e3,
        bytes[most]);
  }
}

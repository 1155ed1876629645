package dev.oriel.sim.time;

import dev.oriel.domain.program.LaneFamily;

/** A {@link LinkModel} in whole picoseconds. */
final class LinkCosts {
  final Wire nvlink;
  final Wire rdma;
  final int rails;
  final long post;
  final long doorbell;
  final long gap;
  final long launch;
  final long barrier;
  final long poll;
  final long fence;
  final long issue;
  final long load;
  final long consist;
  final long line;
  final int engines;
  final long engineStart;
  private final double engineByte;
  final long step;
  final long divide;
  private final double threadByte;
  private final double packetByte;
  private final double blockByte;

  /** One kind of link. */
  static final class Wire {
    final long latency;
    final long overhead;
    final long signal;
    private final double perByte;

    Wire(LinkModel.Wire wire) {
      latency = picos(wire.latency());
      overhead = picos(wire.overhead());
      signal = wire.signal();
      perByte = 1e3 / wire.bandwidth();
    }

    long time(long bytes) {
      return Math.round(bytes * perByte);
    }
  }

  LinkCosts(LinkModel model) {
    nvlink = new Wire(model.nvlink());
    rdma = new Wire(model.rdma());
    rails = model.nic().rails();
    post = picos(model.nic().post());
    doorbell = picos(model.nic().doorbell());
    gap = picos(model.nic().gap());
    launch = picos(model.block().launch());
    barrier = picos(model.block().barrier());
    poll = picos(model.block().poll());
    fence = picos(model.block().fence());
    issue = picos(model.block().issue());
    load = picos(model.block().load());
    consist = picos(model.block().consist());
    line = picos(model.block().line());
    step = picos(model.block().step());
    divide = picos(model.block().divide());
    threadByte = 1e3 / model.block().thread();
    packetByte = 1e3 / model.block().packet();
    blockByte = 1e3 / model.block().most();
    engines = model.engine().count();
    engineStart = picos(model.engine().start());
    engineByte = 1e3 / model.engine().bandwidth();
  }

  private static long picos(double nanos) {
    return Math.round(nanos * 1e3);
  }

  /** The fixed cost of a copy. */
  long startOf(LaneFamily.Engine engine) {
    return engine instanceof LaneFamily.Engine.Copy ? engineStart : load;
  }

  /** The same for a copy from or to packets. */
  double perPacketByte(LaneFamily.Engine engine) {
    return engine instanceof LaneFamily.Engine.Sm sm ? perByte(sm, packetByte) : perByte(engine);
  }

  private double perByte(LaneFamily.Engine.Sm block, double thread) {
    return Math.max(thread / block.threads(), blockByte);
  }

  /** Picoseconds that the lane's own agent needs for a byte. */
  double perByte(LaneFamily.Engine engine) {
    return switch (engine) {
      case LaneFamily.Engine.Sm sm -> perByte(sm, threadByte);
      case LaneFamily.Engine.Copy() -> engineByte;
      case LaneFamily.Engine.Host() -> threadByte;
      case LaneFamily.Engine.Nic(int queue) -> threadByte;
    };
  }
}

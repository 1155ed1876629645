package dev.oriel.sim.time;

/**
 * The communication costs of a kind of machine. Times are nanoseconds, rates bytes per nanosecond
 * (GB/s). {@link LinkText} has the text form and the shipped models.
 *
 * @param name its name in reports
 */
public record LinkModel(String name, Wire nvlink, Wire rdma, Nic nic, Block block, Engine engine) {

  /**
   * One kind of link, per port and direction.
   *
   * @param latency from the time at which a byte leaves the sender's port until it is in the
   *     receiver's memory
   * @param bandwidth of a port
   * @param overhead the time that a message takes its ports besides its bytes
   * @param signal bytes that a signal takes on the link
   */
  public record Wire(double latency, double bandwidth, double overhead, long signal) {}

  /**
   * A rank's network interfaces.
   *
   * @param rails the number of interfaces; a lane uses the one of its number and its queue's,
   *     modulo the number of rails
   * @param post the lane's cost of posting one request
   * @param doorbell from the end of posting until the interface starts
   * @param gap least time between two requests of one interface: its message rate
   */
  public record Nic(int rails, double post, double doorbell, double gap) {}

  /**
   * A lane.
   *
   * @param launch from a launch, or from the end of the previous launch, to a rank's first step
   * @param barrier of a block
   * @param poll from a word's arrival until the polling lane continues; also for a word that has
   *     already arrived
   * @param fence of a system-wide fence, or of a release, with no stores in flight; stores in
   *     flight must first arrive and be acknowledged, which takes one latency more
   * @param issue of one store into a slot
   * @param load from a copy's start to the first byte in registers
   * @param consist making an interface's placed write visible
   * @param line the additional cost of a move of 128-byte lines
   * @param thread bytes that one thread of a block copies in a nanosecond
   * @param packet the same for a copy from or to packets, of the bytes with their flags
   * @param most bytes that a block copies in a nanosecond at most, however many threads it has
   * @param step of an instruction that only computes, compares or jumps
   * @param divide of a division within an operand
   */
  public record Block(
      double launch,
      double barrier,
      double poll,
      double fence,
      double issue,
      double load,
      double consist,
      double line,
      double thread,
      double packet,
      double most,
      double step,
      double divide) {}

  /**
   * A rank's copy engines.
   *
   * @param count the number of copies that run at once
   * @param start the fixed cost of one copy
   * @param bandwidth of one engine
   */
  public record Engine(int count, double start, double bandwidth) {}
}

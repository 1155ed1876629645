package dev.oriel.sim.time;

/**
 * What communication costs on some kind of machine. Times are nanoseconds, rates bytes per
 * nanosecond (GB/s); see {@link LinkText} for the text form and the models that come along.
 *
 * @param name how reports call it
 */
public record LinkModel(String name, Wire nvlink, Wire rdma, Nic nic, Block block, Engine engine) {

  /**
   * One kind of link, per port and direction.
   *
   * @param latency from a byte's leaving the sender's port until the receiver's memory has it
   * @param bandwidth of a port
   * @param overhead how long a message takes its ports besides its bytes
   * @param signal bytes that a signal takes on the link
   */
  public record Wire(double latency, double bandwidth, double overhead, long signal) {}

  /**
   * A rank's network interfaces.
   *
   * @param rails how many there are; a lane uses the one of its number and its queue's, wrapped
   * @param post what posting one request costs the lane
   * @param doorbell from the end of posting until the interface starts
   * @param gap least time between two requests of one interface: its message rate
   */
  public record Nic(int rails, double post, double doorbell, double gap) {}

  /**
   * A lane.
   *
   * @param launch from a launch, or from the end of the launch before it, to a rank's first step
   * @param barrier of a block
   * @param poll from a word's arrival until the polling lane goes on; also of a word that is there
   * @param fence of a system-wide fence, or of a release, where nothing is on its way; what is on
   *     its way must have arrived and been acknowledged, one latency later, before it ends
   * @param issue of one store into a slot
   * @param load from a copy's start to the first byte in registers
   * @param consist making visible what an interface placed
   * @param line of a move of 128-byte lines, besides what any other move costs
   * @param thread bytes that one thread of a block copies in a nanosecond
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
      double thread) {}

  /**
   * A rank's copy engines.
   *
   * @param count how many copies run at once
   * @param start what one copy costs besides its bytes
   * @param bandwidth of one engine
   */
  public record Engine(int count, double start, double bandwidth) {}
}

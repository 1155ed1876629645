package dev.oriel.sim.machine.agent;

/**
 * The agents of one part of the state that are enabled, as far as the part decides it. Some lanes
 * wait for a condition of a queue. Such a condition is a fact, one more bit, which the queue
 * decides.
 *
 * @param agents the enabled agents of the part, except lanes, one bit each
 * @param facts the facts that hold for the queue, one bit each
 * @param held for each of a rank's lanes: the fact that must hold for the lane to be enabled
 * @param lists for each of a rank's lanes: the parts that the next step may read or write
 */
@SuppressWarnings("ArrayRecordComponent") // read by every step that is recalled
public record PartReadiness(long agents, long facts, int[] held, int[] lists) {
  /** A fact that always holds, and one that never does. */
  public static final int GOES = 63;

  static final int STAYS = 62;

  /** The number of queues whose facts have bits of their own. */
  public static final int QUEUES = STAYS / 2;

  /** The fact that the queue has room, or that all its requests are done. */
  public static int heldBy(int queue, boolean room) {
    return 2 * queue + (room ? 0 : 1);
  }

  static PartReadiness ofQueue(int queue, long stages, boolean room, boolean done) {
    long facts = (room ? 1L << heldBy(queue, true) : 0) | (done ? 1L << heldBy(queue, false) : 0);
    return new PartReadiness(stages, facts, new int[0], new int[0]);
  }
}

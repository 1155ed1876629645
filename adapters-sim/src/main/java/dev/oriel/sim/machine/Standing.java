package dev.oriel.sim.machine;

/**
 * What one part of the state decides of who can go on. Some lanes wait for what is true of a queue:
 * that is one more bit, which the queue decides.
 *
 * @param agents those of the part that can go on, lanes excepted, one bit each
 * @param facts what is true of the queue, one bit each
 * @param held of a rank's lanes: the fact that has to be true for the lane to go on
 * @param lists of a rank's lanes: which parts the next step may read or write
 */
@SuppressWarnings("ArrayRecordComponent") // read by every step that is recalled
record Standing(long agents, long facts, int[] held, int[] lists) {
  /** A fact that is always true, and one that never is. */
  static final int GOES = 63;

  static final int STAYS = 62;

  /** Facts of so many queues can be told apart. */
  static final int QUEUES = STAYS / 2;

  /** The fact that the queue has room, or else that all its requests are done. */
  static int heldBy(int queue, boolean room) {
    return 2 * queue + (room ? 0 : 1);
  }

  static Standing ofQueue(int queue, long stages, boolean room, boolean done) {
    long facts = (room ? 1L << heldBy(queue, true) : 0) | (done ? 1L << heldBy(queue, false) : 0);
    return new Standing(stages, facts, new int[0], new int[0]);
  }
}

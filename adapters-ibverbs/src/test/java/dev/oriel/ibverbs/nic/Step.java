package dev.oriel.ibverbs.nic;

import java.util.List;

/** The steps of a thread that posts to a shared queue, each of them atomic. */
enum Step {
  RESERVE,
  /** Waits until the slot's previous element is done. */
  ROOM,
  FILL,
  /** Waits until all counts before it are published. */
  PUBLISH,
  LOCK,
  /**
   * Reads the number of published elements; if the doorbell was rung for them, skips to the unlock.
   */
  HEAD,
  RECORD,
  BELL,
  UNLOCK,
  /** Waits until its last element is done, and checks that it is. */
  QUIET,

  // Steps of incorrect threads.

  /** Reads the next count, and reserves it only with {@link #WRITE_RESERVED}. */
  READ_RESERVED,
  WRITE_RESERVED,
  /** Waits for one element fewer than required. */
  ROOM_AND_ONE,
  PUBLISH_AT_ONCE,
  /** If another thread has the lock, leaves the doorbell to it. */
  TRY_LOCK,
  HEAD_OF_RESERVED,
  /** Reads the number of published elements and rings for it, even if another thread has rung. */
  ANY_HEAD,
  BELL_OF_ANOTHER,
  QUIET_WHEN_PUBLISHED;

  /** The steps for each element. */
  static final List<Step> POST =
      List.of(RESERVE, ROOM, FILL, PUBLISH, LOCK, HEAD, RECORD, BELL, UNLOCK);
}

package dev.oriel.ibverbs.nic;

import java.util.List;

/** What a thread does at a queue that many post to, one indivisible piece at a time. */
enum Step {
  RESERVE,
  /** Waits until the element before it in its slot is done. */
  ROOM,
  FILL,
  /** Waits until all counts before it are published. */
  PUBLISH,
  LOCK,
  /** Looks how far elements are published; where that was rung for, goes on behind the bell. */
  HEAD,
  RECORD,
  BELL,
  UNLOCK,
  /** Waits until its last element is done, and looks whether it is. */
  QUIET,

  // Steps of those who do it wrong.

  /** Looks at the next count, and takes it only with {@link #WRITE_RESERVED}. */
  READ_RESERVED,
  WRITE_RESERVED,
  /** Waits for one less than it has to. */
  ROOM_AND_ONE,
  PUBLISH_AT_ONCE,
  /** Where somebody else has the lock, leaves the bell to him. */
  TRY_LOCK,
  HEAD_OF_RESERVED,
  /** Looks how far elements are published and rings for it, whoever else has rung. */
  ANY_HEAD,
  BELL_OF_ANOTHER,
  QUIET_WHEN_PUBLISHED;

  /** What is done for each element. */
  static final List<Step> POST =
      List.of(RESERVE, ROOM, FILL, PUBLISH, LOCK, HEAD, RECORD, BELL, UNLOCK);
}

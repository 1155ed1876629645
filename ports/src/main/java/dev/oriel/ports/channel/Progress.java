package dev.oriel.ports.channel;

/** What one step of a transfer came to. */
public enum Progress {
  /** Nothing could be done: the other end has to go on first. */
  WAITING,
  /** A tile moved on. */
  MOVED,
  /** All was handed over; the source may not be overwritten yet. */
  POSTED,
  /** The transfer has ended, and its buffer is the caller's again. */
  DONE
}

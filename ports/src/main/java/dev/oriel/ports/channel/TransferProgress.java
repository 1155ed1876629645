package dev.oriel.ports.channel;

/** The result of one step of a transfer. */
public enum TransferProgress {
  /** Nothing could be done: the other end must act first. */
  WAITING,
  /** A tile moved. */
  MOVED,
  /** Everything was posted; the source may not be overwritten yet. */
  POSTED,
  /** The transfer has ended, and its buffer is the caller's again. */
  DONE
}

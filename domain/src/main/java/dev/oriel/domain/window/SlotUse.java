package dev.oriel.domain.window;

/** What a slot of a window is for. */
public enum SlotUse {
  /** A peer tells the owner something. */
  SIGNAL,
  /** A peer has arrived at a barrier. */
  BARRIER,
  /** The owner's NIC is done with the source of a put. */
  COUNTER
}

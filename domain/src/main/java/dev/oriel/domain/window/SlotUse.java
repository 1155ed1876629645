package dev.oriel.domain.window;

/** The purpose of a window's slot. */
public enum SlotUse {
  /** A peer signals the owner. */
  SIGNAL,
  /** A peer has arrived at a barrier. */
  BARRIER,
  /** The owner's NIC is done with the source of a put. */
  COUNTER
}

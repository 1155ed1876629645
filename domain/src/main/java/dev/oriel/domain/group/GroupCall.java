package dev.oriel.domain.group;

/** One send or receive of a rank between the start and the end of a group. */
public sealed interface GroupCall {
  /** The number of bytes; 0 transfers nothing, and both ends must list it. */
  long bytes();

  /** Sends bytes to that rank, which may be the own one. */
  record Send(int to, long bytes) implements GroupCall {}

  /** Receives bytes from that rank. */
  record Receive(int from, long bytes) implements GroupCall {}
}

package dev.oriel.domain.group;

/** What one rank asks for between the start and the end of a group. */
public sealed interface GroupCall {
  /** How many bytes; 0 is nothing, which both ends have to say. */
  long bytes();

  /** Bytes to that rank, which may be the own one. */
  record Send(int to, long bytes) implements GroupCall {}

  /** Bytes from that rank. */
  record Receive(int from, long bytes) implements GroupCall {}
}

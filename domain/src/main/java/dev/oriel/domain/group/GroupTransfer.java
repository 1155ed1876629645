package dev.oriel.domain.group;

/**
 * Bytes of one rank's input that are copied to another rank's output.
 *
 * @param number its position among those from the one rank to the other, from 0 on
 * @param source the offset in the sender's input
 * @param target the offset in the receiver's output
 */
record GroupTransfer(int from, int to, int number, long source, long target, long bytes) {}

package dev.oriel.domain.group;

/**
 * Bytes of one rank's input that come to lie in another one's output.
 *
 * @param number its place among those from the one rank to the other, from 0 on
 * @param source where they are in the sender's input
 * @param target where they go in the receiver's output
 */
record Transfer(int from, int to, int number, long source, long target, long bytes) {}

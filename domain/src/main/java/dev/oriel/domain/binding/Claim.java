package dev.oriel.domain.binding;

/**
 * A post-condition of one rank, made concrete: {@code bytes} of its own buffer {@code actual} equal
 * those that rank {@code peer}'s buffer {@code expected} held at the start.
 */
public record Claim(
    String actual, long actualOffset, int peer, String expected, long expectedOffset, long bytes) {}

package dev.oriel.ibverbs.post;

/** Bytes of one rank's buffer. */
public record BufferRange(int rank, String buffer, long offset, long bytes) {}

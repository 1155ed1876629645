package dev.oriel.it.broken.domain;

import java.lang.foreign.MemorySegment;

/** Breaks the domain's purity. */
final class GoesNative {
  long address(MemorySegment segment) {
    return segment.address();
  }
}

package dev.oriel.it.broken.domain;

import java.time.Instant;

/** Breaks the domain's purity. */
final class ReadsInstant {
  Instant now() {
    return Instant.now();
  }
}

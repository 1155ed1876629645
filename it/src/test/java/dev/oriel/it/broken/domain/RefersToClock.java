package dev.oriel.it.broken.domain;

import java.util.function.LongSupplier;

/** Breaks the domain's purity by a method reference. */
final class RefersToClock {
  LongSupplier clock() {
    return System::currentTimeMillis;
  }
}

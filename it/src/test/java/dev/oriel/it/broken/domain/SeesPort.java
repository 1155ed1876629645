package dev.oriel.it.broken.domain;

import dev.oriel.it.broken.ports.Fine;

/** Looks outward from the domain. */
final class SeesPort {
  int twice(Fine port) {
    return 2 * port.answer();
  }
}

package dev.oriel.it.broken.sim.there;

import dev.oriel.it.broken.sim.back.Back;

/** One half of a cycle of packages. */
public interface There {
  /** The other half. */
  Back back();
}

package dev.oriel.it.broken.sim.back;

import dev.oriel.it.broken.sim.there.There;

/** The other half of a cycle of packages. */
public interface Back {
  /** The first half. */
  There there();
}

package dev.oriel.it.broken.cuda;

import dev.oriel.it.broken.sim.Wired;

/** An adapter that sees another. */
interface SeesSim {
  Wired other();
}

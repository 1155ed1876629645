package dev.oriel.it.broken.sim;

import java.util.Timer;

/** Creates a thread. */
final class Timed {
  Timer timer() {
    return new Timer();
  }
}

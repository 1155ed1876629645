package dev.oriel.it.broken.bootstrap;

import dev.oriel.it.broken.bootstrap.launch.Fine;

/** Uses a package that must not be used from below. */
interface SeesUpstairs {
  Fine launched();
}

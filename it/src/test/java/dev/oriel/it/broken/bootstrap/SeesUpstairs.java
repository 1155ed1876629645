package dev.oriel.it.broken.bootstrap;

import dev.oriel.it.broken.bootstrap.launch.Fine;

/** Leans on the room that stands on its own. */
interface SeesUpstairs {
  Fine launched();
}

package dev.oriel.it.broken.ports;

import dev.oriel.it.broken.cuda.Unmarked;

/** Names an adapter's type in a port. */
interface ExposesAdapter {
  Unmarked adapter();
}

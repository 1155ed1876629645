package dev.oriel.it.broken.ibverbs;

import dev.oriel.it.broken.it.Fine;

/** A library that sees the command. */
interface SeesCommand {
  Fine command();
}

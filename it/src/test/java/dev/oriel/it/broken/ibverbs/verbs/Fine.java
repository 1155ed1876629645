package dev.oriel.it.broken.ibverbs.verbs;

import java.lang.foreign.Linker;

/** The border to libibverbs. */
final class Fine {
  Linker linker() {
    return Linker.nativeLinker();
  }
}

package dev.oriel.it.measure;

import java.util.Locale;

/** The distribution of ranks over processes. */
enum ProcessDistribution {
  /** All ranks in this process. */
  ONE,
  /** Each rank in a process of its own. */
  EACH;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}

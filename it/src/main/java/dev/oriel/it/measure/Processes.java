package dev.oriel.it.measure;

import java.util.Locale;

/** How ranks are spread over processes. */
enum Processes {
  /** All in this one. */
  ONE,
  /** Each in one of its own. */
  EACH;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}

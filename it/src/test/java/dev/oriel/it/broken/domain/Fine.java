package dev.oriel.it.broken.domain;

import java.util.List;

/** What the domain may be: a value and arithmetic on it. */
record Fine(List<Long> words) {
  long[] doubled() {
    return words.stream().mapToLong(word -> 2 * word).toArray();
  }
}

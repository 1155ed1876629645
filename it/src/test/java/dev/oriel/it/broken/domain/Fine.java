package dev.oriel.it.broken.domain;

import java.util.List;

/** A permitted class of the domain: a value and arithmetic on it. */
record Fine(List<Long> words) {
  long[] doubled() {
    return words.stream().mapToLong(word -> 2 * word).toArray();
  }
}

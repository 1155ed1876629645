package dev.oriel.it.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Readings of one measurement, in microseconds. */
record ReadingSpread(List<Double> micros) {
  ReadingSpread {
    micros = micros.stream().sorted().toList();
  }

  ReadingSpread and(ReadingSpread other) {
    List<Double> all = new ArrayList<>(micros);
    all.addAll(other.micros);
    return new ReadingSpread(all);
  }

  double median() {
    return micros.get(micros.size() / 2);
  }

  boolean overlaps(ReadingSpread other) {
    return micros.getFirst() <= other.micros.getLast()
        && other.micros.getFirst() <= micros.getLast();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%.2f (%.2f to %.2f)", median(), micros.getFirst(), micros.getLast());
  }
}

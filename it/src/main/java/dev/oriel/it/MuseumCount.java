package dev.oriel.it;

import dev.oriel.sim.museum.Shown;

/** How many exhibits went how. */
final class MuseumCount {
  private int exhibits;
  private int rows;
  private int caught;
  private int missed;
  private int wrong;
  private int untold;
  private int twins;
  private int twinsPassed;
  private int twinsBounded;
  private long micros;

  void add(MuseumReport.Line line) {
    exhibits++;
    rows += line.exhibit().rows().size();
    micros += line.micros();
    switch (line.outcome()) {
      case "caught" -> caught++;
      case "missed" -> missed++;
      case "wrong" -> wrong++;
      default -> untold++;
    }
    line.visit()
        .ifPresent(visit -> {
          Shown twin = visit.twin();
          twins++;
          twinsPassed += twin.passed() ? 1 : 0;
          twinsBounded += twin.passed() && !twin.bounds().isEmpty() ? 1 : 0;
        });
  }

  int exhibits() {
    return exhibits;
  }

  int rows() {
    return rows;
  }

  int caught() {
    return caught;
  }

  int missed() {
    return missed;
  }

  int expressible() {
    return caught + missed + wrong;
  }

  int untold() {
    return untold;
  }

  int twins() {
    return twins;
  }

  int twinsPassed() {
    return twinsPassed;
  }

  int twinsBounded() {
    return twinsBounded;
  }

  long micros() {
    return micros;
  }

  /**
   * Whether every failure that a program says was caught for its own reason and every twin passed.
   */
  boolean fine() {
    return caught == expressible() && twinsPassed == twins;
  }
}

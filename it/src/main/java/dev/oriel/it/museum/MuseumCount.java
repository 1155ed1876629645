package dev.oriel.it.museum;

import dev.oriel.sim.museum.CaseStudyCatalogue;
import dev.oriel.sim.museum.ProgramResult;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The number of exhibits by result. */
final class MuseumCount {
  private int exhibits;
  private int rows;
  private int caught;
  private int missed;
  private int wrong;
  private int notExpressible;
  private int twins;
  private int twinsPassed;
  private int twinsBounded;
  private long micros;

  private final List<CaseStudyCatalogue.Unreadable> unreadable;
  private final Map<String, Integer> kinds = new LinkedHashMap<>();
  private int rowsCaught;
  private int rowsNotExpressible;

  MuseumCount(List<CaseStudyCatalogue.Unreadable> unreadable) {
    this.unreadable = List.copyOf(unreadable);
    List.of("B", "L", "T", "numbered", "threads").forEach(kind -> kinds.put(kind, 0));
  }

  /** The letters with which the catalogue of failures numbers a row. */
  private static String kind(String row) {
    String letters = row.replaceAll("\\d", "");
    return letters.isEmpty() ? "numbered" : letters.length() == 1 ? letters : "threads";
  }

  void add(MuseumReport.Line line) {
    exhibits++;
    rows += line.exhibit().rows().size();
    micros += line.micros();
    switch (line.outcome()) {
      case "caught" -> {
        caught++;
        rowsCaught += line.exhibit().rows().size();
      }
      case "missed" -> missed++;
      case "wrong" -> wrong++;
      default -> {
        notExpressible++;
        rowsNotExpressible += line.exhibit().rows().size();
      }
    }
    line.exhibit().rows().forEach(row -> kinds.merge(kind(row), 1, Integer::sum));
    line.visit()
        .ifPresent(visit -> {
          ProgramResult twin = visit.twin();
          twins++;
          twinsPassed += twin.passed() ? 1 : 0;
          twinsBounded += twin.passed() && !twin.bounds().isEmpty() ? 1 : 0;
        });
  }

  List<CaseStudyCatalogue.Unreadable> unreadable() {
    return unreadable;
  }

  /** The number of rows of each kind. */
  Map<String, Integer> kinds() {
    return Collections.unmodifiableMap(kinds);
  }

  int rowsCaught() {
    return rowsCaught;
  }

  int rowsNotExpressible() {
    return rowsNotExpressible;
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

  int notExpressible() {
    return notExpressible;
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
   * Whether every expressible failure was caught for its own reason and every repaired program
   * passed.
   */
  boolean fine() {
    return caught == expressible() && twinsPassed == twins && unreadable.isEmpty();
  }
}

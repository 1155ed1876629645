package dev.oriel.it.check;

import dev.oriel.sim.replay.JsonValue;
import dev.oriel.sim.replay.JsonValue.Elements;
import dev.oriel.sim.replay.JsonValue.Members;
import dev.oriel.sim.replay.JsonValue.Text;
import dev.oriel.sim.replay.JsonValue.Whole;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Prints a {@link CheckMatrix}: one line for each program and layer, or one JSON object. */
final class MatrixReport {
  private static final int NAME = 42;
  private static final int LAYER = 11;

  private final CheckMatrix matrix;
  private final PrintWriter out;
  private final List<CheckMatrix.Cell> cells = new ArrayList<>();

  MatrixReport(CheckMatrix matrix, PrintWriter out) {
    this.matrix = matrix;
    this.out = out;
  }

  /** Checks everything; true if all of it holds. */
  boolean table() {
    row("program", "layer", CheckMatrix.WORLDS);
    for (CheckMatrix.Entry entry : matrix.entries()) {
      int first = cells.size();
      matrix.check(entry, cells::add);
      List<CheckMatrix.Cell> mine = cells.subList(first, cells.size());
      for (var layer : CheckMatrix.LAYERS) {
        row(
            entry.name(),
            layer.name(),
            CheckMatrix.WORLDS.stream()
                .map(world ->
                    summary(
                        mine.stream()
                            .filter(c -> c.layer().equals(layer) && c.world().equals(world))
                            .toList()))
                .toList());
      }
      mine.stream().filter(c -> !c.holds()).forEach(this::failure);
      out.flush();
    }
    out.printf(
        "checks: %d, each of one program in one world and layer, B of %s, %d launches, in all ways in which"
            + " synchronisation can go up to %d states and %d steps; %d hold, %d of them cut short by"
            + " these bounds (*), %d do not; -: not for RDMA, or nothing for a proxy%n",
        cells.size(),
        CheckMatrix.BYTES.stream().map(String::valueOf).collect(Collectors.joining(", ")),
        CheckMatrix.LAUNCHES,
        CheckMatrix.BUDGET.states(),
        CheckMatrix.BUDGET.steps(),
        cells.size() - failed(),
        cells.stream().filter(c -> c.holds() && !c.bounds().isEmpty()).count(),
        failed());
    return failed() == 0;
  }

  /** The same as one JSON object on one line. */
  boolean json() {
    for (CheckMatrix.Entry entry : matrix.entries()) {
      matrix.check(entry, cells::add);
    }
    out.println(
        new Members(
                Map.of(
                    "cells", new Elements(cells.stream().map(MatrixReport::cell).toList()),
                    "checked", new Whole(cells.size()),
                    "failed", new Whole(failed()),
                    "launches", new Whole(CheckMatrix.LAUNCHES),
                    "states", new Whole(CheckMatrix.BUDGET.states())))
            .print());
    return failed() == 0;
  }

  private static JsonValue cell(CheckMatrix.Cell c) {
    Map<String, JsonValue> all = new TreeMap<>();
    all.put("program", new Text(c.entry().name()));
    all.put("world", new Text(c.world()));
    all.put("layer", new Text(c.layer().name()));
    all.put("bytes", new Whole(c.bytes()));
    all.put("outcome", new Text(c.outcome()));
    all.put("message", new Text(c.message()));
    all.put(
        "bounds",
        new Elements(c.bounds().stream().map(bound -> (JsonValue) new Text(bound)).toList()));
    return new Members(all);
  }

  private long failed() {
    return cells.stream().filter(c -> !c.holds()).count();
  }

  /** One word for all sizes: the first violation, or that all hold; empty if there is no form. */
  private static String summary(List<CheckMatrix.Cell> sizes) {
    if (sizes.isEmpty()) {
      return "-";
    }
    String bounded = sizes.stream().allMatch(c -> c.bounds().isEmpty()) ? "ok" : "ok*";
    return sizes.stream()
        .filter(c -> !c.holds())
        .map(CheckMatrix.Cell::outcome)
        .findFirst()
        .orElse(bounded);
  }

  private void failure(CheckMatrix.Cell c) {
    out.println("  " + c.outcome() + ": " + c.message());
    out.println("  " + c.command());
  }

  private void row(String name, String layer, List<String> words) {
    StringBuilder line = new StringBuilder(padded(name, NAME)).append(padded(layer, LAYER));
    words.forEach(word -> line.append(padded(word, 6)));
    out.println(line.toString().stripTrailing());
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }
}

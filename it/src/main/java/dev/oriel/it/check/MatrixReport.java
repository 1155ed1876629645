package dev.oriel.it.check;

import dev.oriel.sim.replay.Json;
import dev.oriel.sim.replay.Json.Elements;
import dev.oriel.sim.replay.Json.Members;
import dev.oriel.sim.replay.Json.Text;
import dev.oriel.sim.replay.Json.Whole;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Prints a {@link Matrix}: one line for each program and layer, or one JSON object. */
final class MatrixReport {
  private static final int NAME = 42;
  private static final int LAYER = 11;

  private final Matrix matrix;
  private final PrintWriter out;
  private final List<Matrix.Cell> cells = new ArrayList<>();

  MatrixReport(Matrix matrix, PrintWriter out) {
    this.matrix = matrix;
    this.out = out;
  }

  /** Checks everything; true if all of it holds. */
  boolean table() {
    row("program", "layer", Matrix.WORLDS);
    for (Matrix.Entry entry : matrix.entries()) {
      int first = cells.size();
      matrix.check(entry, cells::add);
      List<Matrix.Cell> mine = cells.subList(first, cells.size());
      for (var layer : Matrix.LAYERS) {
        row(
            entry.name(),
            layer.name(),
            Matrix.WORLDS.stream()
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
        Matrix.BYTES.stream().map(String::valueOf).collect(Collectors.joining(", ")),
        Matrix.LAUNCHES,
        Matrix.BUDGET.states(),
        Matrix.BUDGET.steps(),
        cells.size() - failed(),
        cells.stream().filter(c -> c.holds() && !c.bounds().isEmpty()).count(),
        failed());
    return failed() == 0;
  }

  /** The same as one JSON object on one line. */
  boolean json() {
    for (Matrix.Entry entry : matrix.entries()) {
      matrix.check(entry, cells::add);
    }
    out.println(
        new Members(
                Map.of(
                    "cells", new Elements(cells.stream().map(MatrixReport::cell).toList()),
                    "checked", new Whole(cells.size()),
                    "failed", new Whole(failed()),
                    "launches", new Whole(Matrix.LAUNCHES),
                    "states", new Whole(Matrix.BUDGET.states())))
            .print());
    return failed() == 0;
  }

  private static Json cell(Matrix.Cell c) {
    Map<String, Json> all = new TreeMap<>();
    all.put("program", new Text(c.entry().name()));
    all.put("world", new Text(c.world()));
    all.put("layer", new Text(c.layer().name()));
    all.put("bytes", new Whole(c.bytes()));
    all.put("outcome", new Text(c.outcome()));
    all.put("message", new Text(c.message()));
    all.put(
        "bounds", new Elements(c.bounds().stream().map(bound -> (Json) new Text(bound)).toList()));
    return new Members(all);
  }

  private long failed() {
    return cells.stream().filter(c -> !c.holds()).count();
  }

  /** One word for all sizes: the first violation, or that all hold; empty if there is no form. */
  private static String summary(List<Matrix.Cell> sizes) {
    if (sizes.isEmpty()) {
      return "-";
    }
    String bounded = sizes.stream().allMatch(c -> c.bounds().isEmpty()) ? "ok" : "ok*";
    return sizes.stream()
        .filter(c -> !c.holds())
        .map(Matrix.Cell::outcome)
        .findFirst()
        .orElse(bounded);
  }

  private void failure(Matrix.Cell c) {
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

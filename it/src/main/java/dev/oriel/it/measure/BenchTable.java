package dev.oriel.it.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Readings of all rounds: a line for each row and each distribution of ranks over processes. */
final class BenchTable {
  static final String PEER = "nccl";

  private final Map<CudaBench.Row, Map<ProcessDistribution, Map<String, ReadingSpread>>> ours =
      new LinkedHashMap<>();
  private final Map<CudaBench.Row, ReadingSpread> theirs = new LinkedHashMap<>();

  /** A rank that reports no times adds nothing. */
  void add(ProcessDistribution processes, CudaBench.Reading reading) {
    if (reading.micros().isEmpty()) {
      return;
    }
    ours.computeIfAbsent(reading.row(), _ -> new LinkedHashMap<>())
        .computeIfAbsent(processes, _ -> new LinkedHashMap<>())
        .merge(reading.program(), new ReadingSpread(reading.micros()), ReadingSpread::and);
  }

  void addPeer(CudaBench.Row row, List<Double> micros) {
    theirs.merge(row, new ReadingSpread(micros), ReadingSpread::and);
  }

  /** The peer, which has a process for each GPU, is next to either distribution. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    ours.forEach(
        (row, ways) -> ways.forEach((processes, found) -> lines.add(line(row, processes, found))));
    theirs.forEach((row, spread) -> {
      // Without a program for that many bytes, there is nothing to compare.
      if (!ours.containsKey(row)) {
        lines.add(head(row, "") + "  " + PEER + " " + spread);
      }
    });
    return lines;
  }

  private String line(
      CudaBench.Row row, ProcessDistribution processes, Map<String, ReadingSpread> found) {
    StringBuilder line = new StringBuilder(head(row, processes.word()));
    found.forEach((who, spread) -> line.append("  ").append(who).append(' ').append(spread));
    ReadingSpread peer = theirs.get(row);
    if (peer != null) {
      line.append("  ").append(PEER).append(' ').append(peer);
      found.values().stream()
          .min((a, b) -> Double.compare(a.median(), b.median()))
          .ifPresent(best -> line.append(ratio(peer, best)));
    }
    return line.toString();
  }

  /** The beginning of a line. */
  static String head(CudaBench.Row row, String processes) {
    return "%-13s %9d  %-4s".formatted(row.subject().word(), row.bytes(), processes);
  }

  private static String ratio(ReadingSpread peer, ReadingSpread best) {
    return String.format(
        Locale.ROOT,
        "  peer/ours=%.2f%s",
        peer.median() / best.median(),
        best.overlaps(peer) ? " (within the spread)" : "");
  }
}

package dev.oriel.it.measure;

import java.io.PrintWriter;
import java.util.List;

/**
 * Prints the results of one round as soon as they are measured: a line for each row and each
 * distribution of ranks over processes. An interrupted run has printed all programs but the current
 * one.
 */
final class BenchLines implements AutoCloseable {
  private final PrintWriter out;
  private final int round;

  /** The beginning of the unfinished line; empty if there is none. */
  private String begun = "";

  BenchLines(PrintWriter out, int round) {
    this.out = out;
    this.round = round;
  }

  /** A rank that reports no times adds nothing. */
  void add(ProcessDistribution processes, CudaBench.Reading reading) {
    if (!reading.micros().isEmpty()) {
      say(
          BenchTable.head(reading.row(), processes.word()),
          reading.program(),
          new ReadingSpread(reading.micros()));
    }
  }

  void addPeer(CudaBench.Row row, List<Double> micros) {
    say(BenchTable.head(row, ""), BenchTable.PEER, new ReadingSpread(micros));
  }

  private void say(String head, String who, ReadingSpread spread) {
    if (!head.equals(begun)) {
      close();
      out.printf("round %d  %s", round, head);
      begun = head;
    }
    out.printf("  %s %s", who, spread);
    out.flush();
  }

  /** Ends the last line. */
  @Override
  public void close() {
    if (!begun.isEmpty()) {
      out.println();
      out.flush();
      begun = "";
    }
  }
}

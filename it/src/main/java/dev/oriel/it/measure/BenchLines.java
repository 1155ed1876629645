package dev.oriel.it.measure;

import java.io.PrintWriter;
import java.util.List;

/**
 * What one round measures, said as soon as it is measured: a line for each row and each way to
 * spread ranks. A run that is cut has said all but the program that it was measuring.
 */
final class BenchLines implements AutoCloseable {
  private final PrintWriter out;
  private final int round;

  /** How the line begins that is not ended yet; empty if there is none. */
  private String begun = "";

  BenchLines(PrintWriter out, int round) {
    this.out = out;
    this.round = round;
  }

  /** Of a rank that tells no times there is nothing to say. */
  void add(Processes processes, CudaBench.Reading reading) {
    if (!reading.micros().isEmpty()) {
      say(
          BenchTable.head(reading.row(), processes.word()),
          reading.program(),
          new Spread(reading.micros()));
    }
  }

  void addPeer(CudaBench.Row row, List<Double> micros) {
    say(BenchTable.head(row, ""), BenchTable.PEER, new Spread(micros));
  }

  private void say(String head, String who, Spread spread) {
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

package dev.oriel.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A process for each rank, over a real device; finally one of them is killed. One test for
 * everything: on emulated processors, starting a process takes most of the time.
 */
final class ProcessesSuite {
  private static final int WORLD = 3;
  private static final int KILLED = 2;

  /** Seconds that all of it may take. */
  private static final int TIMEOUT = 600;

  private static final List<String> PROGRAMS =
      List.of("ring_all_gather", "ring_send_recv", "ll_all_gather");

  private final List<Process> processes = new ArrayList<>();
  private final List<List<String>> said = new ArrayList<>();
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private final long start = System.nanoTime();

  @AfterEach
  void endAll() {
    processes.forEach(Process::destroyForcibly);
  }

  private void start() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    for (int rank = 0; rank < WORLD; rank++) {
      List<String> arguments = new ArrayList<>(List.of("" + rank, "" + WORLD, "" + port));
      for (String program : PROGRAMS) {
        arguments.addAll(List.of(program, "5001"));
      }
      Process process =
          new ProcessBuilder(Guest.java(RankProcess.class, arguments.toArray(String[]::new)))
              .redirectErrorStream(true)
              .start();
      processes.add(process);
      listen(rank, process);
    }
  }

  /** Keeps a process's output, with times. */
  private void listen(int rank, Process process) {
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    said.add(lines);
    Thread.ofPlatform()
        .daemon()
        .start(() ->
            process
                .inputReader()
                .lines()
                .forEach(line -> {
                  lines.add(line);
                  log.add("%.1f s, rank %d: %s".formatted(seconds(), rank, line));
                }));
  }

  private double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  /** Waits for a line with that prefix; returns it. */
  private String line(int rank, String begins) throws InterruptedException {
    while (seconds() < TIMEOUT) {
      synchronized (said.get(rank)) {
        for (String line : said.get(rank)) {
          if (line.startsWith(begins)) {
            return line;
          }
        }
      }
      Thread.sleep(100);
    }
    throw new AssertionError(
        "rank %d did not say \"%s\" within %d s: %s".formatted(rank, begins, TIMEOUT, log));
  }

  @Test
  void everyByteArrivesAndAKilledRankIsAnOutcomeOfTheOthers() throws Exception {
    start();
    for (int rank = 0; rank < WORLD; rank++) {
      line(rank, "right windows");
    }
    for (String program : PROGRAMS) {
      for (int rank = 0; rank < WORLD; rank++) {
        line(rank, "right " + program);
      }
    }
    assertThat(processes).allMatch(Process::isAlive);
    processes.get(KILLED).destroyForcibly().waitFor();
    for (int rank = 0; rank < KILLED; rank++) {
      try (Writer go = processes.get(rank).outputWriter()) {
        go.write('\n');
      }
    }
    for (int rank = 0; rank < KILLED; rank++) {
      assertThat(line(rank, "ended")).contains("Aborted", "peer=" + KILLED, "RETRIES");
    }
    for (int rank = 0; rank < KILLED; rank++) {
      assertThat(line(rank, "left")).isEqualTo("left: PEER_LOST [" + KILLED + "]");
      assertThat(processes.get(rank).waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(processes.get(rank).exitValue()).isZero();
    }
  }
}

package dev.oriel.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * A process for each rank, over a device that is there; in the end one of them is killed. All in
 * one test, since it is the start of a process that takes the time where processors are emulated.
 */
final class ProcessesSuite {
  private static final int WORLD = 4;
  private static final int KILLED = 3;
  private static final List<String> PROGRAMS =
      List.of("ring_all_gather", "ring_send_recv", "ll_all_gather");

  private final List<Process> processes = new ArrayList<>();
  private final List<BufferedReader> outputs = new ArrayList<>();

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
      outputs.add(process.inputReader());
    }
  }

  /** Reads on until a line begins so; returns it. */
  private String line(int rank, String begins) throws IOException {
    List<String> said = new ArrayList<>();
    String line;
    while ((line = outputs.get(rank).readLine()) != null) {
      said.add(line);
      if (line.startsWith(begins)) {
        return line;
      }
    }
    throw new AssertionError("rank %d ended before \"%s\": %s".formatted(rank, begins, said));
  }

  @Test
  @Timeout(value = 240, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
  void everyByteArrivesAndAKilledRankIsAnOutcomeOfTheOthers() throws Exception {
    start();
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
      assertThat(processes.get(rank).waitFor()).isZero();
    }
  }
}

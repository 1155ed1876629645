package dev.oriel.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process for each rank, over a device that is there; and one of them is killed. */
final class ProcessesSuite {
  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void endAll() {
    processes.forEach(Process::destroyForcibly);
  }

  private List<BufferedReader> start(int world, String program, long bytes, int launches)
      throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    List<BufferedReader> outputs = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      Process process =
          new ProcessBuilder(
                  Guest.java(
                      RankProcess.class,
                      Integer.toString(rank),
                      Integer.toString(world),
                      Integer.toString(port),
                      program,
                      Long.toString(bytes),
                      Integer.toString(launches)))
              .redirectErrorStream(true)
              .start();
      processes.add(process);
      outputs.add(process.inputReader());
    }
    return outputs;
  }

  @ParameterizedTest
  @CsvSource({"2, ll_all_gather, 5000", "2, ring_send_recv, 40001", "4, ring_all_gather, 5000"})
  void everyByteArrives(int world, String program, long bytes) throws Exception {
    for (BufferedReader output : start(world, program, bytes, 3)) {
      List<String> lines = output.lines().collect(Collectors.toList());
      assertThat(lines).last().asString().startsWith("right ");
    }
    for (Process process : processes) {
      assertThat(process.waitFor()).isZero();
    }
  }

  @Test
  void aKilledRankIsAnOutcomeOfTheOther() throws Exception {
    List<BufferedReader> outputs = start(2, Turns.NAME, Turns.FOR_EVER, 1);
    for (BufferedReader output : outputs) {
      assertThat(output.readLine()).isEqualTo("launching 1");
    }
    Thread.sleep(1000);
    processes.get(1).destroyForcibly();
    assertThat(outputs.get(0).readLine()).contains("ended Aborted", "peer=1", "RETRIES");
    assertThat(outputs.get(0).readLine()).isEqualTo("left: PEER_LOST [1]");
  }
}

package dev.oriel.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.RankFacts;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.fabric.VerbsFabric;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.fabric.WireMessage;
import dev.oriel.ibverbs.run.VerbsExecutor;
import dev.oriel.ibverbs.verbs.AsyncEvent;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.DeviceList;
import dev.oriel.ports.Executor;
import dev.oriel.ports.Fabric;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.contract.RankThreads;
import dev.oriel.ports.contract.ShippedPrograms;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Links are pulled, queues filled, keys forged, rights and locked memory taken away. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class FaultSuite {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration PULLED = Duration.ofSeconds(20);

  private final ConcurrentLinkedQueue<String> lost = new ConcurrentLinkedQueue<>();
  private final FabricListener listener =
      new FabricListener() {
        @Override
        public void peerLost(int rank, int peer, String cause, long nanos) {
          lost.add(rank + " lost " + peer + ": " + cause);
        }
      };

  @BeforeEach
  void onlyInTheGuest() {
    Guest.required();
  }

  private static List<Executor.Instance> prepare(List<VerbsExecutor> executors, Program program) {
    return RankThreads.all(executors, e -> e.prepare(program, Topology.grid(2, 1)));
  }

  @Test
  @Order(1)
  void aPulledLinkIsAnOutcomeAndRecovers() throws Exception {
    List<VerbsExecutor> executors = Cable.executors(listener);
    Program turns = Program.bind(Turns.form(), 2, Map.of("N", Turns.FOR_EVER));
    List<Executor.Instance> instances = prepare(executors, turns);
    try (DeviceContext watched = DeviceList.load().open("rxv0")) {
      List<CompletableFuture<List<Outcome>>> running =
          instances.stream().map(i -> RankThreads.start(i, one -> one.launch(PULLED))).toList();
      Thread.sleep(1000);
      assertThat(running).noneMatch(CompletableFuture::isDone);
      Cable.loseEverything();
      List<Outcome> outcomes =
          running.stream().map(each -> RankThreads.value(each).getFirst()).toList();
      // For a request under way, a device reports that no peer answers, that it cannot be sent, or,
      // until the deadline, nothing. A plain wait then runs into the deadline.
      assertThat(outcomes)
          .allSatisfy(
              o -> assertThat(o).isInstanceOfAny(Outcome.Aborted.class, Outcome.TimedOut.class));
      Guest.run("/usr/bin/ip", "link", "set", "v0", "down");
      assertThat(watched.event(Duration.ofSeconds(5)).map(AsyncEvent::text))
          .contains("port down: port=1");
      assertThat(watched.port(1).active()).isFalse();
    } finally {
      Guest.run("/usr/bin/ip", "link", "set", "v0", "up");
    }
    Cable.close(instances);
    Cable.mend();
    Program gather = Program.bind(ShippedPrograms.form("ring_all_gather"), 2, Map.of("B", 9000L));
    List<Executor.Instance> again = prepare(executors, gather);
    byte[] bytes = new byte[9000];
    Arrays.fill(bytes, (byte) 7);
    again.get(0).write(0, "in", 0, bytes);
    assertThat(RankThreads.all(again, i -> i.launch(LONG).getFirst()))
        .containsOnly(new Outcome.Done());
    assertThat(again.get(1).read(1, "out", 0, 9000)).isEqualTo(bytes);
    Cable.close(again);
    Cable.close(executors);
  }

  private static List<Fabric> fabrics(VerbsSettings settings) {
    List<Fabric> fabrics = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      fabrics.add(
          new VerbsFabric(
              Guest.device(),
              rank,
              2,
              RankFacts.of("host" + rank, 0),
              settings,
              1 << 24,
              System::nanoTime));
    }
    fabrics.get(0).connect(1, fabrics.get(1).offer(0));
    fabrics.get(1).connect(0, fabrics.get(0).offer(1));
    return fabrics;
  }

  @Test
  @Order(2)
  void requestsBeyondTheQueueWaitForRoom() throws Exception {
    List<Fabric> fabrics = fabrics(new VerbsSettings("", 1, -1, 4, 1, VerbsSettings.USUAL.retry()));
    int words = 1000;
    try (Fabric.Memory here = fabrics.get(0).allocate(8L * words);
        Fabric.Memory there = fabrics.get(1).allocate(8L * words);
        Fabric.Remote remote = fabrics.get(0).open(1, there.export())) {
      for (int i = 0; i < words; i++) {
        remote.wordRelease(8L * i, 31L * i);
      }
      remote.flush(LONG);
      for (int i = 0; i < words; i++) {
        assertThat(there.wordAcquire(8L * i)).isEqualTo(31L * i);
      }
      assertThat(here.bytes()).isEqualTo(8L * words);
    }
    fabrics.forEach(Fabric::close);
  }

  @Test
  void aFalseKeyOfAPeerIsDetected() {
    lies(
        e ->
            new WireMessage.Export(
                e.owner(), e.address(), e.size(), List.of(e.keys().getFirst() ^ 0x5a00)),
        0);
  }

  @Test
  void aFalseSizeOfAPeerIsDetected() {
    lies(e -> new WireMessage.Export(e.owner(), e.address(), 1 << 20, e.keys()), 1 << 19);
  }

  @Test
  void aFalseAddressOfAPeerIsDetected() {
    lies(e -> new WireMessage.Export(e.owner(), e.address() - (1 << 30), e.size(), e.keys()), 0);
  }

  private static void lies(UnaryOperator<WireMessage.Export> lie, long offset) {
    List<Fabric> fabrics = fabrics(VerbsSettings.USUAL);
    try (Fabric.Memory here = fabrics.get(0).allocate(64);
        Fabric.Memory there = fabrics.get(1).allocate(64)) {
      byte[] forged = lie.apply(WireMessage.Export.parse(there.export())).bytes();
      try (Fabric.Remote remote = fabrics.get(0).open(1, forged)) {
        here.write(0, new byte[] {1, 2, 3});
        remote.put(offset, here, 0, 64);
        assertThatExceptionOfType(MachineException.class)
            .isThrownBy(() -> remote.flush(LONG))
            .withMessageContainingAll("peer=1", "REMOTE_ACCESS");
        assertThatExceptionOfType(MachineException.class)
            .isThrownBy(() -> remote.put(0, here, 0, 8))
            .withMessageContaining("REMOTE_ACCESS");
        assertThat(there.read(0, 64)).containsOnly(0);
      }
    }
    fabrics.forEach(Fabric::close);
  }

  private static String asUser(String limit) throws Exception {
    List<String> java = Guest.java(Registrant.class);
    Process process =
        new ProcessBuilder(
                "/bin/su",
                "user",
                "-s",
                "/bin/sh",
                "-c",
                limit + "; exec " + String.join(" ", java))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }

  @Test
  void exhaustedLockedMemoryIsReported() throws Exception {
    assertThat(asUser("ulimit -l 64"))
        .startsWith("environment=true: ibv_reg_mr refused")
        .contains("bytes=1048576", "ulimit -l")
        // As many pages as the limit allows; after one is deregistered, one more succeeds.
        .containsPattern("registered\\Renvironment=true: .* bytes=4096, .*ulimit -l")
        .contains("pages=16", "again: registered");
    assertThat(asUser("true")).doesNotContain("refused").contains("pages=64", "again: registered");
  }

  @Test
  void aMissingPermissionIsReported() throws Exception {
    Guest.run("/bin/sh", "-c", "chmod 600 /dev/infiniband/uverbs*");
    try {
      assertThat(asUser("true"))
          .contains("environment=true", "ibv_open_device refused", "/dev/infiniband");
    } finally {
      Guest.run("/bin/sh", "-c", "chmod 666 /dev/infiniband/uverbs*");
    }
  }
}

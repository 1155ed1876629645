package dev.oriel.ibverbs.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.fabric.PeerConnections;
import dev.oriel.ibverbs.fabric.RankEndpoint;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The queues of lanes and their contexts, for ranks with two interfaces. */
final class QueueChoiceTest {
  private static final int INTERFACES = 2;

  /** The numbers by which that program's lanes request queues to rank 1. */
  private static Set<Integer> asked(String call) {
    Program program =
        Program.bind(
            FormParser.parse(
                """
                form asked
                scratch box[256]
                scratch word[8]
                signal S[1]
                barrier all_in
                lane worker(i < 2): sm(32) {
                  if r == 0 {
                    %s
                    quiet via 0
                    quiet via 1
                  }
                }
                """
                    .formatted(call)),
            2,
            Map.of());
    FakeVerbs verbs = new FakeVerbs();
    Set<Integer> numbers = new TreeSet<>();
    try (VerbsExecutor executor =
        new VerbsExecutor(
            new Recording(verbs, numbers),
            ProcessGroup.ALONE,
            FabricListener.NONE,
            System::nanoTime)) {
      try (var instance = executor.prepare(program, Topology.grid(2, 1))) {
        assertThat(instance.launch(Duration.ofSeconds(40))).containsOnly(new Outcome.Done());
      }
    }
    return numbers;
  }

  /** Endpoints of two interfaces that note the queues rank 0 requests. */
  private record Recording(FakeVerbs verbs, Set<Integer> numbers) implements DeviceWiring {
    @Override
    public PeerConnections connections(int rank, int world) {
      List<DeviceContext> devices = List.of(verbs.open(), verbs.open());
      RankEndpoint endpoint = new RankEndpoint(devices, rank, world, VerbsSettings.USUAL);
      return (PeerConnections)
          Proxy.newProxyInstance(
              PeerConnections.class.getClassLoader(),
              new Class<?>[] {PeerConnections.class},
              (_, method, arguments) -> {
                if (method.getName().equals("queue") && arguments[0].equals(1)) {
                  numbers.add((Integer) arguments[1]);
                }
                try {
                  return method.invoke(endpoint, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    @Override
    public void close() {}
  }

  @Test
  void contextsUseTheLanesInterfaceAndSeparateQueues() {
    assertThat(asked("put box@(1)[8 * i] <- box[64] bytes 8 via 1"))
        .containsExactly(0, 1, INTERFACES, INTERFACES + 1);
  }

  @Test
  void lanesThatChangeWordsAtomicallyUseTheFirstInterface() {
    assertThat(asked("atomic word@(1)[0] add 1 via 1"))
        .containsExactly(0, INTERFACES, 2 * INTERFACES)
        .allMatch(number -> number % INTERFACES == 0);
  }

  /** Several lanes of a rank add to one slot; a set is no sum and loses nothing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "signal S[0]@(1) add 1 release | true",
        "put box@(1)[8 * i] <- box[64] bytes 8 notify S[0] add 1 | true",
        "put box@(1)[8 * i] <- box[64] bytes 8 notify S[0] set 1 | false"
      })
  void lanesThatAddToOneSlotUseTheFirstInterface(String call, boolean first) {
    assertThat(asked(call).stream().allMatch(number -> number % INTERFACES == 0)).isEqualTo(first);
  }
}

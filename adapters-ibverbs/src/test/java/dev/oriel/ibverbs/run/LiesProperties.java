package dev.oriel.ibverbs.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.contract.ShippedPrograms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.ByteRange;
import net.jqwik.api.constraints.IntRange;

/**
 * A rank that sends others false data about its memory, keys and queues is rejected, or its
 * requests fail, or others wait for it in vain. No rank accepts wrong bytes.
 */
class LiesProperties {
  private static final int BYTES = 256;

  /** A rank that got false data may wait in vain this long; that is one of the ends. */
  private static final Duration TIMEOUT = Duration.ofMillis(150);

  /** A rank that got true data must not be late, however slow the machine is. */
  private static final Duration HONEST = Duration.ofSeconds(20);

  private static final Program PROGRAM =
      Program.bind(ShippedPrograms.form("push_all_gather"), 2, Map.of("B", (long) BYTES));

  /** Changes the data that a rank sends to the others. */
  private interface Lie {
    byte[] of(byte[] greeting);
  }

  private static ProcessGroup lying(int liar, Lie lie) {
    return new ProcessGroup() {
      @Override
      public List<Integer> local(int world) {
        return ProcessGroup.ALONE.local(world);
      }

      @Override
      public List<byte[]> exchange(String step, List<byte[]> mine) {
        List<byte[]> messages = new ArrayList<>(mine);
        messages.set(liar, lie.of(mine.get(liar).clone()));
        return messages;
      }

      @Override
      public <T> T together(String step, Supplier<T> part) {
        return part.get();
      }

      @Override
      public void meet(String step) {}

      @Override
      public void checkWorld(int world) {}
    };
  }

  /** The result: {@code right}, {@code refused}, or the outcomes. */
  private static String end(int liar, Lie lie) {
    return end(liar, lie, TIMEOUT);
  }

  private static String end(int liar, Lie lie, Duration timeout) {
    FakeVerbs verbs = new FakeVerbs();
    String end;
    try (Executor executor =
            new VerbsExecutor(
                List.of(verbs.open()),
                lying(liar, lie),
                VerbsSettings.USUAL,
                FabricListener.NONE,
                System::nanoTime);
        Executor.Instance instance = executor.prepare(PROGRAM, Topology.grid(2, 1))) {
      for (int rank = 0; rank < 2; rank++) {
        instance.write(rank, "in", 0, filled(rank + 1));
      }
      List<Outcome> outcomes = instance.launch(timeout);
      end = outcomes.toString();
      if (outcomes.stream().allMatch(Outcome.Done.class::isInstance)) {
        for (int rank = 0; rank < 2; rank++) {
          for (int of = 0; of < 2; of++) {
            assertThat(instance.read(rank, "out", (long) of * BYTES, BYTES))
                .isEqualTo(filled(of + 1));
          }
        }
        end = "right";
      }
    } catch (MachineException e) {
      assertThat(e).hasMessageContaining("=").hasMessageContaining("; ");
      end = "refused";
    }
    assertThat(verbs.live()).isEmpty();
    return end;
  }

  private static byte[] filled(int value) {
    byte[] bytes = new byte[BYTES];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  @Property(tries = 150)
  void oneWrongByteIsNeverAccepted(
      @ForAll @IntRange(max = 1) int liar,
      @ForAll @IntRange(max = 1 << 20) int at,
      @ForAll @ByteRange(min = 1, max = 127) byte change) {
    String end =
        end(
            liar,
            greeting -> {
              greeting[at % greeting.length] ^= change;
              return greeting;
            });
    assertThat(end).isNotEmpty();
  }

  @Property(tries = 100)
  void invalidPreparePayloadsAreRejected(
      @ForAll @IntRange(max = 1) int liar, @ForAll byte[] garbage) {
    assertThat(end(liar, _ -> garbage)).isEqualTo("refused");
  }

  /** Changes every byte once, and shows that each kind of end occurs. */
  @Example
  void everyByteIsCheckedOrFailsARequest() {
    Set<String> ends = new TreeSet<>();
    int[] length = new int[1];
    assertThat(
            end(
                1,
                greeting -> {
                  length[0] = greeting.length;
                  return greeting;
                },
                HONEST))
        .isEqualTo("right");
    for (int at = 0; at < length[0]; at++) {
      int place = at;
      String end =
          end(
              1,
              greeting -> {
                greeting[place] ^= 0x41;
                return greeting;
              });
      ends.add(end.replaceAll("\\W.*", "").isEmpty() ? "outcome" : end);
    }
    assertThat(ends).contains("refused", "outcome");
  }
}

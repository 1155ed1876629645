package dev.oriel.ibverbs.window;

import static dev.oriel.domain.window.Comparison.GE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.domain.window.WindowView;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.ports.contract.DelegatingBootstrap;
import dev.oriel.ports.contract.RankThreads;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.ByteRange;
import net.jqwik.api.constraints.IntRange;

/**
 * A rank that sends others false data about its queues, or about its part of a window, is refused,
 * or a transfer fails, or others wait for it in vain. The others' memory keeps its own contents.
 */
class WindowLiesProperties {
  private static final Duration GROUP = Duration.ofSeconds(20);

  /** A rank that got false data may wait in vain this long; that is one of the ends. */
  private static final Duration TIMEOUT = Duration.ofMillis(100);

  private static final List<String> STEPS =
      List.of("join: exchange", "window 1: exchange", "window 1: pieces");
  private static final int BYTES = 64;
  private static final WindowSpec SPEC =
      WindowSpec.named("w").withData(DataSizes.uniform(BYTES)).withSignals(1).withBarriers(1);

  /** A rank with a changed contribution to one step. */
  private static final class Lying extends DelegatingBootstrap {
    private final String step;
    private final UnaryOperator<byte[]> lie;

    Lying(Bootstrap real, String step, UnaryOperator<byte[]> lie) {
      super(real);
      this.step = step;
      this.lie = lie;
    }

    @Override
    public List<byte[]> allGather(String at, byte[] mine, Duration deadline) {
      return super.allGather(at, at.equals(step) ? lie.apply(mine.clone()) : mine, deadline);
    }
  }

  /** The result for the rank that sent true data. */
  private static String end(int liar, String step, UnaryOperator<byte[]> lie) {
    FakeVerbs verbs = new FakeVerbs();
    List<Bootstrap> group = InProcessBootstrap.group(2, GROUP);
    try {
      List<String> ends =
          RankThreads.all(
              group,
              ranks -> part(verbs, ranks.rank() == liar ? new Lying(ranks, step, lie) : ranks));
      assertThat(verbs.live()).isEmpty();
      return ends.get(1 - liar);
    } finally {
      group.forEach(Bootstrap::close);
    }
  }

  private static String part(FakeVerbs verbs, Bootstrap ranks) {
    VerbsCommunicators all =
        new VerbsCommunicators(verbs::open, VerbsSettings.USUAL, 1 << 16, System::nanoTime);
    try (Communicator world = all.join(ranks);
        Window window = world.window(SPEC)) {
      int peer = 1 - ranks.rank();
      WindowView ignored = window.share(new WindowRegion("w", 0, 32));
      byte[] mine = filled(1 + ranks.rank());
      window.write(0, mine);
      String end = "right";
      try {
        window.put(peer, 8, 0, 8);
        window.signal(peer, 0, 1);
        window.await(peer, 0, GE, 1, TIMEOUT);
        assertThat(window.read(8, 8)).isEqualTo(filled(1 + peer));
      } catch (TimeoutException e) {
        end = "waited";
      } catch (MachineException e) {
        end = named(e, "failed");
      }
      if (!(ranks instanceof Lying)) {
        assertThat(window.read(0, 8)).isEqualTo(mine);
        assertThat(window.read(8, 8)).isIn(new byte[8], filled(1 + peer));
        assertThat(window.read(16, BYTES - 16)).containsOnly(0);
      }
      return end;
    } catch (MachineException e) {
      return named(e, "refused");
    }
  }

  private static String named(MachineException e, String end) {
    assertThat(e).hasMessageContaining("=").hasMessageContaining("; ");
    return end;
  }

  private static byte[] filled(int value) {
    byte[] bytes = new byte[8];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static UnaryOperator<byte[]> changed(int at, byte change) {
    return message -> {
      message[at % message.length] ^= change;
      return message;
    };
  }

  @Property(tries = 60)
  void oneWrongByteIsNeverAccepted(
      @ForAll @IntRange(max = 1) int liar,
      @ForAll @IntRange(max = 2) int step,
      @ForAll @IntRange(max = 1 << 20) int at,
      @ForAll @ByteRange(min = 1, max = 127) byte change) {
    assertThat(end(liar, STEPS.get(step), changed(at, change)))
        .isIn("right", "waited", "failed", "refused");
  }

  @Property(tries = 40)
  void invalidContributionsAreRejected(
      @ForAll @IntRange(max = 1) int liar,
      @ForAll @IntRange(max = 2) int step,
      @ForAll byte[] garbage) {
    assertThat(end(liar, STEPS.get(step), message -> garbage)).isEqualTo("refused");
  }

  /** Shows that the others do not fail for another reason. */
  @Example
  void trueDataPassesAndEveryOtherEndOccurs() {
    Set<String> ends = new TreeSet<>();
    for (String step : STEPS) {
      assertThat(end(1, step, message -> message)).isEqualTo("right");
      for (int at = 0; at < 120; at += 2) {
        ends.add(end(1, step, changed(at, (byte) 0x41)));
      }
    }
    assertThat(ends).contains("refused").containsAnyOf("failed", "waited");
  }
}

package dev.oriel.ibverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ports.MachineException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** Every call with any numbers at all: it does what it says, or names what it refuses. */
class OutOfRangeProperties {
  private static final FakeVerbs VERBS = new FakeVerbs();
  private static final Context CONTEXT = VERBS.open();

  @AfterContainer
  static void nothingIsLeft() {
    CONTEXT.close();
    assertThat(VERBS.live()).isEmpty();
  }

  /** Near every limit, and anything. */
  @Provide
  Arbitrary<Integer> numbers() {
    return Arbitraries.oneOf(
        Arbitraries.integers(),
        Arbitraries.integers().between(-2, 40),
        Arbitraries.of(
            (1 << 14) - 1, 1 << 14, (1 << 16) - 1, 1 << 16, (1 << 24) - 1, 1 << 24, 1 << 30));
  }

  /** What was made is closed at once. */
  private static void answered(Supplier<?> call) {
    try {
      if (call.get() instanceof Handle made) {
        made.close();
      }
    } catch (MachineException | IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("=").hasMessageContaining("; ");
    }
  }

  private static Supplier<?> did(Runnable call) {
    return () -> {
      call.run();
      return "";
    };
  }

  @Property(tries = 1000)
  void aDevice(@ForAll("numbers") int number) {
    answered(() -> CONTEXT.port(number));
    answered(() -> CONTEXT.gids(number));
    answered(() -> CONTEXT.completions(number));
  }

  @Property(tries = 1000)
  void aQueuePair(
      @ForAll("numbers") int sends,
      @ForAll("numbers") int receives,
      @ForAll("numbers") int inline,
      @ForAll("numbers") int port,
      @ForAll Set<Access> access,
      @ForAll("numbers") int bytes) {
    try (ProtectionDomain domain = CONTEXT.domain();
        CompletionQueue completions = CONTEXT.completions(8)) {
      answered(() ->
          domain.queuePair(new QueueSizes(sends, receives, inline), completions, completions));
      try (QueuePair pair = domain.queuePair(new QueueSizes(2, 2, 8), completions, completions)) {
        answered(did(() -> pair.init(port, access)));
        answered(did(() -> pair.post(write(bytes))));
        answered(did(() -> pair.receive(1, new WorkRequest.Local(0, bytes, 0))));
      }
    }
  }

  private static WorkRequest write(long bytes) {
    return new WorkRequest.Write(
        1, true, false, new WorkRequest.Local(0, bytes, 0), WorkRequest.Remote.NOWHERE);
  }

  @Property(tries = 1000)
  void anEnd(
      @ForAll("numbers") int first,
      @ForAll("numbers") int second,
      @ForAll("numbers") int third,
      @ForAll("numbers") int mtu,
      @ForAll long id) {
    answered(() -> new QueueEnd(first, second, third, id, id, mtu));
    answered(() -> new Retry(first, second, third));
    answered(() -> new WorkRequest.Local(id, first, second));
    for (long bytes : List.of(first, second, third)) {
      answered(() ->
          new WorkRequest.FetchAdd(
              id,
              true,
              false,
              1,
              new WorkRequest.Local(id, bytes, third),
              new WorkRequest.Remote(id, mtu)));
    }
  }

  @Property(tries = 500)
  void memory(@ForAll("numbers") int bytes, @ForAll Set<Access> access, @ForAll Purpose purpose) {
    answered(() -> HostMemory.allocate(Math.min(bytes, 0)));
    try (ProtectionDomain domain = CONTEXT.domain();
        HostMemory memory = HostMemory.allocate(64)) {
      Set<Access> asked = EnumSet.noneOf(Access.class);
      asked.addAll(access);
      answered(() -> domain.register(memory, purpose, asked));
      answered(() -> domain.register(memory.address(), Math.min(bytes, 64), purpose, asked));
    }
  }
}

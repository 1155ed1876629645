package dev.oriel.sim.sequential;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Space;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.setup.ExclusiveUse;
import dev.oriel.ports.setup.SpanChecks;
import dev.oriel.sim.engine.WaitDescription;
import dev.oriel.sim.engine.WorldState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One prepared program. A launch repeatedly takes all enabled steps in order. */
final class SequentialInstance implements Executor.Instance {
  private final Program program;
  private final WorldState world;
  private final String digest;
  private final FabricListener listener;
  private final Clock clock;
  private final Runnable onClose;

  /** The reason why no lane may take another step; the first call decides it. */
  private final AtomicReference<@Nullable String> end = new AtomicReference<>();

  private final ExclusiveUse turn;

  SequentialInstance(
      Program program, WorldState world, FabricListener listener, Clock clock, Runnable onClose) {
    this.program = program;
    this.world = world;
    this.digest = program.digest();
    this.turn = new ExclusiveUse(digest);
    this.listener = listener;
    this.clock = clock;
    this.onClose = onClose;
  }

  @Override
  public List<Integer> ranks() {
    return IntStream.range(0, world.size()).boxed().toList();
  }

  @Override
  public void write(int rank, String buffer, long offset, byte[] bytes) {
    turn.use(() -> {
      byte[] memory = memory(rank, buffer, offset, bytes.length);
      System.arraycopy(bytes, 0, memory, (int) offset, bytes.length);
      return memory;
    });
  }

  @Override
  public byte[] read(int rank, String buffer, long offset, int length) {
    return turn.use(() -> {
      byte[] memory = memory(rank, buffer, offset, length);
      byte[] bytes = new byte[length];
      System.arraycopy(memory, (int) offset, bytes, 0, length);
      return bytes;
    });
  }

  private byte[] memory(int rank, String buffer, long offset, long length) {
    if (rank < 0 || rank >= world.size()) {
      throw new IndexOutOfBoundsException(
          "rank out of range: rank=%d, world=%d; use a local rank".formatted(rank, world.size()));
    }
    List<String> readable =
        program.form().buffers().stream()
            .filter(b -> b.space() != Space.SHARED)
            .map(Buffer::name)
            .toList();
    if (!readable.contains(buffer)) {
      throw new IllegalArgumentException(
          "unknown buffer: name=%s, form=%s; known: %s"
              .formatted(buffer, program.form().name(), String.join(", ", readable)));
    }
    byte[] memory = world.bytes(rank, buffer);
    SpanChecks.check("rank=" + rank + ", buffer=" + buffer, offset, length, memory.length);
    return memory;
  }

  @Override
  public List<Outcome> launch(Duration deadline) {
    return turn.use(() -> {
      Deadline until = Deadline.in(deadline, clock);
      String over = end.get();
      return over == null ? run(until) : everyRank(new Outcome.Aborted(over));
    });
  }

  private List<Outcome> run(Deadline until) {
    for (int rank : ranks()) {
      listener.posted(rank, digest, clock.nanos());
      world.launch(rank);
    }
    boolean possible = true;
    while (possible && end.get() == null && !until.passed()) {
      possible = world.round();
    }
    List<Outcome> outcomes = ranks().stream().map(this::outcome).toList();
    if (outcomes.stream().anyMatch(Outcome.TimedOut.class::isInstance)) {
      end.compareAndSet(null, "an earlier launch timed out: outcomes=" + outcomes);
    }
    for (int rank : ranks()) {
      listener.completed(rank, digest, outcomes.get(rank), clock.nanos());
    }
    return outcomes;
  }

  private Outcome outcome(int rank) {
    if (world.ended(rank)) {
      return world.failure(rank).<Outcome>map(Outcome.Failed::new).orElseGet(Outcome.Done::new);
    }
    String cause = end.get();
    return cause == null
        ? new Outcome.TimedOut(String.join("; ", WaitDescription.lines(world, rank)))
        : new Outcome.Aborted(cause);
  }

  private List<Outcome> everyRank(Outcome outcome) {
    return ranks().stream().map(rank -> outcome).toList();
  }

  @Override
  public void abort(String cause) {
    end.compareAndSet(null, cause);
  }

  @Override
  public void close() {
    turn.close(onClose);
  }
}

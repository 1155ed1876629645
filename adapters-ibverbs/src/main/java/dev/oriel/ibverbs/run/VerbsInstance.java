package dev.oriel.ibverbs.run;

import dev.oriel.domain.binding.Program;
import dev.oriel.ibverbs.fabric.PollBackoff;
import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.setup.ExclusiveUse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One prepared program on the local ranks; the launching thread interprets all their lanes in turn.
 */
final class VerbsInstance implements Executor.Instance {
  private final Program program;
  private final String digest;
  private final List<RankRun> ranks;
  private final FabricListener listener;
  private final Clock clock;
  private final Runnable onClose;
  private final Set<List<Integer>> lost = new HashSet<>();

  /** Why no lane may take another step; the first reason counts. */
  private final AtomicReference<@Nullable String> end = new AtomicReference<>();

  private final PollBackoff idle = new PollBackoff();
  private final ExclusiveUse turn;

  VerbsInstance(
      Program program,
      List<RankRun> ranks,
      FabricListener listener,
      Clock clock,
      Runnable onClose) {
    this.program = program;
    this.digest = program.digest();
    this.turn = new ExclusiveUse(digest);
    this.ranks = ranks;
    this.listener = listener;
    this.clock = clock;
    this.onClose = onClose;
  }

  @Override
  public List<Integer> ranks() {
    return ranks.stream().map(r -> r.program().rank()).toList();
  }

  @Override
  public void write(int rank, String buffer, long offset, byte[] bytes) {
    turn.use(() -> {
      RankRun run = run(rank, buffer);
      run.memory().write(run.place(buffer, offset, bytes.length), bytes);
      return run;
    });
  }

  @Override
  public byte[] read(int rank, String buffer, long offset, int length) {
    return turn.use(() -> {
      RankRun run = run(rank, buffer);
      return run.memory().read(run.place(buffer, offset, length), length);
    });
  }

  private RankRun run(int rank, String buffer) {
    if (program.form().buffer(buffer).isEmpty()) {
      throw new IllegalArgumentException(
          "unknown buffer: name=%s, form=%s; see the form's declarations"
              .formatted(buffer, program.form().name()));
    }
    return ranks.stream()
        .filter(r -> r.program().rank() == rank)
        .findFirst()
        .orElseThrow(() ->
            new IndexOutOfBoundsException(
                "rank is not local: rank=%d, local=%s; use a local rank".formatted(rank, ranks())));
  }

  @Override
  public List<Outcome> launch(Duration deadline) {
    return turn.use(() -> {
      Deadline until = Deadline.in(deadline, clock);
      String over = end.get();
      return over == null
          ? run(until)
          : ranks.stream().<Outcome>map(_ -> new Outcome.Aborted(over)).toList();
    });
  }

  private List<Outcome> run(Deadline until) {
    for (RankRun rank : ranks) {
      listener.posted(rank.program().rank(), digest, clock.nanos());
      rank.launch();
    }
    while (end.get() == null && !until.passed() && !over()) {
      round();
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (RankRun rank : ranks) {
      outcomes.add(outcome(rank));
    }
    if (outcomes.stream().anyMatch(Outcome.TimedOut.class::isInstance)) {
      end.compareAndSet(null, "an earlier launch timed out: outcomes=" + outcomes);
    }
    for (int i = 0; i < ranks.size(); i++) {
      listener.completed(ranks.get(i).program().rank(), digest, outcomes.get(i), clock.nanos());
    }
    return outcomes;
  }

  /** Whether all ranks have ended, and no peer elsewhere needs one of them. */
  private boolean over() {
    boolean all = true;
    for (RankRun rank : ranks) {
      all &= ended(rank) && guarded(rank::settled);
    }
    return all;
  }

  private boolean ended(RankRun rank) {
    return guarded(() -> rank.failedQueue().isEmpty() && rank.ended());
  }

  /**
   * A step that the machine or the program cannot execute ends everything: no other step can follow
   * it.
   */
  private boolean guarded(BooleanSupplier step) {
    try {
      return step.getAsBoolean();
    } catch (RuntimeException e) {
      end.compareAndSet(null, String.valueOf(e.getMessage()));
      return false;
    }
  }

  /** Advances every rank; a failed request ends the launch, since its lane cannot continue. */
  private void round() {
    boolean any = false;
    for (RankRun rank : ranks) {
      Optional<SendQueue> failed = rank.failedQueue();
      if (failed.isPresent()) {
        lose(rank.program().rank(), failed.get());
        return;
      }
      any |= guarded(rank::advance);
      if (end.get() != null) {
        return;
      }
    }
    if (any) {
      idle.busy();
    } else {
      idle.rest();
    }
  }

  private void lose(int rank, SendQueue queue) {
    String cause = queue.failure().orElseThrow();
    end.compareAndSet(null, cause);
    if (lost.add(List.of(rank, queue.peer()))) {
      listener.peerLost(rank, queue.peer(), cause, clock.nanos());
    }
  }

  private Outcome outcome(RankRun rank) {
    if (ended(rank)) {
      return rank.failure().<Outcome>map(Outcome.Failed::new).orElseGet(Outcome.Done::new);
    }
    String cause = end.get();
    return cause == null ? new Outcome.TimedOut(rank.waiting()) : new Outcome.Aborted(cause);
  }

  /** Runs a renewal of the ranks; if it does not throw, the instance no longer counts as ended. */
  void renew(Consumer<List<RankRun>> renewal) {
    turn.use(() -> {
      end.compareAndSet(null, "a renewal did not end");
      renewal.accept(ranks);
      lost.clear();
      end.set(null);
      return ranks;
    });
  }

  @Override
  public void abort(String cause) {
    end.compareAndSet(null, cause);
  }

  @Override
  public void close() {
    turn.close(onClose);
  }

  /** The number of bytes registered for it. */
  long bytes() {
    return ranks.stream().mapToLong(RankRun::bytes).sum();
  }
}

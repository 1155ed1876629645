package dev.oriel.sim.ranks;

import dev.oriel.sim.machine.driver.LaneDriver;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A lane of a rank other than that of its own code. It waits for its start signal, runs its task on
 * a thread of its own, completes its transfers, signals its end, and waits again.
 */
final class SecondaryLane implements RequestSource {
  private final int rank;
  private final int number;
  private final int lanes;
  private Stage stage = Stage.NOT_BEGUN;
  private @Nullable RankLane lane;
  private @Nullable Task task;
  private @Nullable Throwable thrown;
  private TurnHandoff desk = new TurnHandoff();
  private boolean late;
  private boolean over;

  /** The number of its start signals; the rank's own lane may be ahead of this one. */
  private int calls;

  /** The number of tasks that it has begun. */
  private int round;

  private enum Stage {
    NOT_BEGUN,
    PARKED,
    RUNNING,
    DRAINING,
    MAKING_ROOM,
    ENDING,
    ENDED
  }

  /** A task, and the executor that provides its thread. */
  record Task(Executor threads, Body body) {}

  /** The code that runs in the lane. */
  @FunctionalInterface
  interface Body {
    void run(RankLane lane) throws Exception;
  }

  private SecondaryLane(int rank, int number, int lanes) {
    this.rank = rank;
    this.number = number;
    this.lanes = lanes;
  }

  /** The further lanes of a rank. */
  static List<SecondaryLane> of(int rank, RankArena arena) {
    return IntStream.range(1, arena.lanes())
        .mapToObj(number -> new SecondaryLane(rank, number, arena.lanes()))
        .toList();
  }

  /** Sets the rank's own lane in this execution. */
  void belongsTo(RankLane main) {
    lane = main.beside(number);
  }

  @Override
  public List<SecondaryLane> sides() {
    return List.of();
  }

  @Override
  public void restart(boolean described) {
    stop();
    stage = Stage.NOT_BEGUN;
    lane = null;
    task = null;
    thrown = null;
    over = false;
    calls = 0;
    round = 0;
  }

  /** Sets the task that its next start signal begins; without one, the lane ends. */
  void take(@Nullable Task next) {
    task = next;
    thrown = null;
    over = next == null;
    calls++;
  }

  /** The request that starts it. */
  LaneRequest startSignal() {
    return turn(LaneOperation.TURN_SIGNAL, number, calls, "lane %d goes on".formatted(number));
  }

  /** The request by which the rank's own lane waits until this lane has completed its task. */
  LaneRequest awaitEnd() {
    return turn(LaneOperation.TURN_AWAIT, lanes + number, calls, "lane %d ends".formatted(number));
  }

  private LaneRequest turn(LaneOperation operation, int word, long value, String text) {
    return LaneRequest.waiting(operation, rank, word, value, LaneDriver.NEVER).at(text);
  }

  @Override
  public Optional<LaneRequest> next(Optional<LaneReply> reply) {
    return switch (stage) {
      case NOT_BEGUN, ENDING -> {
        stage = Stage.PARKED;
        yield Optional.of(turn(LaneOperation.TURN_AWAIT, number, round + 1, "waits to go on"));
      }
      case PARKED -> over ? ended() : begin();
      case RUNNING -> running(desk.answer(reply.orElseThrow()));
      case DRAINING -> {
        late = reply.orElseThrow().timedOut();
        mine().drained();
        stage = Stage.MAKING_ROOM;
        // Frees its room first: after its end signal, its rank may start all lanes again.
        yield Optional.of(mine().residents.end().orElseGet(this::endSignal));
      }
      case MAKING_ROOM -> Optional.of(endSignal());
      case ENDED -> Optional.empty();
    };
  }

  private LaneRequest endSignal() {
    stage = Stage.ENDING;
    return turn(LaneOperation.TURN_SIGNAL, lanes + number, round, "lane ends");
  }

  private Optional<LaneRequest> ended() {
    stage = Stage.ENDED;
    return Optional.empty();
  }

  private Optional<LaneRequest> begin() {
    Task now = Objects.requireNonNull(task);
    TurnHandoff here = new TurnHandoff();
    desk = here;
    mine().sit(here);
    round++;
    stage = Stage.RUNNING;
    return running(
        here.first(
            rank,
            () ->
                now.threads()
                    .execute(() -> {
                      if (here.begin()) {
                        run(now.body(), here);
                      }
                    })));
  }

  private void run(Body body, TurnHandoff here) {
    try {
      body.run(mine());
    } catch (ExecutionEnded e) {
      // Only the machine throws this, to end the code.
    } catch (Throwable e) {
      thrown = e;
    } finally {
      here.leave();
    }
  }

  private Optional<LaneRequest> running(Optional<LaneRequest> next) {
    if (next.isPresent()) {
      return next;
    }
    stage = Stage.DRAINING;
    long nanos = WindowForm.TIMEOUT.toNanos();
    return Optional.of(
        LaneRequest.waiting(LaneOperation.DRAIN, rank, 0, 0, nanos).at("lane ends its transfers"));
  }

  private RankLane mine() {
    return Objects.requireNonNull(lane);
  }

  /** Whether its transfers had not completed when it ended. */
  boolean late() {
    return late;
  }

  /** The failure of its last task; the rank's own lane throws it on. */
  Optional<Throwable> failure() {
    return Optional.ofNullable(thrown);
  }

  @Override
  public Optional<Throwable> thrown() {
    return Optional.empty();
  }

  @Override
  public String where(Throwable failure) {
    return "lane " + number;
  }

  @Override
  public void stop() {
    if (stage == Stage.RUNNING) {
      desk.end();
      stage = Stage.ENDED;
    }
  }
}

package dev.oriel.sim.ranks;

import static dev.oriel.sim.ranks.WindowForm.TIMEOUT;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Runs the code of one rank. Each execution uses a thread of its own, which ends with it. */
final class RankThread implements RequestSource {
  private final MemberCode code;
  private final RankArena arena;
  private final Topology topology;
  private final int rank;
  private final Executor threads;
  private final List<SecondaryLane> sides;
  private final int resident;
  private TurnHandoff desk = new TurnHandoff();
  private @Nullable Throwable thrown;
  private boolean described;
  private boolean running;

  /** At most {@code resident} of its lanes run at once; all of them if that is 0. */
  RankThread(
      MemberCode code,
      RankArena arena,
      Topology topology,
      int rank,
      Executor threads,
      int resident) {
    this.code = code;
    this.arena = arena;
    this.topology = topology;
    this.rank = rank;
    this.threads = threads;
    this.sides = SecondaryLane.of(rank, arena);
    this.resident = resident;
  }

  @Override
  public List<SecondaryLane> sides() {
    return sides;
  }

  @Override
  public void restart(boolean describe) {
    stop();
    desk = new TurnHandoff();
    thrown = null;
    described = describe;
  }

  @Override
  public Optional<LaneRequest> next(Optional<LaneReply> reply) {
    Optional<LaneRequest> next;
    if (reply.isPresent()) {
      next = desk.answer(reply.get());
    } else {
      next = desk.first(rank, () -> start(Thread.currentThread()));
    }
    running = next.isPresent();
    return next;
  }

  private void start(Thread machine) {
    // The desk of this execution: a late task must not touch that of a later one.
    TurnHandoff here = desk;
    boolean describe = described;
    threads.execute(() -> {
      if (Thread.currentThread().equals(machine)) {
        throw new MachineException(
            "executor runs tasks on the thread that passes them: rank=%d; pass one that has a thread for each rank and one more, as Thread::startVirtualThread"
                .formatted(rank));
      }
      if (here.begin()) {
        run(here, describe);
      }
    });
  }

  private void run(TurnHandoff here, boolean describe) {
    ResidentLanes residents = new ResidentLanes(resident);
    RankLane lane = new RankLane(rank, topology.world(), arena, here, describe, sides, residents);
    try {
      code.run(new RankCommunicators(lane, topology), new RankBootstrap(lane, TIMEOUT));
      requireNothingLeft(lane);
      RankLaneRunner.end(lane);
    } catch (ExecutionEnded e) {
      // Only the machine throws this, to end the code.
    } catch (Throwable e) {
      thrown = e;
    } finally {
      here.leave();
    }
  }

  private static void requireNothingLeft(RankLane lane) {
    long left = lane.memory.allocated();
    if (left > 0) {
      throw new MachineException(
          "windows or buffers were left open: rank=%d, bytes=%d; close what was opened"
              .formatted(lane.rank, left));
    }
    int keys = lane.memory.registrations();
    if (keys > 0) {
      throw new MachineException(
          "memory was left registered: rank=%d, registrations=%d; give every lease back"
              .formatted(lane.rank, keys));
    }
  }

  @Override
  public Optional<Throwable> thrown() {
    return Optional.ofNullable(thrown);
  }

  @Override
  public String where(Throwable failure) {
    Object author = code instanceof SingleWindowCode(var _, RankCode given) ? given : code;
    String file = author.getClass().getName().replaceAll("[$/].*", "");
    for (StackTraceElement frame : failure.getStackTrace()) {
      if (frame.getClassName().replaceAll("[$/].*", "").equals(file)) {
        return frame.getFileName() + ":" + frame.getLineNumber();
      }
    }
    return "unknown place";
  }

  @Override
  public void stop() {
    if (running) {
      desk.end();
      running = false;
    }
  }
}

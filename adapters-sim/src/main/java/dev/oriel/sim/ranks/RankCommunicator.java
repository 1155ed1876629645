package dev.oriel.sim.ranks;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowLayout;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.Window;
import dev.oriel.ports.setup.MemberCommunicator;
import dev.oriel.ports.setup.RdmaPeers;
import dev.oriel.ports.setup.UndoStack;
import dev.oriel.ports.setup.WindowPart;
import dev.oriel.ports.setup.WindowSetup;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;

/**
 * One rank's membership: windows are allocated in its arena.
 *
 * <p>The owner overwrites memory when it gives it back, and again when it allocates it anew. A
 * peer's access for which the teardown did not wait is therefore reported as a race.
 */
final class RankCommunicator extends MemberCommunicator {
  private final RankGroup group;

  RankCommunicator(RankGroup group, Topology topology, Bootstrap ranks) {
    super(ranks, topology, group, "communicator %d, ".formatted(group.number()));
    this.group = group;
  }

  @Override
  protected WindowSetup.Part<Window> part(
      WindowSpec spec, Team peers, long generation, Optional<WindowPart> given, UndoStack undo) {
    return new Part(spec, generation, given, undo);
  }

  private final class Part implements WindowSetup.Part<Window> {
    private final WindowSpec spec;
    private final long generation;
    private final Optional<WindowPart> given;
    private final UndoStack all;

    /** False while transfers to this part may be in flight. */
    private boolean quiet = true;

    Part(WindowSpec spec, long generation, Optional<WindowPart> given, UndoStack all) {
      this.spec = spec;
      this.generation = generation;
      this.given = given;
      this.all = all;
    }

    @Override
    public byte[] allocate(UndoStack undo) {
      long bytes = WindowLayout.of(spec, topology()).owner(rank()).dataBytes();
      group.lane.memory.requireIds(spec);
      long base;
      if (given.isPresent()) {
        base = ArenaBuffer.at(given.get(), 0, bytes, group.lane);
      } else {
        base = take(bytes);
        undo.add(() -> giveBack(base, bytes));
      }
      return ByteBuffer.allocate(Long.BYTES).putLong(base).array();
    }

    private void giveBack(long base, long bytes) {
      if (quiet) {
        group.lane.memory.free(base, bytes);
      } else {
        group.lane.memory.retire(bytes);
      }
    }

    @Override
    public void connect(RdmaPeers reached) {
      // The lanes of this machine have their queues from the beginning.
    }

    @Override
    public Window open(List<byte[]> exports, RdmaPeers reached, UndoStack undo) {
      long[] bases = exports.stream().mapToLong(e -> ByteBuffer.wrap(e).getLong()).toArray();
      WindowPlacement place =
          new WindowPlacement(
              spec.name() + ".", generation, bases, group.lane.memory.takeIds(spec));
      RankWindowState part =
          new RankWindowState(spec, place, reached, ranks(), () -> leave(bases[rank()]));
      return new RankWindow(part, group);
    }

    /**
     * Completes this rank's puts and gets, then waits for all ranks to do the same. After that no
     * transfer to this part is in flight.
     */
    private void leave(long base) {
      long bytes = spec.data().of(rank());
      quiet = false;
      try {
        long nanos = group.lane.nanos(ranks().deadline());
        boolean late =
            group
                .askAnyway(LaneRequest.waiting(LaneOperation.DRAIN, rank(), 0, 0, nanos))
                .timedOut();
        meet(generation, late ? " without an end of its own transfers" : "");
        if (given.isEmpty()) {
          erase(base, bytes);
        }
        quiet = true;
      } finally {
        all.run();
      }
    }
  }

  private long take(long bytes) {
    long base = group.lane.memory.take(bytes);
    if (group.lane.memory.secondHand(base, bytes)) {
      erase(base, bytes);
    }
    return base;
  }

  private void erase(long base, long bytes) {
    if (bytes > 0) {
      LaneReply ignored = group.askAnyway(LaneRequest.write(base, new byte[(int) bytes]));
    }
  }

  @Override
  protected LocalBuffer allocate(long bytes, Runnable onClose) {
    group.refuse(null);
    long base = take(bytes);
    return new RankBuffer(
        group,
        base,
        bytes,
        () -> {
          onClose.run();
          erase(base, bytes);
          group.lane.memory.free(base, bytes);
        });
  }

  /** Explored code has no memory but its arena. */
  @Override
  protected LocalBuffer register(UserMemory memory, Runnable onClose) {
    throw MachineException.lacking(
        "explored ranks have no memory of an application: rank=%d, address=%d; use buffer(bytes) in its place"
            .formatted(rank(), memory.address()));
  }

  @Override
  protected void run(int count, Executor threads, Lane.Code code) throws TimeoutException {
    RankLaneRunner.run(group.lane, count, threads, code);
  }

  @Override
  protected void leave() {
    // Its arena and its lanes remain the rank's.
  }
}

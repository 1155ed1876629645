package dev.oriel.sim.weak;

import dev.oriel.domain.binding.Claim;
import dev.oriel.domain.program.Space;
import dev.oriel.sim.engine.Pattern;
import java.util.Arrays;

/**
 * The caller of each rank: fills memory, launches, reads and judges outputs, and goes on at once.
 */
final class Callers {
  private final Model model;
  private final Memory memory;
  private final Orders orders;
  private final LaneRun[] runs;
  private final int launches;
  private final int[] launched;

  Callers(Model model, Memory memory, Orders orders, LaneRun[] runs, int launches) {
    this.model = model;
    this.memory = memory;
    this.orders = orders;
    this.runs = runs;
    this.launches = launches;
    this.launched = new int[model.world()];
  }

  /** The launch that the rank is in, counted from 1. */
  int launch(int rank) {
    return launched[rank];
  }

  /** Whether every launch of the rank has ended. */
  boolean through(int rank) {
    return launched[rank] > launches;
  }

  /** The caller prepares memory and launches; its stream orders it behind the launch before. */
  void begin(int rank) {
    int caller = model.caller(rank);
    for (int b = 0; b < memory.bytes[rank].length; b++) {
      Space space = model.form.buffers().get(b).space();
      if (space == Space.INPUT || space == Space.OUTPUT) {
        orders.access(
            caller, rank, b, 0, memory.bytes[rank][b].length, true, model.callerSite(rank, false));
        if (space == Space.INPUT) {
          Pattern.fill(memory.bytes[rank][b], rank, launched[rank], b);
        } else {
          Arrays.fill(memory.bytes[rank][b], Pattern.POISON);
        }
      }
    }
    launched[rank]++;
    if (launched[rank] > launches) {
      return;
    }
    for (int lane = model.firstLane[rank]; lane < model.firstLane[rank + 1]; lane++) {
      LaneRun run = runs[lane];
      run.at = 0;
      run.failure = 0;
      run.ended = false;
      run.registers[LaneCode.EPOCH]++;
      orders.begin(run, caller);
    }
    if (model.firstLane[rank] == model.firstLane[rank + 1]) {
      end(rank);
    }
  }

  /** A lane has ended; with the last one of its rank, the launch has. */
  void ended(LaneRun run) {
    run.ended = true;
    int rank = run.rank();
    for (int lane = model.firstLane[rank]; lane < model.firstLane[rank + 1]; lane++) {
      if (!runs[lane].ended) {
        return;
      }
    }
    end(rank);
  }

  /** The caller reads its outputs, judges them, and goes on at once. */
  private void end(int rank) {
    int caller = model.caller(rank);
    for (int lane = model.firstLane[rank]; lane < model.firstLane[rank + 1]; lane++) {
      LaneRun run = runs[lane];
      orders.order(run.leader, caller);
      orders.order(run.worker, caller);
      if (run.failure != 0) {
        throw FindingException.of(
            Finding.CHECK,
            "check failed: rank=%d, lane=%s, code=%d; see the lane's checks"
                .formatted(rank, run.code.instance().label(), run.failure));
      }
    }
    for (int b = 0; b < memory.bytes[rank].length; b++) {
      if (model.form.buffers().get(b).space() == Space.OUTPUT) {
        orders.access(
            caller, rank, b, 0, memory.bytes[rank][b].length, false, model.callerSite(rank, true));
      }
    }
    for (Claim claim : model.ranks.get(rank).claims()) {
      judge(rank, claim);
    }
    begin(rank);
  }

  private void judge(int rank, Claim claim) {
    byte[] actual = memory.bytes[rank][model.form.bufferIndex(claim.actual())];
    int expected = model.form.bufferIndex(claim.expected());
    for (long i = 0; i < claim.bytes(); i++) {
      byte found = actual[(int) (claim.actualOffset() + i)];
      byte wanted =
          Pattern.at(claim.peer(), launched[rank] - 1L, expected, claim.expectedOffset() + i);
      if (found != wanted) {
        throw FindingException.of(
            Finding.VALUE,
            "wrong byte: rank=%d, launch=%d, buffer=%s, offset=%d, found=%s, expected=%s[%d] of rank %d; see the last steps of the trace"
                .formatted(
                    rank,
                    launched[rank],
                    claim.actual(),
                    claim.actualOffset() + i,
                    found == Pattern.POISON ? "never written" : "0x%02x".formatted(found),
                    claim.expected(),
                    claim.expectedOffset() + i,
                    claim.peer()));
      }
    }
  }
}

package dev.oriel.sim.oracle;

import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Scope;
import dev.oriel.sim.oracle.PlainState.Access;

/** The order that the threads of a lane have, and steps that only they can notice. */
@SuppressWarnings({"EnumOrdinal", "NonCanonicalType", "OperatorPrecedence", "UnusedVariable"})
final class PlainSettling {
  private final PlainCode code;

  PlainSettling(PlainCode code) {
    this.code = code;
  }

  /** Advances to the next step that other agents can notice. */
  void settle(PlainState s, int lane) {
    while (true) {
      switch (code.step(s, lane)) {
        case MicroOperation.Bar() -> {
          long all = s.leader[lane] | s.worker[lane] | s.unordered[lane];
          s.leader[lane] = all;
          s.worker[lane] = all;
          s.unordered[lane] = 0;
        }
        case MicroOperation.Fence(Scope scope, boolean strict, boolean alone) -> {
          if (strict || !s.updates.get(lane).isEmpty()) {
            return;
          }
          fence(code, s, lane, scope, alone);
        }
        case MicroOperation.ProxyFence f ->
            s.unit[lane] |= s.leader[lane] | s.worker[lane] | s.unordered[lane];
        case MicroOperation.AwaitBulk w -> {
          s.leader[lane] |= s.copied[lane];
          s.worker[lane] |= s.copied[lane];
          s.unit[lane] |= s.copied[lane];
          s.copied[lane] = 0;
        }
        case MicroOperation.VisibilityFence() -> {
          s.leader[lane] |= consistent(s, s.leader[lane], code.rank[lane]);
          s.worker[lane] |= consistent(s, s.worker[lane], code.rank[lane]);
        }
        case MicroOperation m -> {
          if (!code.quiet(s, lane, m)) {
            return;
          }
          continue;
        }
      }
      s.pc[lane]++;
    }
  }

  /** A fence of every thread, or of the leader alone. */
  static void fence(PlainCode code, PlainState s, int lane, Scope scope, boolean alone) {
    for (int v = 0; v < scope.ordinal(); v++) {
      s.leader[lane] |= s.pending[PlainCode.LEVELS * lane + v];
    }
    if (!code.threads[lane]) {
      s.worker[lane] = s.leader[lane];
    }
    for (int v = 0; v < scope.ordinal(); v++) {
      s.fenced[PlainCode.LEVELS * lane + v] |= s.leader[lane];
      s.fenced[PlainCode.LEVELS * lane + v] |= alone ? 0 : s.worker[lane] | s.unordered[lane];
    }
  }

  static long consistent(PlainState s, long known, int rank) {
    long set = 0;
    for (Access a = s.accesses; a != null; a = a.next()) {
      set |= a.placed() == rank ? (known & PlainRaces.bit(a.event())) << 1 : 0;
    }
    return set;
  }

  /** Adds an event of the lane's leader. */
  static void did(PlainCode code, PlainState s, int lane, int event) {
    s.leader[lane] |= PlainRaces.bit(event);
    s.own[lane] |= PlainRaces.bit(event);
    if (!code.threads[lane]) {
      s.worker[lane] = s.leader[lane];
    }
  }
}

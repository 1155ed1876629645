package dev.oriel.sim.machine;

import dev.oriel.sim.code.Opcode;

/**
 * Where the requests of queues lie in a state: each queue is a ring that holds what was posted and
 * is not yet done.
 *
 * <pre>
 * queue    posted | fetched | retired | loose ones told apart so far | requests
 * stage    0 posted, 1 fetched, 2 placed or read, 3 filled
 * </pre>
 */
final class RequestTable {
  static final int POSTED = 0;
  static final int FETCHED = 1;
  static final int RETIRED = 2;
  static final int LOOSE_COUNT = 3;
  static final int HEADER = 4;

  static final int KIND = 0;
  static final int FLAGS = 1;
  static final int STAGE = 2;
  static final int LOCAL = 3;
  static final int LOCAL_AT = 4;
  static final int REMOTE = 5;
  static final int REMOTE_AT = 6;
  static final int BYTES = 7;
  static final int WORD = 8;
  static final int CHANGE = 9;

  /**
   * What the fetch is ordered behind; once fetched, what the place is, as {@code FetchStage.stands}
   * says.
   */
  static final int ROW = 10;

  static final int CAUSES = 11;
  static final int COMPONENT = 12;
  static final int SITE = 13;
  static final int FIELDS = 14;

  /** It starts only after every earlier read and atomic of its queue ended. */
  static final int FENCED = 1;

  /** It may be placed before and after any other. */
  static final int LOOSE = 2;

  /** It may be placed before and after others like it, but a strict one waits for it. */
  static final int RELAXED = 4;

  /** It reads, and something was placed meanwhile: what it stands behind is settled. */
  static final int PASSED = 8;

  /** A slot's change that tells of nothing but what fences put before it. */
  static final int UNCOVERED = 16;

  /** From here on, how far a slot's change reaches. */
  static final int SCOPE = 5;

  private RequestTable() {}

  static int room(Model model) {
    return model.sizes.of("requests of a queue", 4);
  }

  static int bytes(Model model) {
    return model.sizes.of("bytes of a request", 16);
  }

  static int fields(Model model) {
    return Math.toIntExact((long) model.agents.queues * (HEADER + room(model) * FIELDS));
  }

  static int values(Model model) {
    return Math.toIntExact(2L * model.agents.queues * room(model));
  }

  static int payload(Model model) {
    return Math.toIntExact((long) model.agents.queues * room(model) * bytes(model));
  }

  static void digest(Model model, State s, Fingerprint into) {
    int room = room(model);
    int bytes = bytes(model);
    for (int q = 0; q < model.agents.queues; q++) {
      int at = q * (HEADER + room * FIELDS);
      for (int i = 0; i < HEADER; i++) {
        into.add(s.requests[at + i]);
      }
      for (int e = s.requests[at + RETIRED]; e < s.requests[at + POSTED]; e++) {
        int slot = q * room + e % room;
        int f = at + HEADER + e % room * FIELDS;
        for (int i = 0; i < FIELDS; i++) {
          into.add(
              switch (i) {
                case ROW -> s.heads.hash(s.requests[f + i]);
                case CAUSES -> s.causes.hash(s.requests[f + i]);
                default -> s.requests[f + i];
              });
        }
        into.add(s.requestValues[2 * slot]);
        into.add(s.requestValues[2 * slot + 1]);
        boolean carries = s.requests[f + STAGE] > 0 && s.requests[f + KIND] != Opcode.Request.SLOT;
        for (int i = 0; carries && i < s.requests[f + BYTES]; i++) {
          into.add(s.payload[slot * bytes + i]);
        }
      }
    }
  }

  /** Whether every request that is under way stands behind that await. */
  static boolean allBehind(Model model, State s, int column, int tick) {
    int room = room(model);
    for (int q = 0; q < model.agents.queues; q++) {
      int at = q * (HEADER + room * FIELDS);
      for (int n = s.requests[at + RETIRED]; n < s.requests[at + POSTED]; n++) {
        int causes = s.requests[at + HEADER + n % room * FIELDS + CAUSES];
        if (SeenRows.known(s, SeenRows.kept(causes), column) < tick) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether the request changes the peer's memory, in its place among those of its queue. */
  static boolean places(int kind) {
    return kind != Opcode.Request.READ && kind != Opcode.Request.READ_BACK;
  }

  /** Whether nobody waits for the request, nor it for others but for their fetch. */
  static boolean aside(int kind) {
    return kind == Opcode.Request.COUNT;
  }

  /** Whether something comes back from the peer. */
  static boolean returns(int kind) {
    return switch (kind) {
      case Opcode.Request.READ,
          Opcode.Request.READ_BACK,
          Opcode.Request.CHANGE,
          Opcode.Request.LOCK ->
          true;
      default -> false;
    };
  }
}

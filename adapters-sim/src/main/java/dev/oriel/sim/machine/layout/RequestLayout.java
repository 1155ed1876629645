package dev.oriel.sim.machine.layout;

import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.rows.ClockSnapshots;

/**
 * Layout of the queues' requests in a state. Each queue is a ring of the requests that were posted
 * and are not done yet.
 *
 * <pre>
 * queue    posted | fetched | retired | unordered ones with own components so far | requests
 * stage    0 posted, 1 fetched, 2 placed or read, 3 filled
 * </pre>
 */
public final class RequestLayout {
  public static final int POSTED = 0;
  public static final int FETCHED = 1;
  public static final int RETIRED = 2;
  public static final int UNORDERED_COUNT = 3;
  public static final int HEADER = 4;

  public static final int KIND = 0;
  public static final int FLAGS = 1;
  public static final int STAGE = 2;
  public static final int LOCAL = 3;
  public static final int LOCAL_AT = 4;
  public static final int REMOTE = 5;
  public static final int REMOTE_AT = 6;
  public static final int BYTES = 7;
  public static final int WORD = 8;
  public static final int CHANGE = 9;

  /**
   * The clock before the fetch; once fetched, the clock before the place, see {@code
   * FetchStage.stands}.
   */
  public static final int ROW = 10;

  public static final int CAUSES = 11;
  public static final int COMPONENT = 12;
  public static final int SITE = 13;
  public static final int FIELDS = 14;

  /** Values of a request's word: its operand, the value it is compared with, its provenance. */
  public static final int VALUES = 3;

  /** The request starts only after every earlier read and atomic of its queue ended. */
  public static final int FENCED = 1;

  /** The request may be placed before and after any other. */
  public static final int UNORDERED = 2;

  /** The request may be placed before and after others like it, but a strict one waits for it. */
  public static final int RELAXED = 4;

  /** A read that a later placement overtook: its clock is fixed. */
  public static final int PASSED = 8;

  /** A slot's write that releases only what fences ordered before it. */
  public static final int UNCOVERED = 16;

  /** The first bit of the scope of a slot's write. */
  public static final int SCOPE = 5;

  private RequestLayout() {}

  public static int room(MachineModel model) {
    return model.sizes.of("requests of a queue", 4);
  }

  public static int bytes(MachineModel model) {
    return model.sizes.of("bytes of a request", 16);
  }

  public static int fields(MachineModel model) {
    return Math.toIntExact((long) model.agents.queues * (HEADER + room(model) * FIELDS));
  }

  public static int values(MachineModel model) {
    return Math.toIntExact((long) VALUES * model.agents.queues * room(model));
  }

  public static int payload(MachineModel model) {
    return Math.toIntExact((long) model.agents.queues * room(model) * bytes(model));
  }

  /** The number of memory keys of lanes and requests; 0 where no memory is registered. */
  public static int keys(MachineModel model) {
    return model.registrations < 0 ? 0 : 2 * (model.lanes + model.agents.queues * room(model));
  }

  public static void digest(
      MachineModel model,
      int[] requests,
      long[] requestValues,
      long[] payload,
      ClockSnapshots releases,
      ClockSnapshots causes,
      Fingerprint into) {
    for (int q = 0; q < model.agents.queues; q++) {
      digest(model, q, requests, requestValues, payload, releases, causes, into);
    }
  }

  /** Adds the requests of one queue, snapshots by their contents. */
  public static void digest(
      MachineModel model,
      int q,
      int[] requests,
      long[] requestValues,
      long[] payload,
      ClockSnapshots releases,
      ClockSnapshots causes,
      Fingerprint into) {
    int room = room(model);
    int bytes = bytes(model);
    int at = q * (HEADER + room * FIELDS);
    for (int i = 0; i < HEADER; i++) {
      into.add(requests[at + i]);
    }
    for (int e = requests[at + RETIRED]; e < requests[at + POSTED]; e++) {
      int slot = q * room + e % room;
      int f = at + HEADER + e % room * FIELDS;
      for (int i = 0; i < FIELDS; i++) {
        into.add(
            switch (i) {
              case ROW -> releases.hash(requests[f + i]);
              case CAUSES -> causes.hash(requests[f + i]);
              default -> requests[f + i];
            });
      }
      for (int i = 0; i < VALUES; i++) {
        into.add(requestValues[VALUES * slot + i]);
      }
      boolean carries = requests[f + STAGE] > 0 && requests[f + KIND] != LaneOpcode.Request.SLOT;
      for (int i = 0; carries && i < requests[f + BYTES]; i++) {
        into.add(payload[slot * bytes + i]);
      }
    }
  }

  /** Whether the request changes the peer's memory, in its turn among those of its queue. */
  public static boolean places(int kind) {
    return kind != LaneOpcode.Request.READ && kind != LaneOpcode.Request.READ_BACK;
  }

  /** Whether no request waits for this one, and it waits only for the fetches of others. */
  public static boolean aside(int kind) {
    return kind == LaneOpcode.Request.COUNT;
  }

  /** Whether the peer returns a value. */
  public static boolean returns(int kind) {
    return switch (kind) {
      case LaneOpcode.Request.READ,
          LaneOpcode.Request.READ_BACK,
          LaneOpcode.Request.CHANGE,
          LaneOpcode.Request.LOCK ->
          true;
      default -> false;
    };
  }
}

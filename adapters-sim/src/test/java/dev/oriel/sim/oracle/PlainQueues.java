package dev.oriel.sim.oracle;

import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.lowering.MicroOperation.Request.OneSided;
import dev.oriel.sim.oracle.PlainState.Queue;
import dev.oriel.sim.oracle.PlainState.Request;
import java.util.Arrays;

/** Which requests of a queue may enter their next stage, and the effect of posting. */
@SuppressWarnings({"NonCanonicalType", "OperatorPrecedence", "UnusedVariable"})
final class PlainQueues {
  /** Fetch, place, read, fill. */
  static final int STAGES = 4;

  private final PlainCode code;
  private final PlainRaces races;
  private final PlainWords words;

  PlainQueues(PlainCode code, PlainRaces races, PlainWords words) {
    this.code = code;
    this.races = races;
    this.words = words;
  }

  /** The number of requests that may enter that stage. */
  int ways(PlainState s, int queue, int stage) {
    int ways = 0;
    while (pick(s, queue, stage, ways) >= 0) {
      ways++;
    }
    return ways;
  }

  /** The request of that number among those that may enter the stage; -1 for none. */
  private int pick(PlainState s, int queue, int stage, int number) {
    Request[] all = s.queues[queue].requests();
    int left = number;
    for (int i = 0; i < all.length; i++) {
      Request r = all[i];
      boolean may = r.stage() == stage || (stage == 2 && r.stage() == 1);
      for (int k = 0; may && k < i; k++) {
        Request before = all[k];
        boolean counts = r.post().request() instanceof OneSided.Count;
        if (stage == 1
            && counts
            && code.profile.fused()
            && !(before.post().request() instanceof OneSided.Count)) {
          // If completions imply placement, so does a counter.
          may = !places(before) || before.stage() >= 2;
          continue;
        }
        if (stage > 0 && counts != before.post().request() instanceof OneSided.Count) {
          continue;
        }
        boolean unordered =
            before.post().unordered() && !(r.post().request() instanceof OneSided.PlacementFence);
        boolean arranges = before.post().request() instanceof OneSided.PlacementFence;
        boolean unplaced = places(before) && before.stage() < 2;
        may =
            switch (stage) {
              case 0 ->
                  (before.stage() > 0
                          || (!counts && (r.post().unordered() || before.post().unordered())))
                      && !(r.post().fenced() && returns(before) && before.stage() < 3);
              case 1 ->
                  !unplaced
                      || (!arranges
                          && (unordered
                              || r.post().unordered()
                              || (code.relaxed(r) && code.relaxed(before))));
              case 2 ->
                  (!unplaced || (r.post().unordered() && (arranges || before.post().unordered())))
                      && (places(before) || before.stage() >= 2);
              default -> !returns(before) || before.stage() != 2;
            };
      }
      may &=
          switch (stage) {
            case 1 ->
                places(r)
                    && !(r.post().request() instanceof OneSided.Lock
                        && PlainWords.last(s, r.word()).value() != 0);
            case 2 -> !places(r) && r.stage() == 1;
            case 3 -> false;
            default -> true;
          };
      if (stage == 3) {
        may = returns(r) && r.stage() == 2;
        for (int k = 0; k < i; k++) {
          may &= !(returns(all[k]) && all[k].stage() == 2);
        }
      }
      if (may && left-- == 0) {
        return i;
      }
    }
    return -1;
  }

  /** The request of that number among them enters the stage; false if the execution ends. */
  boolean step(PlainState s, int queue, int stage, int way) {
    int index = pick(s, queue, stage, way);
    Queue q = s.queues[queue];
    Request r = q.requests()[index];
    return new PlainStage(races, words, code, s, queue, index).take(stage, q, r);
  }

  boolean post(PlainState s, int lane, MicroOperation.Post p) {
    int q = code.queue(s, lane, p.peer(), p.queue());
    long fenced = s.fenced[PlainCode.LEVELS * (lane + 1) - 1];
    long knows =
        PlainStage.uncovered(p.request())
            ? fenced
            : s.leader[lane] & ~s.own[lane] | s.leader[lane] & fenced;
    Queue old = s.queues[q];
    Request[] requests = Arrays.copyOf(old.requests(), old.requests().length + 1);
    requests[requests.length - 1] =
        code.request(
            s,
            lane,
            p,
            knows,
            code.lanes + 100 * q + (p.unordered() || code.relaxed(p) ? requests.length : 0));
    s.queues[q] =
        new Queue(
            requests,
            old.fetch(),
            old.place(),
            old.read(),
            old.fill(),
            old.filled(),
            old.unordered(),
            old.arranged(),
            old.inOrder());
    return true;
  }

  /** Whether a lane that waits for the queue may continue. */
  boolean completed(Request r) {
    return switch (r.post().request()) {
      case OneSided.PlacementFence a -> true;
      case OneSided.Count c -> true;
      case MicroOperation.Request.AddSlot a -> r.stage() >= 2;
      default -> r.stage() >= (returns(r) ? 3 : code.profile.fused() ? 2 : 1);
    };
  }

  static boolean returns(Request r) {
    return switch (r.post().request()) {
      case MicroOperation.Request.Read x -> true;
      case MicroOperation.Request.ReadBack x -> true;
      case OneSided.ChangeWord x -> true;
      case OneSided.Lock x -> true;
      default -> false;
    };
  }

  private static boolean places(Request r) {
    return !(r.post().request() instanceof MicroOperation.Request.Read)
        && !(r.post().request() instanceof MicroOperation.Request.ReadBack);
  }
}

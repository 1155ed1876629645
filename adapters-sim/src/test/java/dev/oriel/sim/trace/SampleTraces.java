package dev.oriel.sim.trace;

import dev.oriel.sim.trace.StepFacts.NamedValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** Recordings like those of an engine. */
final class SampleTraces {
  private SampleTraces() {}

  /** The handshake of two ranks with its second signal relaxed. */
  static TraceRecording race() {
    TraceBuilder s = new TraceBuilder();
    int[] caller = new int[2];
    int[] lane = new int[2];
    for (int r = 0; r < 2; r++) {
      caller[r] = s.actor(r, "caller", ActorRole.CALLER);
      lane[r] = s.lane(r);
    }
    int[] start = new int[2];
    for (int r = 0; r < 2; r++) {
      s.add(caller[r], TraceEventKind.WRITE, "in[0, 4096)");
      int launch = s.add(caller[r], TraceEventKind.STEP, "launch");
      start[r] = s.add(lane[r], TraceEventKind.BEGIN, "lane main", launch);
    }
    int[] ready = new int[2];
    for (int r = 0; r < 2; r++) {
      ready[r] = s.add(lane[r], TraceEventKind.SIGNAL, "signal READY[0]@pred set epoch release");
    }
    int write = 0;
    int[] data = new int[2];
    for (int r = 1; r >= 0; r--) {
      s.add(
          lane[r],
          TraceEventKind.OBSERVE,
          "await READY[0]@succ reached epoch acquire",
          ready[1 - r]);
      s.add(lane[r], TraceEventKind.READ, "in[0, 4096)");
      write =
          s.add(
              lane[r],
              TraceEventKind.WRITE,
              "move out@succ[0] <- in[0] bytes B",
              -1,
              "writes out[0, 4096) of rank " + (1 - r),
              1);
      data[r] = s.add(lane[r], TraceEventKind.SIGNAL, "signal DATA[0]@succ set epoch relaxed");
    }
    s.add(lane[1], TraceEventKind.OBSERVE, "await DATA[0]@pred reached epoch acquire", data[0]);
    s.add(lane[1], TraceEventKind.STEP, "flush @succ local");
    int end = s.add(lane[1], TraceEventKind.END, "lane main");
    s.add(caller[1], TraceEventKind.OBSERVE, "launch is complete", end);
    int read =
        s.add(
            caller[1],
            TraceEventKind.READ,
            "out[0, 4096)",
            -1,
            "reads out[0, 4096) of rank 1\nknows nothing of rank 0, lane main, after its start",
            1);
    return s.steps(
        "handshake",
        "1x2",
        Optional.of(
            new TraceFailure(
                "race",
                "two accesses of out[0, 4096) of rank 1 that nothing orders: rank=0, lane=main"
                    + " writes in 'move out@succ[0] <- in[0] bytes B', rank=1, caller reads;"
                    + " write 'release' in 'signal DATA[0]@succ set epoch relaxed'",
                List.of(write, read))));
  }

  /** A ring of ranks that each wait before they send. */
  static TraceRecording deadlock(int ranks) {
    TraceBuilder s = new TraceBuilder();
    int[] lane = new int[ranks];
    Integer[] waits = new Integer[ranks];
    int[] free = new int[ranks];
    for (int r = 0; r < ranks; r++) {
      lane[r] = s.lane(r);
    }
    for (int r = 0; r < ranks; r++) {
      s.add(lane[r], TraceEventKind.BEGIN, "lane main");
      free[r] = s.add(lane[r], TraceEventKind.SIGNAL, "signal FREE[0]@pred set epoch release");
    }
    for (int r = 0; r < ranks; r++) {
      s.add(lane[r], TraceEventKind.WAIT, "await FREE[0]@succ reached epoch acquire");
      s.add(
          lane[r],
          TraceEventKind.OBSERVE,
          "await FREE[0]@succ reached epoch acquire",
          free[(r + 1) % ranks]);
      waits[r] =
          s.add(
              lane[r],
              TraceEventKind.WAIT,
              "await DATA[0]@pred reached epoch acquire",
              -1,
              "DATA[0] holds 0, wants 1\nonly rank "
                  + (r + ranks - 1) % ranks
                  + " writes it, which waits as well",
              1);
    }
    return s.steps(
        "ring_wait_first",
        "1x" + ranks,
        Optional.of(
            new TraceFailure(
                "deadlock",
                "every rank waits for its predecessor: ranks="
                    + ranks
                    + ", signal=DATA[0], wants=1, holds=0; signal DATA before the await of it",
                List.of(waits))));
  }

  /** A ring all-gather over hosts of eight ranks; between hosts a queue carries the data. */
  static TraceRecording ring(int ranks, boolean fails) {
    TraceBuilder s = new TraceBuilder();
    SplittableRandom random = new SplittableRandom(ranks);
    int[] lane = new int[ranks];
    int[] queue = new int[ranks];
    for (int r = 0; r < ranks; r++) {
      lane[r] = s.lane(r);
      boolean crosses = r / 8 != (r + 1) % ranks / 8;
      queue[r] = crosses ? s.actor(r, "nic to r" + (r + 1) % ranks, ActorRole.QUEUE) : -1;
    }
    int[] last = new int[ranks];
    for (int r = 0; r < ranks; r++) {
      s.add(lane[r], TraceEventKind.BEGIN, "lane main", -1, "", random.nextInt(1, 600));
    }
    int broken = ranks / 2;
    for (int step = 0; step < ranks - 1; step++) {
      int[] data = new int[ranks];
      for (int r = 0; r < ranks; r++) {
        int chunk = Math.floorMod(r - step, ranks);
        String move = "move out@succ[%d * B] <- out[%d * B] bytes B".formatted(chunk, chunk);
        String set = "signal DATA[0]@succ set %d release".formatted(step + 1);
        if (queue[r] >= 0) {
          int post = s.add(lane[r], TraceEventKind.POST, move, -1, "one work request", 120);
          int fetch =
              s.add(queue[r], TraceEventKind.FETCH, move, post, "", random.nextInt(700, 1200));
          int place =
              s.add(queue[r], TraceEventKind.PLACE, move, fetch, "", random.nextInt(900, 1600));
          last[r] = place;
          data[r] =
              s.add(queue[r], TraceEventKind.SIGNAL, set, place, "after the data, fenced", 40);
        } else {
          last[r] = s.add(lane[r], TraceEventKind.WRITE, move, -1, "", random.nextInt(300, 500));
          data[r] = s.add(lane[r], TraceEventKind.SIGNAL, set, -1, "", 90);
        }
      }
      for (int r = 0; r < ranks; r++) {
        String await = "await DATA[0]@pred reached %d acquire".formatted(step + 1);
        s.add(lane[r], TraceEventKind.WAIT, await, -1, "", 20);
        boolean dies = fails && step == ranks / 2 && r == broken;
        if (dies) {
          int lost =
              s.add(
                  lane[r],
                  TraceEventKind.READ,
                  "out[%d * B]".formatted(r - 1),
                  -1,
                  "before the await",
                  10);
          return s.timed(
              "ring_all_gather",
              ranks / 8 + "x8",
              Optional.of(
                  new TraceFailure(
                      "race",
                      "a chunk is read before it has arrived: rank=%d, step=%d; await DATA first"
                          .formatted(r, step),
                      List.of(last[r - 1], lost))));
        }
        s.add(lane[r], TraceEventKind.OBSERVE, await, data[Math.floorMod(r - 1, ranks)], "", 60);
      }
    }
    for (int r = 0; r < ranks; r++) {
      s.add(lane[r], TraceEventKind.END, "lane main");
    }
    return s.timed("ring_all_gather", ranks / 8 + "x8", Optional.empty());
  }

  /** Two launches of a program with a text: values, words that were read, boundaries. */
  static TraceRecording values() {
    TraceBuilder s = new TraceBuilder();
    int sender = s.lane(0);
    int receiver = s.lane(1);
    int caller = s.actor(0, "caller", ActorRole.CALLER);
    s.add(caller, TraceEventKind.BEGIN, "prepares and starts launch 1");
    List<NamedValue> loops = List.of(new NamedValue("i", 3));
    List<NamedValue> names = List.of(new NamedValue("next", 1));
    int moved =
        s.add(
            sender,
            new StepFacts(
                TraceEventKind.WRITE,
                "move out@next[8 * i] <- in[0] bytes 8",
                "move out@1[24] <- in[0] bytes 8",
                loops,
                names,
                List.of()),
            TraceEvent.NO_CAUSE,
            new TraceEvent.Place("main", 0));
    int seen =
        s.add(
            receiver,
            new StepFacts(
                TraceEventKind.OBSERVE,
                "await DATA[0]@r reached epoch acquire",
                "await DATA[0]@0 reached 1 acquire",
                List.of(),
                List.of(new NamedValue("epoch", 1)),
                List.of(new NamedValue("DATA[0]@0", 7))),
            moved,
            new TraceEvent.Place("main", 1));
    TraceSource source =
        new TraceSource(
            "ring.oriel",
            List.of("form ring", "  move out@next[8 * i] <- in[0] bytes 8", "  await <b>"),
            Map.of("main", List.of(2, 3)));
    TraceFailure failure = new TraceFailure("race", "nothing orders them", List.of(moved, seen));
    return s.steps("ring", "1x2", Optional.of(failure)).with(source);
  }

  /** Any recording: random actors, kinds, causes and failing events. */
  static TraceRecording random(long seed, int events) {
    SplittableRandom random = new SplittableRandom(seed);
    TraceBuilder s = new TraceBuilder();
    int actors = random.nextInt(1, 30);
    for (int i = 0; i < actors; i++) {
      ActorRole[] roles = ActorRole.values();
      s.actor(random.nextInt(-1, 6), "a" + i, roles[random.nextInt(roles.length)]);
    }
    List<Integer> failing = new ArrayList<>();
    for (int i = 0; i < events; i++) {
      TraceEventKind[] kinds = TraceEventKind.values();
      s.add(
          random.nextInt(actors),
          kinds[random.nextInt(kinds.length)],
          "text of ".repeat(random.nextInt(8)) + i,
          random.nextInt(3) > 0 ? -1 : random.nextInt(-1, i),
          random.nextBoolean() ? "" : "detail\nof " + i,
          random.nextInt(3));
      if (random.nextInt(events) < 3) {
        failing.add(i);
      }
    }
    return s.timed(
        "random",
        "1x6",
        failing.isEmpty()
            ? Optional.empty()
            : Optional.of(new TraceFailure("race", "seed=" + seed, failing)));
  }

  /** Texts that would break a page, a JSON string, a log or a terminal. */
  static TraceRecording hostile() {
    String evil =
        "</script><script>window.hacked=1</script><img src=x onerror=\"window.hacked=1\"> \"'`\\ "
            + "&lt; \u001b[31m \u202e \ud800 {\"r0\":9} @RECORDING@\r\n(tail)\u2028x";
    TraceBuilder s = new TraceBuilder();
    int lane = s.actor(0, evil, ActorRole.LANE);
    int other = s.actor(0, evil, ActorRole.LANE);
    int fault = s.actor(TraceActor.NO_RANK, evil, ActorRole.FAULT);
    int first = s.add(lane, TraceEventKind.SIGNAL, evil, -1, evil, 1);
    s.add(fault, TraceEventKind.FAULT, evil, -1, evil, 1);
    int second = s.add(other, TraceEventKind.OBSERVE, evil, first, evil, 1);
    return s.steps(evil, evil, Optional.of(new TraceFailure(evil, evil, List.of(second))));
  }
}

package dev.oriel.sim.litmus.steps;

import dev.oriel.sim.litmus.test.InstructionOperand;
import dev.oriel.sim.litmus.test.LitmusInstruction;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.ThreadPlacement;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The arrivals at each use of a block's barrier. The first arrivals that make up the quorum happen
 * before every exit; arrivals come in any order, so these may be any. Without a quorum, a thread
 * leaves on the guess that no further thread will arrive. A run is abandoned if one arrives later,
 * or if one does not arrive although its code could.
 */
final class BarrierArrivals {
  /** One use of a barrier by the threads of its group. */
  record Key(ThreadPlacement block, int instance, int use, long resource) {}

  private record Arrival(int thread, boolean waits, HappensBeforeSets known) {}

  private record Meeting(List<Arrival> arrivals, long quorum, boolean left) {
    static final Meeting NONE = new Meeting(List.of(), -1, false);
  }

  private static final Comparator<Key> ORDER =
      Comparator.comparingInt((Key key) -> key.block().gpu())
          .thenComparingInt(key -> key.block().cluster())
          .thenComparingInt(key -> key.block().cta())
          .thenComparingInt(Key::instance)
          .thenComparingInt(Key::use)
          .thenComparingLong(Key::resource);

  private final LitmusTest test;
  private final Map<Key, Meeting> meetings = new TreeMap<>(ORDER);

  BarrierArrivals(LitmusTest test) {
    this.test = test;
  }

  BarrierArrivals copy() {
    BarrierArrivals copy = new BarrierArrivals(test);
    copy.meetings.putAll(meetings);
    return copy;
  }

  Key key(int thread, int instance, long resource) {
    return new Key(place(thread), instance, uses(thread, instance), resource);
  }

  private ThreadPlacement place(int thread) {
    return test.threads().get(thread).placement();
  }

  private int uses(int thread, int instance) {
    int uses = 0;
    for (Map.Entry<Key, Meeting> entry : meetings.entrySet()) {
      if (entry.getKey().instance() == instance && entry.getKey().block().equals(place(thread))) {
        uses += entry.getValue().arrivals().stream().anyMatch(a -> a.thread() == thread) ? 1 : 0;
      }
    }
    return uses;
  }

  /** Whether that quorum (-1 for all threads) agrees with the earlier arrivals. */
  boolean fits(Key key, long quorum) {
    Meeting meeting = meetings.get(key);
    return meeting == null || meeting.quorum() == quorum;
  }

  /** Records an arrival, with a quorum or -1; false if others have left without it. */
  boolean arrive(Key key, int thread, boolean waits, long quorum, HappensBeforeSets known) {
    Meeting before = meetings.getOrDefault(key, Meeting.NONE);
    if (before.left() && quorum < 0) {
      return false;
    }
    List<Arrival> arrivals = ThreadState.plus(before.arrivals(), new Arrival(thread, waits, known));
    meetings.put(key, new Meeting(arrivals, quorum, before.left()));
    return true;
  }

  /**
   * Whether a thread may leave: with a quorum once it is reached, else on the guess that all
   * arrived.
   */
  boolean full(Key key) {
    Meeting meeting = meetings.getOrDefault(key, Meeting.NONE);
    return meeting.arrivals().size() >= meeting.quorum();
  }

  /** Whether at the end no thread is missing where others guessed that all had arrived. */
  boolean guessedWell() {
    for (Map.Entry<Key, Meeting> entry : meetings.entrySet()) {
      for (int t = 0; t < test.threads().size(); t++) {
        Key key = entry.getKey();
        if (entry.getValue().left()
            && entry.getValue().quorum() < 0
            && place(t).equals(key.block())
            && missing(key, t)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether a thread whose code could still join has not arrived, nor at a use like it. */
  private boolean missing(Key key, int thread) {
    int uses = uses(thread, key.instance());
    int textual = 0;
    boolean resource = false;
    for (LitmusInstruction instruction : test.threads().get(thread).code()) {
      if (instruction instanceof LitmusInstruction.Barrier barrier
          && barrier.instance() == key.instance()) {
        textual++;
        resource |=
            !(barrier.resource() instanceof InstructionOperand.Constant constant)
                || constant.value() == key.resource();
      }
    }
    return uses <= key.use() && textual > uses && resource;
  }

  /** Lets a thread leave; it joins the knowledge of the arrivals. */
  void leave(Key key, ThreadState agent) {
    Meeting meeting = meetings.getOrDefault(key, Meeting.NONE);
    meetings.put(key, new Meeting(meeting.arrivals(), meeting.quorum(), true));
    List<Arrival> first = meeting.arrivals();
    if (meeting.quorum() >= 0) {
      first = first.subList(0, (int) Math.min(first.size(), meeting.quorum()));
    }
    for (Arrival arrival : first) {
      agent.learn(arrival.known());
    }
  }

  void describe(StateKeyWriter writer) {
    meetings.forEach((key, meeting) -> {
      writer.number(key.block().gpu());
      writer.number(key.block().cluster());
      writer.number(key.block().cta());
      writer.number(key.instance());
      writer.number(key.use());
      writer.number(key.resource());
      writer.number(meeting.left() ? 1 : 0);
      writer.number(meeting.quorum());
      writer.list(
          meeting.arrivals(),
          arrival -> {
            writer.number(arrival.thread());
            writer.number(arrival.waits() ? 1 : 0);
            writer.knowledge(arrival.known());
          });
    });
  }
}

package dev.oriel.sim.oracle;

import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.lowering.MicroOperation.Request.OneSided;
import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Op.Signal.Change;
import dev.oriel.domain.program.Order;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.oracle.PlainRaces.Who;
import dev.oriel.sim.oracle.PlainState.Access;
import dev.oriel.sim.oracle.PlainState.Message;
import dev.oriel.sim.oracle.PlainState.Queue;
import dev.oriel.sim.oracle.PlainState.Release;
import dev.oriel.sim.oracle.PlainState.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One stage of one request of {@link PlainQueues}; false if the execution ends with it. */
@SuppressWarnings({"EnumOrdinal", "NonCanonicalType"}) // a message stores its scope as a number
record PlainStage(
    PlainRaces races, PlainWords words, PlainCode code, PlainState s, int queue, int index) {

  /** The agents that write answers back to a queue have numbers from here downwards. */
  static final int FILLS = -1000;

  boolean take(int stage, Queue q, Request r) {
    return switch (stage) {
      case 0 -> fetch(q, r);
      case 1 -> place(q, r);
      case 2 -> read(q, r);
      default -> fill(q, r);
    };
  }

  private int here() {
    return code.rank[code.queueLane[queue]];
  }

  private int peer() {
    return code.queuePeer[queue];
  }

  private int through() {
    return code.interfaceOf(queue);
  }

  private void put(Queue q, Request changed) {
    Request[] requests = q.requests().clone();
    requests[index] = changed;
    s.queues[queue] =
        new Queue(
            requests,
            q.fetch(),
            q.place(),
            q.read(),
            q.fill(),
            q.filled(),
            q.unordered(),
            q.arranged(),
            q.inOrder());
  }

  private boolean fetch(Queue q, Request r) {
    boolean unordered = r.post().unordered();
    boolean counts = r.post().request() instanceof OneSided.Count;
    long set = r.knows() | (unordered ? 0 : q.inOrder()) | (counts ? q.fetch() : 0);
    boolean clean = true;
    long carried = 0;
    long second = 0;
    if (writes(r)) {
      int e = races.event(s);
      for (int i = 0; i < code.words(r); i++) {
        Access read = new Access(e, r.local() + i, false, false, true, -1, -1, s.accesses);
        clean = clean && races.access(s, new Who(set, here(), through()), r.local() + i, read);
      }
      set |= PlainRaces.bit(e);
      carried = s.memory[r.local()];
      second = code.words(r) > 1 ? s.memory[r.local() + 1] : 0;
    }
    put(
        new Queue(
            q.requests(),
            q.fetch() | set,
            q.place(),
            q.read(),
            q.fill(),
            q.filled(),
            q.unordered(),
            q.arranged(),
            unordered || counts ? q.inOrder() : set),
        r.at(1, uncovered(r.post().request()) ? r.knows() : set, carried, second));
    return clean;
  }

  /** The rank whose memory the request changes. */
  private int target(Request r) {
    return r.post().request() instanceof OneSided.Count ? here() : peer();
  }

  private static boolean writes(Request r) {
    return r.post().request() instanceof MicroOperation.Request.Write
        || r.post().request() instanceof OneSided.WriteAndSignal;
  }

  private boolean place(Queue q, Request r) {
    boolean unordered = r.post().unordered();
    boolean arranges = r.post().request() instanceof OneSided.PlacementFence;
    boolean counts = r.post().request() instanceof OneSided.Count;
    boolean relaxed = code.relaxed(r);
    long before =
        q.arranged() | (unordered || relaxed ? 0 : q.place()) | (arranges ? q.unordered() : 0);
    long all = code.profile.fused() ? q.place() | q.unordered() : 0;
    long set = r.knows() | (counts ? all : before);
    int e = races.event(s);
    boolean clean = true;
    if (writes(r)) {
      for (int i = 0; i < code.words(r); i++) {
        // Where a write is placed from front to back, its words are events one after another.
        boolean last = i == code.words(r) - 1;
        int event = code.profile.whole() && !last ? races.event(s) : e;
        clean =
            clean
                && write(
                    r.agent(),
                    r.remote() + i,
                    i == 0 ? r.carried() : r.second(),
                    set,
                    event,
                    peer());
        set |= code.profile.whole() ? PlainRaces.bit(event) : 0;
      }
    }
    set |= PlainRaces.bit(e);
    long released = 0;
    long carried = r.carried();
    if (clean && r.word() >= 0) {
      Message old = PlainWords.last(s, r.word());
      boolean slot = r.word() >= s.memory.length;
      Atomic change = change(r);
      boolean finds = !slot && (r.local() >= 0 || r.post().request() instanceof OneSided.Lock);
      boolean alone = slot && change == Atomic.SET;
      if (!slot) {
        Access touch = new Access(e, r.word(), true, true, false, target(r), through(), s.accesses);
        clean = races.access(s, new Who(set, target(r), through()), r.word(), touch);
        released = finds ? PlainWords.released(old) : 0;
        carried = old.value();
      }
      clean =
          clean
              && words.mayWrite(
                  s, r.word(), new Who(set, target(r), through()), r.agent(), alone, e)
              && words.asExpected(change, r.compare(), old);
      boolean chain = finds || change != Atomic.SET || old.agent() == r.agent();
      long value = change.apply(old.value(), r.operand(), r.compare());
      long[] sets = PlainCode.nothing();
      Arrays.fill(sets, uncovered(r.post().request()) ? r.knows() | q.arranged() : set);
      List<Release> releases = new ArrayList<>(List.of(new Release(r.agent(), sets)));
      releases.addAll(chain ? old.releases() : List.of());
      boolean update = slot ? !alone : finds || change != Atomic.SET;
      Message next =
          new Message(value, e, r.agent(), reach(r), update, releases, PlainCode.nothing());
      clean = clean && (words.released(s, r.word(), old, next) || races.fails(Kind.WRITERS));
      words.write(s, r.word(), next);
      if (r.post().request() instanceof OneSided.Lock) {
        PlainWords.locked(s, r.word());
      }
    }
    put(
        new Queue(
            q.requests(),
            q.fetch(),
            unordered || arranges || counts ? q.place() : relaxed ? q.place() | set : set,
            q.read(),
            q.fill(),
            q.filled(),
            unordered ? q.unordered() | set : q.unordered(),
            arranges ? set : q.arranged(),
            q.inOrder()),
        r.at(2, r.knows() | released | (unordered ? set : 0), carried));
    return clean;
  }

  /**
   * The interface writes a word; false if that races. A word that is polled, and that is placed
   * after the words before it, releases all that is placed so far.
   */
  private boolean write(int agent, int place, long value, long set, int event, int owner) {
    boolean polled = code.profile.whole() && code.polled(place);
    long observed = polled ? PlainRaces.bit(event) : 0;
    Access write =
        new Access(event, place, true, false, false, owner, through(), observed, s.accesses);
    boolean clean = races.access(s, new Who(set, owner, through()), place, write);
    long[] released = PlainCode.nothing();
    Arrays.fill(released, code.profile.whole() ? set | PlainRaces.bit(event) : 0);
    words.write(s, place, new Message(value, event, agent, PlainCode.SYS, released));
    return clean;
  }

  /** Whether the request changes a slot and releases only the events that fences put before it. */
  static boolean uncovered(MicroOperation.Request request) {
    return switch (request) {
      case MicroOperation.Request.WriteSlot w -> w.order() == Order.RELAXED;
      case MicroOperation.Request.AddSlot a -> a.order() == Order.RELAXED;
      default -> false;
    };
  }

  private static int reach(Request r) {
    return switch (r.post().request()) {
      case MicroOperation.Request.WriteSlot w -> w.scope().ordinal();
      case MicroOperation.Request.AddSlot a -> a.scope().ordinal();
      default -> PlainCode.SYS;
    };
  }

  private static Atomic change(Request r) {
    return switch (r.post().request()) {
      case MicroOperation.Request.WriteSlot w -> Atomic.SET;
      case MicroOperation.Request.AddSlot a -> Atomic.ADD;
      case OneSided.WriteAndSignal w -> w.change() == Change.SET ? Atomic.SET : Atomic.ADD;
      case OneSided.ChangeWord c -> c.change();
      case OneSided.Lock l -> Atomic.SET;
      case OneSided.Count c -> Atomic.ADD;
      default -> throw new AssertionError(r);
    };
  }

  private boolean read(Queue q, Request r) {
    // A request orders others with respect to placed requests.
    long set = q.read() | r.knows() | q.place();
    set |= r.post().unordered() ? 0 : q.arranged() | q.unordered();
    boolean clean = true;
    long carried = 0;
    if (r.post().request() instanceof MicroOperation.Request.Read) {
      int e = races.event(s);
      Access read = new Access(e, r.remote(), false, false, false, -1, -1, s.accesses);
      clean = races.access(s, new Who(set, peer(), through()), r.remote(), read);
      set |= PlainRaces.bit(e);
      carried = s.memory[r.remote()];
    }
    put(
        new Queue(
            q.requests(),
            q.fetch(),
            q.place(),
            set,
            q.fill(),
            q.filled(),
            q.unordered(),
            q.arranged(),
            q.inOrder()),
        r.at(2, set, carried));
    return clean;
  }

  private boolean fill(Queue q, Request r) {
    boolean strict = r.word() >= 0 && !r.post().unordered();
    long set = q.fill() | r.knows() | (strict ? q.place() : 0);
    long filled = q.filled();
    boolean clean = true;
    boolean brings =
        r.post().request() instanceof MicroOperation.Request.Read
            || (r.post().request() instanceof OneSided.ChangeWord && r.local() >= 0);
    if (brings) {
      int e = races.event(s);
      clean = write(FILLS - queue, r.local(), r.carried(), set, e, here());
      filled |= PlainRaces.bit(e);
    }
    put(
        new Queue(
            q.requests(),
            q.fetch(),
            q.place(),
            q.read(),
            set,
            filled,
            q.unordered(),
            q.arranged(),
            q.inOrder()),
        r.at(3, set, r.carried()));
    return clean;
  }
}

package dev.oriel.sim.oracle;

import dev.oriel.sim.oracle.RandomRdmaCalls.Call;
import dev.oriel.sim.oracle.RandomRdmaCalls.Change;
import dev.oriel.sim.oracle.RandomRdmaCalls.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides which outcomes are allowed for lanes that reach each other over RDMA, from {@link
 * CallAxiom}s alone. It tries every write that a read may find, every order of the changes of each
 * word and of strict fences, and every wait that may never end. Sets of events are bits of a {@code
 * long}.
 */
@SuppressWarnings({
  "OperatorPrecedence",
  "ReferenceEquality"
}) // calls and events are compared by identity
final class CallAxioms {
  /** The possible results of a description. Outcomes are those of executions that end. */
  record Judged(
      boolean races, boolean mixes, boolean writers, boolean hangs, SortedSet<String> outcomes) {}

  /**
   * The assumptions of a profile.
   *
   * @param owner whether the GPU that owns memory sees the writes of an interface there
   * @param relaxedOrdering whether writes of moves are placed in any order
   * @param fused whether a completed write is placed
   * @param interfaces of a rank
   */
  record Hardware(boolean owner, boolean relaxedOrdering, boolean fused, int interfaces) {
    static Hardware of(String profile) {
      return switch (profile) {
        case "L1" -> new Hardware(true, false, true, 1);
        case "L2" -> new Hardware(true, false, false, 1);
        case "L3" -> new Hardware(false, true, false, 2);
        case "rdma-strict" -> new Hardware(false, false, false, 1);
        case "rdma-multirail" -> new Hardware(true, false, false, 2);
        default -> throw new AssertionError(profile);
      };
    }
  }

  /** The part of an operation that an event is. */
  private enum Stage {
    OWN,
    RETURN,
    FETCH,
    PLACE,
    NOTIFY,
    READ,
    FILL
  }

  private record Event(
      int id,
      int lane,
      Call call,
      Stage stage,
      int place,
      boolean reads,
      boolean writes,
      boolean strong) {
    boolean own() {
      return stage == Stage.OWN || stage == Stage.RETURN;
    }

    long bit() {
      return 1L << id;
    }

    /** Whether another rank's memory receives the event's write. */
    boolean placed() {
      return stage == Stage.PLACE || stage == Stage.NOTIFY;
    }
  }

  private final RandomRdmaCalls calls;
  private final Hardware hardware;
  private final Set<CallAxiom> axioms;
  private final SortedSet<String> outcomes = new TreeSet<>();
  private boolean races;
  private boolean mixes;
  private boolean writers;
  private boolean hangs;

  // For one choice of the waits that never end.
  private final List<Event> events = new ArrayList<>();
  private final List<Event> lastOwn = new ArrayList<>();
  private final List<Call> stuck = new ArrayList<>();
  private final List<Integer> stuckLane = new ArrayList<>();
  private long[] fixed = {};
  private long[] fixedTime = {};
  private long[] fixedCause = {};
  private Event[] postOf = {};
  private final List<Event> finders = new ArrayList<>();
  private final List<Event> fences = new ArrayList<>();

  // For one execution.
  private int[] found = {};
  private int[][] orders = {};
  private int[] fenceOrder = {};
  private long[] before = {};
  private long[] causes = {};

  private CallAxioms(RandomRdmaCalls calls, Hardware hardware, Set<CallAxiom> axioms) {
    this.calls = calls;
    this.hardware = hardware;
    this.axioms = axioms;
  }

  static Judged judge(RandomRdmaCalls calls, Hardware hardware, Set<CallAxiom> axioms) {
    CallAxioms decided = new CallAxioms(calls, hardware, axioms);
    decided.stop(0, new int[calls.lanes().size()]);
    return new Judged(
        decided.races, decided.mixes, decided.writers, decided.hangs, decided.outcomes);
  }

  private boolean on(CallAxiom axiom) {
    return axioms.contains(axiom);
  }

  /** Every lane ends, or one of its waits never ends. */
  private void stop(int lane, int[] stops) {
    if (lane == stops.length) {
      build(stops);
      choose(0);
      return;
    }
    List<Call> ops = calls.lanes().get(lane);
    for (int at = 0; at <= ops.size(); at++) {
      if (at == ops.size() || ops.get(at).waits()) {
        stops[lane] = at;
        stop(lane + 1, stops);
      }
    }
  }

  // Events, and the order that holds in every execution.

  private void build(int[] stops) {
    events.clear();
    lastOwn.clear();
    stuck.clear();
    stuckLane.clear();
    finders.clear();
    fences.clear();
    for (int lane = 0; lane < stops.length; lane++) {
      List<Call> ops = calls.lanes().get(lane);
      for (Call call : ops.subList(0, stops[lane])) {
        add(lane, call);
      }
      if (stops[lane] < ops.size()) {
        stuck.add(ops.get(stops[lane]));
        stuckLane.add(lane);
      }
    }
    int n = events.size();
    fixed = new long[n];
    fixedTime = new long[n];
    fixedCause = new long[n];
    postOf = new Event[n];
    events.forEach(this::order);
    found = new int[n];
    for (Event e : events) {
      if (e.own() && e.strong && e.reads && changed(e.place)) {
        finders.add(e);
      }
      if (e.call.kind() == Kind.ORDER && e.call.sc()) {
        fences.add(e);
      }
    }
    orders = new int[places()][];
    Arrays.setAll(orders, place -> new int[0]);
    for (int place = 0; place < orders.length; place++) {
      if (changed(place)) {
        int at = place;
        orders[place] =
            events.stream().filter(e -> e.writes && e.place == at).mapToInt(e -> e.id).toArray();
      }
    }
    fenceOrder = fences.stream().mapToInt(e -> e.id).toArray();
  }

  private int places() {
    return calls.world() * RandomRdmaCalls.WORDS
        + calls.world() * calls.world() * RandomRdmaCalls.SLOTS;
  }

  private int word(int rank, int word) {
    return rank * RandomRdmaCalls.WORDS + word;
  }

  private int slot(int rank, int source, int slot) {
    return calls.world() * RandomRdmaCalls.WORDS
        + (rank * calls.world() + source) * RandomRdmaCalls.SLOTS
        + slot;
  }

  private boolean slot(int place) {
    return place >= calls.world() * RandomRdmaCalls.WORDS;
  }

  /** The rank whose memory a place is in. */
  private int owner(int place) {
    int words = calls.world() * RandomRdmaCalls.WORDS;
    return slot(place)
        ? (place - words) / (calls.world() * RandomRdmaCalls.SLOTS)
        : place / RandomRdmaCalls.WORDS;
  }

  /** Whether a place is a flag or a slot: only ordered accesses change it. */
  private boolean changed(int place) {
    int word = place % RandomRdmaCalls.WORDS;
    return slot(place)
        || (place >= 0 && word >= RandomRdmaCalls.FLAG && word < RandomRdmaCalls.MINE);
  }

  private void add(int lane, Call c) {
    int me = calls.rank(lane);
    switch (c.kind()) {
      case PUT, MOVE -> {
        own(lane, c, Stage.OWN);
        event(lane, c, Stage.FETCH, word(me, c.own()), true, false, false);
        event(lane, c, Stage.PLACE, word(c.peer(), c.word()), false, true, false);
        if (c.notifies() > 0) {
          event(
              lane,
              c,
              Stage.NOTIFY,
              slot(c.peer(), me, RandomRdmaCalls.NOTIFIED),
              false,
              true,
              true);
        }
        if (c.kind() == Kind.PUT && !c.nb()) {
          own(lane, c, Stage.RETURN);
        }
      }
      case GET -> {
        own(lane, c, Stage.OWN);
        event(lane, c, Stage.READ, word(c.peer(), c.word()), true, false, false);
        event(lane, c, Stage.FILL, word(me, c.own()), false, true, false);
        if (!c.nb()) {
          own(lane, c, Stage.RETURN);
        }
      }
      case ATOMIC -> {
        own(lane, c, Stage.OWN);
        boolean reads = c.change() != Change.SET || c.own() >= 0;
        event(lane, c, Stage.PLACE, word(c.peer(), c.word()), reads, true, true);
        if (c.own() >= 0) {
          event(lane, c, Stage.FILL, word(me, c.own()), false, true, false);
          if (!c.nb()) {
            own(lane, c, Stage.RETURN);
          }
        }
      }
      case SIGNAL -> {
        own(lane, c, Stage.OWN);
        event(lane, c, Stage.PLACE, slot(c.peer(), me, c.word()), false, true, true);
      }
      case WAIT, LOAD -> event(lane, c, Stage.OWN, word(me, c.word()), true, false, c.strong());
      case AWAIT, READ ->
          event(lane, c, Stage.OWN, slot(me, c.peer(), c.word()), true, false, true);
      case STORE -> event(lane, c, Stage.OWN, word(me, c.word()), false, true, c.strong());
      case FENCE, QUIET, FLUSH, ORDER -> own(lane, c, Stage.OWN);
    }
  }

  private void own(int lane, Call call, Stage stage) {
    event(lane, call, stage, -1, false, false, false);
  }

  private void event(
      int lane, Call call, Stage stage, int place, boolean reads, boolean writes, boolean strong) {
    events.add(new Event(events.size(), lane, call, stage, place, reads, writes, strong));
  }

  /** Whether both are requests of one queue: a lane's context, to one rank. */
  private static boolean queued(Event a, Event b) {
    return a.lane == b.lane && a.call.via() == b.call.via() && a.call.peer() == b.call.peer();
  }

  private static boolean strict(Event e) {
    return e.call.kind() == Kind.MOVE || e.call.kind() == Kind.SIGNAL;
  }

  private void order(Event e) {
    boolean ownBefore = true;
    for (Event a : events.subList(0, e.id).reversed()) {
      if (a.lane != e.lane) {
        continue;
      }
      boolean same = a.call == e.call;
      if (e.own() && a.own() && ownBefore) {
        edge(a, e, CallAxiom.LANE);
        ownBefore = false;
      }
      if (!e.own() && same && a.stage == Stage.OWN) {
        postOf[e.id] = a;
        if (covers(e.call)) {
          edge(a, e, CallAxiom.POST);
        }
        fixedTime[e.id] |= a.bit();
        fixedCause[e.id] |= a.bit();
      }
      if (!e.own() && same && !a.own()) {
        edge(a, e, e.stage == Stage.NOTIFY ? CallAxiom.NOTIFY : CallAxiom.CALL);
      }
      if (e.stage == Stage.RETURN && ends(a) && queued(a, e)) {
        edge(a, e, same ? CallAxiom.RETURN : CallAxiom.RETURNS_ALL);
      }
      if (e.stage == Stage.READ && a.placed() && strict(a) && queued(a, e)) {
        edge(a, e, CallAxiom.READS_AFTER);
      }
      if (e.placed() && a.placed() && !same && queued(a, e)) {
        if (strict(a) && strict(e)) {
          // An unordered write also overtakes a signal, but a signal never overtakes a write.
          boolean passes = hardware.relaxedOrdering && e.call.kind() == Kind.MOVE;
          if (covers(e.call) && !passes) {
            edge(a, e, CallAxiom.STRICT);
          }
          fixedTime[e.id] |= passes ? 0 : a.bit();
          fixedCause[e.id] |= passes ? 0 : a.bit();
        }
        if (fenced(a, e)) {
          edge(a, e, CallAxiom.FENCE);
        }
      }
      if (e.call.kind() == Kind.QUIET && !a.own() && a.call.via() == e.call.via()) {
        edge(a, e, CallAxiom.QUIET);
      }
      if (e.call.kind() == Kind.FLUSH
          && queued(a, e)
          && (ends(a) || (a.placed() && e.call.strong()))) {
        edge(a, e, a.call.kind() == Kind.MOVE ? CallAxiom.FLUSH : CallAxiom.RETURNS_ALL);
      }
    }
  }

  private void edge(Event a, Event b, CallAxiom axiom) {
    if (on(axiom)) {
      fixed[b.id] |= a.bit();
    }
    fixedTime[b.id] |= a.bit();
    boolean result = a.stage == Stage.FILL && a.call.kind() == Kind.ATOMIC;
    fixedCause[b.id] |= a.own() || !b.own() || result ? a.bit() : 0;
  }

  /** Whether a request takes all that its lane did before with it. */
  private static boolean covers(Call call) {
    return switch (call.kind()) {
      case ATOMIC -> call.own() >= 0;
      case SIGNAL -> call.ordered();
      default -> true;
    };
  }

  /** Whether the end of a call implies that this event has happened. */
  private boolean ends(Event e) {
    return e.stage == Stage.FETCH
        || e.stage == Stage.READ
        || e.stage == Stage.FILL
        || (e.stage == Stage.PLACE && e.call.kind() == Kind.ATOMIC)
        || (e.placed() && hardware.fused);
  }

  private boolean fenced(Event a, Event b) {
    return events.subList(a.id, b.id).stream()
        .anyMatch(e ->
            e.lane == a.lane
                && e.call.kind() == Kind.FENCE
                && e.call.via() == a.call.via()
                && after(a, e)
                && after(e, b));
  }

  /** Whether b belongs to a later operation of the lane. */
  private static boolean after(Event a, Event b) {
    return a.call != b.call && a.id < b.id;
  }

  // Choices: the message of each read, the order of each word's changes, the order of strict
  // fences.

  private void choose(int finder) {
    if (finder == finders.size()) {
      permute(0);
      return;
    }
    Event e = finders.get(finder);
    for (int w = -1; w < events.size(); w++) {
      if (w < 0 || (events.get(w).writes && events.get(w).place == e.place)) {
        found[e.id] = w;
        choose(finder + 1);
      }
    }
  }

  private void permute(int place) {
    if (place > orders.length) {
      execute();
      return;
    }
    permute(place, place < orders.length ? orders[place] : fenceOrder, 0);
  }

  private void permute(int place, int[] all, int at) {
    if (at >= all.length - 1) {
      permute(place + 1);
      return;
    }
    for (int i = at; i < all.length; i++) {
      swap(all, at, i);
      permute(place, all, at + 1);
      swap(all, at, i);
    }
  }

  private static void swap(int[] all, int a, int b) {
    int kept = all[a];
    all[a] = all[b];
    all[b] = kept;
  }

  // One execution.

  private void execute() {
    long[] direct = fixed.clone();
    long[] time = fixedTime.clone();
    long[] cause = fixedCause.clone();
    for (int[] order : orders) {
      for (int i = 1; i < order.length; i++) {
        if (events.get(order[i]).reads) {
          cause[order[i]] |= 1L << order[i - 1];
          time[order[i]] |= 1L << order[i - 1];
        }
        for (int k = 0; k < i && on(CallAxiom.ONE_AT_A_TIME); k++) {
          boolean both = !events.get(order[i]).own() && !events.get(order[k]).own();
          time[order[i]] |= both ? 1L << order[k] : 0;
        }
        Event change = events.get(order[i]);
        if (change.reads && change.call.own() >= 0 && on(CallAxiom.RESULT)) {
          direct[change.id] |= released(order, i - 1);
        }
      }
    }
    for (Event e : finders) {
      int w = found[e.id];
      if (w < 0) {
        continue;
      }
      time[e.id] |= 1L << w;
      cause[e.id] |= 1L << w;
      int[] order = orders[e.place];
      long heads = released(order, position(order, w));
      Event to = acquires(e, events.get(w));
      if (to != null) {
        direct[to.id] |= heads;
      }
    }
    for (int i = 0; i < fenceOrder.length; i++) {
      for (int k = 0; k < i; k++) {
        Event a = events.get(fenceOrder[k]);
        Event b = events.get(fenceOrder[i]);
        if ((a.call.system() && b.call.system()) || calls.rank(a.lane) == calls.rank(b.lane)) {
          direct[b.id] |= on(CallAxiom.STRICT_FENCES) ? a.bit() : 0;
          time[b.id] |= on(CallAxiom.STRICT_FENCES) ? a.bit() : 0;
        }
      }
    }
    if (close(direct, time, cause) && coherent() && satisfied()) {
      end();
    }
  }

  private static int position(int[] order, int event) {
    for (int i = 0; i < order.length; i++) {
      if (order[i] == event) {
        return i;
      }
    }
    return -1;
  }

  /** The event that acquires the message of a read: the read itself, or a later fence. */
  private @Nullable Event acquires(Event read, Event write) {
    if (read.call.ordered()) {
      return on(CallAxiom.ACQUIRE) ? read : null;
    }
    for (Event e : events.subList(read.id, events.size())) {
      if (e.lane == read.lane && fencesFor(e, write)) {
        return on(CallAxiom.ORDER_ACQUIRES) ? e : null;
      }
      if (e.lane == read.lane && acquiresThere(e, read)) {
        return e;
      }
    }
    return null;
  }

  private boolean acquiresThere(Event e, Event read) {
    return e.own()
        && e.strong
        && e.reads
        && e.place == read.place
        && e.call.ordered()
        && on(CallAxiom.ACQUIRES_AGAIN);
  }

  /** Whether an event of a lane is a fence whose scope reaches the agent of the other event. */
  private boolean fencesFor(Event e, Event other) {
    if (!e.own() || e.stage == Stage.RETURN) {
      return false;
    }
    return switch (e.call.kind()) {
      case ORDER ->
          e.call.system() || (other.own() && calls.rank(other.lane) == calls.rank(e.lane));
      case FENCE -> on(CallAxiom.FENCE_ORDERS);
      case QUIET -> on(CallAxiom.QUIET_FENCES);
      case PUT, GET, MOVE, ATOMIC, SIGNAL -> on(CallAxiom.POST) && covers(e.call);
      default -> false;
    };
  }

  /** The events before an agent that acquires the change at that index of the word's order. */
  private long released(int[] order, int at) {
    long heads = 0;
    for (int i = at; i >= 0; i--) {
      Event w = events.get(order[i]);
      heads |= w.own() ? releasedByStore(w) : w.bit();
      if (!w.own()) {
        for (int k = 0; k < i && on(CallAxiom.GOES_ON); k++) {
          Event earlier = events.get(order[k]);
          heads |= earlier.lane == w.lane && earlier.id < w.id ? earlier.bit() : 0;
        }
      }
      if (!w.reads || !on(CallAxiom.CHAIN)) {
        break;
      }
    }
    return heads;
  }

  private long releasedByStore(Event w) {
    if (w.call.ordered()) {
      return w.bit();
    }
    for (Event e : events.subList(0, w.id).reversed()) {
      boolean earlier = e.writes && e.own() && e.place == w.place && e.call.ordered();
      if (e.lane == w.lane && earlier && on(CallAxiom.GOES_ON)) {
        return e.bit();
      }
      if (e.lane == w.lane && fencesFor(e, w) && on(CallAxiom.ORDER_RELEASES)) {
        return covered(e);
      }
    }
    return 0;
  }

  /** The last event that a fence covers. For a quiet, that is the event before its wait. */
  private long covered(Event fence) {
    if (fence.call.kind() != Kind.QUIET) {
      return fence.bit();
    }
    for (Event e : events.subList(0, fence.id).reversed()) {
      if (e.lane == fence.lane && e.own()) {
        return e.bit();
      }
    }
    return 0;
  }

  /** Computes all events before each event; false if an event would be before itself. */
  private boolean close(long[] direct, long[] time, long[] cause) {
    int n = events.size();
    before = new long[n];
    causes = new long[n];
    long done = 0;
    while (done != (1L << n) - 1) {
      long round = done;
      for (Event e : events) {
        if ((done & e.bit()) == 0 && ((time[e.id] | direct[e.id]) & ~done) == 0) {
          before[e.id] = closed(e, direct[e.id]);
          causes[e.id] = cause[e.id];
          for (long left = cause[e.id]; left != 0; left &= left - 1) {
            causes[e.id] |= causes[Long.numberOfTrailingZeros(left)];
          }
          done |= e.bit();
        }
      }
      if (done == round) {
        return false;
      }
    }
    return true;
  }

  private long closed(Event e, long direct) {
    long all = direct;
    for (long left = direct; left != 0; left &= left - 1) {
      all |= before[Long.numberOfTrailingZeros(left)];
    }
    Event post = postOf[e.id];
    if (post != null && !covers(e.call) && (direct & post.bit()) == 0) {
      boolean known = false;
      for (Event a : events.subList(0, post.id).reversed()) {
        if (a.lane == e.lane && fencesForAll(a) && !known) {
          long last = covered(a);
          all |= last == 0 ? 0 : last | before[Long.numberOfTrailingZeros(last)];
          known = true;
        }
      }
      if (e.call.kind() == Kind.ATOMIC && on(CallAxiom.HANDS_ON)) {
        long mine = 0;
        for (Event a : events) {
          mine |= a.lane == e.lane && a.own() ? a.bit() : 0;
        }
        all |= before[post.id] & ~mine;
      }
    }
    return all;
  }

  private boolean fencesForAll(Event e) {
    return switch (e.call.kind()) {
      case ORDER -> e.call.system() && on(CallAxiom.ORDER_RELEASES);
      case FENCE -> on(CallAxiom.FENCE_ORDERS);
      case QUIET -> on(CallAxiom.QUIET_FENCES);
      case PUT, GET, MOVE, ATOMIC, SIGNAL ->
          e.stage == Stage.OWN && on(CallAxiom.POST) && covers(e.call);
      default -> false;
    };
  }

  private boolean isBefore(Event a, Event b) {
    return (before[b.id] & a.bit()) != 0;
  }

  /**
   * The index of an event in its word's order: that of the message it found, or of its own change.
   */
  private int seen(Event e) {
    int[] order = orders[e.place];
    return e.writes ? position(order, e.id) : found[e.id] < 0 ? -1 : position(order, found[e.id]);
  }

  /**
   * Whether no access undoes what is ordered before it. A read may miss an interface's write that
   * is not visible to it yet.
   */
  private boolean coherent() {
    if (!on(CallAxiom.COHERENCE)) {
      return true;
    }
    for (Event b : events) {
      for (Event a : events) {
        if (a.place == b.place
            && changed(a.place)
            && a.strong
            && b.strong
            && isBefore(a, b)
            && (a.own() || b.writes || shown(a, b))
            && (b.writes && !a.equals(b) ? seen(a) >= seen(b) : seen(a) > seen(b))) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean satisfied() {
    for (Event e : finders) {
      if (e.call.waits()
          && !e.call.satisfied(found[e.id] < 0 ? 0 : value(events.get(found[e.id])))) {
        return false;
      }
    }
    for (int i = 0; i < stuck.size(); i++) {
      Call call = stuck.get(i);
      int me = calls.rank(stuckLane.get(i));
      int place =
          call.kind() == Kind.WAIT ? word(me, call.word()) : slot(me, call.peer(), call.word());
      if (call.satisfied(last(place)) || !on(CallAxiom.POLLS)) {
        return false;
      }
    }
    return true;
  }

  private long last(int place) {
    int[] order = orders[place];
    return order.length == 0 ? 0 : value(events.get(order[order.length - 1]));
  }

  /** The value that a write leaves in a flag or a slot. */
  private long value(Event w) {
    Call c = w.call;
    if (w.stage == Stage.NOTIFY) {
      return c.notifies();
    }
    if (c.kind() != Kind.ATOMIC) {
      return c.value();
    }
    return switch (c.change()) {
      case SET -> c.value();
      case ADD -> old(w) + c.value();
      case CAS -> old(w) == c.value() - 1 ? c.value() : old(w);
      case FETCH -> old(w);
    };
  }

  private long old(Event change) {
    int[] order = orders[change.place];
    int at = position(order, change.id);
    return at == 0 ? 0 : value(events.get(order[at - 1]));
  }

  // The results of an execution.

  private void end() {
    boolean raced = false;
    for (Event a : events) {
      for (Event b : events.subList(0, a.id)) {
        if (a.place < 0 || a.place != b.place || !(a.writes || b.writes)) {
          continue;
        }
        boolean bothStrong = changed(a.place) && a.strong && b.strong;
        boolean inTurn = isBefore(a, b) || isBefore(b, a);
        if (bothStrong && slot(a.place)) {
          writers |= a.writes && b.writes && !inTurn && !(strict(a) && strict(b) && queued(a, b));
        } else if (bothStrong) {
          boolean apart =
              a.own() != b.own()
                  ? (a.own() ? a : b).writes
                  : !a.own() && railOf(a) != railOf(b) && (changes(a) || changes(b));
          mixes |= apart && !endsBefore(a, b) && !endsBefore(b, a);
        } else if (changes(a) || changes(b)) {
          raced |= !inOrder(a, b) && !inOrder(b, a);
        }
      }
    }
    races |= raced;
    hangs |= !stuck.isEmpty();
    if (!raced && stuck.isEmpty()) {
      outcomes.add(outcome());
    }
  }

  /** Whether a is before b, and b observes a or a write that replaced it in between. */
  private boolean inOrder(Event a, Event b) {
    return sees(a, b)
        || (on(CallAxiom.SOURCE)
            && a.stage == Stage.FETCH
            && b.writes
            && (causes[b.id] & a.bit()) != 0)
        || (on(CallAxiom.REPLACED) && events.stream().anyMatch(w -> replaces(w, a) && sees(w, b)));
  }

  /** Whether a write comes after an access of its place, in coherence order if both are strong. */
  private boolean replaces(Event w, Event a) {
    if (!w.writes || w.place != a.place) {
      return false;
    }
    return w.strong ? a.writes && a.strong && seen(w) > seen(a) : sees(a, w);
  }

  /** Whether a is before b; an interface's write must also be visible to b. */
  private boolean sees(Event a, Event b) {
    return known(a, b) || (foundBefore(a, b) && (a.own() || !a.writes || shown(a, b)));
  }

  private boolean known(Event a, Event b) {
    return isBefore(a, b) && (a.own() || !changes(a) || shown(a, b));
  }

  /** Whether a has ended for b, which changes the same word: b's agent is ordered after a. */
  private boolean isOver(Event a, Event b) {
    return known(a, b) || (isBefore(a, b) && b.own() && foundBefore(a, b));
  }

  /**
   * Whether an atomic cannot overlap a later change of the word. Either it has ended, or an atomic
   * after it in coherence order has, or it only reads and the change exists because of its result.
   */
  private boolean endsBefore(Event a, Event b) {
    boolean becauseOfIt = (causes[b.id] & a.bit()) != 0;
    return isOver(a, b)
        || (on(CallAxiom.SOURCE) && fetches(a) && b.writes && becauseOfIt)
        || (on(CallAxiom.REPLACED)
            && events.stream()
                .anyMatch(w -> changes(w) && w.strong && replaces(w, a) && isOver(w, b)));
  }

  private static boolean fetches(Event e) {
    return e.call.kind() == Kind.ATOMIC && e.call.change() == Change.FETCH;
  }

  private boolean shown(Event w, Event to) {
    boolean same = to.own() ? hardware.owner : railOf(w) == railOf(to);
    return same
        || !on(CallAxiom.VISIBLE)
        || events.stream()
            .anyMatch(c ->
                shows(c, w)
                    && (isBefore(w, c) || foundBefore(w, c))
                    && (isBefore(c, to) || isPostedAfter(c, to) || handsOn(c, to)));
  }

  /** Whether an atomic passes on to b that its lane took that step, which is part of an acquire. */
  private boolean handsOn(Event step, Event b) {
    return on(CallAxiom.HANDS_ON)
        && events.stream()
            .anyMatch(e ->
                e.lane == step.lane
                    && e.stage == Stage.PLACE
                    && e.call.kind() == Kind.ATOMIC
                    && isPostedAfter(step, e)
                    && (isBefore(e, b) || isPostedAfter(e, b)));
  }

  /** Memory that is consistent when a request is posted is so for the request. */
  private boolean isPostedAfter(Event c, Event request) {
    Event post = postOf[request.id];
    return post != null && isBefore(c, post);
  }

  private int railOf(Event e) {
    return (e.call.via() + e.lane % calls.lanesOfRank()) % hardware.interfaces;
  }

  /** Whether a step makes an interface's write visible at its rank. */
  private boolean shows(Event c, Event w) {
    int rank = owner(w.place);
    return switch (c.call.kind()) {
      case WAIT, AWAIT, READ, LOAD -> c.strong && c.call.ordered() && calls.rank(c.lane) == rank;
      case GET, ATOMIC -> c.stage == Stage.RETURN && calls.rank(c.lane) == rank;
      case ORDER -> calls.rank(c.lane) == rank;
      case QUIET ->
          calls.rank(c.lane) == rank || (c.lane == w.lane && c.call.via() == w.call.via());
      case FLUSH -> w.placed() && queued(w, c) && c.call.strong();
      default -> false;
    };
  }

  /** A fetch counts as a change only among atomics. */
  private static boolean changes(Event e) {
    return e.writes && (e.stage != Stage.PLACE || e.call.change() != Change.FETCH);
  }

  /** Whether b's lane found the strong write a, or a newer one, before b. */
  private boolean foundBefore(Event a, Event b) {
    if (!a.writes || !a.strong || !changed(a.place) || !on(CallAxiom.FOUND)) {
      return false;
    }
    for (Event r : finders) {
      if (r.place == a.place && isBefore(r, b) && seen(r) >= seen(a)) {
        return true;
      }
    }
    return false;
  }

  /** The value that a read of an uncontended word finds: the last write before it. */
  private long read(Event e) {
    if (e.own() && e.strong && changed(e.place)) {
      return found[e.id] < 0 ? 0 : value(events.get(found[e.id]));
    }
    return latest(e.place, e);
  }

  private long latest(int place, @Nullable Event by) {
    Event last = null;
    for (Event w : events) {
      boolean known =
          w.writes && w.place == place && (by == null || isBefore(w, by) || foundBefore(w, by));
      if (known && (last == null || (changed(place) ? seen(w) > seen(last) : isBefore(last, w)))) {
        last = w;
      }
    }
    return last == null ? 0 : written(last);
  }

  private long written(Event w) {
    if (changed(w.place)) {
      return value(w);
    }
    Call c = w.call;
    if (c.kind() == Kind.STORE) {
      return c.value();
    }
    Event from = null;
    for (Event e : events) {
      if (e.call == c && e.lane == w.lane && e.reads && !e.own()) {
        from = e;
      }
    }
    if (from == null) { // a set whose old value is used
      throw new AssertionError(c.text());
    }
    return c.kind() == Kind.ATOMIC ? old(from) : read(from);
  }

  /** Registers are shared by all lanes of one text; a register that another rank fills is 0. */
  private void register(StringJoiner values, int rank, int lane, int register) {
    for (Event e : events) {
      if (e.lane % calls.lanesOfRank() == lane && e.call.register() == register) {
        values.add(calls.rank(e.lane) == rank ? String.valueOf(read(e)) : "0");
      }
    }
  }

  /** In the format of {@link ExhaustiveEndings}. */
  private String outcome() {
    StringJoiner ranks = new StringJoiner(" | ");
    for (int rank = 0; rank < calls.world(); rank++) {
      StringJoiner values = new StringJoiner(",");
      for (int lane = 0; lane < calls.lanesOfRank(); lane++) {
        for (int register = 0; register < 10; register++) {
          register(values, rank, lane, register);
        }
      }
      for (int word = 0; word < RandomRdmaCalls.WORDS; word++) {
        values.add(String.valueOf(latest(word(rank, word), null)));
      }
      ranks.add(values.toString());
    }
    return ranks.toString();
  }
}

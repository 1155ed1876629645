package dev.oriel.sim.machine;

import static dev.oriel.sim.machine.RequestTable.BYTES;
import static dev.oriel.sim.machine.RequestTable.CAUSES;
import static dev.oriel.sim.machine.RequestTable.CHANGE;
import static dev.oriel.sim.machine.RequestTable.COMPONENT;
import static dev.oriel.sim.machine.RequestTable.FENCED;
import static dev.oriel.sim.machine.RequestTable.FETCHED;
import static dev.oriel.sim.machine.RequestTable.FIELDS;
import static dev.oriel.sim.machine.RequestTable.FLAGS;
import static dev.oriel.sim.machine.RequestTable.HEADER;
import static dev.oriel.sim.machine.RequestTable.KIND;
import static dev.oriel.sim.machine.RequestTable.LOCAL;
import static dev.oriel.sim.machine.RequestTable.LOCAL_AT;
import static dev.oriel.sim.machine.RequestTable.LOOSE;
import static dev.oriel.sim.machine.RequestTable.LOOSE_COUNT;
import static dev.oriel.sim.machine.RequestTable.PASSED;
import static dev.oriel.sim.machine.RequestTable.POSTED;
import static dev.oriel.sim.machine.RequestTable.RELAXED;
import static dev.oriel.sim.machine.RequestTable.REMOTE;
import static dev.oriel.sim.machine.RequestTable.REMOTE_AT;
import static dev.oriel.sim.machine.RequestTable.RETIRED;
import static dev.oriel.sim.machine.RequestTable.ROW;
import static dev.oriel.sim.machine.RequestTable.SITE;
import static dev.oriel.sim.machine.RequestTable.STAGE;
import static dev.oriel.sim.machine.RequestTable.UNCOVERED;
import static dev.oriel.sim.machine.RequestTable.WORD;

import dev.oriel.domain.program.Atomic;
import dev.oriel.sim.code.Opcode.Request;
import dev.oriel.sim.replay.Choices;

/**
 * Requests to network interfaces. Each goes through stages with no implied order beyond the rules:
 * source fetch, remote place or read, local fill. A completion is known of the fetch or the fill,
 * never of the place.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class Queues {
  /** A plain store of a word, as its change is numbered. */
  private static final int SET = Atomic.SET.ordinal();

  private final Model model;
  private final Agents agents;
  private final Memory memory;
  private final Clocks clocks;
  private final Words words;
  private final DataWords dataWords;
  private final Wakes wakes;
  private final Faults faults;
  private final Proxies proxies;
  private final Keys keys;
  private final Kept kept;
  private final int context;
  private final Reports reports;
  private final int room;
  private final int bytes;
  private final int fieldsOfQueue;
  private final long[] result = new long[Long.BYTES];

  Queues(
      Model model,
      Memory memory,
      Clocks clocks,
      Words words,
      DataWords dataWords,
      Wakes wakes,
      Faults faults,
      Proxies proxies,
      Edge edge,
      Kept kept,
      Reports reports) {
    this.kept = kept;
    this.context = edge.context();
    this.faults = faults;
    this.proxies = proxies;
    this.keys = new Keys(model, memory);
    this.wakes = wakes;
    this.model = model;
    this.agents = model.agents;
    this.memory = memory;
    this.clocks = clocks;
    this.words = words;
    this.dataWords = dataWords;
    this.reports = reports;
    room = RequestTable.room(model);
    bytes = RequestTable.bytes(model);
    fieldsOfQueue = HEADER + room * FIELDS;
  }

  private int header(int queue) {
    return queue * fieldsOfQueue;
  }

  private int entry(int queue, int number) {
    return header(queue) + HEADER + (number & room - 1) * FIELDS;
  }

  private int slot(int queue, int number) {
    return queue * room + (number & room - 1);
  }

  private int payload(int queue, int number) {
    return slot(queue, number) * bytes;
  }

  /** Whether another request fits. */
  boolean hasRoom(State s, int queue) {
    int h = header(queue);
    int posted = s.requests[h + POSTED];
    return proxies.on
        ? proxies.hasRoom(s, queue, posted, s.requests[h + RETIRED])
        : posted - s.requests[h + RETIRED] < model.profile.depth();
  }

  /** Begins a request; the caller fills in its fields. Returns where they are. */
  int post(State s, int queue, int kind, boolean fenced, boolean loose, int site) {
    int h = header(queue);
    int number = s.requests[h + POSTED];
    if (number - s.requests[h + RETIRED] == room) {
      throw model.sizes.grow("requests of a queue", room + 1);
    }
    int posted = ++s.requests[h + POSTED];
    if (proxies.on) {
      proxies.publish(s, queue, posted, s.requests[h + RETIRED], posted);
    }
    int e = entry(queue, number);
    boolean strict = kept.oneQueue;
    boolean relaxed = model.profile.loose() && kind == Request.WRITE && !loose && !strict;
    boolean places = RequestTable.places(kind) && kind != Request.ARRANGE;
    s.requests[e + KIND] = kind;
    s.requests[e + FLAGS] =
        (fenced ? FENCED : 0) | (loose && !strict ? LOOSE : 0) | (relaxed ? RELAXED : 0);
    s.requests[e + STAGE] = 0;
    s.requests[e + LOCAL] = -1;
    s.requests[e + BYTES] = 0;
    s.requests[e + WORD] = -1;
    s.requests[e + ROW] = clocks.postedRow(s, agents.queueLane[queue]);
    s.requests[e + CAUSES] = clocks.posted(s, queue);
    s.requests[e + SITE] = site;
    s.requests[e + COMPONENT] =
        RequestTable.aside(kind) ? agents.count[queue] : agents.place[queue];
    if (places && (relaxed || (loose && !strict))) {
      int count = s.requests[h + LOOSE_COUNT]++;
      if (count >= agents.looseCount && agents.looseCount < Agents.MAX_LOOSE) {
        throw model.sizes.grow("loose requests of a queue", count + 1);
      }
      s.requests[e + COMPONENT] = agents.loose(queue, count);
    }
    if (keys.on) {
      keys.posted(s, queue, number);
    }
    wakes.queue(queue);
    s.posted[queue] = s.allSteps;
    reports.posted(s, queue, number, site);
    return e;
  }

  /** Sets what a slot's change tells of, and to whom. */
  void covers(State s, int queue, int e, boolean releases, int scope) {
    s.requests[e + FLAGS] |= scope << RequestTable.SCOPE;
    if (!releases && !kept.storesInOrder && !model.profile.ordered()) {
      s.requests[e + FLAGS] |= UNCOVERED;
      s.requests[e + ROW] = clocks.fencedRow(s, agents.queueLane[queue]);
    }
  }

  /** Sets the operands of a word's change. */
  void operands(State s, int queue, long operand, long compare) {
    int slot = slot(queue, s.requests[header(queue) + POSTED] - 1);
    s.requestValues[2 * slot] = operand;
    s.requestValues[2 * slot + 1] = compare;
  }

  /** Counts a request's bytes, which must have room to travel. */
  void bytes(State s, int entry, int length) {
    if (length > bytes) {
      throw model.sizes.grow("bytes of a request", length);
    }
    s.requests[entry + BYTES] = length;
  }

  /** How many bytes the request of that number moves. */
  int bytesOf(State s, int queue, int number) {
    return s.requests[entry(queue, number) + BYTES];
  }

  private boolean fused() {
    return model.profile.fused() || kept.placed;
  }

  /** Whether every request of the lane that the edge waits for has completed locally. */
  boolean completedAll(State s, int lane) {
    for (int q = 0; q < agents.queues; q++) {
      if (waited(q, lane) && !completed(s, q)) {
        return false;
      }
    }
    return true;
  }

  private boolean waited(int queue, int lane) {
    return agents.queueLane[queue] == lane
        && (context == Edge.EVERY || agents.queueNumber[queue] == context);
  }

  /** The lane knows of every completion on the queues that the edge waits for. */
  void awaitAll(State s, int lane) {
    for (int q = 0; q < agents.queues; q++) {
      if (waited(q, lane)) {
        await(s, q);
      }
    }
  }

  /** Whether every request of the queue has completed locally. */
  boolean completed(State s, int queue) {
    int posted = s.requests[header(queue) + POSTED];
    return proxies.on
        ? proxies.told(s, queue) == posted
        : completedTo(s, queue, posted) == posted && !(faults.any && faults.loses(queue, posted));
  }

  /** Up to which of the queue's first requests, so many, all have completed locally. */
  private int completedTo(State s, int queue, int limit) {
    for (int n = s.requests[header(queue) + RETIRED]; n < limit; n++) {
      int e = entry(queue, n);
      int kind = s.requests[e + KIND];
      int needed =
          RequestTable.returns(kind)
              ? 3
              : fused() || (kind == Request.SLOT && s.requests[e + CHANGE] != SET) ? 2 : 1;
      if (RequestTable.aside(kind)) {
        continue;
      }
      if (kind != Request.ARRANGE && s.requests[e + STAGE] < needed) {
        return n;
      }
    }
    return limit;
  }

  /** Whether the queue's proxy has a request to hand on. */
  boolean handable(State s, int queue) {
    return proxies.handable(s, queue, s.requests[header(queue) + POSTED]);
  }

  /** The queue's proxy hands its oldest request on. */
  void hand(State s, int queue) {
    int e = entry(queue, proxies.handed(s, queue));
    proxies.hand(s, queue, s.requests[e + SITE]);
  }

  /** Whether the queue's proxy has more to tell its lane than it has told. */
  boolean tellable(State s, int queue) {
    return completions(s, queue) > proxies.told(s, queue);
  }

  /** Up to which request the queue's proxy has seen completions. */
  private int completions(State s, int queue) {
    int all = completedTo(s, queue, proxies.handed(s, queue));
    return faults.any ? Math.min(all, faults.lastCompletion(queue)) : all;
  }

  /** The queue's proxy tells its lane what has completed: sources are fetched. */
  void tell(State s, int queue) {
    int row = known(s, agents.fetch[queue]);
    int count = fused() ? Math.min(s.requests[header(queue) + LOOSE_COUNT], agents.looseCount) : 0;
    for (int i = fused() ? -1 : 0; i < count; i++) {
      int place = i < 0 ? agents.place[queue] : agents.loose(queue, i);
      row = s.heads.joined(row, known(s, place));
    }
    if (agents.fill[queue] >= 0) {
      // What came back may be on its way to a GPU's memory still: the proxy flushes it.
      row = s.heads.joined(row, known(s, agents.fill[queue]));
    }
    proxies.tell(s, queue, completions(s, queue), row);
  }

  private int known(State s, int component) {
    int row = clocks.keep(s, component);
    clocks.advance(s, component);
    return row;
  }

  /** The lane knows of every completion: sources are fetched, what returns is filled. */
  void await(State s, int queue) {
    int lane = agents.queueLane[queue];
    if (proxies.on) {
      proxies.await(s, queue);
    } else {
      clocks.behind(s, lane, agents.fetch[queue]);
      clocks.advance(s, agents.fetch[queue]);
      if (fused()) {
        placedToo(s, queue, lane);
      }
    }
    if (agents.fill[queue] >= 0) {
      if (!proxies.on) {
        clocks.behind(s, lane, agents.fill[queue]);
      }
      s.settled[agents.fill[queue]] = clocks.tick(s, agents.fill[queue]);
      clocks.advance(s, agents.fill[queue]);
    }
  }

  /** In one total order the lane is behind whatever its queue did. */
  void over(State s, int queue) {
    int end = queue + 1 < agents.queues ? agents.fetch[queue + 1] : agents.components;
    for (int c = agents.fetch[queue]; c < end; c++) {
      clocks.order(s, c, agents.leader[agents.queueLane[queue]]);
      clocks.advance(s, c);
    }
  }

  private void placedToo(State s, int queue, int lane) {
    int count = Math.min(s.requests[header(queue) + LOOSE_COUNT], agents.looseCount);
    for (int i = -1; i < count; i++) {
      int place = i < 0 ? agents.place[queue] : agents.loose(queue, i);
      clocks.behind(s, lane, place);
      clocks.advance(s, place);
    }
  }

  /** Whether the oldest request that was not fetched may be. */
  boolean fetchable(State s, int queue, boolean impatient) {
    int h = header(queue);
    int number = s.requests[h + FETCHED];
    if (number == (proxies.on ? proxies.handed(s, queue) : s.requests[h + POSTED])) {
      return false;
    }
    if (faults.slow && !impatient && faults.holds(s, queue, number)) {
      return false;
    }
    boolean fenced = (s.requests[entry(queue, number) + FLAGS] & FENCED) != 0;
    for (int n = s.requests[h + RETIRED]; fenced && n < number; n++) {
      int e = entry(queue, n);
      if (RequestTable.returns(s.requests[e + KIND]) && s.requests[e + STAGE] < 3) {
        return false;
      }
    }
    return true;
  }

  /** Reads the source of the oldest request that was not fetched. */
  void fetch(State s, int queue, Choices branch) {
    int number = s.requests[header(queue) + FETCHED]++;
    int e = entry(queue, number);
    int component = agents.fetch[queue];
    clocks.join(s, ClockRows.of(model, component), s.heads, s.requests[e + ROW]);
    if ((s.requests[e + FLAGS] & FENCED) != 0 && agents.fill[queue] >= 0) {
      clocks.order(s, agents.fill[queue], component);
      clocks.advance(s, agents.fill[queue]);
    }
    int kind = s.requests[e + KIND];
    reports.stage(s, queue, number, 1, s.requests[e + SITE], false);
    if (faults.any && faults.fails(queue, number)) {
      fail(s, queue, e);
      return;
    }
    if (kind == Request.WRITE || kind == Request.WRITE_AND_SIGNAL) {
      if (keys.on) {
        int seen = SeenRows.kept(s.requests[e + CAUSES]);
        int from = s.requests[e + LOCAL_AT];
        keys.local(s, queue, number, component, from, s.requests[e + BYTES], seen);
      }
      memory.read(
          s,
          component,
          agents.rankOf[component],
          s.requests[e + LOCAL],
          s.requests[e + LOCAL_AT],
          s.requests[e + BYTES],
          s.payload,
          payload(queue, number),
          false,
          SeenRows.kept(s.requests[e + CAUSES]),
          branch);
    }
    if (kind == Request.WRITE || kind == Request.WRITE_AND_SIGNAL || RequestTable.aside(kind)) {
      s.requests[e + CAUSES] = clocks.fetched(s, queue, s.requests[e + CAUSES]);
    }
    s.requests[e + ROW] = clocks.keep(s, component);
    s.requests[e + STAGE] = 1;
    clocks.advance(s, component);
  }

  /** The request moves nothing, and its rank learns of it where it next waits. */
  private void fail(State s, int queue, int e) {
    s.requests[e + STAGE] = 3;
    int rank = model.rank(agents.queueLane[queue]);
    s.aborted[rank] = true;
    wakes.rank(rank);
    retire(s, queue);
  }

  /**
   * The request of that rank among those that may be placed now, strict ones first; -1 if there are
   * not so many.
   */
  int placeable(State s, int queue, int rank) {
    int h = header(queue);
    int left = rank;
    boolean strictWaits = false;
    boolean relaxedWaits = false;
    boolean looseWaits = false;
    boolean closed = false;
    boolean countWaits = false;
    for (int n = s.requests[h + RETIRED]; n < s.requests[h + FETCHED]; n++) {
      int e = entry(queue, n);
      int kind = s.requests[e + KIND];
      if (!RequestTable.places(kind) || s.requests[e + STAGE] != 1) {
        continue;
      }
      int flags = s.requests[e + FLAGS];
      boolean first = !strictWaits && !relaxedWaits && !looseWaits && !closed;
      if (RequestTable.aside(kind)) {
        if (!countWaits && (first || !fused()) && left-- == 0) {
          return n;
        }
        countWaits = true;
        continue;
      }
      if (closed) {
        continue;
      }
      if (kind == Request.ARRANGE) {
        if (first && left-- == 0) {
          return n;
        }
        if (agents.count[queue] < 0) {
          return -1;
        }
        closed = true;
        continue;
      }
      boolean loose = (flags & LOOSE) != 0;
      boolean relaxed = (flags & RELAXED) != 0;
      boolean waits = loose ? false : relaxed ? strictWaits : strictWaits || relaxedWaits;
      if (!waits && !locked(s, e) && left-- == 0) {
        return n;
      }
      looseWaits |= loose;
      relaxedWaits |= relaxed;
      strictWaits |= !loose && !relaxed;
    }
    return -1;
  }

  /** A lock that is taken lets nobody in. */
  private boolean locked(State s, int entry) {
    return s.requests[entry + KIND] == Request.LOCK && words.last(s, s.requests[entry + WORD]) != 0;
  }

  /** Places a request at the peer. */
  void place(State s, int queue, int number) {
    int e = entry(queue, number);
    int kind = s.requests[e + KIND];
    int component = s.requests[e + COMPONENT];
    int row = ClockRows.of(model, component);
    if (RequestTable.aside(kind)) {
      count(s, queue, number);
      return;
    }
    if (agents.read[queue] >= 0) {
      passes(s, queue, number);
    }
    if (kind == Request.ARRANGE) {
      arrange(s, queue, number);
      return;
    }
    clocks.join(s, row, s.heads, s.requests[e + ROW]);
    behindArranged(s, queue, row);
    if (kept.oneQueue) {
      behindSiblings(s, queue, component);
    }
    reports.stage(s, queue, number, 2, s.requests[e + SITE], false);
    s.requests[e + STAGE] = 2;
    int peer = agents.queuePeer[queue];
    if (kind == Request.WRITE || kind == Request.WRITE_AND_SIGNAL) {
      int at = payload(queue, number);
      int length = s.requests[e + BYTES];
      if (keys.on) {
        int seen = SeenRows.kept(s.requests[e + CAUSES]);
        keys.remote(s, queue, number, component, s.requests[e + REMOTE_AT], length, seen);
      }
      memory.write(
          s,
          component,
          peer,
          s.requests[e + REMOTE],
          s.requests[e + REMOTE_AT],
          length,
          s.payload,
          at,
          SeenRows.kept(s.requests[e + CAUSES]));
      dataWords.written(
          s,
          component,
          peer,
          s.requests[e + REMOTE],
          s.requests[e + REMOTE_AT],
          length,
          s.requests[e + CAUSES]);
    }
    switch (kind) {
      case Request.SLOT -> {
        if ((s.requests[e + FLAGS] & UNCOVERED) == 0) {
          words.allHeads(s, component);
        } else {
          int arranged = s.heads.keep(s.clocks, ClockRows.arranged(model, queue));
          words.heads(s.heads.joined(s.requests[e + ROW], arranged));
        }
        change(s, queue, number, e, true);
      }
      case Request.WRITE_AND_SIGNAL -> {
        words.allHeads(s, component);
        change(s, queue, number, e, true);
      }
      case Request.CHANGE, Request.LOCK -> {
        words.allHeads(s, component);
        change(s, queue, number, e, false);
      }
      default -> {}
    }
    if ((s.requests[e + FLAGS] & RELAXED) != 0) {
      // What is strict waits for everything relaxed before it, and holds up what is after it.
      clocks.order(s, component, agents.place[queue]);
    }
    clocks.advance(s, component);
    retire(s, queue);
  }

  /** The word of the queue's own rank learns that sources before it were read, and no more. */
  private void count(State s, int queue, int number) {
    int e = entry(queue, number);
    int component = s.requests[e + COMPONENT];
    clocks.join(s, ClockRows.of(model, component), s.heads, s.requests[e + ROW]);
    if (fused()) {
      // Where completions tell of the place, so does a counter.
      behind(s, agents.place[queue], ClockRows.of(model, component));
      behindLoose(s, queue, component);
    }
    reports.stage(s, queue, number, 2, s.requests[e + SITE], false);
    s.requests[e + STAGE] = 2;
    words.allHeads(s, component);
    change(s, queue, number, e, false);
    clocks.advance(s, component);
    retire(s, queue);
  }

  /** All queues of the lane to that peer are taken for one. */
  private void behindSiblings(State s, int queue, int component) {
    for (int q = 0; q < agents.queues; q++) {
      if (agents.queueLane[q] == agents.queueLane[queue]
          && agents.queuePeer[q] == agents.queuePeer[queue]) {
        behindLoose(s, q, component);
        clocks.order(s, agents.place[q], component);
      }
    }
  }

  private void behindArranged(State s, int queue, int row) {
    if (model.scan.arranges) {
      int arranged = ClockRows.arranged(model, queue);
      Clocks.join(s.clocks, row, s.clocks, arranged, agents.components);
    }
  }

  /**
   * Whatever the queue places from here on stands behind all that it placed so far. That is no
   * place of its own: a loose read, which no request arranges, does not stand behind it.
   */
  private void arrange(State s, int queue, int number) {
    int e = entry(queue, number);
    int arranged = ClockRows.arranged(model, queue);
    clocks.join(s, arranged, s.heads, s.requests[e + ROW]);
    behind(s, agents.place[queue], arranged);
    int count = Math.min(s.requests[header(queue) + LOOSE_COUNT], agents.looseCount);
    for (int i = 0; i < count; i++) {
      behind(s, agents.loose(queue, i), arranged);
    }
    reports.stage(s, queue, number, 2, s.requests[e + SITE], false);
    s.requests[e + STAGE] = 2;
    retire(s, queue);
  }

  private void behind(State s, int component, int row) {
    int from = ClockRows.of(model, component);
    Clocks.join(s.clocks, row, s.clocks, from, agents.components);
    clocks.advance(s, component);
  }

  /** What reads in order stands behind all that is loose. */
  private void behindLoose(State s, int queue, int component) {
    int count = Math.min(s.requests[header(queue) + LOOSE_COUNT], agents.looseCount);
    for (int i = 0; i < count; i++) {
      clocks.order(s, agents.loose(queue, i), component);
      clocks.advance(s, agents.loose(queue, i));
    }
  }

  /**
   * What is placed now may come before earlier requests of the queue that read: those stand behind
   * what was placed so far and no more.
   */
  private void passes(State s, int queue, int number) {
    for (int n = s.requests[header(queue) + RETIRED]; n < number; n++) {
      int e = entry(queue, n);
      if (!RequestTable.places(s.requests[e + KIND])
          && s.requests[e + STAGE] == 1
          && (s.requests[e + FLAGS] & PASSED) == 0) {
        int placed = clocks.keep(s, agents.place[queue]);
        s.requests[e + ROW] = s.heads.joined(s.requests[e + ROW], placed);
        if ((s.requests[e + FLAGS] & LOOSE) == 0) {
          int arranged = s.heads.keep(s.clocks, ClockRows.arranged(model, queue));
          s.requests[e + ROW] = s.heads.joined(s.requests[e + ROW], arranged);
        }
        clocks.advance(s, agents.place[queue]);
        s.requests[e + FLAGS] |= PASSED;
      }
    }
  }

  private void change(State s, int queue, int number, int e, boolean slot) {
    int word = s.requests[e + WORD];
    int component = s.requests[e + COMPONENT];
    int at = slot(queue, number);
    int change = s.requests[e + CHANGE];
    if (!slot) {
      dataWords.touched(s, component, word, change != 0, SeenRows.kept(s.requests[e + CAUSES]));
    }
    // Who gets the old value is ordered behind what it released.
    int released = words.released(s, word);
    long old =
        words.write(
            s,
            component,
            word,
            change,
            s.requestValues[2 * at],
            s.requestValues[2 * at + 1],
            slot ? reach(s, e) : Model.SYS,
            s.requests[e + CAUSES],
            slot && change == SET);
    if (s.requests[e + KIND] == Request.LOCK) {
      Words.locked(s, word);
    }
    if (!slot) {
      s.requests[e + ROW] = s.heads.joined(s.requests[e + ROW], released);
      dataWords.changed(s, word);
      s.requestValues[2 * at] = old;
    }
  }

  private int reach(State s, int e) {
    boolean named = s.requests[e + KIND] == Request.SLOT && !kept.scopes;
    return named ? s.requests[e + FLAGS] >> RequestTable.SCOPE : Model.SYS;
  }

  /** The oldest request whose read may be made; -1 if there is none. */
  int readable(State s, int queue) {
    int h = header(queue);
    boolean waits = false;
    boolean looseWaits = false;
    for (int n = s.requests[h + RETIRED]; n < s.requests[h + FETCHED]; n++) {
      int e = entry(queue, n);
      int kind = s.requests[e + KIND];
      boolean loose = (s.requests[e + FLAGS] & LOOSE) != 0;
      if (RequestTable.places(kind)) {
        if (s.requests[e + STAGE] == 1 && !RequestTable.aside(kind)) {
          waits |= !loose && kind != Request.ARRANGE;
          looseWaits |= loose || kind == Request.ARRANGE;
        }
      } else if (s.requests[e + STAGE] == 1) {
        return waits || (looseWaits && !loose) ? -1 : n;
      }
    }
    return -1;
  }

  /** Reads at the peer. */
  void read(State s, int queue, int number, Choices branch) {
    int e = entry(queue, number);
    int component = agents.read[queue];
    clocks.join(s, ClockRows.of(model, component), s.heads, s.requests[e + ROW]);
    boolean passed = (s.requests[e + FLAGS] & PASSED) != 0;
    boolean loose = (s.requests[e + FLAGS] & LOOSE) != 0;
    if (!passed) {
      clocks.order(s, agents.place[queue], component);
    }
    if (!passed && !loose) {
      behindArranged(s, queue, ClockRows.of(model, component));
    }
    clocks.advance(s, agents.place[queue]);
    if (!loose) {
      behindLoose(s, queue, component);
    }
    reports.stage(s, queue, number, 2, s.requests[e + SITE], true);
    if (s.requests[e + KIND] == Request.READ_BACK) {
      clocks.readBack(s, component);
    }
    if (s.requests[e + KIND] == Request.READ) {
      if (keys.on) {
        int from = s.requests[e + REMOTE_AT];
        keys.remote(s, queue, number, component, from, s.requests[e + BYTES], -1);
      }
      memory.read(
          s,
          component,
          agents.queuePeer[queue],
          s.requests[e + REMOTE],
          s.requests[e + REMOTE_AT],
          s.requests[e + BYTES],
          s.payload,
          payload(queue, number),
          false,
          -1,
          branch);
    }
    s.requests[e + ROW] = clocks.keep(s, component);
    s.requests[e + STAGE] = 2;
    clocks.advance(s, component);
  }

  /** The oldest request whose result may arrive; -1 if there is none. */
  int fillable(State s, int queue) {
    int h = header(queue);
    for (int n = s.requests[h + RETIRED]; n < s.requests[h + FETCHED]; n++) {
      int e = entry(queue, n);
      if (RequestTable.returns(s.requests[e + KIND]) && s.requests[e + STAGE] == 2) {
        return n;
      }
    }
    return -1;
  }

  /** The result arrives. */
  void fill(State s, int queue, int number) {
    int e = entry(queue, number);
    int component = agents.fill[queue];
    int kind = s.requests[e + KIND];
    if (RequestTable.places(kind)) {
      clocks.order(s, s.requests[e + COMPONENT], component);
      clocks.advance(s, s.requests[e + COMPONENT]);
    }
    clocks.join(s, ClockRows.of(model, component), s.heads, s.requests[e + ROW]);
    reports.stage(s, queue, number, 3, s.requests[e + SITE], true);
    if (kind == Request.READ) {
      if (keys.on) {
        int seen = SeenRows.kept(s.requests[e + CAUSES]);
        int to = s.requests[e + LOCAL_AT];
        keys.local(s, queue, number, component, to, s.requests[e + BYTES], seen);
      }
      fill(s, queue, e, s.payload, payload(queue, number), s.requests[e + BYTES]);
    } else if (kind == Request.CHANGE && s.requests[e + LOCAL] >= 0) {
      Memory.putWord(result, 0, Long.BYTES, s.requestValues[2 * slot(queue, number)]);
      fill(s, queue, e, result, 0, Long.BYTES);
    }
    s.requests[e + STAGE] = 3;
    // Unless a completion was awaited in between, nothing orders two fills of one queue.
    s.settled[component] = Math.min(s.settled[component], clocks.tick(s, component) - 1);
    clocks.advance(s, component);
    retire(s, queue);
  }

  private void fill(State s, int queue, int e, long[] from, int at, int length) {
    int component = agents.fill[queue];
    int rank = agents.rankOf[component];
    int buffer = s.requests[e + LOCAL];
    int to = s.requests[e + LOCAL_AT];
    int seen = SeenRows.kept(s.requests[e + CAUSES]);
    memory.write(s, component, rank, buffer, to, length, from, at, seen);
    dataWords.written(s, component, rank, buffer, to, length, s.requests[e + CAUSES]);
  }

  /** Drops what is done from the front. */
  private void retire(State s, int queue) {
    int h = header(queue);
    while (s.requests[h + RETIRED] < s.requests[h + FETCHED]) {
      int e = entry(queue, s.requests[h + RETIRED]);
      int needed = RequestTable.returns(s.requests[e + KIND]) ? 3 : 2;
      if (s.requests[e + STAGE] < needed) {
        return;
      }
      s.requests[h + RETIRED]++;
    }
  }

  /** Whether what the next place finds depends on when it happens. */
  boolean open(State s, int queue) {
    int number = placeable(s, queue, 0);
    if (number < 0) {
      return false;
    }
    int e = entry(queue, number);
    int kind = s.requests[e + KIND];
    int word = s.requests[e + WORD];
    return kind == Request.CHANGE
        || kind == Request.LOCK
        || kind == Request.COUNT
        || (word >= 0 && model.scan.contended(model.words.kindOf[word]));
  }

  /** Notes the word that the next place changes. */
  void intent(State s, int queue, Footprint into) {
    int number = placeable(s, queue, 0);
    if (number >= 0 && s.requests[entry(queue, number) + WORD] >= 0) {
      into.changed(s.requests[entry(queue, number) + WORD]);
    }
  }

  /** Whether nothing is under way on the queue. */
  boolean idle(State s, int queue) {
    int h = header(queue);
    return s.requests[h + RETIRED] == s.requests[h + POSTED];
  }
}

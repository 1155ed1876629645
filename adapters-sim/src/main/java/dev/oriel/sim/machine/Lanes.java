package dev.oriel.sim.machine;

import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Proxy;
import dev.oriel.domain.window.Comparison;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.code.LaneCode;
import dev.oriel.sim.code.Opcode;
import dev.oriel.sim.code.Opcode.Request;
import dev.oriel.sim.code.Operands;
import dev.oriel.sim.machine.Finding.Kind;
import dev.oriel.sim.replay.Choices;

/**
 * What lanes do. Between steps a lane stands at an instruction that others can notice; what only it
 * can notice is done at once.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class Lanes {
  /** Instructions between two steps: more of them are a loop that never does anything. */
  private static final int MAX_QUIET = 1_000_000;

  /** Why a lane failed that timed out or was told to stop. */
  static final int ABANDONED = -1;

  private static final int RELAXED = Order.RELAXED.ordinal();
  private static final int ACQUIRE = Order.ACQUIRE.ordinal();
  private static final int RELEASE = Order.RELEASE.ordinal();
  private static final int ACQ_REL = Order.ACQ_REL.ordinal();
  private static final int EQ = Comparison.EQ.ordinal();
  private static final int ALIAS = Proxy.ALIAS.ordinal();

  private final Model model;
  private final Agents agents;
  private final Operands operands;
  private final Memory memory;
  private final Clocks clocks;
  private final Words words;
  private final DataWords dataWords;
  private final Queues queues;
  private final Copies copies;
  private final Updates updates;
  private final Sums sums;
  private final Faults faults;
  private final Kept kept;
  private final Reports reports;
  private final Skips skips;
  private final int[] one = new int[1];
  private final long[] word = new long[Long.BYTES];

  Lanes(
      Model model,
      Memory memory,
      Clocks clocks,
      Words words,
      DataWords dataWords,
      Queues queues,
      Copies copies,
      Updates updates,
      Faults faults,
      Kept kept,
      Reports reports) {
    this.kept = kept;
    this.faults = faults;
    this.model = model;
    this.agents = model.agents;
    this.operands = model.code.operands();
    this.memory = memory;
    this.clocks = clocks;
    this.words = words;
    this.dataWords = dataWords;
    this.queues = queues;
    this.copies = copies;
    this.updates = updates;
    this.sums = new Sums(words);
    this.skips = new Skips(model);
    this.reports = reports;
  }

  private long value(State s, int lane, int operand) {
    return operands.value(operand, s.registers, model.firstRegister[lane]);
  }

  private void set(State s, int lane, int register, long value) {
    s.registers[model.firstRegister[lane] + register] = value;
  }

  /** The ranks that an operand names. */
  private int[] ranks(State s, int lane, int ranks) {
    if (ranks >= 0) {
      return model.code.members(ranks);
    }
    one[0] = rank(value(s, lane, ~ranks));
    return one;
  }

  private int rank(long value) {
    if (value < 0 || value >= model.world) {
      throw new FindingException(
          new Finding(
              Kind.BOUNDS,
              "no such rank: rank=%d, world=%d; name one of the world"
                  .formatted(value, model.world)));
    }
    return (int) value;
  }

  private int slot(int owner, int signal, int source, long index) {
    int slot = model.words.slot(owner, signal, source, index);
    if (slot < 0) {
      throw new FindingException(
          new Finding(
              Kind.BOUNDS,
              "slot outside its row: signal=%s, index=%d, count=%d; declare more slots"
                  .formatted(model.signal(signal), index, model.words.slots(owner, signal))));
    }
    return slot;
  }

  /** The lane's queue of that number; -1 where it never posts to one. */
  private int anyQueue(State s, int lane, int peer, int number) {
    int to = rank(value(s, lane, peer));
    return agents.queue(lane, to, kept.oneContext ? 0 : (int) value(s, lane, number));
  }

  private int queue(State s, int lane, int peer, int number) {
    int to = rank(value(s, lane, peer));
    int queue = agents.queue(lane, to, kept.oneContext ? 0 : (int) value(s, lane, number));
    if (queue < 0) {
      throw new MachineException(
          "no queue to that peer: %s, peer=%d; queues are numbered from 0 to %d"
              .formatted(model.laneName(lane), to, agents.queuesToPeer(lane) - 1));
    }
    return queue;
  }

  /** Whether the lane can take its next step. */
  boolean enabled(State s, int lane) {
    if (s.ended[lane] || s.at[lane] < 0) {
      return false;
    }
    int[] ops = model.lane(lane).ops();
    int at = s.at[lane];
    boolean failed = s.failure[lane] != 0;
    if (faults.any && s.aborted[model.rank(lane)] && waits(s, lane)) {
      // Told to stop, a lane goes on with nothing that it waits for: it gives up.
      return false;
    }
    if (updates.any(s, lane) && behindUpdates(s, lane, ops, at)) {
      return false;
    }
    if (kept.waits(ops[at]) && !queues.completedAll(s, lane)) {
      return false;
    }
    return switch (ops[at]) {
      case Opcode.POLL_SLOT -> failed || satisfiable(s, lane, ops, at);
      case Opcode.COPY -> failed || copies.arrived(s, lane, at);
      case Opcode.POLL_WORD ->
          failed
              || words.find(
                      s,
                      dataWords.word(model.rank(lane), ops[at + 1], value(s, lane, ops[at + 2])),
                      lane,
                      ops[at + 3],
                      value(s, lane, ops[at + 4]))
                  >= 0;
      case Opcode.LOCK ->
          failed
              || words.last(
                      s,
                      dataWords.word(
                          ranks(s, lane, ops[at + 2])[0], ops[at + 1], value(s, lane, ops[at + 3])))
                  == 0;
      case Opcode.AWAIT_LANES -> {
        boolean all = true;
        for (int other : model.code.members(ops[at + 1])) {
          all &= s.ended[other];
        }
        yield all;
      }
      case Opcode.AWAIT_QUEUE -> {
        int queue = anyQueue(s, lane, ops[at + 1], ops[at + 2]);
        yield queue < 0 || queues.completed(s, queue);
      }
      case Opcode.POST -> queues.hasRoom(s, s.wantedQueue[lane]);
      default -> true;
    };
  }

  /**
   * The queue that alone decides whether the lane can go on from where it stands; -1 if there is
   * none.
   */
  int heldBy(State s, int lane) {
    int at = s.at[lane];
    if (s.ended[lane] || at < 0) {
      return -1;
    }
    int[] ops = model.lane(lane).ops();
    return switch (ops[at]) {
      case Opcode.POST -> s.wantedQueue[lane];
      case Opcode.AWAIT_QUEUE -> anyQueue(s, lane, ops[at + 1], ops[at + 2]);
      default -> -1;
    };
  }

  /** Whether the lane stands at a request. */
  boolean posts(State s, int lane) {
    return model.lane(lane).ops()[s.at[lane]] == Opcode.POST;
  }

  /** The queue that the lane posts to next: found out once, when it comes to the request. */
  private void aim(State s, int lane, int[] ops, int at) {
    s.wantedQueue[lane] = queue(s, lane, ops[at + 2], ops[at + 3]);
  }

  /** A change that its lane issues and goes on. */
  static boolean posted(int[] ops, int at) {
    return ops[at + 1] < 0 && ops[at + 8] == RELAXED && ops[at + 5] != Atomic.FETCH.ordinal();
  }

  /** Whether the lane's next step comes behind updates of its own that are under way. */
  private boolean behindUpdates(State s, int lane, int[] ops, int at) {
    return switch (ops[at]) {
      case Opcode.FENCE, Opcode.END -> true;
      case Opcode.WRITE_SLOT -> releases(ops[at + 6]) || kept.releases;
      case Opcode.RMW -> {
        boolean any = !posted(ops, at) && releases(ops[at + 8]);
        for (int owner : ranks(s, lane, ops[at + 3])) {
          int word = dataWords.word(owner, ops[at + 2], value(s, lane, ops[at + 4]));
          any |= !posted(ops, at) && updates.any(s, lane, word, 1);
        }
        yield any;
      }
      case Opcode.LOCK -> {
        int owner = ranks(s, lane, ops[at + 2])[0];
        int word = dataWords.word(owner, ops[at + 1], value(s, lane, ops[at + 3]));
        yield updates.any(s, lane, word, 1);
      }
      case Opcode.POLL_WORD, Opcode.STORE ->
          overlaps(s, lane, ops[at + 1], value(s, lane, ops[at + 2]), Long.BYTES);
      case Opcode.LOAD -> overlaps(s, lane, ops[at + 2], value(s, lane, ops[at + 3]), Long.BYTES);
      case Opcode.COPY -> copies.behindUpdates(s, lane, at, updates);
      case Opcode.BULK ->
          copies.meetsUpdates(s, lane, ops, at, 2, updates)
              || copies.meetsUpdates(s, lane, ops, at, 5, updates);
      default -> false;
    };
  }

  private boolean overlaps(State s, int lane, int buffer, long offset, int length) {
    return updates.any(s, lane, model.rank(lane), buffer, offset, length);
  }

  static boolean acquires(int order) {
    return order == ACQUIRE || order == ACQ_REL;
  }

  static boolean releases(int order) {
    return order == RELEASE || order == ACQ_REL;
  }

  /** What an await of one slot waits for does not change while it waits: it is found out once. */
  private void want(State s, int lane, int[] ops, int at) {
    s.wantedSlot[lane] = -1;
    int ranks = ops[at + 3];
    if (ops[at + 4] == 0 && (ranks < 0 || model.code.members(ranks).length == 1)) {
      int source = ranks(s, lane, ranks)[0];
      long index = value(s, lane, ops[at + 2]);
      s.wantedSlot[lane] = slot(model.rank(lane), ops[at + 1], source, index);
      s.wantedValue[lane] = value(s, lane, ops[at + 6]);
    }
  }

  private boolean satisfiable(State s, int lane, int[] ops, int at) {
    if (s.wantedSlot[lane] >= 0) {
      return words.find(s, s.wantedSlot[lane], lane, ops[at + 5], s.wantedValue[lane]) >= 0;
    }
    long index = value(s, lane, ops[at + 2]);
    long expected = value(s, lane, ops[at + 6]);
    int rank = model.rank(lane);
    if (ops[at + 4] == 1) {
      return sums.satisfiable(s, slots(s, lane, ops, at, index), lane, ops[at + 5], expected);
    }
    for (int source : ranks(s, lane, ops[at + 3])) {
      if (words.find(s, slot(rank, ops[at + 1], source, index), lane, ops[at + 5], expected) < 0) {
        return false;
      }
    }
    return true;
  }

  private int[] slots(State s, int lane, int[] ops, int at, long index) {
    int[] sources = ranks(s, lane, ops[at + 3]);
    int[] slots = new int[sources.length];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = slot(model.rank(lane), ops[at + 1], sources[i], index);
    }
    return slots;
  }

  /** Whether what the lane's next step finds depends on when it is taken. */
  boolean open(State s, int lane) {
    int[] ops = model.lane(lane).ops();
    int at = s.at[lane];
    return switch (ops[at]) {
      case Opcode.POLL_SLOT -> ops[at + 4] == 1 || model.scan.uneven(ops[at + 1]);
      case Opcode.READ_SLOT, Opcode.LOCK -> true;
      case Opcode.FENCE -> ops[at + 2] == 1;
      case Opcode.RMW -> !updates.on || !posted(ops, at);
      case Opcode.WRITE_SLOT -> model.scan.contended(ops[at + 1]);
      default -> false;
    };
  }

  /** Notes which words the lane's open step will read or change. */
  void intent(State s, int lane, Footprint into) {
    int[] ops = model.lane(lane).ops();
    int at = s.at[lane];
    switch (ops[at]) {
      case Opcode.POLL_SLOT -> {
        for (int slot : slots(s, lane, ops, at, value(s, lane, ops[at + 2]))) {
          into.read(slot);
        }
      }
      // All strict fences together are one more word.
      case Opcode.FENCE -> into.changed(model.words.count);
      case Opcode.READ_SLOT -> {
        int source = ranks(s, lane, ops[at + 4])[0];
        long index = value(s, lane, ops[at + 3]);
        into.read(slot(model.rank(lane), ops[at + 2], source, index));
      }
      case Opcode.WRITE_SLOT -> {
        long index = value(s, lane, ops[at + 2]);
        for (int owner : ranks(s, lane, ops[at + 3])) {
          into.changed(slot(owner, ops[at + 1], model.rank(lane), index));
        }
      }
      case Opcode.RMW -> {
        for (int owner : ranks(s, lane, ops[at + 3])) {
          int word = dataWords.word(owner, ops[at + 2], value(s, lane, ops[at + 4]));
          if (ops[at + 5] == Atomic.FETCH.ordinal()) {
            into.read(word);
          } else {
            into.changed(word);
          }
        }
      }
      case Opcode.LOCK -> {
        int owner = ranks(s, lane, ops[at + 2])[0];
        into.changed(dataWords.word(owner, ops[at + 1], value(s, lane, ops[at + 3])));
      }
      default -> {}
    }
  }

  /** Begins a launch of the lane. */
  void begin(State s, int lane) {
    s.at[lane] = 0;
    s.failure[lane] = 0;
    s.ended[lane] = false;
    s.registers[model.firstRegister[lane] + LaneCode.EPOCH]++;
    clocks.begin(s, lane, agents.caller[model.rank(lane)]);
    settle(s, lane);
  }

  /** Whether some way to make up a sum was left out. */
  boolean sumsCut() {
    return sums.cut();
  }

  /** Whether the lane stands at something that it waits for. */
  boolean waits(State s, int lane) {
    if (s.ended[lane] || s.at[lane] < 0) {
      return false;
    }
    int op = model.lane(lane).ops()[s.at[lane]];
    return op == Opcode.POLL_SLOT
        || op == Opcode.POLL_WORD
        || op == Opcode.COPY
        || op == Opcode.LOCK
        || op == Opcode.AWAIT_QUEUE;
  }

  /** Whether the lane stands at a lock. */
  boolean locks(State s, int lane) {
    return model.scan.anyLock && model.lane(lane).ops()[s.at[lane]] == Opcode.LOCK;
  }

  /** Ends the lane's launch before its end: nothing that others can notice happens any more. */
  void abandon(State s, int lane) {
    s.failure[lane] = ABANDONED;
    s.ended[lane] = true;
  }

  /** Whether the lane has nothing left to do but to end its launch. */
  boolean idle(State s, int lane) {
    int at = s.at[lane];
    return !s.ended[lane] && at >= 0 && model.lane(lane).ops()[at] == Opcode.END;
  }

  /** Begins the lane's steps anew in the same launch, its first words behind the epoch changed. */
  void call(State s, int lane, long[] values) {
    System.arraycopy(
        values, 0, s.registers, model.firstRegister[lane] + LaneCode.EPOCH + 1, values.length);
    s.at[lane] = 0;
    settle(s, lane);
  }

  /** Leaves out what is left of the lane's steps. */
  void endCall(State s, int lane) {
    s.at[lane] = model.lane(lane).end();
  }

  /** Takes the lane's next step, which is enabled. */
  void step(State s, int lane, Choices branch) {
    LaneCode code = model.lane(lane);
    int[] ops = code.ops();
    int at = s.at[lane];
    boolean failed = s.failure[lane] != 0;
    reports.step(s, lane, at);
    if (kept.waits(ops[at])) {
      queues.awaitAll(s, lane);
    }
    if (kept.storesInOrder) {
      clocks.storesInOrder(s, lane);
    }
    switch (ops[at]) {
      case Opcode.COPY -> {
        if (!failed) {
          copies.copy(s, lane, at, branch);
        }
      }
      case Opcode.BULK -> {
        if (!failed) {
          if (kept.bulkOrdered) {
            clocks.orderBulk(s, lane);
          }
          copies.bulk(s, lane, at, branch);
          if (kept.unitsEnd) {
            clocks.bulkEnded(s, lane);
          }
        }
      }
      case Opcode.WRITE_SLOT -> writeSlot(s, lane, ops, at);
      case Opcode.POLL_SLOT -> {
        if (!failed) {
          pollSlot(s, lane, ops, at, branch);
        }
        if (kept.acquires) {
          clocks.consist(s, lane);
        }
      }
      case Opcode.AWAIT_LANES -> {
        for (int other : model.code.members(ops[at + 1])) {
          clocks.joined(s, other, lane);
        }
      }
      case Opcode.LOAD -> load(s, lane, ops, at, branch);
      case Opcode.STORE -> {
        if (!failed) {
          store(s, lane, ops, at);
        }
      }
      case Opcode.READ_SLOT -> readSlot(s, lane, ops, at, branch);
      case Opcode.RMW -> {
        if (!failed) {
          rmw(s, lane, ops, at, branch);
        }
      }
      case Opcode.POLL_WORD -> {
        if (!failed) {
          pollWord(s, lane, ops, at);
        }
      }
      case Opcode.LOCK -> {
        if (!failed) {
          lock(s, lane, ops, at);
        }
      }
      case Opcode.POST -> post(s, lane, ops, at, failed);
      case Opcode.FENCE -> fence(s, lane, ops, at);
      case Opcode.AWAIT_QUEUE -> {
        int queue = anyQueue(s, lane, ops[at + 1], ops[at + 2]);
        if (queue >= 0) {
          queues.await(s, queue);
        }
      }
      case Opcode.END -> {
        updates.over(s, lane);
        s.ended[lane] = true;
        return;
      }
      default -> throw new AssertionError("no step: opcode=" + ops[at]);
    }
    if (kept.acquiresAll) {
      clocks.consist(s, lane);
    }
    if (kept.syncs) {
      clocks.barrier(s, lane);
    }
    s.at[lane] = code.next(at);
    settle(s, lane);
  }

  /** Goes on to the next instruction that others can notice. */
  private void settle(State s, int lane) {
    LaneCode code = model.lane(lane);
    int[] ops = code.ops();
    for (int i = 0; i < MAX_QUIET; i++) {
      int at = skips.from(lane, s.at[lane]);
      int next = code.next(at);
      s.at[lane] = at;
      switch (ops[at]) {
        case Opcode.JUMP -> next = ops[at + 1];
        case Opcode.UNLESS -> next = holds(s, lane, ops, at + 1) ? next : ops[next - 1];
        case Opcode.UNLESS_KIND -> {
          int peer = rank(value(s, lane, ops[at + 1]));
          next = model.kind(model.rank(lane), peer) == ops[at + 2] ? next : ops[at + 3];
        }
        case Opcode.SET -> set(s, lane, ops[at + 1], value(s, lane, ops[at + 2]));
        case Opcode.CHECK -> {
          if (s.failure[lane] == 0 && !holds(s, lane, ops, at + 1)) {
            s.failure[lane] = ops[next - 1];
          }
        }
        case Opcode.BAR -> clocks.barrier(s, lane);
        case Opcode.FENCE -> {
          if (updates.any(s, lane) || ops[at + 2] == 1) {
            return;
          }
          fence(s, lane, ops, at);
        }
        case Opcode.CONSIST -> clocks.consist(s, lane);
        case Opcode.AWAIT_BULK -> clocks.bulkEnded(s, lane);
        case Opcode.PROXY -> {
          if (ops[at + 1] == ALIAS) {
            clocks.orderNamesOf(s, lane);
          } else {
            clocks.orderBulk(s, lane);
          }
        }
        case Opcode.POLL_SLOT -> {
          want(s, lane, ops, at);
          return;
        }
        case Opcode.POST -> {
          aim(s, lane, ops, at);
          return;
        }
        default -> {
          return;
        }
      }
      s.at[lane] = next;
    }
    throw new Endless();
  }

  private void fence(State s, int lane, int[] ops, int at) {
    updates.over(s, lane);
    if (ops[at + 2] == 1) {
      words.footprint.changed(model.words.count);
      clocks.strictFence(s, lane, ops[at + 1]);
    } else {
      clocks.fence(s, lane, model.level(ops[at + 1]));
    }
  }

  private boolean holds(State s, int lane, int[] ops, int conditions) {
    for (int i = 0, at = conditions + 1; i < ops[conditions]; i++, at += 3) {
      if (!Operands.compares(ops[at], value(s, lane, ops[at + 1]), value(s, lane, ops[at + 2]))) {
        return false;
      }
    }
    return true;
  }

  private void writeSlot(State s, int lane, int[] ops, int at) {
    boolean releases = ops[at + 6] == RELEASE || ops[at + 6] == ACQ_REL || kept.releases;
    if (releases) {
      updates.over(s, lane);
    }
    if (kept.releases) {
      clocks.barrier(s, lane);
    }
    int leader = agents.leader[lane];
    long index = value(s, lane, ops[at + 2]);
    long value = value(s, lane, ops[at + 5]);
    int causes = clocks.causes(s, lane, false);
    for (int owner : ranks(s, lane, ops[at + 3])) {
      int slot = slot(owner, ops[at + 1], model.rank(lane), index);
      words.laneHeads(s, lane, ops[at + 7], releases);
      boolean set = ops[at + 4] == 0;
      Atomic change = set ? Atomic.SET : Atomic.ADD;
      words.write(s, leader, slot, change.ordinal(), value, 0, ops[at + 7], causes, set);
    }
    clocks.advance(s, leader);
  }

  private void pollSlot(State s, int lane, int[] ops, int at, Choices branch) {
    boolean acquire = ops[at + 7] == ACQUIRE || ops[at + 7] == ACQ_REL || kept.acquires;
    clocks.awaited(s, lane, false);
    if (s.wantedSlot[lane] >= 0) {
      takeSlot(s, lane, ops, at, s.wantedSlot[lane], s.wantedValue[lane], acquire, branch);
      return;
    }
    long index = value(s, lane, ops[at + 2]);
    long expected = value(s, lane, ops[at + 6]);
    if (ops[at + 4] == 1) {
      int[] slots = slots(s, lane, ops, at, index);
      int[] chosen = sums.choose(s, slots, lane, ops[at + 5], expected, branch);
      for (int i = 0; i < slots.length; i++) {
        words.takePart(s, slots[i], chosen[i], lane, acquire, ops[at + 8]);
      }
      return;
    }
    for (int source : ranks(s, lane, ops[at + 3])) {
      int slot = slot(model.rank(lane), ops[at + 1], source, index);
      takeSlot(s, lane, ops, at, slot, expected, acquire, branch);
    }
  }

  private void takeSlot(
      State s,
      int lane,
      int[] ops,
      int at,
      int slot,
      long expected,
      boolean acquire,
      Choices branch) {
    int which =
        model.scan.uneven(ops[at + 1])
            ? branch.choose(words.satisfying(s, slot, lane, ops[at + 5], expected))
            : 0;
    words.take(s, slot, lane, ops[at + 5], expected, acquire, ops[at + 8], which);
  }

  private void load(State s, int lane, int[] ops, int at, Choices branch) {
    long value = 0;
    if (s.failure[lane] == 0) {
      clocks.move(s, lane);
      int width = ops[at + 4];
      int seen = SeenRows.worker(model, lane);
      long offset = value(s, lane, ops[at + 3]);
      memory.read(
          s,
          agents.worker[lane],
          model.rank(lane),
          ops[at + 2],
          offset,
          width,
          word,
          0,
          kept.acquiresAll,
          seen,
          branch);
      value = Memory.word(word, 0, width);
      if (Long.compareUnsigned(value, value(s, lane, ops[at + 5])) > 0) {
        s.failure[lane] = ops[at + 6];
        value = 0;
      }
    }
    set(s, lane, ops[at + 1], value);
  }

  private void store(State s, int lane, int[] ops, int at) {
    int width = ops[at + 3];
    long offset = value(s, lane, ops[at + 2]);
    Memory.putWord(word, 0, width, value(s, lane, ops[at + 4]));
    int leader = agents.leader[lane];
    int rank = model.rank(lane);
    int seen = SeenRows.leader(model, lane);
    memory.write(s, leader, rank, ops[at + 1], offset, width, word, 0, seen);
    int causes = clocks.causes(s, lane, false);
    dataWords.written(s, leader, rank, ops[at + 1], (int) offset, width, causes);
  }

  private void readSlot(State s, int lane, int[] ops, int at, Choices branch) {
    int source = ranks(s, lane, ops[at + 4])[0];
    int slot = slot(model.rank(lane), ops[at + 2], source, value(s, lane, ops[at + 3]));
    set(s, lane, ops[at + 1], any(s, slot, lane, ops[at + 5], ops[at + 6], branch));
  }

  /** Reads a word as it may happen to be: any value that the lane may still find. */
  private long any(State s, int slot, int lane, int order, int scope, Choices branch) {
    // In one total order nobody finds what has been overwritten.
    boolean newest = model.profile.ordered() || kept.acquiresAll;
    int oldest = newest ? words.count(s, slot) - 1 : words.oldest(s, slot, lane);
    int found = oldest + branch.choose(words.count(s, slot) - oldest);
    long value = words.value(s, slot, found);
    boolean acquire = order == ACQUIRE || order == ACQ_REL || kept.acquiresAll;
    words.takeAny(s, slot, found, lane, acquire, scope);
    return value;
  }

  private void rmw(State s, int lane, int[] ops, int at, Choices branch) {
    int change = ops[at + 5];
    if (change == Atomic.FETCH.ordinal()) {
      int owner = ranks(s, lane, ops[at + 3])[0];
      int source = dataWords.word(owner, ops[at + 2], value(s, lane, ops[at + 4]));
      int seen = SeenRows.leader(model, lane);
      dataWords.touched(s, agents.leader[lane], source, false, seen);
      set(s, lane, ops[at + 1], any(s, source, lane, ops[at + 8], ops[at + 9], branch));
      return;
    }
    int leader = agents.leader[lane];
    int order = ops[at + 8];
    long value = value(s, lane, ops[at + 6]);
    long compare = value(s, lane, ops[at + 7]);
    if (updates.on && posted(ops, at)) {
      for (int owner : ranks(s, lane, ops[at + 3])) {
        int target = dataWords.word(owner, ops[at + 2], value(s, lane, ops[at + 4]));
        dataWords.touched(s, leader, target, true, SeenRows.leader(model, lane));
        updates.issue(s, lane, target, change, value, compare, ops[at + 9]);
      }
      clocks.advance(s, leader);
      return;
    }
    if (releases(order)) {
      updates.over(s, lane);
    }
    long old = 0;
    for (int owner : ranks(s, lane, ops[at + 3])) {
      int target = dataWords.word(owner, ops[at + 2], value(s, lane, ops[at + 4]));
      dataWords.touched(s, leader, target, true, SeenRows.leader(model, lane));
      words.takeAny(
          s,
          target,
          words.count(s, target) - 1,
          lane,
          order == ACQUIRE || order == ACQ_REL,
          ops[at + 9]);
      words.laneHeads(s, lane, ops[at + 9], order == RELEASE || order == ACQ_REL);
      int causes = clocks.causes(s, lane, false);
      old = words.write(s, leader, target, change, value, compare, ops[at + 9], causes, false);
      dataWords.changed(s, target);
    }
    clocks.advance(s, leader);
    if (ops[at + 1] >= 0) {
      set(s, lane, ops[at + 1], old);
    }
  }

  private void pollWord(State s, int lane, int[] ops, int at) {
    int target = dataWords.word(model.rank(lane), ops[at + 1], value(s, lane, ops[at + 2]));
    dataWords.touched(s, agents.leader[lane], target, false, SeenRows.leader(model, lane));
    boolean acquire = ops[at + 5] == ACQUIRE || ops[at + 5] == ACQ_REL || kept.acquiresAll;
    clocks.awaited(s, lane, false);
    words.take(s, target, lane, ops[at + 3], value(s, lane, ops[at + 4]), acquire, ops[at + 6]);
  }

  private void lock(State s, int lane, int[] ops, int at) {
    int leader = agents.leader[lane];
    int owner = ranks(s, lane, ops[at + 2])[0];
    int target = dataWords.word(owner, ops[at + 1], value(s, lane, ops[at + 3]));
    dataWords.touched(s, leader, target, true, SeenRows.leader(model, lane));
    int scope = ops[at + 4];
    words.takeAny(s, target, words.count(s, target) - 1, lane, true, scope);
    words.laneHeads(s, lane, scope, false);
    int causes = clocks.causes(s, lane, false);
    int set = Atomic.SET.ordinal();
    words.write(s, leader, target, set, 1, 0, scope, causes, false);
    Words.locked(s, target);
    dataWords.changed(s, target);
    clocks.advance(s, leader);
  }

  private void post(State s, int lane, int[] ops, int at, boolean failed) {
    int kind = ops[at + 1];
    if (failed && movesOrChanges(kind)) {
      return;
    }
    int queue = s.wantedQueue[lane];
    int peer = agents.queuePeer[queue];
    if (kind == Request.SLOT && kept.releases) {
      clocks.barrier(s, lane);
      clocks.fence(s, lane, model.levels - 1);
    }
    int e = queues.post(s, queue, kind, ops[at + 4] == 1, ops[at + 5] == 1, at);
    int a = at + 6;
    switch (kind) {
      case Request.WRITE, Request.READ -> transfer(s, lane, peer, e, ops, a);
      case Request.SLOT -> {
        slotChange(s, lane, peer, queue, e, ops, a);
        queues.covers(s, queue, e, releases(ops[a + 4]) || kept.releases, ops[a + 5]);
      }
      case Request.WRITE_AND_SIGNAL -> {
        transfer(s, lane, peer, e, ops, a);
        slotChange(s, lane, peer, queue, e, ops, a + 5);
      }
      case Request.CHANGE -> {
        s.requests[e + RequestTable.LOCAL] = ops[a];
        if (ops[a] >= 0) {
          long to = value(s, lane, ops[a + 1]);
          s.requests[e + RequestTable.LOCAL_AT] =
              memory.checked(model.rank(lane), ops[a], to, Long.BYTES);
        }
        s.requests[e + RequestTable.WORD] =
            dataWords.word(peer, ops[a + 2], value(s, lane, ops[a + 3]));
        s.requests[e + RequestTable.CHANGE] = ops[a + 4];
        queues.operands(s, queue, value(s, lane, ops[a + 5]), value(s, lane, ops[a + 6]));
      }
      case Request.COUNT -> {
        s.requests[e + RequestTable.WORD] =
            dataWords.word(model.rank(lane), ops[a], value(s, lane, ops[a + 1]));
        s.requests[e + RequestTable.CHANGE] = Atomic.ADD.ordinal();
        queues.operands(s, queue, 1, 0);
      }
      case Request.LOCK -> {
        s.requests[e + RequestTable.WORD] =
            dataWords.word(peer, ops[a], value(s, lane, ops[a + 1]));
        s.requests[e + RequestTable.CHANGE] = Atomic.SET.ordinal();
        queues.operands(s, queue, 1, 0);
      }
      default -> {}
    }
  }

  /** What a failed lane posts no more: it still signals, and still tells when all has ended. */
  private static boolean movesOrChanges(int kind) {
    return switch (kind) {
      case Request.WRITE, Request.READ, Request.CHANGE, Request.LOCK, Request.COUNT -> true;
      default -> false;
    };
  }

  private void transfer(State s, int lane, int peer, int e, int[] ops, int a) {
    long length = s.failure[lane] == 0 ? value(s, lane, ops[a + 4]) : 0;
    s.requests[e + RequestTable.LOCAL] = ops[a];
    s.requests[e + RequestTable.LOCAL_AT] =
        memory.checked(model.rank(lane), ops[a], value(s, lane, ops[a + 1]), length);
    s.requests[e + RequestTable.REMOTE] = ops[a + 2];
    s.requests[e + RequestTable.REMOTE_AT] =
        memory.checked(peer, ops[a + 2], value(s, lane, ops[a + 3]), length);
    queues.bytes(s, e, (int) length);
  }

  private void slotChange(State s, int lane, int peer, int queue, int e, int[] ops, int a) {
    int rank = model.rank(lane);
    s.requests[e + RequestTable.WORD] = slot(peer, ops[a], rank, value(s, lane, ops[a + 1]));
    s.requests[e + RequestTable.CHANGE] =
        ops[a + 2] == 0 ? Atomic.SET.ordinal() : Atomic.ADD.ordinal();
    queues.operands(s, queue, value(s, lane, ops[a + 3]), 0);
  }

  /** Whether packets with that flag, so compared, satisfy a move. */
  static int packetComparison() {
    return EQ;
  }
}

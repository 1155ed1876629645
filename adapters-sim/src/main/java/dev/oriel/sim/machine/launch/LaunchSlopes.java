package dev.oriel.sim.machine.launch;

import dev.oriel.domain.program.Atomic;
import dev.oriel.sim.code.CopyLayout;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.LaneOpcode.Request;
import dev.oriel.sim.code.OperandTable;
import dev.oriel.sim.machine.layout.MachineModel;
import java.util.BitSet;
import java.util.Optional;

/**
 * How values depend on the number of the launch: the slope of each register, signal and buffer of
 * words. A slope is the amount by which the value is greater one period of launches later, when
 * everything else is the same.
 *
 * <p>Every instruction must preserve this: executed with all values moved by their slopes, it does
 * the same, with its results moved by theirs. Sums and differences have the sum and the difference
 * of the slopes. Both sides of a comparison, and all values of one word, have equal slopes.
 * Addresses, sizes, ranks and amounts that an atomic adds have slope 0. A remainder has slope 0 if
 * its divisor divides the slope. The smallest period is taken for which all this holds.
 *
 * <p>A comparison of the epoch with a constant always has the same result after some launches.
 * These launches are counted in {@link #settled}, and slopes describe the launches after them.
 *
 * <p>Values are assumed not to wrap: a flag of 32 bits in 2^16 launches, other values in 2^31. What
 * may wrap sooner has no slope.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class LaunchSlopes {
  private static final int MAX_PERIOD = 12;
  private static final int ADD = Atomic.ADD.ordinal();
  private static final int CAS = Atomic.CAS.ordinal();
  private static final int FETCH = Atomic.FETCH.ordinal();

  /**
   * Growth that was seen in one period of launches. Any guess is safe, as all rules are checked.
   */
  public interface Guess {
    long register(int lane, int number, int period);

    long word(int number, int period);
  }

  private final MachineModel model;
  private final OperandTable operands;
  private final Guess guess;
  private final LaneDefinitions[] lanes;
  private final WordUses uses;
  private final SlopeVariables variables;

  /** Slots and packets that hold 0 until they are set, and are only compared with more than 0. */
  private final BitSet zeroStays = new BitSet();

  /** Kinds of words none of which is in {@link #zeroStays}. */
  private final BitSet exact = new BitSet();

  private LaunchSlopes(MachineModel model, LaneDefinitions[] lanes, int period, Guess guess) {
    this.model = model;
    this.lanes = lanes;
    this.guess = guess;
    operands = model.code.operands();
    uses = new WordUses(model, lanes, SlopeVariables.MAX_SETTLED + 2 * period);
    variables = new SlopeVariables(model, lanes, period);
    for (int w = 0; w < model.words.count; w++) {
      zeroStays.set(w, model.words.kindOf[w] < model.words.signals + model.buffers);
    }
  }

  /**
   * The slopes of the smallest period for which there are any; or the reason why there are none.
   */
  public record Result(Optional<LaunchSlopes> slopes, String against) {}

  /** Looks for slopes. */
  public static Result of(MachineModel model, Guess guess) {
    LaneDefinitions[] lanes = new LaneDefinitions[model.lanes];
    for (int l = 0; l < lanes.length; l++) {
      lanes[l] = new LaneDefinitions(model, l);
    }
    String against = "";
    for (int period = 1; period <= MAX_PERIOD; period++) {
      try {
        LaunchSlopes found = new LaunchSlopes(model, lanes, period, guess);
        found.solve();
        return new Result(Optional.of(found), "");
      } catch (SlopeConflictException e) {
        against = against.isEmpty() ? String.valueOf(e.getMessage()) : against;
      }
    }
    return new Result(Optional.empty(), against);
  }

  /** The number of launches after which values have moved by their slopes. */
  public int period() {
    return variables.period;
  }

  /** The number of first launches that slopes do not describe. */
  public int settled() {
    return variables.settled();
  }

  /** The slope of the register of that number, among those of all lanes. */
  public long register(int number) {
    return variables.slope(number);
  }

  /** Whether values of the register must be positive to keep their order. */
  public boolean registerOrdered(int number) {
    return variables.ordered(number);
  }

  /** The slope of values of the word: a slot, a packet's flag or a word of a buffer. */
  public long word(int word) {
    if (model.words.kindOf[word] < model.words.signals) {
      return uses.written.get(word) ? variables.slope(variable(word)) : 0;
    }
    return model.words.isPacket(model, word)
        ? variables.slope(variable(word))
        : byteWord(model.words.owner[word], bufferOf(word), model.words.offset[word]);
  }

  /** Whether values of the word must be positive to keep their order. */
  public boolean wordOrdered(int word) {
    return variables.ordered(variable(word));
  }

  private int variable(int word) {
    int kind = model.words.kindOf[word];
    return kind < model.words.signals ? variables.signal(kind) : variables.buffer(bufferOf(word));
  }

  private int bufferOf(int word) {
    return (model.words.kindOf[word] - model.words.signals) % model.buffers;
  }

  /** The slope of flags of packets in the buffer, or of words that hold values of registers. */
  public long buffer(int buffer) {
    return variables.slope(variables.buffer(buffer));
  }

  /** Whether values of words of the buffer must be positive to keep their order. */
  public boolean bufferOrdered(int buffer) {
    return variables.ordered(variables.buffer(buffer));
  }

  /** The slope of the aligned word at that offset of a rank's buffer of plain words. */
  public long byteWord(int rank, int buffer, int offset) {
    return uses.valued(rank, buffer, offset) ? buffer(buffer) : 0;
  }

  /** Whether a 0 that was there from the beginning means the same in every launch. */
  public boolean zeroStays(int word) {
    return zeroStays.get(word);
  }

  /** Whether the lane may read the packet. */
  public boolean mayRead(int packet, int lane) {
    return uses.mayRead(packet, lane);
  }

  /** Whether values that grow are written to a buffer of the caller. */
  public boolean reachesCaller() {
    boolean any = false;
    for (int b = 0; b < model.buffers; b++) {
      any |= model.space(b).callers() && buffer(b) != 0;
    }
    return any;
  }

  private void solve() {
    propagate();
    for (int v = 0; v < variables.count(); v++) {
      if (!variables.known(v)) {
        variables.is(v, guessed(v));
        propagate();
      }
    }
    variables.judge();
    propagate();
    if (settled() > SlopeVariables.MAX_SETTLED) {
      throw new SlopeConflictException(
          "comparisons with constants settle only after more than %d launches"
              .formatted(SlopeVariables.MAX_SETTLED));
    }
  }

  private void propagate() {
    do {
      for (int l = 0; l < model.lanes; l++) {
        lane(l);
      }
    } while (variables.changed());
  }

  private long guessed(int variable) {
    if (variable < model.registers) {
      int lane = model.lanes - 1;
      while (model.firstRegister[lane] > variable) {
        lane--;
      }
      return guess.register(lane, variable - model.firstRegister[lane], period());
    }
    long growth = 0;
    for (int w = 0; w < model.words.count && growth == 0; w++) {
      growth = variable(w) == variable ? guess.word(w, period()) : 0;
    }
    return growth;
  }

  private void lane(int l) {
    int[] ops = model.lane(l).ops();
    BitSet reached = lanes[l].reached;
    for (int at = reached.nextSetBit(0); at >= 0; at = reached.nextSetBit(at + 1)) {
      try {
        instruction(l, ops, at);
      } catch (SlopeConflictException e) {
        throw new SlopeConflictException(
            "'%s' of %s: %s".formatted(text(l, at), model.laneName(l), e.getMessage()));
      }
    }
  }

  private String text(int lane, int at) {
    int place = at;
    while (place > 0 && model.lane(lane).text(place).isEmpty()) {
      place--;
    }
    return model.lane(lane).text(place);
  }

  private void instruction(int l, int[] ops, int at) {
    switch (ops[at]) {
      case LaneOpcode.UNLESS, LaneOpcode.CHECK -> {
        for (int i = 0; i < ops[at + 1]; i++) {
          int term = at + 2 + 3 * i;
          variables.compare(l, ops[term], ops[term + 1], ops[term + 2]);
        }
      }
      case LaneOpcode.UNLESS_KIND -> variables.fixed(l, ops[at + 1]);
      case LaneOpcode.SET -> variables.equal(l, variables.register(l, ops[at + 1]), ops[at + 2]);
      case LaneOpcode.COPY -> copy(l, ops, at);
      case LaneOpcode.WRITE_SLOT -> {
        ranks(l, ops[at + 3]);
        slot(l, ops[at + 1], ops[at + 2], ops[at + 4], ops[at + 5]);
      }
      case LaneOpcode.POLL_SLOT -> poll(l, ops, at);
      case LaneOpcode.LOAD -> load(l, ops, at);
      case LaneOpcode.STORE -> store(l, ops, at);
      case LaneOpcode.READ_SLOT -> read(l, ops, at);
      case LaneOpcode.RMW -> {
        variables.fixed(l, ops[at + 4]);
        ranks(l, ops[at + 3]);
        int buffer = variables.buffer(ops[at + 2]);
        change(l, buffer, ops[at + 5], ops[at + 6], ops[at + 7]);
        if (ops[at + 1] >= 0) {
          variables.unify(variables.register(l, ops[at + 1]), buffer);
        }
      }
      case LaneOpcode.POLL_WORD -> {
        variables.fixed(l, ops[at + 2]);
        int buffer = variables.buffer(ops[at + 1]);
        variables.compared(l, ops[at + 3], buffer, ops[at + 4]);
        variables.equal(l, buffer, ops[at + 4]);
      }
      case LaneOpcode.LOCK -> {
        variables.fixed(l, ops[at + 3]);
        ranks(l, ops[at + 2]);
        variables.is(variables.buffer(ops[at + 1]), 0);
      }
      case LaneOpcode.POST -> post(l, ops, at);
      case LaneOpcode.AWAIT_QUEUE -> {
        variables.fixed(l, ops[at + 1]);
        variables.fixed(l, ops[at + 2]);
      }
      case LaneOpcode.BULK -> {
        variables.fixed(l, ops[at + 1]);
        for (int end : new int[] {at + 2, at + 5}) {
          ranks(l, ops[end + 1]);
          plain(l, ops[end], ops[end + 1], ops[end + 2], ops[at + 1]);
        }
      }
      default -> {}
    }
  }

  private void ranks(int l, int ranks) {
    if (ranks < 0) {
      variables.fixed(l, ~ranks);
    }
  }

  private void copy(int l, int[] ops, int at) {
    variables.fixed(l, ops[at + 1]);
    for (int d = 0; d < CopyLayout.destinations(ops, at); d++) {
      end(l, ops, CopyLayout.destination(at, d), ops[at + 1]);
    }
    for (int s = 0; s < CopyLayout.sources(ops, at); s++) {
      end(l, ops, CopyLayout.source(ops, at, s), ops[at + 1]);
    }
    for (int i = 0; i < CopyLayout.hookOperands(ops, at); i++) {
      variables.fixed(l, ops[CopyLayout.hookOperand(ops, at, i)]);
    }
  }

  private void end(int l, int[] ops, int place, int bytes) {
    int buffer = ops[place + CopyLayout.BUFFER];
    int flag = ops[place + CopyLayout.FLAG];
    ranks(l, ops[place + CopyLayout.RANKS]);
    if (ops[place + CopyLayout.FORMAT] < 0) {
      plain(l, buffer, ops[place + CopyLayout.RANKS], ops[place + CopyLayout.OFFSET], bytes);
      return;
    }
    variables.fixed(l, ops[place + CopyLayout.OFFSET]);
    variables.equal(l, variables.buffer(buffer), flag);
    if (Math.abs(buffer(buffer)) > OperandTable.FASTEST_FLAG) {
      throw new SlopeConflictException("flags of packets grow so fast that they wrap soon");
    }
    if (!variables.aboveZero(l, flag)) {
      exact(model.words.signals + model.base[buffer]);
    }
  }

  /** Words of that kind are compared with more than values above 0: a 0 is a number like others. */
  private void exact(int kind) {
    if (exact.get(kind)) {
      return;
    }
    exact.set(kind);
    for (int w = 0; w < model.words.count; w++) {
      if (model.words.kindOf[w] == kind) {
        zeroStays.clear(w);
      }
    }
  }

  /** Bytes that are moved as they are: no values that grow are among them. */
  private void plain(int l, int buffer, int owners, int offset, int bytes) {
    variables.fixed(l, offset);
    if (model.scan.format[model.base[buffer]] >= 0 || buffer(buffer) == 0) {
      return;
    }
    for (int owner : model.code.mayName(owners)) {
      int[] range = uses.range(owner, buffer, offset, operands.always(bytes, -1));
      if (uses.anyValued(owner, buffer, range)) {
        throw new SlopeConflictException(
            "words of %s grow from launch to launch, and a copy moves them together with other bytes"
                .formatted(model.buffer(buffer)));
      }
    }
  }

  private void post(int l, int[] ops, int at) {
    variables.fixed(l, ops[at + 2]);
    variables.fixed(l, ops[at + 3]);
    int to = ~ops[at + 2];
    int own = ~operands.constant(model.rank(l));
    int a = at + 6;
    switch (ops[at + 1]) {
      case Request.WRITE, Request.READ, Request.WRITE_AND_SIGNAL -> {
        variables.fixed(l, ops[a + 4]);
        packets(ops[a], ops[a + 2]);
        plain(l, ops[a], own, ops[a + 1], ops[a + 4]);
        plain(l, ops[a + 2], to, ops[a + 3], ops[a + 4]);
        if (ops[at + 1] == Request.WRITE_AND_SIGNAL) {
          slot(l, ops[a + 5], ops[a + 6], ops[a + 7], ops[a + 8]);
        }
      }
      case Request.SLOT -> slot(l, ops[a], ops[a + 1], ops[a + 2], ops[a + 3]);
      case Request.CHANGE -> {
        int buffer = variables.buffer(ops[a + 2]);
        variables.fixed(l, ops[a + 3]);
        change(l, buffer, ops[a + 4], ops[a + 5], ops[a + 6]);
        if (ops[a] >= 0) {
          variables.fixed(l, ops[a + 1]);
          variables.unify(variables.buffer(ops[a]), buffer);
        }
      }
      case Request.LOCK -> {
        variables.fixed(l, ops[a + 1]);
        variables.is(variables.buffer(ops[a]), 0);
      }
      case Request.COUNT -> variables.fixed(l, ops[a + 1]);
      default -> {}
    }
  }

  /** A request moves packets with their flags. */
  private void packets(int one, int other) {
    boolean packets = model.scan.format[model.base[one]] >= 0;
    if (packets != model.scan.format[model.base[other]] >= 0) {
      variables.is(variables.buffer(one), 0);
      variables.is(variables.buffer(other), 0);
    } else if (packets) {
      variables.unify(variables.buffer(one), variables.buffer(other));
    }
  }

  private void slot(int l, int signal, int index, int change, int value) {
    variables.fixed(l, index);
    if (change == 0) {
      variables.equal(l, variables.signal(signal), value);
    } else {
      variables.added(l, variables.signal(signal), value);
      exact(signal);
    }
  }

  private void poll(int l, int[] ops, int at) {
    int signal = ops[at + 1];
    int variable = variables.signal(signal);
    variables.fixed(l, ops[at + 2]);
    ranks(l, ops[at + 3]);
    variables.compared(l, ops[at + 5], variable, ops[at + 6]);
    BitSet slots = uses.read(model.rank(l), signal, ops[at + 3], ops[at + 2]);
    BitSet written = (BitSet) slots.clone();
    written.and(uses.written);
    if (ops[at + 4] == 1) {
      exact(signal);
      boolean known =
          operands.always(ops[at + 2], -1) >= 0
              && (ops[at + 3] >= 0 || model.code.mayName(ops[at + 3]).length == 1);
      if (!known) {
        variables.is(variable, 0);
      }
      variables.sum(l, variable, written.cardinality(), ops[at + 6]);
      return;
    }
    variables.equal(l, variable, ops[at + 6]);
    boolean above = variables.aboveZero(l, ops[at + 6]);
    if (!above) {
      zeroStays.andNot(slots);
    }
    if (!above && !written.equals(slots)) {
      variables.is(variable, 0);
    }
  }

  private void read(int l, int[] ops, int at) {
    int signal = ops[at + 2];
    variables.fixed(l, ops[at + 3]);
    ranks(l, ops[at + 4]);
    variables.unify(variables.register(l, ops[at + 1]), variables.signal(signal));
    exact(signal);
    BitSet slots = uses.read(model.rank(l), signal, ops[at + 4], ops[at + 3]);
    slots.andNot(uses.written);
    if (!slots.isEmpty()) {
      variables.is(variables.signal(signal), 0);
    }
  }

  private void load(int l, int[] ops, int at) {
    int buffer = ops[at + 2];
    int variable = variables.buffer(buffer);
    variables.fixed(l, ops[at + 3]);
    variables.fixed(l, ops[at + 5]);
    variables.unify(variables.register(l, ops[at + 1]), variable);
    long most = operands.always(ops[at + 5], 0);
    boolean bounded = most != Long.MAX_VALUE && most != -1;
    int[] range = uses.range(model.rank(l), buffer, ops[at + 3], Long.BYTES);
    boolean values = uses.allValued(model.rank(l), buffer, range);
    if (bounded || !values || !wordAlone(buffer, ops[at + 4])) {
      variables.is(variable, 0);
    }
  }

  private void store(int l, int[] ops, int at) {
    variables.fixed(l, ops[at + 2]);
    variables.equal(l, variables.buffer(ops[at + 1]), ops[at + 4]);
    if (!wordAlone(ops[at + 1], ops[at + 3])) {
      variables.is(variables.buffer(ops[at + 1]), 0);
    }
  }

  /** Whether the access is of one whole word of the program's own memory. */
  private boolean wordAlone(int buffer, int width) {
    return width == Long.BYTES && !model.space(buffer).callers();
  }

  private void change(int l, int variable, int change, int operand, int compare) {
    if (change == ADD) {
      variables.added(l, variable, operand);
    } else if (change != FETCH) {
      variables.equal(l, variable, operand);
      if (change == CAS) {
        variables.equal(l, variable, compare);
      }
    }
  }
}

package dev.oriel.sim.code;

import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.Micro;
import dev.oriel.domain.lowering.StepPrinter;
import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.Lane;
import dev.oriel.domain.program.Op.Await.Quantifier;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Series;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.Told;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the steps of one lane instance. What registers are known to hold is followed through the
 * steps: the same step is compiled once for each set of values that it may be reached with, so that
 * loops of a known length, and conditions that a binding decides, leave no trace in the code. A
 * lane that would become too long is compiled with loops, and only what never changes is known.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class LaneCompiler {
  /** More words than that would be more to read than loops are to run. */
  private static final int MAX_WORDS = 1 << 12;

  private final Scene scene;
  private final LaneInstance instance;
  private final Map<String, Integer> registers = new LinkedHashMap<>();
  private final Map<String, Integer> given = new LinkedHashMap<>();
  private final LoweredLane lowered;
  private final boolean unrolls;
  private final Map<Integer, Integer> labels = new HashMap<>();

  /** How many steps give each register a value: registers are numbered in that order. */
  private final Map<String, Integer> writers = new LinkedHashMap<>();

  /** Where the code goes on: a step, and what registers hold there as far as that is known. */
  private record Entry(int step, Map<String, Integer> known) {}

  private final Map<Entry, Integer> places = new HashMap<>();
  private final Deque<Entry> open = new ArrayDeque<>();

  /** Registers that hold, where the code has come to, what the binding knows. */
  private Map<String, Integer> constants = new HashMap<>();

  /** Places that hold a target until every entry's place is known. */
  private final Map<Integer, Entry> jumps = new LinkedHashMap<>();

  private final List<String> texts = new ArrayList<>();
  private int[] ops = new int[256];
  private int count;
  private int persistent;

  /** What the surroundings of a lane say about the names and sets in its steps. */
  interface Scene {
    Operands operands();

    Form form();

    /** Which rank the code is for; -1 where it is for all. */
    int rank();

    /** The operand of a name that no step gives a value; empty if each agent brings its own. */
    OptionalInt known(String name);

    /** See {@link Opcode}. */
    int ranks(Peers peers, ToIntFunction<Expr> operand);

    int combine(Combine combine);

    /** The set of lanes that bear that name. */
    int lanes(String name);
  }

  private LaneCompiler(Scene scene, LaneInstance instance, LoweredLane lowered, boolean unrolls) {
    this.scene = scene;
    this.instance = instance;
    this.lowered = lowered;
    this.unrolls = unrolls;
    for (int i = 0; i < lowered.steps().size(); i++) {
      if (lowered.steps().get(i).micro() instanceof Micro.Label(int id)) {
        labels.put(id, i);
      }
      writes(lowered.steps().get(i).micro());
    }
  }

  /** Code for one agent: loops of known length are unrolled as long as it stays short. */
  static LaneCode unrolled(Scene scene, LaneInstance instance, LoweredLane lowered) {
    return new LaneCompiler(scene, instance, lowered, true)
        .compile()
        .orElseGet(() -> looped(scene, instance, lowered).code());
  }

  /** Code whose length does not depend on what is bound, and who must bring what. */
  static Looped looped(Scene scene, LaneInstance instance, LoweredLane lowered) {
    LaneCompiler compiler = new LaneCompiler(scene, instance, lowered, false);
    return new Looped(compiler.compile().orElseThrow(), compiler.given);
  }

  /** Code, and the registers that await what each agent brings. */
  record Looped(LaneCode code, Map<String, Integer> given) {}

  /** The code; empty if it becomes too long. */
  private Optional<LaneCode> compile() {
    register("epoch");
    lowered.persistent().forEach(s -> register(s.name()));
    persistent = registers.size();
    writers.keySet().forEach(this::register);
    open.add(new Entry(0, Map.of()));
    while (!open.isEmpty()) {
      Entry entry = open.remove();
      if (!places.containsKey(entry) && !from(entry)) {
        return Optional.empty();
      }
    }
    jumps.forEach((at, target) -> ops[at] = Objects.requireNonNull(places.get(target), "compiled"));
    text("");
    return Optional.of(
        new LaneCode(
            scene.rank(),
            instance,
            Arrays.copyOf(ops, count),
            texts,
            registers.size(),
            persistent,
            instance.lane().engine() instanceof Lane.Engine.Sm sm && sm.threads() > 1));
  }

  /** Compiles from there up to an end, or to what is compiled already; false if it is too long. */
  private boolean from(Entry entry) {
    constants = new HashMap<>(entry.known());
    int step = entry.step();
    boolean first = true;
    places.put(entry, count);
    while (count < MAX_WORDS || !unrolls) {
      Micro micro = lowered.steps().get(step).micro();
      boolean begins = first;
      first = false;
      switch (micro) {
        case Micro.Label l -> {
          Entry here = new Entry(step, Map.copyOf(constants));
          if (places.putIfAbsent(here, count) != null && !begins) {
            jump(here);
            return true;
          }
          step++;
        }
        case Micro.Jump(int label) -> step = place(label);
        case Micro.Unless(var condition, int label) -> {
          Boolean holds = known(condition);
          if (holds == null) {
            text(StepPrinter.print(micro));
            emit(Opcode.UNLESS);
            conditions(condition);
            target(label);
          }
          step = holds == null || holds ? step + 1 : place(label);
        }
        case Micro.End e -> {
          settle();
          text(StepPrinter.print(micro));
          emit(Opcode.END);
          return true;
        }
        default -> {
          text(StepPrinter.print(micro));
          micro(micro);
          step++;
        }
      }
    }
    return false;
  }

  /** In the end registers hold what the lane gave them, for those who look at outcomes. */
  private void settle() {
    text("");
    registers.forEach((name, register) -> {
      Integer constant = constants.get(name);
      if (constant != null) {
        emit(Opcode.SET, register, constant);
      }
    });
  }

  private int place(int label) {
    Integer step = labels.get(label);
    if (step == null) {
      throw new IllegalArgumentException("unknown label: label=" + label + "; lower again");
    }
    return step;
  }

  /** Whether the condition holds, as far as that is known; null if it is not. */
  private @Nullable Boolean known(Cond condition) {
    boolean all = true;
    for (Cond.Term t : condition.terms()) {
      int left = operand(t.left());
      int right = operand(t.right());
      if (!scene.operands().isKnown(left) || !scene.operands().isKnown(right)) {
        return null;
      }
      all &=
          t.comparison()
              .test(scene.operands().constantOf(left), scene.operands().constantOf(right));
    }
    return all;
  }

  private void writes(Micro micro) {
    switch (micro) {
      case Micro.Set(var register, var value) -> writers.merge(register, 1, Integer::sum);
      case Micro.LoadWord load -> writers.merge(load.register(), 1, Integer::sum);
      case Micro.ReadSlot read -> writers.merge(read.register(), 1, Integer::sum);
      case Micro.Rmw m when !m.register().isEmpty() -> writers.merge(m.register(), 1, Integer::sum);
      default -> {}
    }
  }

  private void text(String text) {
    while (texts.size() <= count) {
      texts.add("");
    }
    texts.set(count, Wording.of(text));
  }

  private void emit(int... words) {
    if (count + words.length > ops.length) {
      ops = Arrays.copyOf(ops, 2 * (count + words.length));
    }
    System.arraycopy(words, 0, ops, count, words.length);
    count += words.length;
  }

  private int register(String name) {
    return registers.computeIfAbsent(name, n -> registers.size());
  }

  /** The register that the next instruction gives a value that nobody knows. */
  private int written(String name) {
    constants.remove(name);
    return register(name);
  }

  /** Whether what the register is known to hold is kept out of the code. */
  private boolean follows(String name) {
    boolean persists = registers.containsKey(name) && registers.get(name) < persistent;
    return !persists && (unrolls || writers.getOrDefault(name, 0) == 1);
  }

  private int operand(Expr expr) {
    return scene.operands().compile(expr, this::name);
  }

  private int name(String name) {
    Integer constant = constants.get(name);
    if (constant != null) {
      return constant;
    }
    Integer register = registers.get(name);
    if (register != null) {
      return Operands.register(register);
    }
    OptionalInt known = scene.known(name);
    if (known.isPresent()) {
      return known.getAsInt();
    }
    given.put(name, register(name));
    return Operands.register(register(name));
  }

  private void target(int label) {
    Entry there = new Entry(place(label), Map.copyOf(constants));
    jumps.put(count, there);
    open.add(there);
    emit(-1);
  }

  private void jump(Entry there) {
    text("");
    emit(Opcode.JUMP);
    jumps.put(count, there);
    emit(-1);
  }

  private void conditions(Cond condition) {
    emit(condition.terms().size());
    for (Cond.Term t : condition.terms()) {
      emit(t.comparison().ordinal(), operand(t.left()), operand(t.right()));
    }
  }

  private int ranks(Peers peers) {
    return scene.ranks(peers, this::operand);
  }

  private int buffer(Region region) {
    return scene.form().bufferIndex(region.buffer());
  }

  private int signal(Slot slot) {
    return scene.form().signalIndex(slot.signal());
  }

  private void place(Region region) {
    emit(buffer(region), ranks(region.at()), operand(region.offset()));
    if (region.access() instanceof Access.Packets(var format, Expr flag)) {
      emit(format.ordinal(), operand(flag));
    } else {
      emit(-1, 0);
    }
  }

  private void micro(Micro micro) {
    switch (micro) {
      case Micro.Label l -> throw new AssertionError(l);
      case Micro.Jump j -> throw new AssertionError(j);
      case Micro.Unless u -> throw new AssertionError(u);
      case Micro.End e -> throw new AssertionError(e);
      case Micro.UnlessKind(var peer, var kind, int label) -> {
        emit(Opcode.UNLESS_KIND, operand(peer), kind.ordinal());
        target(label);
      }
      case Micro.Set(var register, var value) -> {
        int compiled = operand(value);
        if (follows(register) && scene.operands().isKnown(compiled)) {
          constants.put(register, compiled);
        } else {
          emit(Opcode.SET, written(register), compiled);
        }
      }
      case Micro.Check(var condition, int code) -> {
        emit(Opcode.CHECK);
        conditions(condition);
        emit(code);
      }
      case Micro.Bar() -> emit(Opcode.BAR);
      case Micro.Fence(var scope, boolean strict) ->
          emit(Opcode.FENCE, scope.ordinal(), strict ? 1 : 0);
      case Micro.Consist() -> emit(Opcode.CONSIST);
      case Micro.Copy c -> {
        emit(Opcode.COPY, operand(c.bytes()), scene.combine(c.combine()), c.destinations().size());
        c.destinations().forEach(this::place);
        sources(c.sources());
        told(c.combine());
      }
      case Micro.WriteSlot w ->
          emit(
              Opcode.WRITE_SLOT,
              signal(w.slot()),
              operand(w.slot().index()),
              ranks(w.slot().at()),
              w.change().ordinal(),
              operand(w.value()),
              w.order().ordinal(),
              w.scope().ordinal());
      case Micro.PollSlot p ->
          emit(
              Opcode.POLL_SLOT,
              signal(p.slot()),
              operand(p.slot().index()),
              ranks(p.slot().at()),
              p.quantifier() == Quantifier.SUM ? 1 : 0,
              p.comparison().ordinal(),
              operand(p.value()),
              p.order().ordinal(),
              p.scope().ordinal());
      case Micro.AwaitLane(var lane) -> emit(Opcode.AWAIT_LANES, scene.lanes(lane));
      case Micro.LoadWord(var register, var word, int width, var max, int code) -> {
        int offset = operand(word.offset());
        int limit = operand(max);
        emit(Opcode.LOAD, written(register), buffer(word), offset, width, limit, code);
      }
      case Micro.StoreWord(var word, int width, var value) ->
          emit(Opcode.STORE, buffer(word), operand(word.offset()), width, operand(value));
      case Micro.OnWord w -> word(w);
      case Micro.BulkCopy(var to, var from, var bytes) -> {
        emit(Opcode.BULK, operand(bytes));
        emit(buffer(to), ranks(to.at()), operand(to.offset()));
        emit(buffer(from), ranks(from.at()), operand(from.offset()));
      }
      case Micro.AwaitBulk() -> emit(Opcode.AWAIT_BULK);
      case Micro.ProxyFence(var proxy) -> emit(Opcode.PROXY, proxy.ordinal());
      case Micro.Post(var peer, var queue, var request, boolean fenced, boolean loose) -> {
        emit(Opcode.POST, kind(request), operand(peer), operand(queue));
        emit(fenced ? 1 : 0, loose ? 1 : 0);
        request(request);
      }
      case Micro.AwaitQueue(var peer, var queue) ->
          emit(Opcode.AWAIT_QUEUE, operand(peer), operand(queue));
    }
  }

  /** In the order of the fields. */
  private void told(Combine combine) {
    int[] operands =
        combine instanceof Combine.Apply(HookForm _, Told told)
            ? told.fields().values().stream().mapToInt(this::operand).toArray()
            : new int[0];
    emit(operands.length);
    emit(operands);
  }

  private void word(Micro.OnWord word) {
    switch (word) {
      case Micro.ReadSlot(var register, var slot, var order, var scope) -> {
        int index = operand(slot.index());
        int at = ranks(slot.at());
        emit(Opcode.READ_SLOT, written(register), signal(slot), index, at);
        emit(order.ordinal(), scope.ordinal());
      }
      case Micro.Rmw m -> {
        int at = ranks(m.word().at());
        int offset = operand(m.word().offset());
        int operand = operand(m.operand());
        int compare = operand(m.compare());
        emit(Opcode.RMW, m.register().isEmpty() ? -1 : written(m.register()));
        emit(buffer(m.word()), at, offset, m.change().ordinal(), operand, compare);
        emit(m.order().ordinal(), m.scope().ordinal());
      }
      case Micro.PollWord p ->
          emit(
              Opcode.POLL_WORD,
              buffer(p.word()),
              operand(p.word().offset()),
              p.comparison().ordinal(),
              operand(p.value()),
              p.order().ordinal(),
              p.scope().ordinal());
      case Micro.Lock(var lock, var scope) -> {
        emit(Opcode.LOCK, buffer(lock), ranks(lock.at()), operand(lock.offset()));
        emit(scope.ordinal());
      }
    }
  }

  /** Every source has its place: how many there are is bound. */
  private void sources(List<Series> sources) {
    int total = count;
    emit(0);
    for (Series s : sources) {
      int turns = s.single() ? 1 : turns(s);
      for (int i = 0; i < turns; i++) {
        if (!s.single()) {
          constants.put(s.variable(), scene.operands().constant(i));
        }
        place(s.region());
        ops[total]++;
      }
      constants.remove(s.variable());
    }
  }

  private int turns(Series series) {
    int turns = operand(series.count());
    if (!scene.operands().isKnown(turns)) {
      throw new IllegalArgumentException(
          "number of sources not bound: count=" + series.count() + "; validate the form");
    }
    return Math.toIntExact(scene.operands().constantOf(turns));
  }

  private static int kind(Micro.Request request) {
    return switch (request) {
      case Micro.Request.Write w -> Opcode.Request.WRITE;
      case Micro.Request.Read r -> Opcode.Request.READ;
      case Micro.Request.WriteSlot s -> Opcode.Request.SLOT;
      case Micro.Request.AddSlot s -> Opcode.Request.SLOT;
      case Micro.Request.ReadBack r -> Opcode.Request.READ_BACK;
      case Micro.Request.ChangeWord c -> Opcode.Request.CHANGE;
      case Micro.Request.WriteAndSignal w -> Opcode.Request.WRITE_AND_SIGNAL;
      case Micro.Request.Lock l -> Opcode.Request.LOCK;
      case Micro.Request.Arrange a -> Opcode.Request.ARRANGE;
      case Micro.Request.Count c -> Opcode.Request.COUNT;
    };
  }

  private void request(Micro.Request request) {
    switch (request) {
      case Micro.Request.Write(var local, var remote, var bytes) -> transfer(local, remote, bytes);
      case Micro.Request.Read(var local, var remote, var bytes) -> transfer(local, remote, bytes);
      case Micro.Request.WriteSlot(var slot, var value, var order, var scope) -> {
        slot(slot, 0, value);
        emit(order.ordinal(), scope.ordinal());
      }
      case Micro.Request.AddSlot(var slot, var value, var order, var scope) -> {
        slot(slot, 1, value);
        emit(order.ordinal(), scope.ordinal());
      }
      case Micro.Request.ReadBack() -> {}
      case Micro.Request.ChangeWord c -> {
        if (c.result().isPresent()) {
          emit(buffer(c.result().get()), operand(c.result().get().offset()));
        } else {
          emit(-1, 0);
        }
        emit(buffer(c.word()), operand(c.word().offset()), c.change().ordinal());
        emit(operand(c.operand()), operand(c.compare()));
      }
      case Micro.Request.WriteAndSignal w -> {
        transfer(w.local(), w.remote(), w.bytes());
        slot(w.slot(), w.change().ordinal(), w.value());
      }
      case Micro.Request.Lock(var word) -> emit(buffer(word), operand(word.offset()));
      case Micro.Request.Arrange() -> {}
      case Micro.Request.Count(var word) -> emit(buffer(word), operand(word.offset()));
    }
  }

  private void transfer(Region local, Region remote, Expr bytes) {
    emit(buffer(local), operand(local.offset()), buffer(remote), operand(remote.offset()));
    emit(operand(bytes));
  }

  private void slot(Slot slot, int change, Expr value) {
    emit(signal(slot), operand(slot.index()), change, operand(value));
  }
}

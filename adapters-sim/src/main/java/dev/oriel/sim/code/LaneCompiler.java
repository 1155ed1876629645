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
import dev.oriel.domain.program.Lane;
import dev.oriel.domain.program.Op.Await.Quantifier;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Slot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.ToIntFunction;

/** Compiles the steps of one lane instance. */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class LaneCompiler {
  private final Scene scene;
  private final LaneInstance instance;
  private final Map<String, Integer> registers = new HashMap<>();
  private final Map<String, Integer> given = new LinkedHashMap<>();
  private final Map<Integer, Integer> labels = new HashMap<>();

  /** Registers that one step sets, once and for all, to what the binding knows. */
  private final Map<String, Integer> constants = new HashMap<>();

  private final Map<String, Integer> writers = new HashMap<>();

  /** Places that hold a label until every label's place is known. */
  private final List<Integer> jumps = new ArrayList<>();

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

  LaneCompiler(Scene scene, LaneInstance instance) {
    this.scene = scene;
    this.instance = instance;
  }

  /** Names whose value each agent brings, and the registers that await it; of compiled code. */
  Map<String, Integer> given() {
    return given;
  }

  LaneCode compile(LoweredLane lowered) {
    register("epoch");
    lowered.persistent().forEach(s -> register(s.name()));
    persistent = registers.size();
    lowered.steps().forEach(step -> writes(step.micro()));
    for (var step : lowered.steps()) {
      if (step.micro() instanceof Micro.Label(int id)) {
        labels.put(id, count);
      } else {
        text(StepPrinter.print(step.micro()));
        micro(step.micro());
      }
    }
    for (int jump : jumps) {
      Integer target = labels.get(ops[jump]);
      if (target == null) {
        throw new IllegalArgumentException("unknown label: label=" + ops[jump] + "; lower again");
      }
      ops[jump] = target;
    }
    text("");
    return new LaneCode(
        scene.rank(),
        instance,
        Arrays.copyOf(ops, count),
        texts,
        registers.size(),
        persistent,
        instance.lane().engine() instanceof Lane.Engine.Sm(int threads) && threads > 1);
  }

  private void writes(Micro micro) {
    switch (micro) {
      case Micro.Set(var register, var value) -> writers.merge(register, 1, Integer::sum);
      case Micro.LoadWord load -> writers.merge(load.register(), 1, Integer::sum);
      case Micro.ReadSlot read -> writers.merge(read.register(), 1, Integer::sum);
      case Micro.Rmw m -> writers.merge(m.register(), 1, Integer::sum);
      default -> {}
    }
  }

  private void text(String text) {
    while (texts.size() <= count) {
      texts.add("");
    }
    texts.set(count, text);
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
    jumps.add(count);
    emit(label);
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
      case Micro.Label l -> throw new AssertionError("labels are no instructions");
      case Micro.Jump(int label) -> {
        emit(Opcode.JUMP);
        target(label);
      }
      case Micro.Unless(var condition, int label) -> {
        emit(Opcode.UNLESS);
        conditions(condition);
        target(label);
      }
      case Micro.UnlessKind(var peer, var kind, int label) -> {
        emit(Opcode.UNLESS_KIND, operand(peer), kind.ordinal());
        target(label);
      }
      case Micro.Set(var register, var value) -> {
        int compiled = operand(value);
        boolean persists = registers.containsKey(register) && registers.get(register) < persistent;
        if (!persists
            && writers.getOrDefault(register, 0) == 1
            && scene.operands().isKnown(compiled)) {
          constants.put(register, compiled);
        } else {
          emit(Opcode.SET, register(register), compiled);
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
        emit(c.sources().size());
        c.sources().forEach(this::place);
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
        emit(Opcode.LOAD, register(register), buffer(word), offset, width, limit, code);
      }
      case Micro.StoreWord(var word, int width, var value) ->
          emit(Opcode.STORE, buffer(word), operand(word.offset()), width, operand(value));
      case Micro.OnWord w -> word(w);
      case Micro.Post(var peer, var queue, var request, boolean fenced, boolean loose) -> {
        emit(Opcode.POST, kind(request), operand(peer), operand(queue));
        emit(fenced ? 1 : 0, loose ? 1 : 0);
        request(request);
      }
      case Micro.AwaitQueue(var peer, var queue) ->
          emit(Opcode.AWAIT_QUEUE, operand(peer), operand(queue));
      case Micro.End() -> emit(Opcode.END);
    }
  }

  private void word(Micro.OnWord word) {
    switch (word) {
      case Micro.ReadSlot(var register, var slot, var order, var scope) -> {
        int index = operand(slot.index());
        int at = ranks(slot.at());
        emit(Opcode.READ_SLOT, register(register), signal(slot), index, at);
        emit(order.ordinal(), scope.ordinal());
      }
      case Micro.Rmw m -> {
        int at = ranks(m.word().at());
        int offset = operand(m.word().offset());
        int operand = operand(m.operand());
        int compare = operand(m.compare());
        emit(Opcode.RMW, m.register().isEmpty() ? -1 : register(m.register()));
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
      case Micro.Lock(var lock) ->
          emit(Opcode.LOCK, buffer(lock), ranks(lock.at()), operand(lock.offset()));
    }
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
    };
  }

  private void request(Micro.Request request) {
    switch (request) {
      case Micro.Request.Write(var local, var remote, var bytes) -> transfer(local, remote, bytes);
      case Micro.Request.Read(var local, var remote, var bytes) -> transfer(local, remote, bytes);
      case Micro.Request.WriteSlot(var slot, var value) -> slot(slot, 0, value);
      case Micro.Request.AddSlot(var slot, var value) -> slot(slot, 1, value);
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

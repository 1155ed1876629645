package dev.oriel.sim.code;

import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.HookOperands;
import dev.oriel.domain.program.Op.Await.Quantifier;
import dev.oriel.domain.program.SourceSeries;
import java.util.List;

/** Writes the instructions of single steps of a lane; {@link LaneCompiler} handles control flow. */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class StepWriter {
  private final LaneCompiler.NameEnvironment scene;
  private final ConstantRegisters registers;
  private final CodeWriter code;
  private final PlaceWriter places;
  private final RequestWriter requests;

  StepWriter(LaneCompiler.NameEnvironment scene, ConstantRegisters registers, CodeWriter code) {
    this.scene = scene;
    this.registers = registers;
    this.code = code;
    places = new PlaceWriter(scene, registers, code);
    requests = new RequestWriter(registers, code, places);
  }

  void write(MicroOperation micro) {
    switch (micro) {
      case MicroOperation.Label l -> throw new AssertionError(l);
      case MicroOperation.Jump j -> throw new AssertionError(j);
      case MicroOperation.Unless u -> throw new AssertionError(u);
      case MicroOperation.UnlessKind u -> throw new AssertionError(u);
      case MicroOperation.End e -> throw new AssertionError(e);
      case MicroOperation.Set(var register, var value) -> {
        int compiled = registers.operand(value);
        if (registers.follows(register) && scene.operands().isKnown(compiled)) {
          registers.hold(register, compiled);
        } else {
          code.emit(LaneOpcode.SET, registers.written(register), compiled);
        }
      }
      case MicroOperation.Check(var condition, int failure) -> {
        code.emit(LaneOpcode.CHECK);
        conditions(condition);
        code.emit(failure);
      }
      case MicroOperation.Bar() -> code.emit(LaneOpcode.BAR);
      case MicroOperation.Fence(var scope, boolean strict, boolean alone) ->
          code.emit(LaneOpcode.FENCE, scope.ordinal(), strict ? 1 : 0, alone ? 1 : 0);
      case MicroOperation.VisibilityFence() -> code.emit(LaneOpcode.CONSIST);
      case MicroOperation.Copy c -> {
        code.emit(
            LaneOpcode.COPY,
            registers.operand(c.bytes()),
            scene.combine(c.combine()),
            c.destinations().size());
        c.destinations().forEach(places::write);
        sources(c.sources());
        hookOperands(c.combine());
      }
      case MicroOperation.WriteSlot w ->
          code.emit(
              LaneOpcode.WRITE_SLOT,
              places.signal(w.slot()),
              registers.operand(w.slot().index()),
              places.ranks(w.slot().at()),
              w.change().ordinal(),
              registers.operand(w.value()),
              w.order().ordinal(),
              w.scope().ordinal());
      case MicroOperation.PollSlot p ->
          code.emit(
              LaneOpcode.POLL_SLOT,
              places.signal(p.slot()),
              registers.operand(p.slot().index()),
              places.ranks(p.slot().at()),
              p.quantifier() == Quantifier.SUM ? 1 : 0,
              p.comparison().ordinal(),
              registers.operand(p.value()),
              p.order().ordinal(),
              p.scope().ordinal());
      case MicroOperation.AwaitLane(var lane) ->
          code.emit(LaneOpcode.AWAIT_LANES, scene.lanes(lane));
      case MicroOperation.LoadWord(var register, var word, int width, var max, int failure) -> {
        int offset = registers.operand(word.offset());
        int limit = registers.operand(max);
        code.emit(
            LaneOpcode.LOAD,
            registers.written(register),
            places.buffer(word),
            offset,
            width,
            limit,
            failure);
      }
      case MicroOperation.StoreWord(var word, int width, var value) ->
          code.emit(
              LaneOpcode.STORE,
              places.buffer(word),
              registers.operand(word.offset()),
              width,
              registers.operand(value));
      case MicroOperation.WordStep w -> word(w);
      case MicroOperation.BulkCopy(var to, var from, var bytes) -> {
        code.emit(LaneOpcode.BULK, registers.operand(bytes));
        code.emit(places.buffer(to), places.ranks(to.at()), registers.operand(to.offset()));
        code.emit(places.buffer(from), places.ranks(from.at()), registers.operand(from.offset()));
      }
      case MicroOperation.AwaitBulk() -> code.emit(LaneOpcode.AWAIT_BULK);
      case MicroOperation.ProxyFence(var proxy) -> code.emit(LaneOpcode.PROXY, proxy.ordinal());
      case MicroOperation.Post(
              var peer,
              var queue,
              var request,
              boolean fenced,
              boolean unordered) -> {
        code.emit(
            LaneOpcode.POST,
            RequestWriter.kind(request),
            registers.operand(peer),
            registers.operand(queue));
        code.emit(fenced ? 1 : 0, unordered ? 1 : 0);
        requests.write(request);
      }
      case MicroOperation.AwaitQueue(var peer, var queue) ->
          code.emit(LaneOpcode.AWAIT_QUEUE, registers.operand(peer), registers.operand(queue));
    }
  }

  /** In the order of the fields. */
  private void hookOperands(Combine combine) {
    int[] operands =
        combine instanceof Combine.Apply(HookForm _, HookOperands hookOperands)
            ? hookOperands.fields().values().stream().mapToInt(registers::operand).toArray()
            : new int[0];
    code.emit(operands.length);
    code.emit(operands);
  }

  private void word(MicroOperation.WordStep word) {
    switch (word) {
      case MicroOperation.ReadSlot(var register, var slot, var order, var scope, var _) -> {
        // A read that waits for a limited time may return at any moment, as one that does not wait.
        int index = registers.operand(slot.index());
        int at = places.ranks(slot.at());
        code.emit(
            LaneOpcode.READ_SLOT, registers.written(register), places.signal(slot), index, at);
        code.emit(order.ordinal(), scope.ordinal());
      }
      case MicroOperation.Rmw m -> {
        int at = places.ranks(m.word().at());
        int offset = registers.operand(m.word().offset());
        int operand = registers.operand(m.operand());
        int compare = registers.operand(m.compare());
        code.emit(LaneOpcode.RMW, m.register().isEmpty() ? -1 : registers.written(m.register()));
        code.emit(places.buffer(m.word()), at, offset, m.change().ordinal(), operand, compare);
        code.emit(m.order().ordinal(), m.scope().ordinal());
      }
      case MicroOperation.PollWord p ->
          code.emit(
              LaneOpcode.POLL_WORD,
              places.buffer(p.word()),
              registers.operand(p.word().offset()),
              p.comparison().ordinal(),
              registers.operand(p.value()),
              p.order().ordinal(),
              p.scope().ordinal());
      case MicroOperation.Lock(var lock, var scope) -> {
        code.emit(
            LaneOpcode.LOCK,
            places.buffer(lock),
            places.ranks(lock.at()),
            registers.operand(lock.offset()));
        code.emit(scope.ordinal());
      }
    }
  }

  /** The number of conditions, then each of them. */
  void conditions(Cond condition) {
    code.emit(condition.terms().size());
    for (Cond.Term t : condition.terms()) {
      code.emit(
          t.comparison().ordinal(), registers.operand(t.left()), registers.operand(t.right()));
    }
  }

  /** Every source has its place, because the binding determines their number. */
  private void sources(List<SourceSeries> sources) {
    int total = code.count();
    code.emit(0);
    int all = 0;
    for (SourceSeries s : sources) {
      int turns = s.single() ? 1 : turns(s);
      for (int i = 0; i < turns; i++) {
        if (!s.single()) {
          registers.hold(s.variable(), scene.operands().constant(i));
        }
        places.write(s.region());
        all++;
      }
      registers.forget(s.variable());
    }
    code.set(total, all);
  }

  private int turns(SourceSeries series) {
    int turns = registers.operand(series.count());
    if (!scene.operands().isKnown(turns)) {
      throw new IllegalArgumentException(
          "number of sources not bound: count=" + series.count() + "; validate the form");
    }
    return Math.toIntExact(scene.operands().constantOf(turns));
  }
}

package dev.oriel.sim.code;

import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Slot;

/** Writes the requests that a lane posts to a network interface. */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class RequestWriter {
  private final ConstantRegisters registers;
  private final CodeWriter code;
  private final PlaceWriter places;

  RequestWriter(ConstantRegisters registers, CodeWriter code, PlaceWriter places) {
    this.registers = registers;
    this.code = code;
    this.places = places;
  }

  /** The kind of a request, as {@link LaneOpcode.Request} numbers it. */
  static int kind(MicroOperation.Request request) {
    return switch (request) {
      case MicroOperation.Request.Write w -> LaneOpcode.Request.WRITE;
      case MicroOperation.Request.Read r -> LaneOpcode.Request.READ;
      case MicroOperation.Request.WriteSlot s -> LaneOpcode.Request.SLOT;
      case MicroOperation.Request.AddSlot s -> LaneOpcode.Request.SLOT;
      case MicroOperation.Request.ReadBack r -> LaneOpcode.Request.READ_BACK;
      case MicroOperation.Request.ChangeWord c -> LaneOpcode.Request.CHANGE;
      case MicroOperation.Request.WriteAndSignal w -> LaneOpcode.Request.WRITE_AND_SIGNAL;
      case MicroOperation.Request.Lock l -> LaneOpcode.Request.LOCK;
      case MicroOperation.Request.PlacementFence a -> LaneOpcode.Request.ARRANGE;
      case MicroOperation.Request.Count c -> LaneOpcode.Request.COUNT;
    };
  }

  void write(MicroOperation.Request request) {
    switch (request) {
      case MicroOperation.Request.Write(var local, var remote, var bytes) ->
          transfer(local, remote, bytes);
      case MicroOperation.Request.Read(var local, var remote, var bytes) ->
          transfer(local, remote, bytes);
      case MicroOperation.Request.WriteSlot(var slot, var value, var order, var scope) -> {
        slot(slot, 0, value);
        code.emit(order.ordinal(), scope.ordinal());
      }
      case MicroOperation.Request.AddSlot(var slot, var value, var order, var scope) -> {
        slot(slot, 1, value);
        code.emit(order.ordinal(), scope.ordinal());
      }
      case MicroOperation.Request.ReadBack() -> {}
      case MicroOperation.Request.ChangeWord c -> {
        if (c.result().isPresent()) {
          code.emit(places.buffer(c.result().get()), registers.operand(c.result().get().offset()));
        } else {
          code.emit(-1, 0);
        }
        code.emit(
            places.buffer(c.word()), registers.operand(c.word().offset()), c.change().ordinal());
        code.emit(registers.operand(c.operand()), registers.operand(c.compare()));
      }
      case MicroOperation.Request.WriteAndSignal w -> {
        transfer(w.local(), w.remote(), w.bytes());
        slot(w.slot(), w.change().ordinal(), w.value());
      }
      case MicroOperation.Request.Lock(var word) ->
          code.emit(places.buffer(word), registers.operand(word.offset()));
      case MicroOperation.Request.PlacementFence() -> {}
      case MicroOperation.Request.Count(var word) ->
          code.emit(places.buffer(word), registers.operand(word.offset()));
    }
  }

  private void transfer(Region local, Region remote, Expr bytes) {
    code.emit(
        places.buffer(local),
        registers.operand(local.offset()),
        places.buffer(remote),
        registers.operand(remote.offset()));
    code.emit(registers.operand(bytes));
  }

  private void slot(Slot slot, int change, Expr value) {
    code.emit(
        places.signal(slot), registers.operand(slot.index()), change, registers.operand(value));
  }
}

package dev.oriel.sim.code;

import dev.oriel.domain.lowering.Micro;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Slot;

/** Writes the requests that a lane posts to a network interface. */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class RequestWriter {
  private final KnownRegisters registers;
  private final CodeWriter code;
  private final PlaceWriter places;

  RequestWriter(KnownRegisters registers, CodeWriter code, PlaceWriter places) {
    this.registers = registers;
    this.code = code;
    this.places = places;
  }

  /** The kind of a request, as {@link Opcode.Request} numbers it. */
  static int kind(Micro.Request request) {
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

  void write(Micro.Request request) {
    switch (request) {
      case Micro.Request.Write(var local, var remote, var bytes) -> transfer(local, remote, bytes);
      case Micro.Request.Read(var local, var remote, var bytes) -> transfer(local, remote, bytes);
      case Micro.Request.WriteSlot(var slot, var value, var order, var scope) -> {
        slot(slot, 0, value);
        code.emit(order.ordinal(), scope.ordinal());
      }
      case Micro.Request.AddSlot(var slot, var value, var order, var scope) -> {
        slot(slot, 1, value);
        code.emit(order.ordinal(), scope.ordinal());
      }
      case Micro.Request.ReadBack() -> {}
      case Micro.Request.ChangeWord c -> {
        if (c.result().isPresent()) {
          code.emit(places.buffer(c.result().get()), registers.operand(c.result().get().offset()));
        } else {
          code.emit(-1, 0);
        }
        code.emit(
            places.buffer(c.word()), registers.operand(c.word().offset()), c.change().ordinal());
        code.emit(registers.operand(c.operand()), registers.operand(c.compare()));
      }
      case Micro.Request.WriteAndSignal w -> {
        transfer(w.local(), w.remote(), w.bytes());
        slot(w.slot(), w.change().ordinal(), w.value());
      }
      case Micro.Request.Lock(var word) ->
          code.emit(places.buffer(word), registers.operand(word.offset()));
      case Micro.Request.Arrange() -> {}
      case Micro.Request.Count(var word) ->
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

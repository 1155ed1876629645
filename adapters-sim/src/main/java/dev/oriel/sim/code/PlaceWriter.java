package dev.oriel.sim.code;

import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Slot;

/** Writes the places of instructions: ranks, buffers, signals. */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class PlaceWriter {
  private final LaneCompiler.NameEnvironment scene;
  private final ConstantRegisters registers;
  private final CodeWriter code;

  PlaceWriter(LaneCompiler.NameEnvironment scene, ConstantRegisters registers, CodeWriter code) {
    this.scene = scene;
    this.registers = registers;
    this.code = code;
  }

  int ranks(Peers peers) {
    return scene.ranks(peers, registers::operand);
  }

  int buffer(Region region) {
    return scene.form().bufferIndex(region.buffer());
  }

  int signal(Slot slot) {
    return scene.form().signalIndex(slot.signal());
  }

  /** A place that a move reads or writes, with its packets if it has any. */
  void write(Region region) {
    code.emit(buffer(region), ranks(region.at()), registers.operand(region.offset()));
    if (region.access() instanceof Access.Packets(var format, Expr flag)) {
      code.emit(format.ordinal(), registers.operand(flag));
    } else {
      code.emit(-1, 0);
    }
  }
}

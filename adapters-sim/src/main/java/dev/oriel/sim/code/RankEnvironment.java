package dev.oriel.sim.code;

import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Peers;
import java.util.OptionalInt;
import java.util.function.ToIntFunction;

/** Compiles for one agent: every value that its rank and indices determine is a constant. */
record RankEnvironment(WorldCode world, RankProgram program, LaneInstance instance)
    implements LaneCompiler.NameEnvironment {

  @Override
  public OperandTable operands() {
    return world.operands;
  }

  @Override
  public Form form() {
    return program.program().form();
  }

  @Override
  public int rank() {
    return program.rank();
  }

  @Override
  public OptionalInt known(String name) {
    Long index = instance.indices().get(name);
    return OptionalInt.of(world.operands.constant(index != null ? index : program.known(name)));
  }

  @Override
  public int ranks(Peers peers, ToIntFunction<Expr> operand) {
    return switch (peers) {
      case Peers.Self() -> world.set(rank());
      case Peers.All() -> world.all();
      case Peers.Others() -> world.others(rank());
      case Peers.One(Expr one) -> ~operand.applyAsInt(one);
    };
  }

  @Override
  public int combine(Combine combine) {
    return world.combine(program.bound(combine));
  }

  @Override
  public int lanes(String name) {
    return world.lanes(program, name);
  }
}

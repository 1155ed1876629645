package dev.oriel.sim.litmus.steps;

import dev.oriel.sim.litmus.test.InstructionOperand;
import dev.oriel.sim.litmus.test.LitmusInstruction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A thread as the operational engine runs it. Lists only grow, by replacement, so moments can share
 * them.
 */
final class ThreadState {
  /**
   * A release clock that was read. A later acquiring fence may join it; a read only at the same
   * address.
   */
  record Pending(int address, ReleasePattern head) {}

  /** An own release; later strong writes to its address carry it, too. */
  record Released(int address, ReleasePattern head) {}

  /**
   * A visit of a loop's head. It has the live values and the number of writes and barriers before
   * it. {@code since} is true if a read decided a branch since, {@code round} if one decided that
   * the round continues.
   */
  record Visit(int at, List<Long> live, int effects, boolean since, boolean round) {}

  /** An update whose result the code does not need, issued and not yet performed. */
  record Posted(
      int id,
      LitmusInstruction.Atomic code,
      PerformedAccess.Site site,
      List<Long> operands,
      HappensBeforeSets known,
      List<ReleasePattern> heads) {}

  final Map<String, Long> registers;

  /** Registers whose value comes from memory; kept only where there are loops. */
  Set<String> fed = Set.of();

  /** The next instruction. */
  int at;

  /** Whether it has just reached that instruction. */
  boolean arrived = true;

  /** Accesses issued. */
  int accesses;

  int effects;

  /** The accesses that happen before the next step. */
  HappensBeforeSets known;

  List<Pending> pending = List.of();
  List<Released> releases = List.of();
  List<ReleasePattern> fences = List.of();
  List<ReleasePattern> scFences = List.of();
  List<Visit> visits = List.of();
  List<Posted> posted = List.of();

  /** The barrier at which it waits. */
  BarrierArrivals.@Nullable Key waiting;

  ThreadState(Map<String, Long> registers, HappensBeforeSets known) {
    this.registers = new TreeMap<>(registers);
    this.known = known;
  }

  ThreadState copy() {
    ThreadState copy = new ThreadState(registers, known);
    copy.fed = fed;
    copy.at = at;
    copy.arrived = arrived;
    copy.accesses = accesses;
    copy.effects = effects;
    copy.pending = pending;
    copy.releases = releases;
    copy.fences = fences;
    copy.scFences = scFences;
    copy.visits = visits;
    copy.posted = posted;
    copy.waiting = waiting;
    return copy;
  }

  long value(InstructionOperand operand) {
    return switch (operand) {
      case InstructionOperand.Constant constant -> constant.value();
      case InstructionOperand.Register register -> registers.getOrDefault(register.name(), 0L);
    };
  }

  void goTo(int instruction) {
    at = instruction;
    arrived = true;
  }

  void learn(HappensBeforeSets more) {
    known = known.join(more);
  }

  static <T> List<T> plus(List<T> list, T more) {
    List<T> longer = new ArrayList<>(list);
    longer.add(more);
    return longer;
  }
}

package dev.oriel.sim.litmus.text;

import dev.oriel.sim.litmus.test.ArithmeticOp;
import dev.oriel.sim.litmus.test.Condition.Variable;
import dev.oriel.sim.litmus.test.Instruction;
import dev.oriel.sim.litmus.test.LitmusThread;
import dev.oriel.sim.litmus.test.LiveRegisters;
import dev.oriel.sim.litmus.test.Location;
import dev.oriel.sim.litmus.test.Operand;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What registers and memory may hold at any time, whatever returns from where: more than any
 * execution shows. It is the least that the code can make of first values and constants, for a
 * value that feeds its own making is forbidden by every model.
 */
final class PossibleValues {
  /** A variable with more values than these may hold any. */
  private static final int MOST = 32;

  /** After so many rounds through the code it is left open what else is possible. */
  private static final int ROUNDS = 256;

  private static final Set<Long> ALL =
      LongStream.rangeClosed(0, MOST).boxed().collect(Collectors.toUnmodifiableSet());

  private final List<Location> locations;
  private final Map<Variable, Set<Long>> values = new HashMap<>();
  private boolean changed;

  PossibleValues(List<Location> locations, List<LitmusThread> threads) {
    this.locations = locations;
    locations.forEach(location -> add(memory(location.memory()), Set.of(location.initial())));
    for (LitmusThread thread : threads) {
      for (String name : new LiveRegisters(thread.code(), Set.of()).at(0)) {
        add(register(thread, name), Set.of(thread.registers().getOrDefault(name, 0L)));
      }
    }
    changed = true;
    for (int round = 0; changed && round < ROUNDS; round++) {
      changed = false;
      for (LitmusThread thread : threads) {
        thread.code().forEach(instruction -> run(thread, instruction));
      }
    }
  }

  /** Whether a register of a thread is known to hold 0 at all times. */
  boolean zero(LitmusThread thread, String register) {
    return !changed && Set.of(0L).containsAll(of(register(thread, register)));
  }

  private static Variable register(LitmusThread thread, String name) {
    return new Variable.Register(thread.number(), name);
  }

  private static Variable memory(int memory) {
    return new Variable.Memory(memory);
  }

  private Set<Long> of(Variable variable) {
    return values.getOrDefault(variable, Set.of());
  }

  private Set<Long> of(LitmusThread thread, Operand operand) {
    return switch (operand) {
      case Operand.Constant constant -> Set.of(constant.value());
      case Operand.Register register -> of(register(thread, register.name()));
    };
  }

  private void add(Variable variable, Set<Long> more) {
    Set<Long> known = values.computeIfAbsent(variable, v -> new TreeSet<>());
    if (known.size() <= MOST) {
      changed |= known.addAll(more);
    }
  }

  private void run(LitmusThread thread, Instruction instruction) {
    switch (instruction) {
      case Instruction.Load load ->
          add(register(thread, load.to()), of(place(load.location())));
      case Instruction.Store store ->
          add(place(store.location()), of(thread, store.value()));
      case Instruction.Atomic atomic -> {
        Set<Long> old = of(place(atomic.location()));
        Set<Long> operand = of(thread, atomic.value());
        ArithmeticOp op = atomic.op();
        if (atomic.to() != null) {
          add(register(thread, atomic.to()), old);
        }
        add(place(atomic.location()), op == null ? operand : results(op, old, operand));
      }
      case Instruction.Move move -> add(register(thread, move.to()), of(thread, move.value()));
      case Instruction.Compute c -> add(register(thread, c.to()), results(thread, c));
      default -> {}
    }
  }

  private Variable place(int location) {
    return memory(locations.get(location).memory());
  }

  private Set<Long> results(LitmusThread thread, Instruction.Compute c) {
    boolean same = c.a() instanceof Operand.Register && c.a().equals(c.b());
    return same && (c.op() == ArithmeticOp.XOR || c.op().of(true, false) == ArithmeticOp.SUB_32)
        ? Set.of(0L)
        : results(c.op(), of(thread, c.a()), of(thread, c.b()));
  }

  private static Set<Long> results(ArithmeticOp op, Set<Long> a, Set<Long> b) {
    if (a.size() > MOST || b.size() > MOST) {
      return ALL;
    }
    Set<Long> results = new TreeSet<>();
    for (long x : a) {
      for (long y : b) {
        results.add(op.apply(x, y));
      }
    }
    return results;
  }
}

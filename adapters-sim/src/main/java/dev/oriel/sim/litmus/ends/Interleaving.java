package dev.oriel.sim.litmus.ends;

import dev.oriel.sim.litmus.test.Instruction;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.LitmusThread;
import dev.oriel.sim.litmus.test.Operand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One moment of a test whose threads take turns on one memory. Every model here allows all such
 * interleavings, so an outcome found this way exists. An outcome not found may exist as well.
 */
record Interleaving(
    List<Integer> at, List<SortedMap<String, Long>> registers, SortedMap<Integer, Long> memory) {

  static Interleaving start(LitmusTest test) {
    List<Integer> at = new ArrayList<>();
    List<SortedMap<String, Long>> registers = new ArrayList<>();
    for (LitmusThread thread : test.threads()) {
      at.add(0);
      registers.add(new TreeMap<>(thread.registers()));
    }
    SortedMap<Integer, Long> memory = new TreeMap<>();
    test.locations().forEach(place -> memory.putIfAbsent(place.memory(), place.initial()));
    return new Interleaving(at, registers, memory);
  }

  /** The moment after the next instruction of a thread, which must not be a barrier. */
  Interleaving step(LitmusTest test, int thread) {
    List<Integer> nextAt = new ArrayList<>(at);
    SortedMap<String, Long> mine = new TreeMap<>(registers.get(thread));
    SortedMap<Integer, Long> bytes = new TreeMap<>(memory);
    int next = at.get(thread) + 1;
    switch (test.threads().get(thread).code().get(at.get(thread))) {
      case Instruction.Load l ->
          mine.put(l.to(), bytes.getOrDefault(memory(test, l.location()), 0L));
      case Instruction.Store s -> bytes.put(memory(test, s.location()), value(s.value(), mine));
      case Instruction.Atomic a -> {
        long old = bytes.getOrDefault(memory(test, a.location()), 0L);
        bytes.put(memory(test, a.location()), updated(a, old, mine));
        if (a.to() != null) {
          mine.put(a.to(), old);
        }
      }
      case Instruction.Move m -> mine.put(m.to(), value(m.value(), mine));
      case Instruction.Compute c ->
          mine.put(c.to(), c.op().apply(value(c.a(), mine), value(c.b(), mine)));
      case Instruction.Jump j -> next = j.target();
      case Instruction.Branch b ->
          next = b.comparison().holds(value(b.a(), mine), value(b.b(), mine)) ? b.target() : next;
      case Instruction.Fence f -> {}
      case Instruction.ProxyFence f -> {}
      case Instruction.Barrier b -> throw new IllegalArgumentException("a barrier takes no turn");
    }
    nextAt.set(thread, next);
    List<SortedMap<String, Long>> all = new ArrayList<>(registers);
    all.set(thread, mine);
    return new Interleaving(nextAt, all, bytes);
  }

  boolean finished(LitmusTest test, int thread) {
    return at.get(thread) >= test.threads().get(thread).code().size();
  }

  private static int memory(LitmusTest test, int location) {
    return test.locations().get(location).memory();
  }

  private static long updated(Instruction.Atomic atomic, long old, Map<String, Long> registers) {
    long operand = value(atomic.value(), registers);
    @Nullable Operand expected = atomic.expected();
    if (expected != null) {
      return old == value(expected, registers) ? operand : old;
    }
    return atomic.op() == null ? operand : atomic.op().apply(old, operand);
  }

  private static long value(Operand operand, Map<String, Long> registers) {
    return switch (operand) {
      case Operand.Constant constant -> constant.value();
      case Operand.Register register -> registers.getOrDefault(register.name(), 0L);
    };
  }
}

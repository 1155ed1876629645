package dev.oriel.sim.litmus.ends;

import dev.oriel.sim.litmus.test.InstructionOperand;
import dev.oriel.sim.litmus.test.LitmusInstruction;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.LitmusThread;
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
record InterleavedState(
    List<Integer> at, List<SortedMap<String, Long>> registers, SortedMap<Integer, Long> memory) {

  static InterleavedState start(LitmusTest test) {
    List<Integer> at = new ArrayList<>();
    List<SortedMap<String, Long>> registers = new ArrayList<>();
    for (LitmusThread thread : test.threads()) {
      at.add(0);
      registers.add(new TreeMap<>(thread.registers()));
    }
    SortedMap<Integer, Long> memory = new TreeMap<>();
    test.locations().forEach(place -> memory.putIfAbsent(place.memory(), place.initial()));
    return new InterleavedState(at, registers, memory);
  }

  /** The moment after the next instruction of a thread, which must not be a barrier. */
  InterleavedState step(LitmusTest test, int thread) {
    List<Integer> nextAt = new ArrayList<>(at);
    SortedMap<String, Long> mine = new TreeMap<>(registers.get(thread));
    SortedMap<Integer, Long> bytes = new TreeMap<>(memory);
    int next = at.get(thread) + 1;
    switch (test.threads().get(thread).code().get(at.get(thread))) {
      case LitmusInstruction.Load l ->
          mine.put(l.to(), bytes.getOrDefault(memory(test, l.location()), 0L));
      case LitmusInstruction.Store s ->
          bytes.put(memory(test, s.location()), value(s.value(), mine));
      case LitmusInstruction.Atomic a -> {
        long old = bytes.getOrDefault(memory(test, a.location()), 0L);
        bytes.put(memory(test, a.location()), updated(a, old, mine));
        if (a.to() != null) {
          mine.put(a.to(), old);
        }
      }
      case LitmusInstruction.Move m -> mine.put(m.to(), value(m.value(), mine));
      case LitmusInstruction.Compute c ->
          mine.put(c.to(), c.op().apply(value(c.a(), mine), value(c.b(), mine)));
      case LitmusInstruction.Jump j -> next = j.target();
      case LitmusInstruction.Branch b ->
          next = b.comparison().holds(value(b.a(), mine), value(b.b(), mine)) ? b.target() : next;
      case LitmusInstruction.Fence f -> {}
      case LitmusInstruction.ProxyFence f -> {}
      case LitmusInstruction.Barrier b ->
          throw new IllegalArgumentException("a barrier takes no turn");
    }
    nextAt.set(thread, next);
    List<SortedMap<String, Long>> all = new ArrayList<>(registers);
    all.set(thread, mine);
    return new InterleavedState(nextAt, all, bytes);
  }

  boolean finished(LitmusTest test, int thread) {
    return at.get(thread) >= test.threads().get(thread).code().size();
  }

  private static int memory(LitmusTest test, int location) {
    return test.locations().get(location).memory();
  }

  private static long updated(
      LitmusInstruction.Atomic atomic, long old, Map<String, Long> registers) {
    long operand = value(atomic.value(), registers);
    @Nullable InstructionOperand expected = atomic.expected();
    if (expected != null) {
      return old == value(expected, registers) ? operand : old;
    }
    return atomic.op() == null ? operand : atomic.op().apply(old, operand);
  }

  private static long value(InstructionOperand operand, Map<String, Long> registers) {
    return switch (operand) {
      case InstructionOperand.Constant constant -> constant.value();
      case InstructionOperand.Register register -> registers.getOrDefault(register.name(), 0L);
    };
  }
}

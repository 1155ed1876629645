package dev.oriel.sim.litmus.text;

import dev.oriel.sim.litmus.test.ArithmeticOp;
import dev.oriel.sim.litmus.test.CodeLoops;
import dev.oriel.sim.litmus.test.InstructionOperand;
import dev.oriel.sim.litmus.test.LitmusInstruction;
import dev.oriel.sim.litmus.test.LitmusThread;
import dev.oriel.sim.litmus.test.LiveRegisters;
import dev.oriel.sim.litmus.test.MemoryLocation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The values that registers may hold before each instruction, and memory at any time, whichever
 * writes the reads return: a superset of those in all executions. The code can only derive them
 * from initial values and constants, because every model forbids a value that feeds its own
 * production.
 */
final class PossibleValues {
  /** The most values that are distinguished; with more, any value is possible. */
  private static final int MOST = 32;

  /** The most rounds through the code; after them, the analysis is incomplete. */
  private static final int ROUNDS = 256;

  /** The most registers, counted before each instruction; larger code is not analysed. */
  private static final int SIZE = 1 << 16;

  private static final Set<Long> ALL =
      LongStream.rangeClosed(0, MOST).boxed().collect(Collectors.toUnmodifiableSet());

  private final List<MemoryLocation> locations;
  private final Map<Integer, Set<Long>> memory = new HashMap<>();

  /** By thread and instruction, including the position after the last; empty if unreachable. */
  private final List<List<Map<String, Set<Long>>>> before = new ArrayList<>();

  /** By thread, all values to which each register was set. */
  private final List<Map<String, Set<Long>>> ever = new ArrayList<>();

  private boolean changed = true;

  PossibleValues(List<MemoryLocation> locations, List<LitmusThread> threads) {
    this.locations = locations;
    locations.forEach(place -> memory.put(place.memory(), new TreeSet<>(Set.of(place.initial()))));
    int size = 0;
    for (LitmusThread thread : threads) {
      Map<String, Set<Long>> first = first(thread);
      size += first.size() * (thread.code().size() + 1);
      List<Map<String, Set<Long>>> rows = new ArrayList<>(List.of(first));
      thread.code().forEach(instruction -> rows.add(new TreeMap<>()));
      before.add(rows);
      ever.add(new TreeMap<>());
    }
    boolean loops = threads.stream().anyMatch(thread -> !new CodeLoops(thread.code()).none());
    // Without loops each write executes once, so no value passes through more writes than exist.
    long enough = loops ? ROUNDS + 1 : writes(threads) + 1;
    for (int round = 0; changed && round < ROUNDS && size <= SIZE; round++) {
      changed = false;
      for (int t = 0; t < threads.size(); t++) {
        for (int at = 0; at < threads.get(t).code().size(); at++) {
          if (!before.get(t).get(at).isEmpty()) {
            run(threads.get(t).code(), t, at);
          }
        }
      }
      changed &= round + 1 < enough;
    }
  }

  private static long writes(List<LitmusThread> threads) {
    return threads.stream()
        .flatMap(thread -> thread.code().stream())
        .filter(code ->
            code instanceof LitmusInstruction.Store || code instanceof LitmusInstruction.Atomic)
        .count();
  }

  private static Map<String, Set<Long>> first(LitmusThread thread) {
    // A register with an empty name marks reachable instructions.
    Map<String, Set<Long>> first = new TreeMap<>();
    first.put("", new TreeSet<>(Set.of(0L)));
    for (LitmusInstruction instruction : thread.code()) {
      Set<String> names = LiveRegisters.used(instruction);
      String to = LiveRegisters.assigned(instruction);
      if (to != null) {
        names.add(to);
      }
      for (String name : names) {
        long value = thread.registers().getOrDefault(name, 0L);
        first.putIfAbsent(name, new TreeSet<>(Set.of(value)));
      }
    }
    return first;
  }

  /** Whether all values of a register are known to be 0; {@code thread} is the thread's index. */
  boolean zero(int thread, String register) {
    return !changed && Set.of(0L).containsAll(ever.get(thread).getOrDefault(register, Set.of()));
  }

  private void run(List<LitmusInstruction> code, int thread, int at) {
    Map<String, Set<Long>> now = before.get(thread).get(at);
    LitmusInstruction instruction = code.get(at);
    String to = LiveRegisters.assigned(instruction);
    Set<Long> result =
        switch (instruction) {
          case LitmusInstruction.Load load -> at(load.location());
          case LitmusInstruction.Atomic atomic -> Set.copyOf(at(atomic.location()));
          case LitmusInstruction.Move move -> of(now, move.value());
          case LitmusInstruction.Compute c -> computed(now, c);
          default -> Set.of();
        };
    switch (instruction) {
      case LitmusInstruction.Store store -> add(at(store.location()), of(now, store.value()));
      case LitmusInstruction.Atomic atomic -> {
        Set<Long> operand = of(now, atomic.value());
        ArithmeticOp op = atomic.op();
        add(at(atomic.location()), op == null ? operand : results(op, result, operand));
      }
      default -> {}
    }
    if (to != null) {
      add(ever.get(thread).computeIfAbsent(to, name -> new TreeSet<>()), result);
    }
    for (int next : LiveRegisters.next(code, at)) {
      Map<String, Set<Long>> after = before.get(thread).get(next);
      now.forEach((name, values) ->
          add(
              after.computeIfAbsent(name, n -> new TreeSet<>()),
              name.equals(to) ? result : values));
    }
  }

  private Set<Long> at(int location) {
    return memory.computeIfAbsent(locations.get(location).memory(), m -> new TreeSet<>());
  }

  private static Set<Long> of(Map<String, Set<Long>> now, InstructionOperand operand) {
    return switch (operand) {
      case InstructionOperand.Constant constant -> Set.of(constant.value());
      case InstructionOperand.Register register -> now.getOrDefault(register.name(), ALL);
    };
  }

  private void add(Set<Long> known, Set<Long> more) {
    if (known.size() <= MOST) {
      changed |= known.addAll(more);
    }
  }

  private static Set<Long> computed(Map<String, Set<Long>> now, LitmusInstruction.Compute c) {
    boolean same = c.a() instanceof InstructionOperand.Register && c.a().equals(c.b());
    return same && (c.op() == ArithmeticOp.XOR || c.op().of(true, false) == ArithmeticOp.SUB_32)
        ? Set.of(0L)
        : results(c.op(), of(now, c.a()), of(now, c.b()));
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

package dev.oriel.sim.litmus.path;

import dev.oriel.sim.litmus.test.LitmusInstruction;
import dev.oriel.sim.litmus.test.LitmusScope;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.LitmusThread;
import dev.oriel.sim.litmus.test.LiveRegisters;
import dev.oriel.sim.litmus.test.MemoryLocation;
import dev.oriel.sim.litmus.test.MemoryOrder;
import dev.oriel.sim.litmus.test.MemoryProxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which updates may be removed from an execution without making an outcome impossible. They
 * are updates that stored the value they read, such as those of a held lock.
 *
 * <p>Remove the update u of a memory whose accesses are all morally strong with each other. Let
 * every read that returned u's value return that of its source s. No write comes between s and u,
 * so the same writes follow in coherence, and every read that observed s through u observes it now.
 * Every other relation only shrinks.
 *
 * <p>Only dependencies may close a new cycle: a reader of u now returns s, which may depend on that
 * reader. It cannot if u depended on its own read, for then the cycle existed before. Nor can it if
 * each write of the memory depends only on reads of that memory. Then the cycle is one of morally
 * strong accesses of one location.
 */
final class SilentUpdates {
  private record Access(
      int thread,
      MemoryLocation location,
      MemoryProxy proxy,
      MemoryOrder order,
      LitmusScope scope) {}

  private final LitmusTest test;

  /** Memories whose accesses are all morally strong with each other. */
  private final Set<Integer> strong = new HashSet<>();

  /** Memories with a write that depends on a read of another memory. */
  private final Set<Integer> fed = new HashSet<>();

  SilentUpdates(LitmusTest test) {
    this.test = test;
    Map<Integer, List<Access>> accesses = new HashMap<>();
    for (int t = 0; t < test.threads().size(); t++) {
      for (LitmusInstruction instruction : test.threads().get(t).code()) {
        Access access = access(t, instruction);
        if (access != null) {
          accesses.computeIfAbsent(access.location().memory(), m -> new ArrayList<>()).add(access);
        }
      }
      feeds(test.threads().get(t).code());
    }
    accesses.forEach((memory, all) -> {
      if (all.stream().allMatch(a -> all.stream().allMatch(b -> morallyStrong(a, b)))) {
        strong.add(memory);
      }
    });
  }

  /** Whether an update of that location may be removed. */
  boolean droppable(int location, boolean dependsOnItsRead) {
    int memory = test.locations().get(location).memory();
    return strong.contains(memory) && (dependsOnItsRead || !fed.contains(memory));
  }

  private @Nullable Access access(int thread, LitmusInstruction instruction) {
    return switch (instruction) {
      case LitmusInstruction.Load l ->
          new Access(thread, place(l.location()), l.proxy(), l.order(), l.scope());
      case LitmusInstruction.Store s ->
          new Access(thread, place(s.location()), s.proxy(), s.order(), s.scope());
      case LitmusInstruction.Atomic a ->
          new Access(thread, place(a.location()), MemoryProxy.GENERIC, a.order(), a.scope());
      default -> null;
    };
  }

  private MemoryLocation place(int location) {
    return test.locations().get(location);
  }

  private boolean morallyStrong(Access a, Access b) {
    boolean oneWay =
        a.proxy() == MemoryProxy.GENERIC
            && b.proxy() == MemoryProxy.GENERIC
            && a.location().address() == b.location().address();
    return oneWay && (a.thread() == b.thread() || (reaches(a, b) && reaches(b, a)));
  }

  private boolean reaches(Access a, Access b) {
    List<LitmusThread> threads = test.threads();
    return a.order().strong()
        && threads
            .get(a.thread())
            .placement()
            .shares(a.scope(), threads.get(b.thread()).placement());
  }

  /**
   * Records the memories whose writes in one thread depend on reads of others, by value or branch.
   */
  private void feeds(List<LitmusInstruction> code) {
    Map<String, Set<Integer>> registers = registers(code);
    for (int i = 0; i < code.size(); i++) {
      if (code.get(i) instanceof LitmusInstruction.Branch) {
        Set<Integer> read = read(code.get(i), registers);
        after(code, i).stream().forEach(at -> feed(code.get(at), read));
      }
      feed(code.get(i), read(code.get(i), registers));
    }
  }

  private void feed(LitmusInstruction instruction, Set<Integer> read) {
    Access access = access(0, instruction);
    if (access != null && !(instruction instanceof LitmusInstruction.Load)) {
      int memory = access.location().memory();
      if (read.stream().anyMatch(other -> other != memory)) {
        fed.add(memory);
      }
    }
  }

  /** For each register: the memories on whose reads its value may depend at any time. */
  private Map<String, Set<Integer>> registers(List<LitmusInstruction> code) {
    Map<String, Set<Integer>> registers = new HashMap<>();
    boolean changed = true;
    while (changed) {
      changed = false;
      for (LitmusInstruction instruction : code) {
        String to = LiveRegisters.assigned(instruction);
        if (to != null) {
          Set<Integer> from = read(instruction, registers);
          Access access = access(0, instruction);
          if (access != null) {
            from.add(access.location().memory());
          }
          changed |= registers.computeIfAbsent(to, name -> new HashSet<>()).addAll(from);
        }
      }
    }
    return registers;
  }

  /** The memories on which the registers used by an instruction depend. */
  private static Set<Integer> read(
      LitmusInstruction instruction, Map<String, Set<Integer>> registers) {
    Set<Integer> read = new HashSet<>();
    for (String register : LiveRegisters.used(instruction)) {
      read.addAll(registers.getOrDefault(register, Set.of()));
    }
    return read;
  }

  /** The instructions that may be executed after that one. */
  private static BitSet after(List<LitmusInstruction> code, int from) {
    BitSet after = new BitSet();
    Deque<Integer> open = new ArrayDeque<>(List.of(from));
    while (!open.isEmpty()) {
      for (int next : LiveRegisters.next(code, open.pop())) {
        if (next < code.size() && !after.get(next)) {
          after.set(next);
          open.push(next);
        }
      }
    }
    return after;
  }
}

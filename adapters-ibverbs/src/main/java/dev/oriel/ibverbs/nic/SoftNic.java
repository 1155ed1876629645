package dev.oriel.ibverbs.nic;

import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Interfaces in software with the network between them, for example one domain for each rank. It
 * has no thread: its owner calls {@link #turn} repeatedly, or one {@link #step} at a time, from one
 * thread at a time. Whatever the memory of queues contains, neither call throws, and nothing is
 * written outside registered memory and completion queues.
 */
public final class SoftNic {
  private final ElementOrdering ordering;
  private final NicLimits limits;
  private final Consumer<String> complaints;
  private final List<SoftQueuePair> pairs = new ArrayList<>();
  private final List<Runnable> steps = new ArrayList<>();
  private int numbers;
  private int keys;

  /** Passes {@code complaints} each refusal with its reason. */
  public SoftNic(ElementOrdering ordering, NicLimits limits, Consumer<String> complaints) {
    this.ordering = ordering;
    this.limits = limits;
    this.complaints = complaints;
  }

  /** A new domain. */
  public SoftDomain domain() {
    return new SoftDomain(this);
  }

  /** Takes one of the possible next steps; false if there is none. */
  public boolean step(StepChoice choice) {
    steps.clear();
    for (SoftQueuePair pair : pairs) {
      pair.listen();
      pair.steps(steps);
    }
    if (steps.isEmpty()) {
      return false;
    }
    steps.get(choice.of(steps.size())).run();
    return true;
  }

  /** Whether no step is possible, and none will be before a doorbell rings. */
  boolean idle() {
    steps.clear();
    for (SoftQueuePair pair : pairs) {
      if (pair.rung()) {
        return false;
      }
      pair.steps(steps);
    }
    return steps.isEmpty();
  }

  /**
   * The state on which its next steps depend, beside memory: two interfaces with the same state
   * behave the same. A search can therefore treat it as an agent like any other.
   */
  String state() {
    StringBuilder state = new StringBuilder();
    pairs.forEach(pair -> pair.describe(state));
    return state.toString();
  }

  /** Takes the first step of every queue pair; false if none had one. */
  public boolean turn() {
    boolean any = false;
    for (SoftQueuePair pair : pairs) {
      pair.listen();
      steps.clear();
      pair.steps(steps);
      if (!steps.isEmpty()) {
        steps.getFirst().run();
        any = true;
      }
    }
    return any;
  }

  SoftQueuePair add(SoftQueuePair pair) {
    requireRoom("queue pairs", pairs.size());
    pairs.add(pair);
    return pair;
  }

  void requireRoom(String what, int used) {
    if (used >= limits.objects()) {
      throw new MachineException(
          "too many %s: max=%d; give some back, or allow more".formatted(what, limits.objects()));
    }
  }

  /** Numbers for queue pairs and completion queues, never 0, never reused. */
  int nextNumber() {
    if (numbers == 0xff_ffff) {
      throw new MachineException("no number left: used=%d; make a new one".formatted(numbers));
    }
    return ++numbers;
  }

  /** Keys, never reused: an index of 24 bits and a byte, as interfaces make them. */
  int nextKey() {
    if (keys == 0xff_ffff) {
      throw new MachineException("no key left: used=%d; make a new one".formatted(keys));
    }
    keys++;
    return (keys << 8) | (keys * 0x2f & 0xff);
  }

  ElementOrdering ordering() {
    return ordering;
  }

  NicLimits limits() {
    return limits;
  }

  void complain(String what) {
    complaints.accept(what);
  }
}

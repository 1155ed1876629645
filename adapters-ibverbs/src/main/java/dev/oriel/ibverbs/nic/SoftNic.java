package dev.oriel.ibverbs.nic;

import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Interfaces in software with the network between them: one domain for each rank, say. It does
 * nothing by itself: whoever owns it calls {@link #turn} over and over, or one {@link #step} at a
 * time, from one thread at a time. Whatever stands in the memory of queues, neither throws, and
 * nothing outside registered memory and completion queues is written.
 */
public final class SoftNic {
  private final Ordering ordering;
  private final Limits limits;
  private final Consumer<String> complaints;
  private final List<QueuePair> pairs = new ArrayList<>();
  private final List<Runnable> steps = new ArrayList<>();
  private int numbers;
  private int keys;

  /** Tells {@code complaints} what it refuses, and why. */
  public SoftNic(Ordering ordering, Limits limits, Consumer<String> complaints) {
    this.ordering = ordering;
    this.limits = limits;
    this.complaints = complaints;
  }

  /** A new domain. */
  public Domain domain() {
    return new Domain(this);
  }

  /** Takes one of all steps that could be next; false if there is none. */
  public boolean step(Choice choice) {
    steps.clear();
    for (QueuePair pair : pairs) {
      pair.listen();
      pair.steps(steps);
    }
    if (steps.isEmpty()) {
      return false;
    }
    steps.get(choice.of(steps.size())).run();
    return true;
  }

  /** Whether no step could be next, nor will be before somebody rings. */
  boolean idle() {
    steps.clear();
    for (QueuePair pair : pairs) {
      if (pair.rung()) {
        return false;
      }
      pair.steps(steps);
    }
    return steps.isEmpty();
  }

  /**
   * All that its next steps depend on, beside memory: two that say the same do the same. So a
   * search can take it for an agent like any other.
   */
  String state() {
    StringBuilder state = new StringBuilder();
    pairs.forEach(pair -> pair.tell(state));
    return state.toString();
  }

  /** Every queue pair takes its first step; false if none had one. */
  public boolean turn() {
    boolean any = false;
    for (QueuePair pair : pairs) {
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

  QueuePair add(QueuePair pair) {
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

  /** Numbers of queue pairs and completion queues, never 0, never used twice. */
  int nextNumber() {
    if (numbers == 0xff_ffff) {
      throw new MachineException("no number left: used=%d; make a new one".formatted(numbers));
    }
    return ++numbers;
  }

  /** Keys, never used twice: an index of 24 bits and a byte, as interfaces make them. */
  int nextKey() {
    if (keys == 0xff_ffff) {
      throw new MachineException("no key left: used=%d; make a new one".formatted(keys));
    }
    keys++;
    return (keys << 8) | (keys * 0x2f & 0xff);
  }

  Ordering ordering() {
    return ordering;
  }

  Limits limits() {
    return limits;
  }

  void complain(String what) {
    complaints.accept(what);
  }
}

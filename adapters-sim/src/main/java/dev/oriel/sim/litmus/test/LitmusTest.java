package dev.oriel.sim.litmus.test;

import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeSet;

/** A parsed litmus test; immutable, with no text except names. */
public final class LitmusTest {
  private final String name;
  private final List<MemoryLocation> locations;
  private final List<LitmusThread> threads;
  private final Quantifier quantifier;
  private final LitmusCondition condition;
  private final LitmusCondition filter;
  private final List<LitmusCondition.Variable> observed;
  private final SortedMap<String, Integer> unsupported;

  public LitmusTest(
      String name,
      List<MemoryLocation> locations,
      List<LitmusThread> threads,
      Quantifier quantifier,
      LitmusCondition condition,
      LitmusCondition filter,
      List<LitmusCondition.Variable> observed,
      SortedMap<String, Integer> unsupported) {
    this.name = name;
    this.locations = List.copyOf(locations);
    this.threads = List.copyOf(threads);
    this.quantifier = quantifier;
    this.condition = condition;
    this.filter = filter;
    this.observed = List.copyOf(observed);
    this.unsupported = unsupported;
  }

  /** The name in the header, which may differ from the file's. */
  public String name() {
    return name;
  }

  /** The quantifier of the test's condition. */
  public Quantifier quantifier() {
    return quantifier;
  }

  /** How often each instruction occurs that this package does not know; empty if it knows all. */
  public SortedMap<String, Integer> unsupported() {
    return unsupported;
  }

  public List<MemoryLocation> locations() {
    return locations;
  }

  public List<LitmusThread> threads() {
    return threads;
  }

  public LitmusCondition condition() {
    return condition;
  }

  /** Executions outside it do not count. */
  public LitmusCondition filter() {
    return filter;
  }

  /** The variables that make up a state. */
  public List<LitmusCondition.Variable> observed() {
    return observed;
  }

  /** The number of instructions and names that use a proxy other than the generic one. */
  public int proxies() {
    long proxies =
        threads.stream()
            .flatMap(thread -> thread.code().stream())
            .filter(LitmusInstruction::usesProxy)
            .count();
    return (int) proxies
        + (int) locations.stream().filter(place -> place.address() != place.memory()).count();
  }

  /** The observed registers of a thread. */
  public Set<String> observed(int thread) {
    Set<String> names = new TreeSet<>();
    for (LitmusCondition.Variable variable : observed) {
      if (variable instanceof LitmusCondition.Variable.Register register
          && register.thread() == thread) {
        names.add(register.name());
      }
    }
    return names;
  }

  /** A state in words: the name and the value of each observed variable. */
  public String described(List<Long> state) {
    StringJoiner words = new StringJoiner(" ");
    for (int i = 0; i < observed.size(); i++) {
      String name =
          switch (observed.get(i)) {
            case LitmusCondition.Variable.Register r -> "P%d:%s".formatted(r.thread(), r.name());
            case LitmusCondition.Variable.Memory m -> locations.get(m.location()).name();
          };
      words.add(name + "=" + state.get(i));
    }
    return words.toString();
  }
}

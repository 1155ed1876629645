package dev.oriel.sim.litmus.answer;

import dev.oriel.sim.litmus.test.LitmusCondition;
import dev.oriel.sim.litmus.test.LitmusTest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Collects the final states of executions, and whether the condition held in them. */
public final class LitmusOutcomes {
  /** Bytes of memory per retained state, and per value of it. */
  private static final int STATE = 112;

  private static final int VALUE = 28;

  private final LitmusTest test;
  private final SearchBudget budget;
  private final Set<List<Long>> states = new HashSet<>();
  private long executions;
  private boolean witnessed;
  private boolean refuted;

  public LitmusOutcomes(LitmusTest test, SearchBudget budget) {
    this.test = test;
    this.budget = budget;
  }

  /** Adds all states of one execution: a memory may hold the value of any of its last writes. */
  public boolean add(FinishedExecution execution) {
    List<Integer> memories =
        test.observed().stream()
            .filter(LitmusCondition.Variable.Memory.class::isInstance)
            .map(variable -> memory((LitmusCondition.Variable.Memory) variable))
            .distinct()
            .toList();
    long before = states.size();
    boolean counted = choose(execution, memories, 0, new TreeMap<>());
    executions += counted || states.size() > before ? 1 : 0;
    return !budget.spent();
  }

  private int memory(LitmusCondition.Variable.Memory variable) {
    return test.locations().get(variable.location()).memory();
  }

  private boolean choose(
      FinishedExecution execution, List<Integer> memories, int index, Map<Integer, Long> finals) {
    if (index == memories.size()) {
      return state(execution, finals);
    }
    boolean counted = false;
    for (long last : execution.last(memories.get(index))) {
      if (!budget.spend()) {
        break;
      }
      finals.put(memories.get(index), last);
      counted |= choose(execution, memories, index + 1, finals);
    }
    return counted;
  }

  private boolean state(FinishedExecution execution, Map<Integer, Long> finals) {
    List<Long> state = new ArrayList<>();
    for (LitmusCondition.Variable variable : test.observed()) {
      state.add(
          switch (variable) {
            case LitmusCondition.Variable.Register register ->
                execution.register(register.thread(), register.name());
            case LitmusCondition.Variable.Memory memory -> finals.getOrDefault(memory(memory), 0L);
          });
    }
    if (!test.filter().holds(test.observed(), state)) {
      return false;
    }
    if (states.add(List.copyOf(state))) {
      budget.keep(STATE + (long) VALUE * state.size());
      boolean holds = test.condition().holds(test.observed(), state);
      witnessed |= holds;
      refuted |= !holds;
    }
    return true;
  }

  public long executions() {
    return executions;
  }

  public Set<List<Long>> states() {
    return states;
  }

  /** Whether some state satisfies the condition. */
  public boolean witnessed() {
    return witnessed;
  }

  /** Whether some state violates the condition. */
  public boolean refuted() {
    return refuted;
  }
}

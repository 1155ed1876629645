package dev.oriel.sim.store;

import dev.oriel.ports.ProofStore;
import dev.oriel.ports.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Remembers verdicts until the process ends. */
public final class MemoryProofStore implements ProofStore {
  private record Subject(String program, String lowered) {}

  private final Map<Subject, List<Verdict>> kept = new HashMap<>();

  @Override
  public synchronized List<Verdict> find(String program, String lowered) {
    return List.copyOf(kept.getOrDefault(new Subject(program, lowered), List.of()));
  }

  @Override
  public synchronized void keep(Verdict verdict) {
    List<Verdict> same =
        kept.computeIfAbsent(
            new Subject(verdict.program(), verdict.lowered()), s -> new ArrayList<>());
    same.removeIf(v -> replaces(verdict, v));
    same.addFirst(verdict);
  }

  private static boolean replaces(Verdict later, Verdict earlier) {
    return later.model().equals(earlier.model())
        && later.strategy().equals(earlier.strategy())
        && later.launches() == earlier.launches();
  }
}

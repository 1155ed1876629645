package dev.oriel.ports.persistent;

import dev.oriel.domain.persistent.CallCountAgreement;
import dev.oriel.domain.persistent.RequestKey;
import dev.oriel.domain.persistent.RequestLife;
import java.util.ArrayList;
import java.util.List;

/** One request of this rank, with its end, its life cycle and the graphs that replay it. */
final class PersistentRequest {
  /** The generation of a request that was never announced to the peers. */
  private static final long NEVER = -1;

  final RequestKey key;
  final int place;
  final RequestLife life;
  final CallMachine.End end;

  private final List<CallGraph> graphs = new ArrayList<>();
  private boolean kept;
  private boolean foreign;
  private long met = NEVER;

  PersistentRequest(RequestKey key, int place, CallCountAgreement accord, CallMachine.End end) {
    this.key = key;
    this.place = place;
    this.end = end;
    life = new RequestLife(key, accord);
  }

  boolean met(long generation) {
    return met == generation;
  }

  void meet(long generation) {
    met = generation;
  }

  /** Keeps it until it is destroyed explicitly. */
  void keep() {
    kept = true;
  }

  /** Keeps it at least as long as that graph. */
  void recordedIn(CallGraph graph) {
    graphs.add(graph);
    foreign |= graph.foreign();
  }

  /**
   * Whether peers may already have noticed that it is gone and have created another: ranks notice
   * the end of a foreign graph at different times.
   */
  boolean uncertain() {
    return foreign && !kept;
  }

  /** Makes the ranks meet before its next call. */
  void forget() {
    met = NEVER;
  }

  /** Whether it existed only for graphs that are gone. */
  boolean unused() {
    graphs.removeIf(CallGraph::destroyed);
    return !kept && graphs.isEmpty();
  }

  /** Destroys it for ever: recorded calls of it have no effect. */
  void destroy() {
    life.destroy();
    end.close();
  }
}

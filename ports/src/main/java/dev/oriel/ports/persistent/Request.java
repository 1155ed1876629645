package dev.oriel.ports.persistent;

import dev.oriel.domain.persistent.Accord;
import dev.oriel.domain.persistent.RequestKey;
import dev.oriel.domain.persistent.RequestLife;
import java.util.ArrayList;
import java.util.List;

/** One request of this rank. */
final class Request {
  /** Made known to the peers in no generation yet. */
  private static final long NEVER = -1;

  final RequestKey key;
  final int place;
  final RequestLife life;
  final CallMachine.End end;

  private final List<CallGraph> graphs = new ArrayList<>();
  private boolean kept;
  private boolean foreign;
  private long met = NEVER;

  Request(RequestKey key, int place, Accord accord, CallMachine.End end) {
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

  /** Stays until it is destroyed by name. */
  void keep() {
    kept = true;
  }

  /** Stays at least as long as that graph. */
  void recordedIn(CallGraph graph) {
    graphs.add(graph);
    foreign |= graph.foreign();
  }

  /**
   * Whether peers may have heard already that it is gone, and have made another one: the end of
   * somebody else's graph is noticed on one rank before another.
   */
  boolean uncertain() {
    return foreign && !kept;
  }

  /** Ranks meet before its next call. */
  void forget() {
    met = NEVER;
  }

  /** Whether it was only there for graphs that are gone. */
  boolean unused() {
    graphs.removeIf(CallGraph::destroyed);
    return !kept && graphs.isEmpty();
  }

  /** For ever: whatever was recorded of it does nothing. */
  void destroy() {
    life.destroy();
    end.close();
  }
}

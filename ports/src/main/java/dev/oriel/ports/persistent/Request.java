package dev.oriel.ports.persistent;

import dev.oriel.domain.persistent.Accord;
import dev.oriel.domain.persistent.RequestKey;
import dev.oriel.domain.persistent.RequestLife;
import dev.oriel.domain.persistent.Step.Word;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** One request of this rank. */
final class Request {
  /** Made known to the peers in no generation yet. */
  private static final long NEVER = -1;

  final RequestKey key;
  final int place;
  final RequestLife life;

  /** Where each peer keeps its own end of the request. */
  final int[] theirs;

  /** By word and peer: what the slot held before the first call; it is used again and again. */
  private final Map<Word, long[]> before = new EnumMap<>(Word.class);

  private final List<CallGraph> graphs = new ArrayList<>();
  private boolean kept;
  private long met = NEVER;

  Request(RequestKey key, int place, Accord accord, int world) {
    this.key = key;
    this.place = place;
    life = new RequestLife(key, accord);
    theirs = new int[world];
    for (Word word : Word.values()) {
      before.put(word, new long[world]);
    }
  }

  long before(int peer, Word word) {
    return Objects.requireNonNull(before.get(word))[peer];
  }

  void before(int peer, Word word, long value) {
    Objects.requireNonNull(before.get(word))[peer] = value;
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
  }

  /** Whether it was only there for graphs that are gone. */
  boolean unused() {
    graphs.removeIf(CallGraph::destroyed);
    return !kept && graphs.isEmpty();
  }
}

package dev.oriel.domain.program;

import java.util.List;

/**
 * A family of agents of one rank: one for every combination of its indices. Lanes are scheduled
 * independently; nothing orders two of them but a {@link Op.Join} or signals.
 */
public record Lane(
    String name, List<Index> indices, Engine engine, List<State> states, List<Op> body) {

  /** A lane index: {@code name} runs over 0 … count - 1. */
  public record Index(String name, Expr count) {}

  /** A persistent word of each lane, starting at 0, always a multiple of {@code step}. */
  public record State(String name, Expr step) {}

  /** What executes a lane. */
  public sealed interface Engine {
    /**
     * One thread block.
     *
     * @param cluster how many blocks of the family stand in one cluster: so many in a row, in the
     *     order of their indices, the last one running fastest
     */
    record Sm(int threads, int cluster) implements Engine {
      /** A block in a cluster of its own. */
      public Sm(int threads) {
        this(threads, 1);
      }
    }

    /** One serial copy-engine chain. */
    record Copy() implements Engine {}

    /** A host thread that the embedder lends. */
    record Host() implements Engine {}

    /** A network interface's queue. */
    record Nic(int queue) implements Engine {}
  }

  public Lane {
    indices = List.copyOf(indices);
    states = List.copyOf(states);
    body = List.copyOf(body);
  }
}

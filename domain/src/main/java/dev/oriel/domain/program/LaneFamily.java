package dev.oriel.domain.program;

import java.util.List;

/**
 * A family of agents of one rank: one for every combination of its indices. Lanes run concurrently;
 * only a {@link Op.Join} or signals order two of them.
 */
public record LaneFamily(
    String name, List<Index> indices, Engine engine, List<State> states, List<Op> body) {

  /** A lane index: {@code name} runs over 0 … count - 1. */
  public record Index(String name, Expr count) {}

  /** A persistent word of each lane, starting at 0, always a multiple of {@code step}. */
  public record State(String name, Expr step) {}

  /** The engine that executes a lane. */
  public sealed interface Engine {
    /**
     * One thread block.
     *
     * @param cluster the number of blocks of the family in one cluster: consecutive ones in the
     *     order of their indices, of which the last varies fastest
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

  public LaneFamily {
    indices = List.copyOf(indices);
    states = List.copyOf(states);
    body = List.copyOf(body);
  }
}

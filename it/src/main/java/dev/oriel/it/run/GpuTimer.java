package dev.oriel.it.run;

import dev.oriel.cuda.CudaInstance;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.ports.MachineException;
import java.util.SplittableRandom;

/**
 * Times programs on GPUs in graphs of many calls, and checks every output byte. Each process of a
 * world times the same programs in the same order.
 *
 * @param calls of one graph, fewer if they move many bytes
 */
public record GpuTimer(
    Executor executor, Topology topology, ReplayCoordination pace, int calls, int replays) {
  /**
   * A graph must take milliseconds: in a graph of 5 calls of 64 MiB, each call took a sixth longer.
   */
  public static final long BYTES_OF_A_GRAPH = 1L << 31;

  public static final int FEWEST_CALLS = 5;
  private static final long SEED = 1;

  /** A measured program gave a wrong result. */
  public static final class WrongOutput extends RuntimeException {
    private static final long serialVersionUID = 1;

    public WrongOutput(String message) {
      super(message);
    }
  }

  /** The calls of a graph in which each moves that many bytes. */
  public int callsOf(long bytes) {
    int fewest = Math.min(FEWEST_CALLS, calls);
    return Math.clamp(BYTES_OF_A_GRAPH / Math.max(1, bytes), fewest, calls);
  }

  /**
   * The times of one call in a graph of that many.
   *
   * @param name of the program in an error
   * @throws WrongOutput if an output is wrong, on every process
   */
  public GraphTiming time(String name, Program program, int graph) {
    try (Executor.Instance instance = executor.prepare(program, topology)) {
      if (!(instance instanceof CudaInstance cuda)) {
        throw MachineException.lacking("no GPUs: only programs on GPUs are timed in graphs");
      }
      GraphTiming timing =
          GraphTiming.of(program, cuda, graph, replays, new SplittableRandom(SEED), pace);
      if (!timing.problems().isEmpty()) {
        throw new WrongOutput(
            "wrong output: program=%s, params=%s: %s"
                .formatted(name, program.params(), timing.problems().getFirst()));
      }
      return timing;
    }
  }
}

package dev.oriel.ibverbs.run;

import java.util.List;
import java.util.function.Supplier;

/** The ranks of this process, and the collective steps with those of other processes. */
public interface ProcessGroup {
  /** All ranks of every program's world in this process. */
  ProcessGroup ALONE = new SingleProcess();

  /** The ranks of this process in ascending order, given the size of the world. */
  List<Integer> local(int world);

  /** The contributions of all ranks, in rank order, given those of the local ranks. */
  List<byte[]> exchange(String step, List<byte[]> mine);

  /**
   * Runs this process's part of a collective step, and returns its result once every other process
   * has done its part.
   *
   * @throws dev.oriel.ports.MachineException on every rank, if one of them failed
   */
  <T> T together(String step, Supplier<T> part);

  /** A barrier of all processes. */
  void meet(String step);

  /** Refuses a world whose size differs from the number of ranks that joined. */
  void checkWorld(int world);
}

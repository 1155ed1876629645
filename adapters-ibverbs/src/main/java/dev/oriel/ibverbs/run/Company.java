package dev.oriel.ibverbs.run;

import java.util.List;
import java.util.function.Supplier;

/** The ranks of this process, and how they reach those of others while a program is prepared. */
public interface Company {
  /** This process hosts the whole world of every program. */
  Company ALONE = new Alone();

  /** The ranks of this process in ascending order, given the size of the world. */
  List<Integer> local(int world);

  /** What every rank contributed, in rank order, given what each local rank does. */
  List<byte[]> exchange(String step, List<byte[]> mine);

  /**
   * What this process's part of a step gave, once every other did its part.
   *
   * @throws dev.oriel.ports.MachineException on every rank, if one of them could not
   */
  <T> T together(String step, Supplier<T> part);

  /** Returns once all have come. */
  void meet(String step);

  /** Refuses what cannot be: a world of another size than that of the ranks that are there. */
  void checkWorld(int world);
}

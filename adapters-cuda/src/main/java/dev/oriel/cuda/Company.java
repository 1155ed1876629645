package dev.oriel.cuda;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.Resources;
import dev.oriel.cuda.driver.UserMemory;
import dev.oriel.cuda.process.Peers;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Supplier;

/** The processes that together run a world, seen from one of them. */
sealed interface Company extends AutoCloseable permits Alone, Joined {

  /** How ranks reach peers that are not on NVLink, if they do. */
  Optional<Outside> outside();

  /** The GPUs of this process, for people to read. */
  List<Gpu> gpus();

  /**
   * The local ranks and their GPUs; refuses what these processes cannot run.
   *
   * @param need what is asked of each pair of GPUs that are joined by NVLink
   */
  SortedMap<Integer, Gpu> place(Program program, Topology topology, Need need);

  /** What this process's part of a step gave, once every other did its part. */
  <T> T together(String step, Supplier<T> part);

  /**
   * Where every rank's memory for an instance is mapped here, zeroed; collective.
   *
   * @param given what apps lend as buffers of the local ranks, by rank and name
   * @param owned what is made is added to it
   */
  List<RankMemory> memories(
      int instance,
      Program program,
      SortedMap<Integer, Gpu> local,
      Map<Integer, Map<String, UserMemory>> given,
      Resources owned);

  /** Who else runs an instance. */
  Peers peers(int instance);

  @Override
  void close();
}

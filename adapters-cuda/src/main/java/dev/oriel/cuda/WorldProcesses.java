package dev.oriel.cuda;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.process.InstancePeers;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.UserMemory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Supplier;

/** The processes that together run a world, seen from one of them. */
sealed interface WorldProcesses extends AutoCloseable
    permits SingleProcessWorld, MultiProcessWorld, NetworkedWorld {

  /** How ranks reach peers that are not on NVLink; empty if every peer is. */
  Optional<? extends OutsideNetwork> outside();

  /** The GPUs of this process, in a form for people to read. */
  List<Gpu> gpus();

  /**
   * The local ranks and their GPUs; refuses a program that these processes cannot run.
   *
   * @param need the accesses that each pair of GPUs joined by NVLink must support
   */
  SortedMap<Integer, Gpu> place(Program program, Topology topology, PeerAccessRequirement need);

  /**
   * Runs this process's part of a collective step, and returns its result once every other process
   * has done its part.
   */
  <T> T together(String step, Supplier<T> part);

  /**
   * The addresses where every rank's memory for an instance is mapped here, zeroed; collective.
   *
   * @param given memory that applications lend as buffers of the local ranks, by rank and name
   * @param owned receives every resource that is made
   */
  List<RankMemory> memories(
      int instance,
      Program program,
      Topology topology,
      SortedMap<Integer, Gpu> local,
      Map<Integer, Map<String, UserMemory>> given,
      ResourceStack owned);

  /** The other processes that run an instance. */
  InstancePeers peers(int instance);

  @Override
  void close();
}

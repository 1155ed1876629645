package dev.oriel.cuda;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.driver.SharedMemory;
import dev.oriel.cuda.process.AllocationExchange;
import dev.oriel.cuda.process.InstancePeers;
import dev.oriel.cuda.process.MemoryExchange;
import dev.oriel.cuda.process.MeshPeers;
import dev.oriel.cuda.process.OpenAllocations;
import dev.oriel.cuda.process.ProcessMesh;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.setup.StepAgreement;
import dev.oriel.ports.setup.WorldSizeCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** One rank of a world whose other ranks are in other processes of this host, each with a GPU. */
final class MultiProcessWorld implements WorldProcesses {
  private final Bootstrap ranks;
  private final ResourceStack owned = new ResourceStack();
  private final Gpu gpu;

  /** The GPUs of all ranks by UUID. This process can query only those that the driver shows it. */
  private final List<String> uuids;

  private final ProcessMesh mesh;
  private final OpenAllocations opened;

  private MultiProcessWorld(
      Bootstrap ranks, Supplier<Gpu> opening, FabricListener listener, Clock clock) {
    this.ranks = ranks;
    try {
      gpu = StepAgreement.all(ranks, "cuda: open", () -> owned.add(opening.get()));
      opened = new OpenAllocations(gpu.sharing());
      uuids = ProcessAgreement.gpus(ranks, gpu, /* sharing= */ false);
      mesh = owned.add(ProcessMesh.join(ranks, listener, clock));
    } catch (RuntimeException e) {
      throw owned.closeSuppressing(e);
    }
  }

  /**
   * Collective: opens this rank's GPU and a line to every other process.
   *
   * @throws MachineException on every rank, if one of them could not; nothing is left open
   */
  static MultiProcessWorld join(
      Bootstrap ranks, Supplier<Gpu> opening, FabricListener listener, Clock clock) {
    return new MultiProcessWorld(ranks, opening, listener, clock);
  }

  @Override
  public Optional<OutsideNetwork> outside() {
    return Optional.empty();
  }

  @Override
  public List<Gpu> gpus() {
    return List.of(gpu);
  }

  @Override
  public SortedMap<Integer, Gpu> place(
      Program program, Topology topology, PeerAccessRequirement need) {
    WorldSizeCheck.require(program.world(), ranks);
    need.require(gpu.device(), uuids);
    return new TreeMap<>(Map.of(ranks.rank(), gpu));
  }

  @Override
  public <T> T together(String step, Supplier<T> part) {
    return StepAgreement.all(ranks, step, part);
  }

  @Override
  public List<RankMemory> memories(
      int instance,
      Program program,
      Topology topology,
      SortedMap<Integer, Gpu> local,
      Map<Integer, Map<String, UserMemory>> given,
      ResourceStack instanceOwned) {
    ProcessAgreement.sameProgram(ranks, instance, program);
    mesh.open(instance);
    instanceOwned.add(() -> mesh.forget(instance));
    int apart = -1 - instance;
    mesh.open(apart);
    instanceOwned.add(() -> mesh.forget(apart));
    String step = "instance " + instance;
    List<Map<String, AllocationExchange.MappedAllocation>> reached =
        new AllocationExchange(ranks, gpu.sharing(), opened, mesh.files(apart))
            .map(
                step,
                given.getOrDefault(ranks.rank(), Map.of()),
                peers(apart)::meet,
                instanceOwned);
    // All ranks see the same bytes and alignment, so all refuse alike.
    List<Map<String, Long>> callerBuffers = new ArrayList<>();
    List<Long> bytes = new ArrayList<>();
    for (int rank = 0; rank < program.world(); rank++) {
      callerBuffers.add(CallerBuffers.addresses(program.rank(rank), reached.get(rank)));
      bytes.add(RankMemory.bytes(program.rank(rank), callerBuffers.get(rank)));
    }
    List<SharedMemory> mapped =
        new MemoryExchange<>(ranks, mesh, gpu).map(step, instance, bytes, instanceOwned);
    return IntStream.range(0, mapped.size())
        .mapToObj(rank ->
            new RankMemory(program.rank(rank), mapped.get(rank).address(), callerBuffers.get(rank)))
        .toList();
  }

  @Override
  public InstancePeers peers(int instance) {
    return new MeshPeers(mesh, instance, ranks.deadline());
  }

  @Override
  public void close() {
    owned.close();
  }
}

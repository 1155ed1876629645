package dev.oriel.cuda;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.process.InstanceEnd;
import dev.oriel.cuda.process.InstancePeers;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.RemoteNetwork;
import dev.oriel.ports.setup.StepAgreement;
import dev.oriel.ports.setup.WorldSizeCheck;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * One rank, with a GPU, of a world of several hosts. Ranks of one host map the memory of each
 * other; a network connects the hosts. What peers reach is on the GPUs if the network reaches it
 * there, else in the host's memory, where GPUs read and write it.
 */
final class NetworkedWorld implements WorldProcesses {
  private final Bootstrap ranks;
  private final ResourceStack owned = new ResourceStack();
  private final Gpu gpu;
  private final RemoteNetwork network;
  private final Clock clock;

  /** The GPUs of all ranks by UUID. */
  private final List<String> uuids;

  /** For each partition of the ranks into hosts that a program asked for. */
  private final Map<List<Integer>, HostProcesses> groups = new HashMap<>();

  private NetworkedWorld(
      Bootstrap ranks, Supplier<Gpu> opening, RemoteNetwork network, boolean sharing, Clock clock) {
    this.ranks = ranks;
    this.network = network;
    this.clock = clock;
    try {
      gpu = StepAgreement.all(ranks, "cuda: open", () -> owned.add(opening.get()));
      uuids = ProcessAgreement.gpus(ranks, gpu, sharing);
    } catch (RuntimeException e) {
      throw owned.closeSuppressing(e);
    }
  }

  /**
   * Collective: opens this rank's GPU.
   *
   * @param sharing whether ranks may have one GPU, so that the driver runs their kernels in turns
   * @throws MachineException on every rank, if one of them could not; nothing is left open
   */
  static NetworkedWorld join(
      Bootstrap ranks, Supplier<Gpu> opening, RemoteNetwork network, boolean sharing, Clock clock) {
    return new NetworkedWorld(ranks, opening, network, sharing, clock);
  }

  @Override
  public Optional<OutsideNetwork> outside() {
    return Optional.of(new OwnRank());
  }

  private final class OwnRank implements OutsideNetwork {
    @Override
    public QueueFormat format() {
      return network.format();
    }

    @Override
    public QueueNetwork.Connection connect(
        String step,
        SortedMap<Integer, ReachedMemory> local,
        BiPredicate<Integer, Integer> pairs,
        InitiatorMemory posters) {
      ReachedMemory own = Objects.requireNonNull(local.get(ranks.rank()));
      return network.connect(step, ranks, own, posters);
    }
  }

  @Override
  public List<Gpu> gpus() {
    return List.of(gpu);
  }

  @Override
  public SortedMap<Integer, Gpu> place(
      Program program, Topology topology, PeerAccessRequirement need) {
    WorldSizeCheck.require(program.world(), ranks);
    List<Integer> hosts = hosts(topology);
    int host = hosts.get(ranks.rank());
    List<String> neighbours =
        IntStream.range(0, program.world())
            .filter(peer -> peer != ranks.rank() && hosts.get(peer) == host)
            .mapToObj(uuids::get)
            .toList();
    if (network.copies()) {
      need.require(gpu.device(), neighbours);
    } else if (!neighbours.isEmpty()) {
      need.requireInHostMemory(gpu.device());
    }
    return new TreeMap<>(Map.of(ranks.rank(), gpu));
  }

  @Override
  public <T> T together(String step, Supplier<T> part) {
    return StepAgreement.all(ranks, step, part);
  }

  /** For each rank the first rank of its host. */
  private static List<Integer> hosts(Topology topology) {
    return IntStream.range(0, topology.world())
        .mapToObj(rank ->
            IntStream.range(0, rank)
                .filter(first -> topology.kind(rank, first) != PeerKind.RDMA)
                .findFirst()
                .orElse(rank))
        .toList();
  }

  /** The processes of this rank's host. Collective, the first time for each partition. */
  private HostProcesses group(String step, List<Integer> hosts) {
    HostProcesses group = groups.get(hosts);
    if (group == null) {
      group = owned.add(HostProcesses.join(ranks, step, hosts, gpu, clock));
      groups.put(hosts, group);
    }
    return group;
  }

  /**
   * Memory of other hosts is not mapped; its addresses are those that its owner uses. Memory of
   * this host has an address here.
   */
  @Override
  public List<RankMemory> memories(
      int instance,
      Program program,
      Topology topology,
      SortedMap<Integer, Gpu> local,
      Map<Integer, Map<String, UserMemory>> given,
      ResourceStack instanceOwned) {
    ProcessAgreement.sameProgram(ranks, instance, program);
    String step = "instance " + instance;
    RankMemory[] memories = new RankMemory[program.world()];
    HostProcesses host = group(step, hosts(topology));
    together(
        step + ": allocate",
        () -> {
          (network.copies()
                  ? host.onGpus(instance, program, instanceOwned)
                  : host.inHost(instance, program, instanceOwned))
              .forEach((peer, memory) -> memories[peer] = memory);
          return host;
        });
    byte[] mine = ByteBuffer.allocate(Long.BYTES).putLong(memories[ranks.rank()].base()).array();
    List<byte[]> bases = ranks.allGather(step + ": addresses", mine);
    for (int peer = 0; peer < program.world(); peer++) {
      if (memories[peer] == null) {
        memories[peer] = new RankMemory(program.rank(peer), base(peer, bases));
      }
    }
    return List.of(memories);
  }

  private static long base(int rank, List<byte[]> bases) {
    byte[] bytes = bases.get(rank);
    if (bytes.length != Long.BYTES) {
      throw new MachineException(
          "bytes are no address of a rank: rank=%d, length=%d; run the same version on all ranks"
              .formatted(rank, bytes.length));
    }
    return ByteBuffer.wrap(bytes).getLong();
  }

  /** Other ranks learn of an end by the network, or by their own deadline. */
  @Override
  public InstancePeers peers(int instance) {
    return new InstancePeers() {
      @Override
      public Optional<InstanceEnd> ended() {
        return Optional.empty();
      }

      @Override
      public void announce(InstanceEnd end) {}

      @Override
      public InstanceEnd settle(InstanceEnd mine) {
        return mine;
      }

      @Override
      public void meet() {
        ranks.barrier("instance " + instance + ": close");
      }
    };
  }

  @Override
  public void close() {
    owned.close();
  }
}

package dev.oriel.cuda;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.process.InstanceEnd;
import dev.oriel.cuda.process.InstancePeers;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

/**
 * One rank, with a GPU, of a world in which a network connects every pair of ranks. The memory that
 * peers reach is in the host's memory; GPUs read and write it there.
 */
final class NetworkedWorld implements WorldProcesses {
  private final Bootstrap ranks;
  private final ResourceStack owned = new ResourceStack();
  private final Gpu gpu;
  private final RemoteNetwork network;

  private NetworkedWorld(Bootstrap ranks, Supplier<Gpu> opening, RemoteNetwork network) {
    this.ranks = ranks;
    this.network = network;
    try {
      gpu = StepAgreement.all(ranks, "cuda: open", () -> owned.add(opening.get()));
      List<String> _ = ProcessAgreement.gpus(ranks, gpu);
    } catch (RuntimeException e) {
      throw owned.closeSuppressing(e);
    }
  }

  /**
   * Collective: opens this rank's GPU.
   *
   * @throws MachineException on every rank, if one of them could not; nothing is left open
   */
  static NetworkedWorld join(Bootstrap ranks, Supplier<Gpu> opening, RemoteNetwork network) {
    return new NetworkedWorld(ranks, opening, network);
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
    for (int peer = 0; peer < program.world(); peer++) {
      if (peer != ranks.rank() && topology.kind(ranks.rank(), peer) != PeerKind.RDMA) {
        throw new MachineException(
            "ranks of one host: rank=%d, peer=%d; between processes a network connects hosts of one rank each, so use a world such as %dx1"
                .formatted(ranks.rank(), peer, program.world()));
      }
    }
    return new TreeMap<>(Map.of(ranks.rank(), gpu));
  }

  @Override
  public <T> T together(String step, Supplier<T> part) {
    return StepAgreement.all(ranks, step, part);
  }

  /** Memory of other ranks is not mapped; its addresses are those that its owner uses. */
  @Override
  public List<RankMemory> memories(
      int instance,
      Program program,
      SortedMap<Integer, Gpu> local,
      Map<Integer, Map<String, UserMemory>> given,
      ResourceStack instanceOwned) {
    ProcessAgreement.sameProgram(ranks, instance, program);
    String step = "instance " + instance;
    RankProgram rank = program.rank(ranks.rank());
    RankMemory own =
        together(step + ": allocate", () -> RankMemory.hosted(rank, gpu, instanceOwned));
    byte[] mine = ByteBuffer.allocate(Long.BYTES).putLong(own.base()).array();
    List<byte[]> bases = ranks.allGather(step + ": addresses", mine);
    List<RankMemory> memories = new ArrayList<>();
    for (int peer = 0; peer < program.world(); peer++) {
      memories.add(
          peer == ranks.rank() ? own : new RankMemory(program.rank(peer), base(peer, bases)));
    }
    return memories;
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

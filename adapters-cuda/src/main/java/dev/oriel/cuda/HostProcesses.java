package dev.oriel.cuda;

import dev.oriel.bootstrap.Subgroups;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.MappedPages;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.driver.SharedMemory;
import dev.oriel.cuda.driver.SharedPages;
import dev.oriel.cuda.process.MemoryExchange;
import dev.oriel.cuda.process.ProcessMesh;
import dev.oriel.cuda.topology.HostIdentity;
import dev.oriel.domain.binding.Program;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.StepAgreement;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The processes of one host in a world of several hosts. What peers reach lies on their GPUs, or in
 * pages of the host; all of these processes map it.
 */
final class HostProcesses implements AutoCloseable {
  private final ResourceStack owned = new ResourceStack();
  private final Gpu gpu;
  private final int rank;

  /** The ranks of the world that are on this host, ascending. */
  private final List<Integer> members;

  /** The same ranks, numbered from 0. */
  private final Bootstrap group;

  private final ProcessMesh mesh;

  private HostProcesses(Bootstrap ranks, String step, List<Integer> hosts, Gpu gpu, Clock clock) {
    this.gpu = gpu;
    rank = ranks.rank();
    int host = hosts.get(rank);
    members = IntStream.range(0, hosts.size()).filter(r -> hosts.get(r) == host).boxed().toList();
    try {
      requireOneHost(ranks, step, hosts);
      group =
          owned.add(Subgroups.of(ranks, step + ": host", "host of " + host, Subgroups.LOOPBACK));
      mesh =
          StepAgreement.all(
              ranks,
              step + ": processes",
              () -> owned.add(ProcessMesh.join(group, FabricListener.NONE, clock)));
    } catch (RuntimeException e) {
      throw owned.closeSuppressing(e);
    }
  }

  /**
   * Collective over the world: meets the processes of this host.
   *
   * @param hosts for each rank the first rank of its host
   * @throws MachineException on every rank, if one of them could not; nothing is left open
   */
  static HostProcesses join(
      Bootstrap ranks, String step, List<Integer> hosts, Gpu gpu, Clock clock) {
    return new HostProcesses(ranks, step, hosts, gpu, clock);
  }

  /** All see the same names, so all refuse alike. */
  private static void requireOneHost(Bootstrap ranks, String step, List<Integer> hosts) {
    byte[] mine = HostIdentity.name().getBytes(StandardCharsets.UTF_8);
    List<String> names =
        ranks.allGather(step + ": hosts", mine).stream()
            .map(name -> new String(name, StandardCharsets.UTF_8))
            .toList();
    for (int r = 0; r < names.size(); r++) {
      String first = names.get(hosts.get(r));
      if (!names.get(r).equals(first)) {
        throw new MachineException(
            "ranks of one host are on two: rank=%d, host=%s, rank=%d, host=%s; use a world that joins the ranks of each host only, or %dx1"
                .formatted(hosts.get(r), first, r, names.get(r), names.size()));
      }
    }
  }

  /**
   * Collective over this host: the memory of each of its ranks on their GPUs, as it is mapped here,
   * zeroed.
   *
   * @param instanceOwned receives the memory and the mappings
   */
  SortedMap<Integer, RankMemory> onGpus(
      int instance, Program program, ResourceStack instanceOwned) {
    SortedMap<Integer, RankMemory> memories = new TreeMap<>();
    mesh.open(instance);
    instanceOwned.add(() -> mesh.forget(instance));
    List<Long> bytes =
        members.stream().map(r -> RankMemory.bytes(program.rank(r), Map.of())).toList();
    List<SharedMemory> mapped =
        new MemoryExchange<>(group, mesh, gpu)
            .map("instance " + instance, instance, bytes, instanceOwned);
    for (int i = 0; i < members.size(); i++) {
      int member = members.get(i);
      memories.put(member, new RankMemory(program.rank(member), mapped.get(i).address()));
    }
    return memories;
  }

  /**
   * The same in pages of the host, but for the part that only the rank itself reaches.
   *
   * @param instanceOwned receives the memory and the mappings
   */
  SortedMap<Integer, RankMemory> inHost(
      int instance, Program program, ResourceStack instanceOwned) {
    if (members.size() == 1) {
      return new TreeMap<>(Map.of(rank, RankMemory.hosted(program.rank(rank), gpu, instanceOwned)));
    }
    mesh.open(instance);
    instanceOwned.add(() -> mesh.forget(instance));
    List<Long> bytes = members.stream().map(r -> RankMemory.reached(program.rank(r))).toList();
    List<SharedPages> pages =
        new MemoryExchange<>(group, mesh, SharedPages.MAKER)
            .map("instance " + instance, instance, bytes, instanceOwned);
    // Unmapped for the GPU before the pages go.
    MappedPages mapped = instanceOwned.add(new MappedPages(gpu));
    SortedMap<Integer, RankMemory> memories = new TreeMap<>();
    for (int i = 0; i < members.size(); i++) {
      int member = members.get(i);
      long base = mapped.memory(pages.get(i).address(), pages.get(i).bytes());
      memories.put(
          member,
          member == rank
              ? RankMemory.hosted(program.rank(rank), gpu, base, pages.get(i).view(), instanceOwned)
              : new RankMemory(program.rank(member), base));
    }
    return memories;
  }

  @Override
  public void close() {
    owned.close();
  }
}

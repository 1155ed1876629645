package dev.oriel.sim.sequential;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.OwnerLayout;
import dev.oriel.domain.window.SlotMemory;
import dev.oriel.domain.window.WindowLayout;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** One rank's membership: it makes windows out of fabric memory, step by agreed step. */
final class SequentialCommunicator implements Communicator {
  private final Bootstrap ranks;
  private final SequentialFabric fabric;
  private final Topology topology;
  private final Wire wire;
  private final Clock clock;
  private final Set<String> open = new TreeSet<>();
  private int windows;
  private boolean closed;

  SequentialCommunicator(
      Bootstrap ranks, SequentialFabric fabric, Topology topology, Wire wire, Clock clock) {
    this.ranks = ranks;
    this.fabric = fabric;
    this.topology = topology;
    this.wire = wire;
    this.clock = clock;
  }

  @Override
  public int rank() {
    return ranks.rank();
  }

  @Override
  public int world() {
    return topology.world();
  }

  @Override
  public Topology topology() {
    return topology;
  }

  @Override
  public Window window(WindowSpec spec) {
    if (closed) {
      throw new MachineException("communicator is closed: rank=" + rank() + "; join again");
    }
    String step = "window " + windows++;
    Undo undo = new Undo();
    try {
      Parts<SequentialMemory> own =
          Together.all(ranks, step + ": allocate", () -> allocate(spec, undo));
      byte[] mine = Exchanged.of(spec, own.map(SequentialMemory::export)).bytes();
      List<byte[]> all = ranks.allGather(step + ": exchange", mine);
      List<Parts<SequentialRemote>> peers =
          Together.all(ranks, step + ": open", () -> openAll(all, undo));
      open.add(spec.name());
      undo.add(() -> open.remove(spec.name()));
      return new SequentialWindow(
          spec.name(),
          clock,
          own.data(),
          peers.stream().map(Parts::data).toList(),
          new Slots(wire, WindowLayout.of(spec, topology), rank(), own, peers),
          () -> leave(step, undo));
    } catch (RuntimeException e) {
      undo.run();
      throw e;
    }
  }

  private Parts<SequentialMemory> allocate(WindowSpec spec, Undo undo) {
    if (open.contains(spec.name())) {
      throw new MachineException(
          "window is open: name=" + spec.name() + "; close it first, or choose another name");
    }
    OwnerLayout layout = WindowLayout.of(spec, topology).owner(rank());
    return new Parts<>(
            layout.dataBytes(), layout.bytes(SlotMemory.NVLINK), layout.bytes(SlotMemory.RDMA))
        .map(bytes -> {
          SequentialMemory memory = fabric.allocate(bytes);
          undo.add(memory::close);
          return memory;
        });
  }

  private List<Parts<SequentialRemote>> openAll(List<byte[]> all, Undo undo) {
    List<Parts<SequentialRemote>> peers = new ArrayList<>();
    Exchanged first = Exchanged.parse(all.getFirst());
    for (int rank = 0; rank < all.size(); rank++) {
      int peer = rank;
      Exchanged theirs = Exchanged.parse(all.get(peer));
      theirs.requireSame(peer, first);
      peers.add(
          theirs
              .exports()
              .map(export -> {
                SequentialRemote remote = fabric.open(peer, export);
                undo.add(remote::close);
                return remote;
              }));
    }
    return peers;
  }

  private void leave(String step, Undo undo) {
    try {
      ranks.barrier(step + ": close");
    } finally {
      undo.run();
    }
  }

  @Override
  public void close() {
    if (!open.isEmpty()) {
      throw new MachineException(
          "windows are still open: rank=%d, windows=%s; close them first".formatted(rank(), open));
    }
    if (!closed) {
      closed = true;
      fabric.close();
    }
  }
}

package dev.oriel.sim.sequential;

import dev.oriel.domain.registration.AddressRange;
import dev.oriel.domain.registration.RegistrationCache;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.RankFacts;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.Fabric;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.setup.AbortState;
import dev.oriel.ports.setup.AllocationLedger;
import dev.oriel.ports.setup.LocalAbortState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The memory of one rank on a wire: byte arrays whose contents are visible at once. */
final class SequentialFabric implements Fabric {
  /** Parts of an allocation begin at multiples of this. */
  private static final long APART = 128;

  /** Separates the addresses of two ranks; the upper half of a rank's are its application's. */
  private static final long RANKS_APART = 1L << 40;

  /** The most bytes of a part, which is an array. */
  private static final long LARGEST = Integer.MAX_VALUE - 8L;

  private final SequentialWire wire;
  private final RankFacts facts;
  private final long name;
  private final AbortState fate;
  private final SequentialInterfaces nics;
  private final RegistrationCache registrations;
  private final Map<Integer, Long> connected = new HashMap<>();

  /** The round in which this rank offered to connect to a fabric; the wire's monitor guards it. */
  private final Map<Long, Long> meetings = new HashMap<>();

  /** The address of the next allocation among this rank's addresses. */
  private long next;

  private final AllocationLedger allotment;
  private final SimulatedMemory application;

  SequentialFabric(SequentialWire wire, RankFacts facts, long capacity) {
    this(wire, facts, capacity, 1);
  }

  /** A fabric with that many network interfaces. */
  SequentialFabric(SequentialWire wire, RankFacts facts, long capacity, int interfaces) {
    this.nics = new SequentialInterfaces(facts.toString(), interfaces);
    this.registrations = new RegistrationCache(nics);
    this.wire = wire;
    this.facts = facts;
    this.allotment = new AllocationLedger(capacity);
    this.fate = new LocalAbortState(wire);
    this.name = wire.add(this);
    this.application = new SimulatedMemory(wire, base() + RANKS_APART / 2);
  }

  @Override
  public RankFacts facts() {
    return facts;
  }

  @Override
  public byte[] offer(int peer) {
    return new WireName(WireName.OFFER, wire.id(), name).bytes();
  }

  @Override
  public void connect(int peer, byte[] offer) {
    peerOf(offer);
    connected.put(peer, WireName.parse(offer, WireName.OFFER, wire.id()).name());
  }

  /** The abort state of the world in which this is rank 0. */
  AbortState fate() {
    return fate;
  }

  /** The fabric that made an offer. */
  SequentialFabric peerOf(byte[] offer) {
    WireName token = WireName.parse(offer, WireName.OFFER, wire.id());
    SequentialFabric peer = wire.fabric(token.name());
    if (peer == null) {
      throw new MachineException(
          "offer of a fabric that is closed: fabric=" + token.name() + "; exchange offers again");
    }
    return peer;
  }

  SequentialInterfaces nics() {
    return nics;
  }

  /** Waits until the peer also offers to connect; returns the later of both rounds. */
  long meet(SequentialFabric peer, long round, Deadline deadline) throws TimeoutException {
    wire.change(() -> meetings.put(peer.name, round));
    wire.await(() -> peer.meetings.containsKey(name), deadline, () -> "no rank came");
    return Math.max(round, wire.locked(() -> peer.meetings.get(name)));
  }

  @Override
  public SequentialMemory allocate(long bytes) {
    return allocate(List.of(bytes)).getFirst();
  }

  /** Memories of these sizes; interfaces register them once, as one allocation. */
  List<SequentialMemory> allocate(List<Long> sizes) {
    List<SequentialMemory> memories = new ArrayList<>();
    try {
      List<AddressRange> spans = new ArrayList<>();
      long end = next;
      for (long bytes : sizes) {
        allotment.require(bytes, LARGEST);
        spans.add(new AddressRange(end, bytes));
        end += Math.ceilDiv(bytes, APART) * APART;
      }
      AddressRange allocation = new AddressRange(next, end - next);
      // A gap separates two allocations, so the end of one is never an address of the next.
      next = end + APART;
      for (AddressRange span : spans) {
        memories.add(part(span, allocation));
      }
      return memories;
    } catch (RuntimeException e) {
      memories.forEach(SequentialMemory::close);
      throw e;
    }
  }

  /** The lowest address of this rank. */
  long base() {
    return (name + 1) * RANKS_APART;
  }

  /** The memory of this rank's application. */
  SimulatedMemory application() {
    return application;
  }

  /** The application's memory, which interfaces may access until the result is closed. */
  SequentialMemory register(UserMemory memory) {
    return wire.locked(() -> {
      SimulatedMemory.Allocation allocation = application.find(memory);
      AddressRange range = allocation.range;
      long begin = memory.address() - base();
      AddressRange all = new AddressRange(range.base() - base(), range.length());
      RegisteredBuffer registered =
          new RegisteredBuffer(nics, registrations, new AddressRange(begin, memory.bytes()), all);
      SimulatedMemory.count(allocation, 1);
      allotment.opened(0);
      return new SequentialMemory(
          wire,
          this,
          allocation.bytes,
          (int) (memory.address() - range.base()),
          (int) memory.bytes(),
          registered,
          () -> {
            registered.giveBack();
            SimulatedMemory.count(allocation, -1);
            allotment.closed(0);
          });
    });
  }

  /**
   * Refuses the application's memory as a part that peers map, if it is of a kind that cannot be.
   */
  void requireShareable(SequentialMemory memory) {
    if (memory.bytes() == 0) {
      return;
    }
    wire.locked(() -> {
      UserMemory named = new UserMemory(memory.address(), memory.bytes());
      application
          .kind(named)
          .flatMap(kind -> kind.obstacle().map(why -> kind + ": " + why))
          .ifPresent(why -> {
            throw new MachineException(
                "memory cannot be shared with peers: address=%d, bytes=%d, kind=%s"
                    .formatted(named.address(), named.bytes(), why));
          });
      return named;
    });
  }

  private SequentialMemory part(AddressRange span, AddressRange allocation) {
    long bytes = span.length();
    allotment.require(bytes, LARGEST);
    RegisteredBuffer registered =
        wire.locked(() -> new RegisteredBuffer(nics, registrations, span, allocation));
    allotment.opened(bytes);
    return new SequentialMemory(
        wire,
        this,
        (int) bytes,
        registered,
        () -> {
          registered.giveBack();
          allotment.closed(bytes);
        });
  }

  @Override
  public SequentialRemote open(int peer, byte[] export) {
    Long owner = connected.get(peer);
    if (owner == null) {
      throw new MachineException(
          "not connected: peer=%d, connected=%s; connect both ends first"
              .formatted(peer, connected.keySet()));
    }
    WireName token = WireName.parse(export, WireName.EXPORT, wire.id());
    @Nullable SequentialMemory memory = wire.memory(token.name());
    if (memory == null || memory.owner().name != owner) {
      throw new MachineException(
          "no such memory: peer=%d, memory=%d; it was freed, or another rank exported it"
              .formatted(peer, token.name()));
    }
    SequentialRemote remote =
        new SequentialRemote(
            wire, peer, memory, overRdma(memory) ? this : null, () -> allotment.closed(0));
    // Counted once it exists, because its owner may free the memory at this moment.
    allotment.opened(0);
    return remote;
  }

  private boolean overRdma(SequentialMemory memory) {
    if (memory.owner().name == name) {
      return false;
    }
    @Nullable SequentialFabric owner = wire.fabric(memory.owner().name);
    return owner != null && Topology.of(List.of(facts, owner.facts)).kind(0, 1) == PeerKind.RDMA;
  }

  @Override
  public long allocated() {
    return allotment.allocated();
  }

  @Override
  public void close() {
    allotment.requireNoneOpen();
    wire.removeFabric(name);
  }
}

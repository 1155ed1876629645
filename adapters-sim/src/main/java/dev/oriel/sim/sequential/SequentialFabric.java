package dev.oriel.sim.sequential;

import dev.oriel.domain.topology.RankFacts;
import dev.oriel.ports.Fabric;
import dev.oriel.ports.MachineException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The memory of one rank on a wire: byte arrays that are visible at once. */
final class SequentialFabric implements Fabric {
  private final Wire wire;
  private final RankFacts facts;
  private final long capacity;
  private final long name;
  private final Fate fate;
  private final Map<Integer, Long> connected = new HashMap<>();
  private long allocated;
  private int open;

  SequentialFabric(Wire wire, RankFacts facts, long capacity) {
    this.wire = wire;
    this.facts = facts;
    this.capacity = capacity;
    this.fate = new Fate(wire);
    this.name = wire.add(this);
  }

  @Override
  public RankFacts facts() {
    return facts;
  }

  @Override
  public byte[] offer(int peer) {
    return new Token(Token.OFFER, wire.id(), name).bytes();
  }

  @Override
  public void connect(int peer, byte[] offer) {
    peerOf(offer);
    connected.put(peer, Token.parse(offer, Token.OFFER, wire.id()).name());
  }

  /** What it is called on the wire. */
  long name() {
    return name;
  }

  /** What becomes of the world in which this is rank 0. */
  Fate fate() {
    return fate;
  }

  /** The fabric that made an offer. */
  SequentialFabric peerOf(byte[] offer) {
    Token token = Token.parse(offer, Token.OFFER, wire.id());
    SequentialFabric peer = wire.fabric(token.name());
    if (peer == null) {
      throw new MachineException(
          "offer of a fabric that is closed: fabric=" + token.name() + "; exchange offers again");
    }
    return peer;
  }

  @Override
  public SequentialMemory allocate(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("negative size: bytes=" + bytes + "; use 0 or more");
    }
    long free = Math.min(capacity - allocated, Integer.MAX_VALUE - 8L);
    if (bytes > free) {
      throw MachineException.lacking(
          "not enough memory: bytes=%d, free=%d, capacity=%d; ask for less, or give the rank more"
              .formatted(bytes, free, capacity));
    }
    allocated += bytes;
    open++;
    return new SequentialMemory(wire, name, (int) bytes, () -> released(bytes));
  }

  @Override
  public SequentialRemote open(int peer, byte[] export) {
    Long owner = connected.get(peer);
    if (owner == null) {
      throw new MachineException(
          "not connected: peer=%d, connected=%s; connect both ends first"
              .formatted(peer, connected.keySet()));
    }
    Token token = Token.parse(export, Token.EXPORT, wire.id());
    @Nullable SequentialMemory memory = wire.memory(token.name());
    if (memory == null || memory.fabric() != owner) {
      throw new MachineException(
          "no such memory: peer=%d, memory=%d; it was freed, or another rank exported it"
              .formatted(peer, token.name()));
    }
    open++;
    return new SequentialRemote(wire, peer, memory, () -> released(0));
  }

  private void released(long bytes) {
    allocated -= bytes;
    open--;
  }

  @Override
  public long allocated() {
    return allocated;
  }

  @Override
  public void close() {
    if (open > 0) {
      throw new MachineException(
          "fabric still has memory: pieces=%d, bytes=%d; close what was allocated and opened"
              .formatted(open, allocated));
    }
    wire.removeFabric(name);
  }
}

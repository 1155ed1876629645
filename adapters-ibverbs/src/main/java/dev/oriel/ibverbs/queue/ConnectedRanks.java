package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.fabric.ExportedMemory;
import dev.oriel.ibverbs.fabric.RankEndpoint;
import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.verbs.ClosingSequence;
import dev.oriel.ibverbs.verbs.DeviceContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Ranks of this process on open devices; closing it closes the devices. */
final class ConnectedRanks implements AutoCloseable {
  /** The message length that every port must carry. */
  static final long MESSAGE = 1 << 20;

  /**
   * A rank's memory to which its peers have access.
   *
   * @param shift from the address that posters use to the device's
   */
  record ExposedMemory(ExportedMemory exported, long shift) {}

  /**
   * The key and the addresses by which requests of one interface name a rank's memory.
   *
   * @param shift from the address that posters use to the device's
   */
  record RemoteMemoryKey(long shift, int key) {}

  /**
   * The path by which a rank posts to a peer.
   *
   * @param atomics whether its interfaces have atomics
   */
  record PostingPath(
      SendQueue queue, RemoteMemoryKey own, RemoteMemoryKey peers, boolean atomics) {}

  private final List<DeviceContext> devices;
  private final List<RankEndpoint> endpoints = new ArrayList<>();
  private final List<ExposedMemory> opened = new ArrayList<>();

  ConnectedRanks(List<DeviceContext> devices) {
    this.devices = devices;
  }

  List<DeviceContext> devices() {
    return devices;
  }

  /** The number of the next rank to be opened. */
  int next() {
    return endpoints.size();
  }

  /**
   * Opens the next rank's memory. Closing this object closes the rank's endpoint, even if opening
   * fails.
   */
  void open(RankEndpoint endpoint, Function<RankEndpoint, ExposedMemory> memory) {
    endpoints.add(endpoint);
    opened.add(memory.apply(endpoint));
    endpoint.requireMessages(MESSAGE);
  }

  RankEndpoint endpoint(int rank) {
    return endpoints.get(rank);
  }

  /** Connects the rank to the peer, and returns the path of the queue that a lane uses. */
  PostingPath connect(int rank, int peer, int lane) {
    endpoints.get(rank).connect(peer, endpoints.get(peer).offer(rank));
    SendQueue queue = endpoints.get(rank).queue(peer, lane);
    ExposedMemory own = opened.get(rank);
    ExposedMemory theirs = opened.get(peer);
    return new PostingPath(
        queue,
        new RemoteMemoryKey(own.shift(), own.exported().localKey(queue.number())),
        new RemoteMemoryKey(theirs.shift(), theirs.exported().remoteKeys().get(queue.number())),
        endpoints.get(rank).atomics());
  }

  /** Processes completions; returns whether there were any. */
  boolean progress() {
    boolean any = false;
    for (RankEndpoint endpoint : endpoints) {
      any |= endpoint.progress();
    }
    return any;
  }

  /** Queue pairs are closed before the memory: a request under way then finds no valid key. */
  @Override
  public void close() {
    new ClosingSequence()
        .each(endpoints, RankEndpoint::close)
        .each(opened, memory -> memory.exported().close())
        .each(devices, DeviceContext::close)
        .then(endpoints::clear)
        .end();
  }
}

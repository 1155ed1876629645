package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.fabric.Endpoint;
import dev.oriel.ibverbs.fabric.Exported;
import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.verbs.Closing;
import dev.oriel.ibverbs.verbs.Context;
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
  record Opened(Exported exported, long shift) {}

  /**
   * The key and the addresses by which requests of one interface name a rank's memory.
   *
   * @param shift from the address that posters use to the device's
   */
  record Reach(long shift, int key) {}

  /**
   * The path by which a rank posts to a peer.
   *
   * @param atomics whether its interfaces have atomics
   */
  record Way(SendQueue queue, Reach own, Reach peers, boolean atomics) {}

  private final List<Context> devices;
  private final List<Endpoint> endpoints = new ArrayList<>();
  private final List<Opened> opened = new ArrayList<>();

  ConnectedRanks(List<Context> devices) {
    this.devices = devices;
  }

  List<Context> devices() {
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
  void open(Endpoint endpoint, Function<Endpoint, Opened> memory) {
    endpoints.add(endpoint);
    opened.add(memory.apply(endpoint));
    endpoint.requireMessages(MESSAGE);
  }

  Endpoint endpoint(int rank) {
    return endpoints.get(rank);
  }

  /** Connects the rank to the peer, and returns the path of the queue that a lane uses. */
  Way connect(int rank, int peer, int lane) {
    endpoints.get(rank).connect(peer, endpoints.get(peer).offer(rank));
    SendQueue queue = endpoints.get(rank).queue(peer, lane);
    Opened own = opened.get(rank);
    Opened theirs = opened.get(peer);
    return new Way(
        queue,
        new Reach(own.shift(), own.exported().localKey(queue.number())),
        new Reach(theirs.shift(), theirs.exported().remoteKeys().get(queue.number())),
        endpoints.get(rank).atomics());
  }

  /** Processes completions; returns whether there were any. */
  boolean progress() {
    boolean any = false;
    for (Endpoint endpoint : endpoints) {
      any |= endpoint.progress();
    }
    return any;
  }

  /** Queue pairs are closed before the memory: a request under way then finds no valid key. */
  @Override
  public void close() {
    new Closing()
        .each(endpoints, Endpoint::close)
        .each(opened, memory -> memory.exported().close())
        .each(devices, Context::close)
        .then(endpoints::clear)
        .end();
  }
}

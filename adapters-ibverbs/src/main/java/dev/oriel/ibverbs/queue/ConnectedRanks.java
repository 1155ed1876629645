package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.fabric.Endpoint;
import dev.oriel.ibverbs.fabric.Exported;
import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.verbs.Closing;
import dev.oriel.ibverbs.verbs.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Ranks of this process on open devices, which are closed with them. */
final class ConnectedRanks implements AutoCloseable {
  /** Every port takes messages of this length. */
  static final long MESSAGE = 1 << 20;

  /**
   * A rank's memory that is open to its peers.
   *
   * @param shift from the address that posters name to the one that the device knows
   */
  record Opened(Exported exported, long shift) {}

  /**
   * How requests of one interface name a rank's memory.
   *
   * @param shift from the address that posters name to the device's
   */
  record Reach(long shift, int key) {}

  /**
   * What a rank posts to a peer by.
   *
   * @param atomics whether its interfaces change words in one step
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

  /** The number of the rank that is opened next. */
  int next() {
    return endpoints.size();
  }

  /** Opens the next rank's memory; its end is closed with this, whatever comes of it. */
  void open(Endpoint endpoint, Function<Endpoint, Opened> memory) {
    endpoints.add(endpoint);
    opened.add(memory.apply(endpoint));
    endpoint.requireMessages(MESSAGE);
  }

  Endpoint endpoint(int rank) {
    return endpoints.get(rank);
  }

  /** Connects the rank's end to the peer's, by the queue that a lane uses. */
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

  /** Takes note of what has ended; returns whether anything had. */
  boolean progress() {
    boolean any = false;
    for (Endpoint endpoint : endpoints) {
      any |= endpoint.progress();
    }
    return any;
  }

  /** Queue pairs go before the memory, so that nothing that is on its way finds a key. */
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

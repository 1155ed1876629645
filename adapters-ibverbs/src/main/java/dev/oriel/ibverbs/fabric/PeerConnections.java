package dev.oriel.ibverbs.fabric;

import dev.oriel.ibverbs.verbs.HostMemory;
import java.util.List;
import java.util.Optional;

/** One rank's memory and connections for its peers. Used by one thread at a time. */
public interface PeerConnections extends AutoCloseable {

  /** The longest message that every interface carries. */
  long messageBytes();

  /** Whether every interface has atomics. */
  boolean atomics();

  /** Gives peers access to memory in which words are polled; its order is therefore strict. */
  ExportedMemory export(HostMemory memory);

  /**
   * The data that {@code peer} needs in order to connect; the same at each call. Does not wait for
   * a peer.
   *
   * @throws dev.oriel.ports.MachineException if there is no such rank, or no more queue pairs
   */
  byte[] offer(int peer);

  /**
   * Connects to the queue ends that {@code peer} offered, and learns of the memory that it had
   * exported; a second call does the latter only. Does not wait for a peer.
   *
   * @throws dev.oriel.ports.MachineException if the offer is not one of this peer to this rank
   */
  void connect(int peer, byte[] offer);

  /**
   * Breaks every connection and makes each queue as if nothing had been posted. Offers stay valid:
   * peers connect to them again after their own reset.
   */
  void reset();

  /**
   * The queue to the peer that a lane uses. The lane's number selects the interface; lanes of one
   * interface share its queues in turn.
   *
   * @throws dev.oriel.ports.MachineException if that peer was not connected
   */
  SendQueue queue(int peer, int lane);

  /** Every queue. */
  List<SendQueue> queues();

  /** Processes completions; returns whether there were any. */
  boolean progress();

  /**
   * Whether no peer needs this rank's {@link #progress} any more for its requests of that launch,
   * counted from 1. Called once all requests of this rank have completed, and again until it is
   * true. Interfaces that execute requests by themselves never need it.
   */
  default boolean settled(long launch) {
    return true;
  }

  /**
   * What has ended every connection of this rank, if anything has: then nothing of a peer arrives
   * any more, and no wait for one is of use.
   */
  default Optional<String> failure() {
    return Optional.empty();
  }

  /**
   * Ends all connections where requests of peers could arrive after this rank has freed memory.
   * Waits, for a bounded time, for peers that do the same. Does nothing where interfaces refuse
   * such requests.
   */
  default void disconnect() {}

  /** Breaks every connection; no request of a peer arrives here afterwards. */
  @Override
  void close();
}

package dev.oriel.ibverbs.fabric;

import dev.oriel.ibverbs.verbs.HostMemory;
import java.util.List;

/** What one rank has towards its peers. Used by one thread at a time. */
public interface Connections extends AutoCloseable {

  /** The longest message that every interface carries. */
  long messageBytes();

  /** Whether every interface changes words in one step. */
  boolean atomics();

  /** Gives peers access to memory in which words are polled, so its order is strict. */
  Exported export(HostMemory memory);

  /**
   * What {@code peer} needs in order to connect; the same when asked again. Waits for nobody.
   *
   * @throws dev.oriel.ports.MachineException if there is no such rank, or no more queue pair
   */
  Wire.Offer offer(int peer);

  /**
   * Connects to the queue ends that {@code peer} offered; a second time does nothing. Waits for
   * nobody.
   *
   * @throws dev.oriel.ports.MachineException if that is no offer of this peer to this rank
   */
  void connect(int peer, Wire.Offer offer);

  /**
   * Breaks every connection and makes each queue one that nothing was posted to; what was offered
   * still holds, so that peers connect to it again once they are reset too.
   */
  void reset();

  /**
   * The queue to the peer that a lane uses: its number picks the interface, and lanes of one
   * interface take turns at its queues.
   *
   * @throws dev.oriel.ports.MachineException if that peer was not connected
   */
  SendQueue queue(int peer, int lane);

  /** Every queue. */
  List<SendQueue> queues();

  /** Takes note of what has ended; returns whether anything had. */
  boolean progress();

  /** Breaks every connection; nothing of a peer's arrives here afterwards. */
  @Override
  void close();
}

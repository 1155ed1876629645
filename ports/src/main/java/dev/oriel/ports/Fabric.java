package dev.oriel.ports;

import dev.oriel.domain.topology.RankFacts;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * The memory and the links of one rank, on which windows are built. Used by one thread at a time.
 *
 * <p>Nothing here is collective and nothing talks to a peer's process on its own: facts, offers and
 * exports are bytes that the ranks exchange by a {@link Bootstrap}. Two ranks first connect, each
 * with the other's offer; then each opens the other's export; then bytes flow.
 */
public interface Fabric extends AutoCloseable {

  /** This rank's facts, with its overrides applied, ready to be exchanged. */
  RankFacts facts();

  /**
   * The bytes with which {@code peer} connects to this rank; repeated calls return the same bytes.
   * They may differ between peers.
   */
  byte[] offer(int peer);

  /**
   * Connects this rank's end with {@code peer}, which offered {@code offer} to this rank; a second
   * time does nothing. A rank may connect to itself.
   *
   * <p>Order: the peer need not have connected yet, but must have before either side opens memory.
   *
   * @throws MachineException if the bytes are no offer of a peer that this rank can reach
   */
  void connect(int peer, byte[] offer);

  /**
   * Allocates zeroed memory that peers can be given access to; 0 bytes are allowed.
   *
   * @throws MachineException if there is not enough, with the number of bytes requested
   * @throws IllegalArgumentException if {@code bytes} is negative
   */
  Memory allocate(long bytes);

  /**
   * Opens the memory that {@code peer} exported, for reading and writing by this rank.
   *
   * @throws MachineException if the peer is not connected, or the bytes are no export of its memory
   */
  Remote open(int peer, byte[] export);

  /** Bytes now allocated; 0 once everything was freed. */
  long allocated();

  /**
   * Frees the fabric; closing twice does nothing.
   *
   * @throws MachineException if memory is still allocated or open; nothing is then freed
   */
  @Override
  void close();

  /** A run of bytes of one rank, written and read by that rank. */
  interface Memory extends AutoCloseable {

    /** How many bytes. */
    long bytes();

    /**
     * A token by which a peer's fabric opens this memory, the same in repeated calls; it becomes
     * stale when the memory is freed.
     */
    byte[] export();

    /**
     * Writes bytes. Order: before every later transfer from this memory.
     *
     * @throws IndexOutOfBoundsException if they leave the memory, before any is written
     */
    void write(long offset, byte[] bytes);

    /**
     * Reads bytes, which are at least as new as the last {@link #wordAcquire}.
     *
     * @return a fresh array
     * @throws IndexOutOfBoundsException if they leave the memory
     */
    byte[] read(long offset, int length);

    /**
     * Reads a 64-bit word, little-endian; once it returns the value of a {@link
     * Remote#wordRelease}, the writer's earlier puts are visible to every later read.
     *
     * @throws IndexOutOfBoundsException if it leaves the memory or is not aligned to 8 bytes
     */
    long wordAcquire(long offset);

    /**
     * Frees the memory; freeing twice does nothing. Peers must have closed their access to it: a
     * later transfer is lost, or the peer's fabric fails.
     */
    @Override
    void close();
  }

  /**
   * A peer's memory, seen from the rank that opened it.
   *
   * <p>Bounds are checked against the size that the peer exported, before anything moves.
   */
  interface Remote extends AutoCloseable {

    /** How many bytes the peer exported. */
    long bytes();

    /**
     * Copies bytes from this rank's memory to the peer's.
     *
     * <p>Order: none against other transfers, but before a later {@link #wordRelease} to the same
     * peer. The source may be overwritten after {@link #flush}.
     *
     * @throws IndexOutOfBoundsException if bytes leave the source or the peer's memory
     */
    void put(long offset, Memory from, long fromOffset, long length);

    /**
     * Copies bytes from the peer's memory to this rank's; they are there after {@link #flush}.
     *
     * @throws IndexOutOfBoundsException if bytes leave the peer's memory or the target
     */
    void get(long offset, Memory into, long intoOffset, long length);

    /**
     * Sets a 64-bit word of the peer's, little-endian, ordered after every earlier put to that peer
     * through any memory. A word has one writer: two ranks never add to it.
     *
     * @throws IndexOutOfBoundsException if it leaves the memory or is not aligned to 8 bytes
     */
    void wordRelease(long offset, long value);

    /**
     * Waits until the sources of earlier puts may be overwritten and the bytes of earlier gets have
     * arrived.
     *
     * @throws TimeoutException naming the peer
     * @throws MachineException if the peer's memory is gone, on machines that detect this
     */
    void flush(Duration deadline) throws TimeoutException;

    /**
     * Ends the access; closing twice does nothing. Flush before, as unflushed transfers may be
     * lost.
     */
    @Override
    void close();
  }
}

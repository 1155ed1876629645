package dev.oriel.ports;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowSpec;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;

/**
 * One rank's membership in a world. Used by one thread at a time.
 *
 * <p>Collective calls are made by every rank, in the same order; they block for at most the
 * deadline of the {@link Bootstrap} that the rank joined with. One order holds over all
 * communicators and windows of that bootstrap. A collective call that fails in the group after a
 * rank aborted throws an {@link AbortedException} with the group's failure inside.
 */
public interface Communicator extends AutoCloseable {

  /** This rank, from 0 to {@link #world} − 1. */
  int rank();

  /** How many ranks the world has. */
  int world();

  /** Which ranks reach each other, and by which links; equal on every rank. */
  Topology topology();

  /**
   * Creates symmetric memory with its slots, zeroed and exchanged.
   *
   * <p>Scope: collective; every rank passes an equal specification, in which sizes may differ per
   * rank. Order: every rank can reach every part before it returns on any. Failure: the same
   * message on every rank, naming the lowest failing one, whose own cause is nested there; nothing
   * stays allocated, and the ranks may try again.
   *
   * @throws MachineException if a rank cannot give its part, the sizes are for another world, the
   *     name belongs to an open window, or specifications differ. For the last it names the first
   *     rank that differs from rank 0, and the first field that differs
   * @throws BootstrapException if ranks are lost, late or elsewhere
   */
  default Window window(WindowSpec spec) {
    return window(spec, Team.all(world()));
  }

  /**
   * {@link #window(WindowSpec)} for a rank that reaches only those peers over RDMA; it always
   * reaches itself and peers on a mapped link. Two ranks name each other or neither does.
   *
   * <p>Order: ranks that are not connected yet connect now, in an order without a circular wait.
   * Failure: besides those above, it names the lowest pair of which only one named the other; a
   * call to a rank that was not named throws a {@link MachineException} naming both.
   */
  Window window(WindowSpec spec, Team peers);

  /** {@link #window(WindowSpec, Team, LocalBuffer)} for a rank that reaches all others. */
  default Window window(WindowSpec spec, LocalBuffer part) {
    return window(spec, Team.all(world()), part);
  }

  /**
   * {@link #window(WindowSpec, Team)} whose bytes on this rank are those of a buffer: the ranks
   * exchange memory that they have already. It is not zeroed. Closing the window ends the peers'
   * access and leaves the buffer and its bytes.
   *
   * <p>Every rank gives a buffer of as many bytes as the specification gives it, which may be 0. It
   * begins at a multiple of 16. Until the window is closed, the buffer cannot be. A buffer may be
   * the part of several windows, and buffers may overlap.
   *
   * <p>Failure: besides those of other windows, the message names the lowest rank whose buffer is
   * closed, misaligned or of another size, whose memory was freed, or whose memory peers cannot
   * reach. It says why, and what to do.
   */
  Window window(WindowSpec spec, Team peers, LocalBuffer part);

  /**
   * Zeroed memory of only this rank, from which its windows put and into which they get.
   *
   * <p>Scope: this rank alone; not collective.
   *
   * @throws MachineException if there is not enough, with the number of bytes requested
   */
  LocalBuffer buffer(long bytes);

  /**
   * Memory of the application as a buffer of this rank: windows put from it and get into it in
   * place, and it may be this rank's part of a window. Closing the buffer ends that, and frees
   * nothing. The application frees the memory only after it has closed the buffer.
   *
   * <p>Scope: this rank alone; not collective. Buffers may overlap; registrations are shared, and
   * end with their last user.
   *
   * @throws MachineException if there is no such memory, it is of another GPU, or it leaves its
   *     allocation
   */
  LocalBuffer buffer(UserMemory memory);

  /**
   * Runs code in {@code count} concurrent lanes of this rank and returns when all have ended. Lane
   * 0 runs on the calling thread, every other lane on a thread of {@code threads}.
   *
   * <p>Order: everything before the call happens before each lane's code; everything that the lanes
   * did, puts and gets included, happens before everything after the call. Failure: that of the
   * lowest lane, with the others' suppressed in it; no lane is cut short.
   *
   * @throws IllegalArgumentException if the count is not positive
   * @throws MachineException if the machine has fewer lanes, or a lane calls this
   * @throws TimeoutException if a lane threw one, or its transfers did not complete
   */
  void lanes(int count, Executor threads, Lane.Code code) throws TimeoutException;

  /**
   * Ends everything that every rank does with this communicator and its windows: blocked calls end,
   * and later calls are refused. The first cause wins, on every rank.
   *
   * <p>Scope: this rank notifies all others; it does not wait for them. Order: a rank that has seen
   * the abort issues nothing that a peer can see. Earlier transfers may still arrive, so memory
   * stays until its window is closed, which all ranks still do together.
   *
   * @return the rank that aborted first, and its reason
   */
  Abort abort(String cause);

  /** The rank that aborted first, and its reason, if any did. */
  Optional<Abort> aborted();

  /**
   * Leaves the world. Not collective; closing twice does nothing. The bootstrap stays open.
   *
   * @throws MachineException if windows or buffers are still open; the rank then stays a member
   */
  @Override
  void close();

  /**
   * Makes ranks members of a world on one kind of machine.
   *
   * <p>An app picks one by name. Making a factory touches no device; joining does.
   */
  @FunctionalInterface
  interface Factory {

    /**
     * Joins the world of the ranks of {@code bootstrap}.
     *
     * <p>Scope: collective over these ranks; one factory may serve several ranks of a process, each
     * on a thread of its own. Order: every rank knows every other's facts before it returns on any.
     * Failure: the same message on every rank, naming the lowest failing one; nothing stays
     * allocated.
     *
     * @param bootstrap stays the caller's, and open as long as the communicator is
     * @throws MachineException if a rank's machine cannot take part
     * @throws BootstrapException if ranks are lost, late or elsewhere
     */
    Communicator join(Bootstrap bootstrap);
  }
}

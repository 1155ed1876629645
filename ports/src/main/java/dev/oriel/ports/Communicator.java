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
 * deadline of the {@link Bootstrap} that the rank joined with. The order is one over all
 * communicators and windows of that bootstrap. A collective call that fails in the group after a
 * rank aborted throws an {@link AbortedException} with the group's failure inside.
 */
public interface Communicator extends AutoCloseable {

  /** This rank, from 0 to {@link #world} − 1. */
  int rank();

  /** How many ranks the world has. */
  int world();

  /** Who reaches whom and how; equal on every rank. */
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
   *     name belongs to an open window, or specifications differ: then the first rank that differs
   *     from rank 0 and the first field in which it does are named
   * @throws BootstrapException if ranks are lost, late or elsewhere
   */
  default Window window(WindowSpec spec) {
    return window(spec, Team.all(world()));
  }

  /**
   * {@link #window(WindowSpec)} for a rank that reaches over RDMA those peers alone; peers on a
   * mapped link, and itself, it reaches in any case. Two ranks name each other or neither does.
   *
   * <p>Order: who is not connected yet connects now, in an order in which nobody waits in a circle.
   * Failure: besides those above, the lowest pair of which only one named the other; a call that
   * reaches for a rank that was not named throws a {@link MachineException} naming both.
   */
  Window window(WindowSpec spec, Team peers);

  /**
   * Memory of this rank alone that its windows put from and get into; zeroed.
   *
   * <p>Scope: this rank alone; not collective.
   *
   * @throws MachineException if there is not enough, saying how much was asked for
   */
  LocalBuffer buffer(long bytes);

  /**
   * Runs code in so many lanes of this rank at once, and returns once all have come to their end.
   * Lane 0 runs on the calling thread, each other one on a thread of {@code threads}.
   *
   * <p>Order: everything before is before what any lane does, and what every lane did is before
   * everything behind, its puts and gets included. Failure: that of the lowest lane, the others'
   * inside; no lane is cut short.
   *
   * @throws IllegalArgumentException if the count is not positive
   * @throws MachineException if the machine has fewer lanes, or this is called in a lane
   * @throws TimeoutException if a lane threw one, or its transfers did not come to their end
   */
  void lanes(int count, Executor threads, Lane.Code code) throws TimeoutException;

  /**
   * Ends what every rank does with this communicator and its windows: who blocks, stops blocking,
   * and who calls later is refused. The first cause counts, on every rank.
   *
   * <p>Scope: this rank tells all others; it does not wait for them. Order: a rank that has seen it
   * issues nothing that a peer can see; what was issued before may still arrive, so memory stays
   * until its window is closed, which all ranks still do together.
   *
   * @return who aborted first, and why
   */
  Abort abort(String cause);

  /** Who aborted first, and why, if anybody did. */
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
     * @param bootstrap stays the caller's, and open for as long as the communicator is
     * @throws MachineException if a rank's machine cannot take part
     * @throws BootstrapException if ranks are lost, late or elsewhere
     */
    Communicator join(Bootstrap bootstrap);
  }
}

package dev.oriel.ports;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import java.time.Duration;
import java.util.List;

/**
 * A machine that runs programs. One executor serves the ranks of one process: all of a world, or
 * some, or one; which, is settled when the executor is made.
 *
 * <p>Any thread may prepare; calls are collective, so all processes of a world prepare the same
 * programs in the same order. Different instances are independent.
 */
public interface Executor extends AutoCloseable {

  /** What users call this machine on the command line. */
  String name();

  /**
   * Makes a program ready to launch: allocates, registers, connects and compiles everything, so
   * that a launch does none of it. Scratch, slots and state words are then 0; other buffers hold
   * anything.
   *
   * <p>Scope: collective over the program's world. Order: complete on every rank before it returns
   * on any. Failure: {@link MachineException} on every rank, with the lowest failing rank's cause;
   * nothing stays allocated, and the executor can prepare again.
   *
   * @throws MachineException if program and topology are of different worlds, or the machine cannot
   *     run the program: it says so here, never at a launch
   */
  Instance prepare(Program program, Topology topology);

  /**
   * Frees the machine; closing twice does nothing.
   *
   * @throws MachineException if instances are still open; nothing is then freed
   */
  @Override
  void close();

  /**
   * A prepared program with its own memory, slots and state words.
   *
   * <p>One thread at a time uses an instance, except for {@link #abort}; a call that comes while
   * another runs is refused with a {@link MachineException}. After {@link #close} every call but
   * {@code close} and {@code abort} is refused likewise.
   */
  interface Instance extends AutoCloseable {

    /** The ranks that run in this process, in ascending order. */
    List<Integer> ranks();

    /**
     * Copies bytes into a local rank's buffer.
     *
     * <p>Scope: that rank alone, not collective. Order: after every earlier launch, before every
     * later one. The bytes are the caller's again when it returns.
     *
     * @throws IndexOutOfBoundsException if the rank is not local or the bytes leave the buffer,
     *     before any is written
     * @throws IllegalArgumentException if the program has no such buffer, or it is shared memory of
     *     a lane
     */
    void write(int rank, String buffer, long offset, byte[] bytes);

    /**
     * Copies bytes out of a local rank's buffer.
     *
     * <p>Scope: that rank alone, not collective. Order: after every earlier launch on that rank;
     * what peers still write after its end is not waited for.
     *
     * @return a fresh array
     * @throws IndexOutOfBoundsException if the rank is not local or the bytes leave the buffer
     * @throws IllegalArgumentException if the program has no such buffer, or it is shared memory of
     *     a lane
     */
    byte[] read(int rank, String buffer, long offset, int length);

    /**
     * Runs the program once on every local rank and waits for its end.
     *
     * <p>Scope: collective; every rank launches equally often, in the same order, and may be a
     * launch ahead of another. Order: launches of one rank follow each other. Failure: never throws
     * for what a rank did; the outcome says it. It comes when the deadline has passed plus the time
     * that the lanes need between two waits and the machine for taking notice; a machine that sees
     * earlier that a wait can never end need not wait for the deadline.
     *
     * @param deadline how long the launch may take; one of years means no end
     * @return one outcome for each of {@link #ranks}
     * @throws IllegalArgumentException if the deadline is not positive; nothing was launched
     */
    List<Outcome> launch(Duration deadline);

    /**
     * Ends the running launch and every later one as aborted; callable from any thread, at any
     * time, as often as one likes: the first cause counts.
     *
     * <p>Scope: the local ranks; a machine that can tell ranks of other processes does, and gives
     * all of them one cause, elsewhere these run into their deadline unless they are aborted too.
     * Order: once a lane has seen it, the lane issues nothing that a peer can see; what it issued
     * before may still arrive. It does not wait for the end of the launch.
     */
    void abort(String cause);

    /**
     * Frees what the instance holds; closing twice does nothing.
     *
     * <p>Scope: collective, since peers may still write here: it returns once no rank launches any
     * more, or at once where no peer is in another process.
     */
    @Override
    void close();
  }
}

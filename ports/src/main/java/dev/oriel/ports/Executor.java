package dev.oriel.ports;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import java.time.Duration;
import java.util.List;

/**
 * A machine that runs programs. One executor serves the ranks of one process: all of a world, some,
 * or one; its construction fixes which.
 *
 * <p>Any thread may prepare; calls are collective, so all processes of a world prepare the same
 * programs in the same order. Different instances are independent.
 */
public interface Executor extends AutoCloseable {

  /** The name of this machine on the command line. */
  String name();

  /**
   * Makes a program ready to launch: allocates, registers, connects and compiles everything; a
   * launch does none of it. Scratch, slots and state words are then 0; other buffers hold arbitrary
   * bytes.
   *
   * <p>Scope: collective over the program's world. Order: complete on every rank before it returns
   * on any. Failure: {@link MachineException} on every rank, with the lowest failing rank's cause;
   * nothing stays allocated, and the executor can prepare again.
   *
   * @throws MachineException if program and topology are of different worlds, or the machine cannot
   *     run the program, which it reports here and never at a launch
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
   * <p>One thread at a time uses an instance, except for {@link #abort}; a call during another is
   * refused with a {@link MachineException}. After {@link #close} every call except {@code close}
   * and {@code abort} is refused in the same way.
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
     * <p>Scope: that rank alone, not collective. Order: after every earlier launch on that rank; it
     * does not wait for writes of peers that arrive after the launch.
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
     * launch ahead of another. Order: launches of one rank follow each other. Failure: a rank's
     * failure is in its outcome and never thrown. A launch that cannot end is stopped after the
     * deadline, plus the time of the lanes between two waits and of the machine to notice. A
     * machine that sees earlier that a wait can never end need not wait for the deadline.
     *
     * @param deadline how long the launch may take; years mean no end
     * @return one outcome for each of {@link #ranks}
     * @throws IllegalArgumentException if the deadline is not positive; nothing was launched
     */
    List<Outcome> launch(Duration deadline);

    /**
     * Ends the running launch and every later one as aborted; callable from any thread, at any
     * time, any number of times; the first cause wins.
     *
     * <p>Scope: the local ranks. A machine that can reach ranks of other processes notifies them
     * too and gives all of them one cause; otherwise those ranks run into their deadline unless
     * they are aborted too. Order: once a lane has seen it, the lane issues nothing that a peer can
     * see; earlier transfers may still arrive. It does not wait for the end of the launch.
     */
    void abort(String cause);

    /**
     * Frees what the instance holds; closing twice does nothing.
     *
     * <p>Scope: collective, since peers may still write here: it returns after the last launch of
     * every rank, or at once where no peer is in another process.
     */
    @Override
    void close();
  }
}

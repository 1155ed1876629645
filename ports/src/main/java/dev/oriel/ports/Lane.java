package dev.oriel.ports;

import java.util.concurrent.TimeoutException;

/**
 * One of several concurrent streams of calls of a rank, such as a thread block or a stream of its
 * GPU; used by one thread.
 *
 * <p>The rank's own {@link Window} is the host's handle: it shares and closes. A lane's view of it
 * is a device's handle of the same memory and slots: it moves, signals and waits, and has its own
 * counts.
 *
 * <p><b>Order.</b> Only awaits order the calls of two lanes. A signal, flush or arrival covers only
 * the puts of its own lane, and an await makes data visible only to its own lane.
 *
 * <p><b>Slots.</b> A signal slot at a peer, a counter and a barrier id belong to the lane that used
 * them first, as long as the window lives: otherwise two queues would overtake each other. Any lane
 * may await any signal.
 */
public interface Lane {

  /** From 0; 0 is the rank's own. */
  int number();

  /**
   * The window as this lane uses it; the same object each time.
   *
   * @throws IllegalArgumentException if it is another rank's
   */
  Window window(Window window);

  /**
   * The buffer as this lane writes and reads it. Any lane may put from and get into any.
   *
   * @throws IllegalArgumentException if it is another rank's
   */
  LocalBuffer buffer(LocalBuffer buffer);

  /** The code of a lane. */
  @FunctionalInterface
  interface Code {

    /**
     * Runs one lane.
     *
     * @throws TimeoutException as its calls do
     */
    void run(Lane lane) throws TimeoutException;
  }
}

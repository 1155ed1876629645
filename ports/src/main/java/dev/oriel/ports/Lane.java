package dev.oriel.ports;

import java.util.concurrent.TimeoutException;

/**
 * One of several streams of calls of a rank that go on at once, such as a thread block or a stream
 * of its GPU; used by one thread.
 *
 * <p>The rank's own {@link Window} is the host's handle: it shares and closes. What a lane has of
 * it is a device's handle of the same memory and slots: it moves, signals and waits, and keeps
 * count for itself.
 *
 * <p><b>Order.</b> Nothing orders the calls of two lanes but what each awaits. A signal, flush or
 * arrival covers the puts of its own lane alone, and what an await makes visible is visible to its
 * lane.
 *
 * <p><b>Slots.</b> A signal slot at a peer, a counter and a barrier id belong to the lane that used
 * them first, for as long as the window lives: two queues would overtake each other. Any lane may
 * await any signal.
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

  /** What lanes do. */
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

package dev.oriel.ports.channel;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * One message on its way through an end of a channel, which carries one at a time.
 *
 * <p>It advances only when called: by {@link #step}, which never waits for the other end, so one
 * thread can drive many transfers in turns; or by {@link #finish}.
 */
public interface Transfer {

  /** Moves at most one tile. After {@link TransferProgress#DONE} it returns that again. */
  TransferProgress step();

  /**
   * Runs to the end.
   *
   * @param timeout of each wait for the other end
   * @throws TimeoutException if one of them took longer; the transfer can be continued
   */
  void finish(Duration timeout) throws TimeoutException;
}

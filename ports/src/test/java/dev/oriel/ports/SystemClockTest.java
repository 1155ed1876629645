package dev.oriel.ports;

import dev.oriel.ports.contract.ClockContract;
import java.util.Set;

/** The clock that the documentation names for hosts. */
final class SystemClockTest extends ClockContract {

  SystemClockTest() {
    super(Set.of());
  }

  @Override
  protected Clock clock() {
    return System::nanoTime;
  }
}

package dev.oriel.sim.time;

import java.util.List;
import java.util.Locale;

/** No event is left, and lanes still wait: names them and their conditions. */
public final class VirtualDeadlock extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int NAMED = 8;

  private final transient List<String> waits;

  VirtualDeadlock(double nanos, List<String> waits) {
    super(
        String.format(
            Locale.ROOT,
            "deadlock: time=%.3f ns, waiting=%d lanes; %s%s",
            nanos,
            waits.size(),
            String.join("; ", waits.subList(0, Math.min(NAMED, waits.size()))),
            waits.size() > NAMED ? "; and " + (waits.size() - NAMED) + " more" : ""));
    this.waits = List.copyOf(waits);
  }

  /** One line for each lane that waits. */
  public List<String> waits() {
    return waits;
  }
}

package dev.oriel.cuda.device;

import dev.oriel.domain.window.WindowSpec;

/**
 * The numbers of slots of a device handle; every rank passes the same.
 *
 * @param signals how many signals each rank has at each other rank
 * @param barriers how many barrier ids there are
 * @param counters how many counters of completed puts a rank has for each rank
 */
public record DeviceSlots(int signals, int barriers, int counters) {
  /** No slots: puts and gets alone. */
  public static final DeviceSlots NONE = new DeviceSlots(0, 0, 0);

  public DeviceSlots {
    WindowSpec ignored = spec(signals, barriers, counters);
  }

  private static WindowSpec spec(int signals, int barriers, int counters) {
    return WindowSpec.named("device")
        .withSignals(signals)
        .withBarriers(barriers)
        .withCounters(counters);
  }

  /** The slots as those of a window. */
  WindowSpec spec() {
    return spec(signals, barriers, counters);
  }

  @Override
  public String toString() {
    return "signals=%d, barriers=%d, counters=%d".formatted(signals, barriers, counters);
  }
}

package dev.oriel.cuda.topology;

import java.util.Locale;

/**
 * How one GPU reaches another one's memory.
 *
 * @param access what it can do there
 * @param link the wire between them
 */
public record GpuWay(Access access, Link link) {

  /** What a GPU can do in another one's memory. */
  public enum Access {
    /** It is the same GPU. */
    SELF,
    /** Loads, stores and atomics. */
    ATOMICS,
    /** Loads and stores; its atomics lose updates. */
    STORES,
    /** Nothing. */
    NOTHING
  }

  /** The wire. */
  public enum Link {
    NVLINK,
    PCIE,
    /** The driver's management library is not there, or does not say. */
    UNKNOWN
  }

  /** As in a table: {@code nvlink atomics}. */
  @Override
  public String toString() {
    return switch (access) {
      case SELF -> "self";
      case NOTHING -> "nothing";
      case ATOMICS, STORES ->
          link == Link.UNKNOWN ? lower(access) : lower(link) + " " + lower(access);
    };
  }

  private static String lower(Enum<?> word) {
    return word.name().toLowerCase(Locale.ROOT);
  }
}

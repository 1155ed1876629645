package dev.oriel.ibverbs.nic;

import dev.oriel.ibverbs.mlx5.Syndrome;

/** An element is not executed: the reason, as the interface's syndrome and in words. */
final class ElementRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Syndrome syndrome;

  ElementRefusal(Syndrome syndrome, String message) {
    super(message, null, false, false);
    this.syndrome = syndrome;
  }

  Syndrome syndrome() {
    return syndrome;
  }

  /** Whether the peer found the fault: its queue pair then stops as well. */
  boolean foundByPeer() {
    return switch (syndrome) {
      case REMOTE_ACCESS, REMOTE_REQUEST, REMOTE_OPERATION -> true;
      default -> false;
    };
  }
}

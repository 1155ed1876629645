package dev.oriel.ports;

import org.jspecify.annotations.Nullable;

/** A call ended, or was refused, because some rank aborted the world; names the first who did. */
public final class AbortedException extends MachineException {
  private static final long serialVersionUID = 1L;

  private final transient Abort abort;

  /** The end of a call on some rank; {@code own} is what happened to that rank meanwhile, if so. */
  public AbortedException(Abort abort, @Nullable Throwable own) {
    super(
        "world was aborted: rank=%d, cause=%s; mend the cause on that rank, close, and join again"
            .formatted(abort.rank(), abort.cause()),
        own);
    this.abort = abort;
  }

  /** Who aborted first, and why. */
  public Abort abort() {
    return abort;
  }
}

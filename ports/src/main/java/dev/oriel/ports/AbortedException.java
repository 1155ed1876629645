package dev.oriel.ports;

import org.jspecify.annotations.Nullable;

/** A call ended or was refused because a rank aborted the world; names the first rank that did. */
public final class AbortedException extends MachineException {
  private static final long serialVersionUID = 1L;

  private final transient Abort abort;

  /** The end of a call on some rank; {@code own} is this rank's own failure meanwhile, if any. */
  public AbortedException(Abort abort, @Nullable Throwable own) {
    super(
        "world was aborted: rank=%d, cause=%s; mend the cause on that rank, close, and join again"
            .formatted(abort.rank(), abort.cause()),
        own);
    this.abort = abort;
  }

  /** The rank that aborted first, and its reason. */
  public Abort abort() {
    return abort;
  }
}

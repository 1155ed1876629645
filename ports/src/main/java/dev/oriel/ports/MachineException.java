package dev.oriel.ports;

import org.jspecify.annotations.Nullable;

/**
 * A machine cannot do what it was asked; the message has the problem, {@code key=value} facts and
 * the remedy.
 */
public class MachineException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Whether the environment lacks something that its owner can add. */
  private final boolean environment;

  public MachineException(String message) {
    this(message, null, false);
  }

  /** A failure with its cause on this rank. */
  public MachineException(String message, @Nullable Throwable cause) {
    this(message, cause, false);
  }

  private MachineException(String message, @Nullable Throwable cause, boolean environment) {
    super(message, cause);
    this.environment = environment;
  }

  /** The environment lacks something; the message says which, and the remedy. */
  public static MachineException lacking(String message) {
    return lacking(message, null);
  }

  /** The same with its cause on this rank. */
  public static MachineException lacking(String message, @Nullable Throwable cause) {
    return new MachineException(message, cause, true);
  }

  /**
   * Whether the environment lacks something, as opposed to the caller asking for the impossible.
   */
  public boolean environment() {
    return environment;
  }
}

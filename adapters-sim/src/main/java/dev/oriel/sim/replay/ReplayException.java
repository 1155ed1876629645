package dev.oriel.sim.replay;

/**
 * A token, plan, script or report is invalid: the message says what is wrong, where, and what to
 * do.
 */
public final class ReplayException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private static final int MAX_SHOWN = 60;

  public ReplayException(String message) {
    super(message);
  }

  /** External text, shortened and without control characters for a terminal. */
  static String shown(String text) {
    StringBuilder shown = new StringBuilder("'");
    text.chars()
        .limit(MAX_SHOWN)
        .forEach(c -> shown.append(c >= ' ' && c < 127 ? String.valueOf((char) c) : "?"));
    return shown.append(text.length() > MAX_SHOWN ? "...'" : "'").toString();
  }
}

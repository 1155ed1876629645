package dev.oriel.ibverbs.mlx5;

/** When an element's completion is reported: bits 3 and 2 of its control byte. */
public enum CompletionReporting {
  ON_ERROR(0),
  ON_FIRST_ERROR(1),
  ALWAYS(2),
  /** Always, and an event as well. */
  WITH_EVENT(3);

  private static final CompletionReporting[] BY_CODE = values();

  private final int code;

  CompletionReporting(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** Whether success is reported. */
  public boolean ofSuccess() {
    return code >= 2;
  }

  static CompletionReporting of(int code) {
    return BY_CODE[code];
  }
}

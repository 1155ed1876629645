package dev.oriel.bootstrap;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** One rank's entry into one collective. */
record CollectiveCall(
    CollectiveOperation operation,
    String step,
    ByteBuffer contribution,
    MonotonicDeadline deadline) {
  static final int MAX_STEP_BYTES = 200;

  CollectiveCall {
    int bytes = step.getBytes(StandardCharsets.UTF_8).length;
    if (bytes < 1 || bytes > MAX_STEP_BYTES) {
      throw new IllegalArgumentException(
          "step name has a bad length: bytes=%d, min=1, max=%d; shorten it"
              .formatted(bytes, MAX_STEP_BYTES));
    }
  }

  String label() {
    return operation.label(step);
  }
}

package dev.oriel.cuda.ptx;

import java.util.List;

/**
 * A generated kernel and how to call it: one block per lane instance.
 *
 * <pre>
 * parameter   what it points to, or is
 * bases       u64[buffer][rank]: where that rank's buffer is mapped here; then u64[rank]: its slots
 * state       per lane instance one 128-byte line: epoch, then the state words in order
 * status      u64: 0, or the first reason why a lane gave up
 * abort       u64 in host memory: not 0 once the host wants the end
 * patience    nanoseconds that one wait may last
 * v_NAME      the value of each name that the binding and the rank determine, {@code values} in order
 * </pre>
 *
 * <p>A rank's slots are lines of 128 bytes: row by row of the source, in a row signal by signal.
 */
public record Kernel(String entry, String ptx, int threads, List<String> values) {
  /** Bytes of a slot, and of a lane's state. */
  public static final int LINE = 128;

  public Kernel {
    values = List.copyOf(values);
  }
}

package dev.oriel.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** Finds the graph that a stream is recording, by foreign functions: JCuda does not report it. */
final class CaptureQuery {
  private static final int ACTIVE = 1;

  private static final MethodHandle INFO =
      ForeignFunctions.bind(
          "cuStreamGetCaptureInfo_v2", JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);

  private CaptureQuery() {}

  /** The graph that is being recorded there; empty if none is. */
  static Optional<Long> graph(Gpu gpu, long stream) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment status = arena.allocate(JAVA_INT);
      MemorySegment graph = arena.allocate(JAVA_LONG);
      MemorySegment none = MemorySegment.NULL;
      ForeignFunctions.call(
          gpu, "cuStreamGetCaptureInfo", INFO, stream, status, none, graph, none, none);
      return status.get(JAVA_INT, 0) == ACTIVE
          ? Optional.of(graph.get(JAVA_LONG, 0))
          : Optional.empty();
    }
  }
}

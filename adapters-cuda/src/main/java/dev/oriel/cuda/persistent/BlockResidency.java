package dev.oriel.cuda.persistent;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The blocks that a request's call occupies on the GPU while it waits for peers.
 *
 * @param stream the stream of its calls
 */
record BlockResidency(long stream, int blocks) {

  /**
   * The number of blocks that must be co-resident. Calls of one stream run one after the other.
   * Calls of two streams may wait for peers at the same time, and a peer may begin with either.
   */
  static int atOnce(Stream<BlockResidency> requests) {
    Map<Long, Integer> largest = new HashMap<>();
    requests.forEach(request -> largest.merge(request.stream, request.blocks, Math::max));
    return largest.values().stream().mapToInt(Integer::intValue).sum();
  }
}

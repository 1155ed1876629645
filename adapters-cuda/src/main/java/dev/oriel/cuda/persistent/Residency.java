package dev.oriel.cuda.persistent;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Blocks that a request's call has on the GPU while it waits for peers.
 *
 * @param stream where its calls are made
 */
record Residency(long stream, int blocks) {

  /**
   * How many blocks must have room at once: calls of one stream come one after the other, those of
   * two may wait for peers side by side, and a peer may begin with either.
   */
  static int atOnce(Stream<Residency> requests) {
    Map<Long, Integer> largest = new HashMap<>();
    requests.forEach(request -> largest.merge(request.stream, request.blocks, Math::max));
    return largest.values().stream().mapToInt(Integer::intValue).sum();
  }
}

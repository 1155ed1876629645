package dev.oriel.ibverbs.post;

import java.util.Map;

/**
 * What a rank carries from launch to launch.
 *
 * @param epoch the number of launches so far, wrapping
 * @param words every lane instance's state words by the lane's position; a missing one is 0
 */
public record Carried(
    long epoch, Map<Integer, Map<String, Long>> words, Map<Queue, QueueState> queues) {

  /** Before the first launch. */
  public static final Carried NOTHING = new Carried(0, Map.of(), Map.of());

  public Carried {
    words = Map.copyOf(words);
    queues = Map.copyOf(queues);
  }

  long word(int lane, String state) {
    return words.getOrDefault(lane, Map.of()).getOrDefault(state, 0L);
  }
}

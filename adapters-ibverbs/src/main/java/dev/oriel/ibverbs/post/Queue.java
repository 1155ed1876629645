package dev.oriel.ibverbs.post;

import java.util.Comparator;

/**
 * One lane's requests to one peer, executed in the order of their posting: a reliable queue pair.
 *
 * @param lane the position among the rank's lane instances
 */
public record Queue(int lane, int peer) implements Comparable<Queue> {
  private static final Comparator<Queue> ORDER =
      Comparator.comparingInt(Queue::lane).thenComparingInt(Queue::peer);

  @Override
  public int compareTo(Queue other) {
    return ORDER.compare(this, other);
  }
}

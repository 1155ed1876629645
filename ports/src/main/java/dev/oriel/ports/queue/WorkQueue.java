package dev.oriel.ports.queue;

import dev.oriel.ports.MachineException;
import java.util.List;
import java.util.Map;

/**
 * One queue from a rank to a peer, as who posts to it sees it: addresses are its own.
 *
 * @param slots how many elements there is room for, a power of two
 * @param ring where the elements stand
 * @param images the bytes of each element but for its holes
 * @param bells where each bell of the format is, and its bytes but for its holes
 * @param completion where the completion word is
 */
public record WorkQueue(
    int slots, long ring, Map<Shape, Image> images, List<Place> bells, long completion) {

  /**
   * One of the elements.
   *
   * @param fenced whether it begins when all earlier reads and atomics of the queue have ended
   */
  public record Shape(RequestKind kind, boolean fenced) {}

  /** A bell of that queue. */
  public record Place(long address, Image image) {}

  public WorkQueue {
    images = Map.copyOf(images);
    bells = List.copyOf(bells);
    if (slots < 1 || Integer.bitCount(slots) != 1) {
      throw new MachineException(
          "length of a queue out of range: slots=%d; use a power of two".formatted(slots));
    }
  }

  /** The bytes of that element but for its holes. */
  public Image image(RequestKind kind, boolean fenced) {
    Image image = images.get(new Shape(kind, fenced));
    if (image == null) {
      throw new MachineException(
          "no such element: kind=%s, fenced=%b; give every kind both ways".formatted(kind, fenced));
    }
    return image;
  }
}

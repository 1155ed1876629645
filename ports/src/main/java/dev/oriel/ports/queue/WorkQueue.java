package dev.oriel.ports.queue;

import dev.oriel.ports.MachineException;
import java.util.List;
import java.util.Map;

/**
 * One queue from a rank to a peer, with addresses as its poster uses them.
 *
 * @param slots the capacity in elements, a power of two
 * @param ring the address of the elements
 * @param images the bytes of each element without its holes
 * @param bells the address of each bell of the format, and its bytes without its holes
 * @param completion the address of the completion word
 */
public record WorkQueue(
    int slots, long ring, Map<Shape, ElementTemplate> images, List<Place> bells, long completion) {

  /**
   * A kind of element.
   *
   * @param fenced whether it waits for all earlier reads and atomics of the queue
   */
  public record Shape(RequestKind kind, boolean fenced) {}

  /** A bell of that queue. */
  public record Place(long address, ElementTemplate image) {}

  public WorkQueue {
    images = Map.copyOf(images);
    bells = List.copyOf(bells);
    if (slots < 1 || Integer.bitCount(slots) != 1) {
      throw new MachineException(
          "length of a queue out of range: slots=%d; use a power of two".formatted(slots));
    }
  }

  /** The bytes of that element without its holes. */
  public ElementTemplate image(RequestKind kind, boolean fenced) {
    ElementTemplate image = images.get(new Shape(kind, fenced));
    if (image == null) {
      throw new MachineException(
          "no such element: kind=%s, fenced=%b; give every kind both ways".formatted(kind, fenced));
    }
    return image;
  }
}

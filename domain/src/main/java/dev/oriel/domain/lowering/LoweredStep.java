package dev.oriel.domain.lowering;

/**
 * A micro-operation and its reason: the operation that it belongs to and the edge that it makes.
 *
 * @param operation the number of that operation in its lane, in the order of the text and from 0;
 *     -1 if there is none
 */
public record LoweredStep(MicroOperation micro, String why, int operation) {
  /** A step that belongs to no operation of a text. */
  public LoweredStep(MicroOperation micro, String why) {
    this(micro, why, -1);
  }
}

package dev.oriel.domain.lowering;

/**
 * A micro-operation and why it stands there: the operation it serves and the edge it makes.
 *
 * @param operation the number of that operation in its lane, in the order of the text and from 0;
 *     -1 if it serves none
 */
public record Step(Micro micro, String why, int operation) {
  /** A step that serves no operation of a text. */
  public Step(Micro micro, String why) {
    this(micro, why, -1);
  }
}

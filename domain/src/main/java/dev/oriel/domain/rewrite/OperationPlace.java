package dev.oriel.domain.rewrite;

/**
 * The place of an operation: its lane, its number in the lane, from 1 and counted through all
 * blocks as in the errors of a form, and its text.
 */
public record OperationPlace(String lane, int number, String text) {
  @Override
  public String toString() {
    return lane + ":" + number + " '" + text + "'";
  }
}

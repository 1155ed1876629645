package dev.oriel.domain.rewrite;

/**
 * Where an operation stands: its lane and its number in it, from 1 on and counted through all
 * blocks, as the errors of a form count; and its text.
 */
public record Place(String lane, int number, String text) {
  @Override
  public String toString() {
    return lane + ":" + number + " '" + text + "'";
  }
}

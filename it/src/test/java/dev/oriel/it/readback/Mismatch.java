package dev.oriel.it.readback;

/** What was printed is not what the steps say. */
final class Mismatch extends RuntimeException {
  private static final long serialVersionUID = 1;

  Mismatch(String message) {
    super(message);
  }
}

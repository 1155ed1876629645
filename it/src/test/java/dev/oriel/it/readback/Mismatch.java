package dev.oriel.it.readback;

/** The printed text differs from the steps. */
final class Mismatch extends RuntimeException {
  private static final long serialVersionUID = 1;

  Mismatch(String message) {
    super(message);
  }
}

package dev.oriel.domain.window;

/** Range checks whose messages give the bad value, the limit and the remedy. */
final class IndexChecks {

  private IndexChecks() {}

  static int index(String what, int value, int count) {
    if (value < 0 || value >= count) {
      throw new IndexOutOfBoundsException(
          what
              + " out of range: "
              + what
              + "="
              + value
              + ", count="
              + count
              + "; "
              + advice(count));
    }
    return value;
  }

  static void count(String what, int value, int most) {
    if (value < 0 || value > most) {
      throw new IllegalArgumentException("bad count: " + what + "=" + value + "; use 0 to " + most);
    }
  }

  private static String advice(int count) {
    return count == 0 ? "none was declared" : "use 0 to " + (count - 1);
  }
}

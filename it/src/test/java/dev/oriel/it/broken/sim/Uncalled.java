package dev.oriel.it.broken.sim;

/** Has a method without a caller, next to others with callers. */
final class Uncalled implements Comparable<Uncalled> {
  private final int number;

  Uncalled(int number) {
    this.number = number;
  }

  int forgotten() {
    return 1;
  }

  int called() {
    return number;
  }

  @Override
  public int compareTo(Uncalled other) {
    return Integer.compare(called(), other.called());
  }
}

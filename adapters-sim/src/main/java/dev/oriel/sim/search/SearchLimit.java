package dev.oriel.sim.search;

/** The reason why a search of all executions stopped before its end. */
enum SearchLimit {
  STATES("the limit of states"),
  WORK(
      "the limit of work, since its states or executions are large; fewer bytes, lanes or launches reach further"),
  ENDLESS("executions that did not come to their end"),
  TIME("the limit of time (--time)"),
  MEMORY(
      "the limit of memory; fewer bytes, lanes or launches, more --memory, or a larger heap (-Xmx), reach further");

  private final String words;

  SearchLimit(String words) {
    this.words = words;
  }

  @Override
  public String toString() {
    return words;
  }
}

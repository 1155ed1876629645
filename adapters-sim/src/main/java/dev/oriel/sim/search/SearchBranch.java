package dev.oriel.sim.search;

/**
 * A state of a search whose last agents one thread leaves to another.
 *
 * @param depth how many steps lead to the state
 * @param decisions the decisions in these steps; a step without a choice has none
 * @param turn the first enabled agent to try there, by its index
 * @param end the index after the last one to try
 */
@SuppressWarnings("ArrayRecordComponent") // a copy of its own, and changed by nobody
record SearchBranch(int depth, int[] decisions, int turn, int end) {
  /** The whole search: the first state, which is not visited yet. */
  static final SearchBranch ALL = new SearchBranch(0, new int[0], 0, 0);
}

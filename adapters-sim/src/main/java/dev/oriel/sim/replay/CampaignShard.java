package dev.oriel.sim.replay;

/**
 * One of several equal parts of a campaign, written "2/8". Executions are assigned to parts in
 * turn, so every part gets some of the first ones. The first part also does what is not divided: an
 * exhaustive search, and what follows where nothing is found. The randomness of an execution
 * follows from the campaign's seed and the execution's number. It depends neither on the part nor
 * on the number of parts.
 *
 * @param index from 1 to {@code count}
 */
public record CampaignShard(int index, int count) implements Comparable<CampaignShard> {
  /** The most parts of a campaign. */
  public static final int MAX_COUNT = 1_000_000;

  /** A campaign that is not split. */
  public static final CampaignShard WHOLE = new CampaignShard(1, 1);

  public CampaignShard {
    if (count < 1 || count > MAX_COUNT || index < 1 || index > count) {
      throw new ReplayException(
          "no such shard: index=%d, count=%d; write i/n with i from 1 to n, n at most %d"
              .formatted(index, count, MAX_COUNT));
    }
  }

  /** The shard that {@link #toString} wrote. */
  public static CampaignShard parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0 || !number(text.substring(0, slash)) || !number(text.substring(slash + 1))) {
      throw new ReplayException(
          "not a shard: text=%s; write i/n, as in 2/8".formatted(ReplayException.shown(text)));
    }
    return new CampaignShard(
        Integer.parseInt(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1)));
  }

  private static boolean number(String digits) {
    return !digits.isEmpty()
        && digits.length() <= 7
        && digits.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /** Whether this part does the work that is not divided. */
  public boolean first() {
    return index == 1;
  }

  /** Whether the execution of that number, counted from 0, belongs to this part. */
  public boolean owns(long execution) {
    return execution >= 0 && execution % count == index - 1;
  }

  @Override
  public int compareTo(CampaignShard other) {
    return count != other.count
        ? Integer.compare(count, other.count)
        : Integer.compare(index, other.index);
  }

  /** The text form. */
  @Override
  public String toString() {
    return index + "/" + count;
  }
}

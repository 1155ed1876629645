package dev.oriel.domain.window;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Ranks that act together, each once, in an order that all of them know. */
public final class Team {

  private final int[] members;
  private final Map<Integer, Integer> places = new HashMap<>();

  private Team(int[] members) {
    if (members.length == 0) {
      throw new IllegalArgumentException("empty team: size=0; name at least one rank");
    }
    this.members = members;
    for (int place = 0; place < members.length; place++) {
      if (members[place] < 0) {
        throw new IllegalArgumentException(
            "negative team member: rank="
                + members[place]
                + ", place="
                + place
                + "; ranks count from 0");
      }
      Integer earlier = places.put(members[place], place);
      if (earlier != null) {
        throw new IllegalArgumentException(
            "team member named twice: rank="
                + members[place]
                + ", places="
                + earlier
                + " and "
                + place
                + "; name each rank once");
      }
    }
  }

  /** The team of {@code ranks}, in this order. */
  public static Team of(int... ranks) {
    return new Team(ranks.clone());
  }

  /** The team of {@code ranks}, in this order. */
  public static Team of(List<Integer> ranks) {
    return new Team(ranks.stream().mapToInt(Integer::intValue).toArray());
  }

  /** All ranks of {@code world}, ascending. */
  public static Team all(int world) {
    return new Team(IntStream.range(0, world).toArray());
  }

  /** The number of members. */
  public int size() {
    return members.length;
  }

  /** The rank at {@code place}. */
  public int get(int place) {
    return members[IndexChecks.index("place", place, members.length)];
  }

  /** Whether {@code rank} is a member; constant time. */
  public boolean contains(int rank) {
    return places.containsKey(rank);
  }

  /** The place of {@code rank} in the order; constant time. */
  public int indexOf(int rank) {
    Integer place = places.get(rank);
    if (place == null) {
      throw new IllegalArgumentException(
          "not in the team: rank=" + rank + ", team=" + this + "; name a member");
    }
    return place;
  }

  /** The members, in order. */
  public IntStream stream() {
    return Arrays.stream(members);
  }

  /** The members other than {@code rank}, which must be one, in order. */
  public IntStream peersOf(int rank) {
    indexOf(rank);
    return stream().filter(member -> member != rank);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Team that && Arrays.equals(members, that.members);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(members);
  }

  /** The members; long teams are cut after eight. */
  @Override
  public String toString() {
    return members.length <= 8
        ? Arrays.toString(members)
        : Arrays.toString(Arrays.copyOf(members, 8)).replace("]", ", ...] of " + size());
  }
}

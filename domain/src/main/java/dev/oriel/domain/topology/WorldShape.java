package dev.oriel.domain.topology;

import java.util.ArrayList;
import java.util.List;

/**
 * A regular world: hosts with equally many GPUs, each reaching all of its own host; written "2x4".
 */
public record WorldShape(int hosts, int gpusPerHost) {

  public WorldShape {
    if (hosts < 1 || gpusPerHost < 1) {
      throw new IllegalArgumentException(
          "empty world: hosts=" + hosts + ", gpusPerHost=" + gpusPerHost + "; use at least 1x1");
    }
    if ((long) hosts * gpusPerHost > Topology.MAX_WORLD) {
      throw new IllegalArgumentException(
          "world too large: hosts="
              + hosts
              + ", gpusPerHost="
              + gpusPerHost
              + ", ranks="
              + (long) hosts * gpusPerHost
              + "; use at most "
              + Topology.MAX_WORLD
              + " ranks");
    }
  }

  /** Reads "hosts x GPUs per host", as in "2x4": two numbers of ASCII digits around one 'x'. */
  public static WorldShape parse(String text) {
    int cross = text.indexOf('x');
    if (cross < 0) {
      throw bad(text, "no 'x' between two numbers");
    }
    return new WorldShape(
        number(text, text.substring(0, cross)), number(text, text.substring(cross + 1)));
  }

  private static int number(String text, String digits) {
    if (digits.startsWith("-")) {
      throw bad(text, "'" + digits + "' is negative");
    }
    if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw bad(text, "'" + digits + "' is not a number");
    }
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException tooLarge) {
      throw bad(text, "'" + digits + "' is more than " + Topology.MAX_WORLD);
    }
  }

  private static IllegalArgumentException bad(String text, String why) {
    return new IllegalArgumentException(
        "bad world: text=" + text + ", reason=" + why + "; write hosts x GPUs per host, as in 2x4");
  }

  /** The number of ranks. */
  public int world() {
    return hosts * gpusPerHost;
  }

  /** The facts of every rank: host by host, device by device, no fabric. */
  public List<RankFacts> facts() {
    IndexSet devices = IndexSet.range(0, gpusPerHost);
    List<RankFacts> facts = new ArrayList<>(world());
    for (int host = 0; host < hosts; host++) {
      String name = "host" + host;
      for (int device = 0; device < gpusPerHost; device++) {
        facts.add(RankFacts.of(name, device).withReachable(devices));
      }
    }
    return facts;
  }

  /** The notation that {@link #parse} reads. */
  @Override
  public String toString() {
    return hosts + "x" + gpusPerHost;
  }
}

package dev.oriel.domain.group;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses groups as commands name them: {@code 0-1=100,2-0=64} for 100 bytes from rank 0 to 1, and
 * so on.
 */
public final class GroupText {
  private static final int MOST_TEXT = 1 << 16;
  private static final Pattern TRANSFER = Pattern.compile("(\\d{1,7})-(\\d{1,7})=(\\d{1,13})");

  private GroupText() {}

  /** The program of that group, in any world that has its ranks. */
  public static Form form(String text) {
    List<List<GroupCall>> byRank = new ArrayList<>();
    if (text.length() > MOST_TEXT) {
      throw new ProgramException(
          "group too long: characters=%d, max=%d; give fewer transfers"
              .formatted(text.length(), MOST_TEXT));
    }
    for (String one : text.split(",", -1)) {
      Matcher transfer = TRANSFER.matcher(one);
      if (!transfer.matches()) {
        throw new ProgramException(
            "no transfer: text=%s; write FROM-TO=BYTES with commas in between, as in 0-1=100,2-0=64"
                .formatted(one.length() > 40 ? one.substring(0, 40) + "..." : one));
      }
      int from = rank(transfer.group(1));
      int to = rank(transfer.group(2));
      while (byRank.size() <= Math.max(from, to)) {
        byRank.add(new ArrayList<>());
      }
      long bytes = Long.parseLong(transfer.group(3));
      byRank.get(from).add(new GroupCall.Send(to, bytes));
      byRank.get(to).add(new GroupCall.Receive(from, bytes));
    }
    return Group.form(byRank);
  }

  private static int rank(String digits) {
    int rank = Integer.parseInt(digits);
    if (rank >= Program.MAX_WORLD) {
      throw new ProgramException(
          "no such rank: rank=%d, max=%d; name a smaller one"
              .formatted(rank, Program.MAX_WORLD - 1));
    }
    return rank;
  }
}

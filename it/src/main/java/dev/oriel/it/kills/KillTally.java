package dev.oriel.it.kills;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The results of kills. */
final class KillTally {
  private final List<Double> ended = new ArrayList<>();
  private final List<Double> formed = new ArrayList<>();
  private final List<Double> formedWithout = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private int inSetUp;
  private int inLaunches;
  private long launches;
  private long replays;
  private long fewestFiles = Long.MAX_VALUE;
  private long mostFiles;

  /** Records that a survivor ended that many milliseconds after a kill. */
  void ended(double millis) {
    ended.add(millis);
  }

  /** Records that a world was formed in that many milliseconds. */
  void formed(double millis) {
    formed.add(millis);
  }

  /** Records that the survivors formed a world and computed correct results. */
  void formedWithout(double millis) {
    formedWithout.add(millis);
  }

  void killed(boolean setUp) {
    if (setUp) {
      inSetUp++;
    } else {
      inLaunches++;
    }
  }

  void ran(long moreLaunches, long moreReplays) {
    launches += moreLaunches;
    replays += moreReplays;
  }

  /** Records the number of files that a survivor had open when it left a world. */
  void files(long open) {
    fewestFiles = Math.min(fewestFiles, open);
    mostFiles = Math.max(mostFiles, open);
  }

  void problem(String problem) {
    problems.add(problem);
  }

  List<String> problems() {
    return problems;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "kills    %d: %d while ranks launched, %d while they prepared"
            .formatted(inSetUp + inLaunches, inLaunches, inSetUp));
    lines.add("ended    ms from kill to a survivor's outcome: " + spread(ended));
    lines.add("formed   ms from the call to a world that launches: " + spread(formed));
    lines.add("without  ms from the call to a world of survivors alone: " + spread(formedWithout));
    lines.add(
        "ran      launches=%d and replays=%d of survivors, outputs checked after each launch and its replays"
            .formatted(launches, replays));
    lines.add(
        "files    open in a survivor between worlds: %d to %d".formatted(fewestFiles, mostFiles));
    problems.forEach(problem -> lines.add("problem  " + problem));
    lines.add(
        "verdict  " + (problems.isEmpty() ? "all ended in time with one cause" : "VIOLATION"));
    return lines;
  }

  private static String spread(List<Double> values) {
    if (values.isEmpty()) {
      return "none";
    }
    List<Double> sorted = values.stream().sorted().toList();
    return String.format(
        Locale.ROOT,
        "min=%.1f, median=%.1f, max=%.1f, count=%d",
        sorted.getFirst(),
        sorted.get(sorted.size() / 2),
        sorted.getLast(),
        sorted.size());
  }
}

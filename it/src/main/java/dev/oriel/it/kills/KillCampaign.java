package dev.oriel.it.kills;

import dev.oriel.it.ranks.RankCommandLine;
import dev.oriel.it.ranks.RankProcess;
import dev.oriel.ports.MachineException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Repeatedly kills a rank of a world of processes. The survivors at once form a smaller world and
 * check their results there. Then a spare process replaces the killed one.
 *
 * <p>A rank receives {@code form RANK WORLD PORT SEED LAUNCHES}; 0 launches mean launches until one
 * does not end as done. It answers {@code joined}, {@code formed}, and at the end {@code checked
 * LAUNCHES REPLAYS} or {@code ended LAUNCHES REPLAYS CAUSE}, then {@code left FILES}. It reports
 * bytes that are not as promised by {@code wrong} and a reason.
 */
final class KillCampaign implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration SET_UP = Duration.ofSeconds(30);
  private static final int UNTIL_THE_END = 0;

  /** Launches of a world without a kill. */
  private static final int CHECKED = 3;

  private final IntFunction<List<String>> commands;
  private final Duration deadline;
  private final int within;
  private final SplittableRandom random;
  private final List<RankProcess> ranks = new ArrayList<>();
  private final List<RankProcess> ready = new ArrayList<>();
  private final KillTally tally = new KillTally();

  KillCampaign(
      IntFunction<List<String>> commands,
      int world,
      Duration deadline,
      int within,
      SplittableRandom random)
      throws IOException {
    this.commands = commands;
    this.deadline = deadline;
    this.within = within;
    this.random = random;
    try {
      for (int rank = 0; rank < world; rank++) {
        ranks.add(RankProcess.start(commands.apply(rank)));
        ready.add(RankProcess.start(commands.apply(rank)));
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Kills that many times, and then runs the last world.
   *
   * @throws MachineException if a rank does not answer
   */
  KillTally run(int kills) throws IOException, InterruptedException {
    for (RankProcess rank : ranks) {
      rank.expect(START, "ready");
    }
    for (int kill = 0; kill < kills && tally.problems().isEmpty(); kill++) {
      kill(form(ranks, UNTIL_THE_END));
    }
    if (tally.problems().isEmpty()) {
      tally.formed(checked(ranks));
    }
    return tally;
  }

  /** Makes these, in their order, the ranks of the next world; returns the time of the request. */
  private long form(List<RankProcess> world, int launches) throws IOException {
    int port = RankCommandLine.freePort();
    long seed = random.nextLong();
    long called = System.nanoTime();
    for (int rank = 0; rank < world.size(); rank++) {
      world
          .get(rank)
          .send("form %d %d %d %d %d".formatted(rank, world.size(), port, seed, launches));
    }
    return called;
  }

  /** Lets them form a world and check their results; returns the milliseconds of the slowest. */
  private double checked(List<RankProcess> world) throws IOException, InterruptedException {
    long called = form(world, CHECKED);
    double slowest = 0;
    for (RankProcess rank : world) {
      RankProcess.Line line = rank.expect(SET_UP, "formed", "ended");
      slowest = Math.max(slowest, (line.nanos() - called) / 1e6);
      if (line.text().startsWith("formed")) {
        line = rank.expect(deadline.plus(SET_UP), "checked", "ended", "wrong");
      }
      String[] words = line.text().split(" ", -1);
      if (words[0].equals("checked")) {
        tally.ran(Long.parseLong(words[1]), Long.parseLong(words[2]));
      } else {
        tally.problem("no world without who was killed: " + line.text());
      }
      left(rank);
    }
    return slowest;
  }

  private void left(RankProcess rank) throws InterruptedException {
    String left = rank.expect(SET_UP, "left").text();
    tally.files(Long.parseLong(left.substring("left ".length())));
  }

  private void kill(long called) throws IOException, InterruptedException {
    for (RankProcess rank : ranks) {
      rank.expect(SET_UP, "joined");
    }
    TimeUnit.MICROSECONDS.sleep(random.nextLong(1000L * within));
    int victim = random.nextInt(ranks.size());
    long killed = System.nanoTime();
    ranks.get(victim).kill();
    TreeSet<String> causes = new TreeSet<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      if (rank != victim) {
        causes.add(survived(rank, victim, called, killed));
      }
    }
    if (causes.size() > 1) {
      tally.problem("causes differ: killed=%d, causes=%s".formatted(victim, causes));
    }
    if (tally.problems().isEmpty()) {
      List<RankProcess> survivors = new ArrayList<>(ranks);
      survivors.remove(victim);
      tally.formedWithout(checked(survivors));
    }
    ranks.set(victim, ready.get(victim));
    ready.set(victim, RankProcess.start(commands.apply(victim)));
    ranks.get(victim).expect(START, "ready");
  }

  private String survived(int rank, int victim, long called, long killed)
      throws InterruptedException {
    RankProcess survivor = ranks.get(rank);
    RankProcess.Line line = survivor.expect(SET_UP, "formed", "ended", "wrong");
    boolean formed = line.text().startsWith("formed");
    if (formed) {
      tally.formed((line.nanos() - called) / 1e6);
      line = survivor.expect(deadline.plus(SET_UP), "ended", "wrong");
    }
    double millis = (line.nanos() - killed) / 1e6;
    tally.ended(millis);
    if (rank == (victim == 0 ? 1 : 0)) {
      tally.killed(!formed);
    }
    if (millis > deadline.toMillis()) {
      tally.problem("survivor ended late: rank=%d, ms=%.0f".formatted(rank, millis));
    }
    String cause = said(line, victim);
    left(survivor);
    return cause;
  }

  /** The cause in a rank's last line, which must name the killed rank. */
  private String said(RankProcess.Line line, int victim) {
    String[] words = line.text().split(" ", 4);
    if (!words[0].equals("ended") || words.length < 4) {
      tally.problem(line.text());
      return line.text();
    }
    tally.ran(Long.parseLong(words[1]), Long.parseLong(words[2]));
    if (!words[3].contains("rank=" + victim + ",") && !words[3].contains("rank=" + victim + ";")) {
      tally.problem("cause names another rank: killed=%d, cause=%s".formatted(victim, words[3]));
    }
    return words[3];
  }

  @Override
  public void close() {
    ranks.forEach(RankProcess::close);
    ready.forEach(RankProcess::close);
  }
}

package dev.oriel.it.kills;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.ports.MachineException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Real processes are killed; survivors that react wrongly are detected. */
class KillCampaignTest {
  /** On a slow machine, too, only ranks that are meant to be late are late. */
  private static final Duration PATIENT = Duration.ofSeconds(30);

  private static KillTally run(String how, int kills) throws IOException, InterruptedException {
    return run(how, kills, PATIENT);
  }

  private static KillTally run(String how, int kills, Duration deadline)
      throws IOException, InterruptedException {
    try (KillCampaign campaign =
        new KillCampaign(_ -> command(how), 3, deadline, 50, new SplittableRandom(3))) {
      return campaign.run(kills);
    }
  }

  private static List<String> command(String how) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
        PretendedRank.class.getName(),
        how);
  }

  @Test
  void survivorsThatEndAndContinueAreFine() throws Exception {
    KillTally tally = run("well", 4);
    assertThat(tally.problems()).isEmpty();
    assertThat(tally.lines())
        .anySatisfy(line -> assertThat(line).contains("kills    4: 4 while ranks launched"))
        .anySatisfy(line -> assertThat(line).contains("ended", "median=", "count=8"))
        .anySatisfy(line -> assertThat(line).contains("survivors alone", "count=4"))
        .anySatisfy(line -> assertThat(line).contains("launches=35", "replays=350"))
        .anySatisfy(line -> assertThat(line).contains("7 to 7"))
        .last()
        .asString()
        .contains("all ended in time with one cause");
  }

  /** This is an error of the environment, not of the user, and its message is the rank's. */
  @Test
  void ranksThatTheHostCannotRunAreAnEnvironmentError() {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> run("lacks", 1))
        .withMessageContaining("no driver: reason=none")
        .matches(MachineException::environment);
  }

  @Test
  void aSurvivorThatNamesAWrongRankIsDetected() throws Exception {
    assertThat(run("blames", 1).problems())
        .hasSize(3)
        .anySatisfy(problem -> assertThat(problem).contains("cause names another rank"))
        .anySatisfy(problem -> assertThat(problem).contains("causes differ"));
  }

  @Test
  void aSurvivorThatEndsLateIsDetected() throws Exception {
    // Shorter than their sleep.
    KillTally tally = run("late", 1, Duration.ofSeconds(1));
    assertThat(tally.problems())
        .hasSize(2)
        .allSatisfy(problem -> assertThat(problem).contains("ended late"));
    assertThat(tally.lines()).last().asString().contains("VIOLATION");
  }

  @Test
  void survivorsThatFormNoWorldAreDetected() throws Exception {
    assertThat(run("stuck", 1).problems()).first().asString().contains("no world", "timed out");
  }

  @Test
  void aRankWithWrongBytesIsDetected() throws Exception {
    assertThat(run("wrong", 1).problems()).first().asString().contains("wrong bytes");
  }
}

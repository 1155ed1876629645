package dev.oriel.it.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.sim.time.LinkText;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalibrateCommandTest {
  private static final String TIMES =
      """
      # some of the times on 2 GPUs
      world 1x2
      gpu NVIDIA H200
      allgather 8 allgather 2.01
      allgather 8 ring 5.41
      allgather 1024 allgather 2.20
      allgather 1024 ring 5.25
      allgather 16384 allgather 2.29
      allgather 16384 ring 5.74
      allgather 16384 gone 1.00
      """;

  @TempDir Path folder = Path.of("");
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path times = Path.of("");

  @BeforeEach
  void write() throws IOException {
    times = Files.writeString(folder.resolve("times"), TIMES);
  }

  private int oriel(String... arguments) {
    return Main.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  /** All times of one run of the command on 2 H200s. */
  private void measured() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(getClass().getResourceAsStream("/tuning/h200-1x2.times"))) {
      Files.write(times, in.readAllBytes());
    }
  }

  @Test
  void printsTheErrorsOfSizesThatWereNotFittedTo() throws IOException {
    Path links = folder.resolve("host.links");
    assertThat(oriel("calibrate", "--from", times.toString(), "--keep", links.toString())).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString())
        .containsPattern("(?m)^measured +6 times on NVIDIA H200$")
        .containsPattern("(?m)^fitted to +sizes 8, 16384$")
        .containsPattern("(?m)^held out +sizes 1024$")
        .containsPattern("(?m)^held, h200 +median error \\d+\\.\\d %")
        .containsPattern("(?m)^held, now +median error \\d\\.\\d %")
        .containsPattern("(?m)^unknown +gone$")
        .contains("oriel tune allgather --world 1x2 --links " + links);
    assertThat(LinkText.parse(Files.readString(links)).name()).isEqualTo("host");
    out.getBuffer().setLength(0);
    assertThat(oriel("tune", "allgather", "--links", links.toString(), "--bytes", "8")).isZero();
    assertThat(out.toString()).contains("times predicted for links host");
  }

  /** The page of measurements has the figures of all times; fitting to all takes a minute. */
  @Test
  void measuredTimesArePredictedBetterAfterwards() throws IOException {
    assumeTrue(Thorough.ON, Sampled.LEFT_OUT);
    measured();
    Files.write(
        times,
        Files.readAllLines(times).stream()
            .filter(line -> !line.startsWith("alltoall") && !line.contains("reduce"))
            .toList());
    assertThat(oriel("calibrate", "--from", times.toString())).isZero();
    assertThat(median("held, now")).isLessThan(median("held, h200") / 1.5);
    assertThat(median("fitted, now")).isLessThan(5);
  }

  private double median(String label) {
    Matcher error =
        Pattern.compile("(?m)^%s +median error (\\d+\\.\\d) %%".formatted(label))
            .matcher(out.toString());
    assertThat(error.find()).isTrue();
    return Double.parseDouble(error.group(1));
  }

  @Test
  void timesAreReadAsTheyAreWritten() throws IOException {
    measured();
    MeasuredTimes read = MeasuredTimes.read(times);
    assertThat(read.times()).hasSize(168);
    assertThat(read.print()).isEqualTo(Files.readString(times, StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "world 1x2 | '' | no world",
        "gpu NVIDIA H200 | '' | no GPU",
        "allgather 8 ring 5.41 | allgather 8 ring -5 | line=5",
        "allgather 8 ring 5.41 | allgather 8 ring NaN | line=5",
        "allgather 8 ring 5.41 | allgather 8 ring 1e300 | line=5",
        "allgather 8 ring 5.41 | nothing 8 ring 5.41 | line=5",
        "allgather 8 ring 5.41 | allgather -8 ring 5.41 | line=5",
        "allgather 8 ring 5.41 | allgather 8 ring | line=5"
      })
  void aFileThatHasNoTimesIsRefused(String line, String instead, String reason) throws IOException {
    Files.writeString(times, TIMES.replace(line, instead));
    assertThat(oriel("calibrate", "--from", times.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString())
        .contains("not a file of times: path=" + times)
        .contains(reason.startsWith("no ") ? "it needs a line" : reason);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void wrongUseIsReported() throws IOException {
    String file = times.toString();
    assertThat(oriel("calibrate", "--from", file + "x")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("no file of times: path=");
    assertThat(oriel("calibrate", "--from", file, "--times", file)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("give --from or --times");
    Files.writeString(times, "world 1x2\ngpu x\nallgather 8 ring 5\n");
    assertThat(oriel("calibrate", "--from", file)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("one size shows no error: sizes=[8]");
  }
}

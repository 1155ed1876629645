package dev.oriel.cuda.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The header's operations under the race detector of the C++ compiler. Threads of the host execute
 * the kernels, and what is a race there would be one on GPUs: the header's words have the same
 * orders, and its barriers order a group's threads.
 */
final class HeaderRacesTest {
  /** Each place of the header that orders accesses. */
  private static final Pattern ORDER =
      Pattern.compile(
          "(?m)^ *group\\.sync\\(\\);$|primitive::(?:load_acquire|store_release|add_release)\\(");

  @TempDir private Path folder;

  @BeforeAll
  static void compiler() {
    HostKernels.requireCompiler();
  }

  /** What the race detector and the kernels say; empty if all is well. */
  private String faults(String header, int ranks, int threads, int launches, String... options)
      throws Exception {
    Path built = folder.resolve("races");
    HostKernels.compile(folder, header, "race_detection.cc", built, with(options));
    Path log = folder.resolve("log");
    ProcessBuilder run =
        new ProcessBuilder(built.toString(), "" + ranks, "" + threads, "" + launches)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    run.environment().put("TSAN_OPTIONS", "halt_on_error=1");
    Process process = run.start();
    if (!process.waitFor(1, TimeUnit.MINUTES)) {
      process.destroyForcibly().waitFor();
      return "does not end";
    }
    String said = Files.readString(log);
    return process.exitValue() == 0 && said.contains("wrong=0 failed=0") ? "" : said;
  }

  private static String[] with(String... options) {
    return Stream.concat(Stream.of("-fsanitize=thread"), Stream.of(options)).toArray(String[]::new);
  }

  @ParameterizedTest
  @MethodSource("worlds")
  void theKernelsHaveNoRace(int[] world) throws Exception {
    assertThat(faults(DeviceHandle.header(), world[0], world[1], 3)).isEmpty();
  }

  static List<int[]> worlds() {
    return List.of(new int[] {2, 8}, new int[] {3, 6}, new int[] {1, 5});
  }

  /** The header with one ordering place less each. */
  static List<String> weaker() {
    String header = DeviceHandle.header();
    int kernels = header.indexOf("struct Window {");
    List<String> weaker = new ArrayList<>();
    Matcher place = ORDER.matcher(header);
    while (place.find()) {
      if (place.start() > kernels) {
        int line = (int) header.substring(0, place.start()).lines().count();
        weaker.add(line + ": " + place.group().strip());
      }
    }
    return weaker;
  }

  private static String without(int index) {
    String header = DeviceHandle.header();
    int kernels = header.indexOf("struct Window {");
    Matcher place = ORDER.matcher(header);
    int seen = -1;
    while (place.find()) {
      if (place.start() > kernels && ++seen == index) {
        String changed =
            switch (place.group().strip()) {
              case "group.sync();" -> "(void)group;";
              case "primitive::load_acquire(" -> "primitive::load_relaxed(";
              case "primitive::store_release(" -> "primitive::store_relaxed(";
              default -> "primitive::add_relaxed(";
            };
        return header.substring(0, place.start()) + changed + header.substring(place.end());
      }
    }
    throw new IndexOutOfBoundsException(index);
  }

  @Test
  void placesAreFound() {
    assertThat(weaker()).hasSizeGreaterThan(10);
  }

  static IntStream places() {
    return IntStream.range(0, weaker().size());
  }

  /** Each barrier of the group, each acquire and each release is needed. */
  @ParameterizedTest
  @MethodSource("places")
  @Sampled(every = 8)
  void aHeaderWithOneOrderLessHasARace(int index) throws Exception {
    String faults = "";
    for (int turn = 0; turn < 3 && faults.isEmpty(); turn++) {
      faults = faults(without(index), 3, 8, 3, "-DCONTRACT_BLOCKS_ONLY");
    }
    assertThat(faults).as(weaker().get(index)).isNotEmpty();
  }
}

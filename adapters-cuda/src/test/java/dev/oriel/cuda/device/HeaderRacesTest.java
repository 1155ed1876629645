package dev.oriel.cuda.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The header's operations under the race detector of the C++ compiler. Threads of the host execute
 * the kernels, and what is a race there would be one on GPUs: the header's words have the same
 * orders, and its barriers order a group's threads.
 */
final class HeaderRacesTest {
  private static final String OPERATIONS = "struct Window {";

  /** Each place of the operations that orders accesses. */
  private static final Pattern ORDER =
      Pattern.compile(
          "(?m)^ *group\\.sync\\(\\);$|primitive::(?:load_acquire|store_release|add_release)\\(");

  @TempDir private static Path folder;

  private static Path built;

  /** The header as it is, and able to leave out one of its orders. */
  @BeforeAll
  static void compile() throws Exception {
    HostKernels.requireCompiler();
    built = folder.resolve("races");
    HostKernels.compile(folder, weakened(), "race_detection.cc", built, "-fsanitize=thread");
    if (faults(1, 1, 1).contains("unexpected memory mapping")) {
      String reason = "the race detector of this g++ does not know this kernel's address space";
      System.out.println("skipped: HeaderRacesTest: " + reason);
      abort(reason);
    }
  }

  /** What the race detector and the kernels say; empty if all is well. */
  private static String faults(Object... arguments) throws Exception {
    Path log = folder.resolve("log");
    List<String> command = new ArrayList<>(List.of(built.toString()));
    Stream.of(arguments).map(Object::toString).forEach(command::add);
    ProcessBuilder run =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    run.environment().put("TSAN_OPTIONS", "halt_on_error=1");
    Process process = run.start();
    if (!process.waitFor(1, TimeUnit.MINUTES)) {
      process.destroyForcibly().waitFor();
      return "does not end";
    }
    String said = Files.readString(log);
    return process.exitValue() == 0 && said.contains("wrong=0 failed=0") ? "" : said;
  }

  @ParameterizedTest
  @CsvSource({"2, 8", "3, 6", "1, 5"})
  void theKernelsHaveNoRace(int ranks, int threads) throws Exception {
    assertThat(faults(ranks, threads, 3)).isEmpty();
  }

  /** The places in the operations that order accesses, each with its line. */
  private static List<String> places() {
    List<String> places = new ArrayList<>();
    Matcher place = ORDER.matcher(operations());
    while (place.find()) {
      long line = operations().substring(0, place.start()).lines().count();
      places.add("line %d of the operations: %s".formatted(line, place.group().strip()));
    }
    return places;
  }

  private static String operations() {
    String header = DeviceHandle.header();
    return header.substring(header.indexOf(OPERATIONS));
  }

  /** The header; the variable {@code left_out} names the order that it lacks. */
  private static String weakened() {
    String header = DeviceHandle.header();
    int[] number = {0};
    String weaker =
        ORDER
            .matcher(operations())
            .replaceAll(place -> {
              String absent = "left_out == " + number[0]++;
              String order = place.group().strip();
              return order.startsWith("group")
                  ? "if (!(%s)) %s".formatted(absent, order)
                  : "(%s ? primitive::%s : %s)("
                      .formatted(
                          absent,
                          order.contains("load")
                              ? "load_relaxed"
                              : order.contains("store") ? "store_relaxed" : "add_relaxed",
                          order.substring(0, order.length() - 1));
            });
    return header.substring(0, header.indexOf(OPERATIONS)) + weaker;
  }

  @Test
  void placesAreFound() {
    assertThat(places()).hasSizeGreaterThan(10);
  }

  static IntStream numbers() {
    return IntStream.range(0, places().size());
  }

  /** Each barrier of the group, each acquire and each release is needed. */
  @ParameterizedTest
  @MethodSource("numbers")
  @Sampled(every = 4)
  void aHeaderWithOneOrderLessHasARace(int number) throws Exception {
    String faults = "";
    for (int turn = 0; turn < 3 && faults.isEmpty(); turn++) {
      faults = faults(3, 8, 3, "blocks", number);
    }
    assertThat(faults).as(places().get(number)).isNotEmpty();
  }
}

package dev.oriel.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The device suites inside emulated machines, if their image was made. */
final class SoftRoceTest {
  private static final Path SCRIPTS = Path.of("..", "it", "softroce");
  private static final Path REPORT = Path.of("target", "softroce");

  /** The machines run concurrently, each on one processor: their suites take about equally long. */
  private static final List<List<Class<?>>> MACHINES =
      List.of(
          List.of(
              QueuePairSuite.class,
              VerbsFabricSuite.class,
              VerbsExecutorSuite.class,
              RenewalSuite.class,
              ChannelSuite.class,
              PersistentSuite.class,
              RailSuite.class),
          List.of(
              ProxySuite.class,
              FaultSuite.class,
              OneSidedSuite.class,
              CommunicatorSuite.class,
              WindowSuite.class,
              LaneSuite.class,
              ProcessesSuite.class));

  /**
   * The suite that {@code -Doriel.softroce=} names, or {@code all}: they run every case. Without
   * it, all suites run a sample.
   */
  static final Optional<String> ASKED = Optional.ofNullable(System.getProperty("oriel.softroce"));

  private static List<List<Class<?>>> asked() {
    String name = ASKED.orElse("all");
    List<List<Class<?>>> named = new ArrayList<>();
    for (List<Class<?>> suites : MACHINES) {
      List<Class<?>> some =
          suites.stream()
              .filter(suite -> name.equals("all") || suite.getSimpleName().equals(name))
              .toList();
      if (!some.isEmpty()) {
        named.add(some);
      }
    }
    assertThat(named).as("-Doriel.softroce=%s", ASKED).isNotEmpty();
    return named;
  }

  /** A started machine, and the file of its output. */
  private record Machine(Process boot, Path log, int suites) {
    String said() throws IOException {
      return Files.readString(log);
    }
  }

  @TempDir private Path folder;

  @Test
  void theSuitesPassOverAKernelsOwnDevice() throws Exception {
    if (!Thorough.ON && ASKED.isEmpty()) {
      abort("an emulated machine takes minutes: " + Sampled.LEFT_OUT);
    }
    Path image =
        Optional.ofNullable(System.getenv("ORIEL_SOFTROCE"))
            .map(Path::of)
            .orElse(SCRIPTS.resolve("cache"));
    if (!Files.isReadable(image.resolve("recipe"))) {
      String reason =
          "no image of an emulated machine: looked in %s; make it with it/softroce/image"
              .formatted(image);
      System.out.println("skipped: SoftRoceTest: " + reason);
      abort(reason);
    }
    List<List<Class<?>>> asked = asked();
    GuestFolder guest =
        GuestFolder.fill(
            Files.createDirectory(folder.resolve("all")), image.resolve("jre/bin/java"));
    for (int number = 1; number <= MACHINES.size(); number++) {
      Files.deleteIfExists(log(number));
    }
    boolean sideBySide = Runtime.getRuntime().availableProcessors() >= asked.size();
    List<Machine> machines = new ArrayList<>();
    try {
      for (List<Class<?>> suites : asked) {
        int number = machines.size() + 1;
        Path given = Files.createDirectory(folder.resolve("machine" + number));
        guest.share(given, suites);
        Machine machine = start(given, number, suites.size());
        machines.add(machine);
        if (!sideBySide) {
          machine.boot.waitFor();
        }
      }
      for (Machine machine : machines) {
        machine.boot.waitFor();
      }
    } finally {
      machines.forEach(machine -> machine.boot.destroy());
    }
    for (Machine machine : machines) {
      machine
          .said()
          .lines()
          .filter(line -> line.matches("(SUITE|TOTAL|boot:).*"))
          .forEach(System.out::println);
    }
    for (Machine machine : machines) {
      assertThat(machine.boot.exitValue())
          .as("a guest's status; it said:%n%s", machine.said())
          .isZero();
      assertThat(machine.said()).contains("TOTAL passed=", "failed=0, suites=" + machine.suites);
    }
  }

  @Test
  void everySuiteRunsInAMachine() throws IOException {
    Path here = Path.of("target", "test-classes", "dev", "oriel", "ibverbs", "device");
    try (Stream<Path> classes = Files.list(here)) {
      assertThat(classes.map(file -> file.getFileName().toString()))
          .filteredOn(name -> name.endsWith("Suite.class"))
          .containsExactlyInAnyOrderElementsOf(
              MACHINES.stream()
                  .flatMap(List::stream)
                  .map(suite -> suite.getSimpleName() + ".class")
                  .toList());
    }
  }

  private static Path log(int number) {
    return REPORT.resolve("guest%d.log".formatted(number));
  }

  private static Machine start(Path given, int number, int suites) throws IOException {
    Path out = Files.createDirectories(REPORT.resolve("guest" + number));
    Path log = log(number);
    Process boot =
        new ProcessBuilder(SCRIPTS.resolve("boot").toString(), given.toString(), out.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    return new Machine(boot, log, suites);
  }
}

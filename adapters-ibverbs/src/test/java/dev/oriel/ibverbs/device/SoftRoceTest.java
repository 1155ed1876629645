package dev.oriel.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The device suites inside the emulated machine, where its image was made. */
final class SoftRoceTest {
  private static final Path SCRIPTS = Path.of("..", "it", "softroce");
  private static final Path REPORT = Path.of("target", "softroce");

  private static final List<Class<?>> SUITES =
      List.of(
          QueuePairSuite.class,
          VerbsFabricSuite.class,
          FaultSuite.class,
          RenewalSuite.class,
          ProxySuite.class,
          RailSuite.class,
          VerbsExecutorSuite.class,
          OneSidedSuite.class,
          CommunicatorSuite.class,
          WindowSuite.class,
          LaneSuite.class,
          ChannelSuite.class,
          PersistentSuite.class,
          ProcessesSuite.class);

  /** All of them, or the one that {@code -Doriel.softroce=} names. */
  private static List<Class<?>> asked() {
    String name = System.getProperty("oriel.softroce", "all");
    List<Class<?>> named =
        SUITES.stream()
            .filter(suite -> name.equals("all") || suite.getSimpleName().equals(name))
            .toList();
    assertThat(named).as("-Doriel.softroce=" + name).isNotEmpty();
    return named;
  }

  @TempDir private Path folder;

  @Test
  void theSuitesPassOverAKernelsOwnDevice() throws Exception {
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
    List<Class<?>> suites = asked();
    Path given = Files.createDirectories(folder.resolve("given"));
    GuestFolder.fill(given, image.resolve("jre/bin/java"), suites);
    Files.createDirectories(REPORT);
    Path log = REPORT.resolve("guest.log");
    int status =
        new ProcessBuilder(SCRIPTS.resolve("boot").toString(), given.toString(), REPORT.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    String said = Files.readString(log);
    said.lines().filter(line -> line.matches("(SUITE|TOTAL|boot:).*")).forEach(System.out::println);
    assertThat(status).as("the guest's status; it said:%n%s", said).isZero();
    assertThat(said).contains("TOTAL passed=", "failed=0, suites=" + suites.size());
  }
}

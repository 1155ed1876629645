package dev.oriel.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The device suites inside the emulated machine, where its image was made. */
final class SoftRoceTest {
  private static final Path SCRIPTS = Path.of("..", "it", "softroce");
  private static final Path REPORT = Path.of("target", "softroce");

  /** What the suites do without: the image has to be unpacked by an emulated processor. */
  private static final Pattern UNUSED =
      Pattern.compile("(jqwik|mockito|byte-buddy|objenesis|surefire|archunit|dagger).*");

  private static final List<Class<?>> SUITES =
      List.of(
          QueuePairSuite.class,
          VerbsFabricSuite.class,
          FaultSuite.class,
          RenewalSuite.class,
          ProxySuite.class,
          RailSuite.class,
          VerbsExecutorSuite.class,
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
    pack(suites);
    Files.createDirectories(REPORT);
    Path log = REPORT.resolve("guest.log");
    int status =
        new ProcessBuilder(SCRIPTS.resolve("boot").toString(), folder.toString(), REPORT.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    String said = Files.readString(log);
    said.lines().filter(line -> line.matches("(SUITE|TOTAL|boot:).*")).forEach(System.out::println);
    assertThat(status).as("the guest's status; it said:%n%s", said).isZero();
    assertThat(said).contains("TOTAL passed=", "failed=0, suites=" + suites.size());
  }

  private void pack(List<Class<?>> suites) throws IOException {
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Path classes = folder.resolve("classes");
    Path jars = Files.createDirectories(folder.resolve("jars"));
    for (String part : path.split(Pattern.quote(File.pathSeparator), -1)) {
      Path from = Path.of(part);
      if (Files.isDirectory(from)) {
        copy(from, classes);
      } else if (Files.isRegularFile(from)
          && !UNUSED.matcher(from.getFileName().toString()).matches()) {
        Files.copy(from, jars.resolve(from.getFileName()));
      }
    }
    Files.writeString(
        folder.resolve("main"),
        """
        exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote -Xmx384m \\
          --enable-native-access=ALL-UNNAMED -Doriel.device=rxe0 -Doriel.guest=true \\
          -cp '/work/classes:/work/jars/*' %s %s
        """
            .formatted(
                DeviceSuites.class.getName(),
                suites.stream().map(Class::getName).collect(Collectors.joining(" "))));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        Path target = to.resolve(from.relativize(each).toString());
        if (Files.isDirectory(each)) {
          Files.createDirectories(target);
        } else if (!Files.exists(target)) {
          Files.copy(each, target);
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}

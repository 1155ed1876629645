package dev.oriel.ibverbs.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.Deflater;

/**
 * The input of emulated machines: the classes of this build, and the command that runs suites of
 * them. Loading and linking classes would take most of their time. A cache of the linked classes is
 * therefore made outside, by the Java that runs inside, with tests on the fake device.
 */
final class GuestFolder {
  /** Files that the suites do not need: an emulated processor has to unpack the image. */
  private static final Pattern UNUSED =
      Pattern.compile("(jqwik|mockito|byte-buddy|objenesis|surefire|archunit|dagger).*");

  private static final String CACHE = "classes.aot";
  private static final Duration LONGEST = Duration.ofMinutes(10);

  /** Tests that load most of the classes of the suites. */
  private static final List<String> REHEARSAL =
      List.of(
          "verbs.QueuePairTest",
          "fabric.VerbsFabricTest",
          "queue.ProxyVerbsNetworkTest",
          "window.VerbsWindowTest",
          "run.RenewalTest");

  private final Path folder;
  private final List<String> jars = new ArrayList<>();

  private GuestFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * Fills an empty folder with the files that all machines share.
   *
   * @param java the guest's own, which runs here as well
   */
  static GuestFolder fill(Path folder, Path java) throws IOException, InterruptedException {
    GuestFolder guest = new GuestFolder(folder.toAbsolutePath());
    guest.pack();
    guest.rehearse(java);
    return guest;
  }

  /** Fills an empty folder of one machine with links to the shared files, and with its command. */
  void share(Path into, List<Class<?>> suites) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.createSymbolicLink(into.resolve(file.getFileName()), file);
      }
    }
    Files.writeString(into.resolve("main"), command(suites));
  }

  private void pack() throws IOException {
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<Path> folders = new ArrayList<>();
    jars.add("build.jar");
    for (String part : path.split(Pattern.quote(File.pathSeparator), -1)) {
      Path from = Path.of(part);
      String name = String.valueOf(from.getFileName());
      if (Files.isDirectory(from)) {
        folders.add(from);
      } else if (Files.isRegularFile(from) && !UNUSED.matcher(name).matches()) {
        Files.copy(from, folder.resolve(name));
        jars.add(name);
      }
    }
    join(folders, folder.resolve("build.jar"));
  }

  /**
   * Makes one archive of all folders; of files in several of them, the first counts. A class cache
   * does not support folders.
   */
  private static void join(List<Path> folders, Path into) throws IOException {
    Set<String> seen = new HashSet<>();
    try (OutputStream out = Files.newOutputStream(into);
        JarOutputStream jar = new JarOutputStream(out)) {
      jar.setLevel(Deflater.NO_COMPRESSION);
      for (Path from : folders) {
        List<Path> files;
        try (Stream<Path> all = Files.walk(from)) {
          files = all.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : files) {
          String name = from.relativize(file).toString().replace(File.separatorChar, '/');
          if (seen.add(name)) {
            jar.putNextEntry(new JarEntry(name));
            Files.copy(file, jar);
            jar.closeEntry();
          }
        }
      }
    }
  }

  private String classPath(String prefix) {
    return jars.stream().map(jar -> prefix + jar).collect(Collectors.joining(":"));
  }

  private void rehearse(Path java) throws IOException, InterruptedException {
    Path said = folder.resolveSibling("rehearsal.log");
    List<String> command =
        new ArrayList<>(
            List.of(
                java.toAbsolutePath().toString(),
                "-XX:AOTCacheOutput=" + CACHE,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx384m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(""),
                DeviceSuites.class.getName()));
    REHEARSAL.forEach(test -> command.add("dev.oriel.ibverbs." + test));
    Process rehearsal =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    if (!rehearsal.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
      rehearsal.destroyForcibly();
    }
    int status = rehearsal.waitFor();
    assertThat(status).as("the rehearsal's status; it said:%n%s", Files.readString(said)).isZero();
    assertThat(folder.resolve(CACHE)).isNotEmptyFile();
  }

  private String command(List<Class<?>> suites) {
    return """
    exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:AOTCache=/guest/%s -Xmx384m \\
      -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0 \\
      --enable-native-access=ALL-UNNAMED -Doriel.device=rxe0 -Doriel.guest=true -Doriel.thorough=%s \\
      -cp %s %s %s
    """
        .formatted(
            CACHE,
            SoftRoceTest.ASKED.isPresent(),
            classPath("/guest/"),
            DeviceSuites.class.getName(),
            suites.stream().map(Class::getName).collect(Collectors.joining(" ")));
  }
}

package dev.oriel.it.host;

import dev.oriel.domain.certificate.Certificate;
import dev.oriel.domain.certificate.CertificateText;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.ProvedOption;
import dev.oriel.ports.MachineException;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code oriel bundle}: a folder that runs on a host with only a GPU driver. */
@Command(
    name = "bundle",
    description =
        "Write a folder with a Java runtime and all jars, which runs on a host that has only a GPU driver.",
    mixinStandardHelpOptions = true)
public final class BundleCommand implements Callable<Integer> {
  static final String MODULES =
      "java.base,java.logging,java.management,jdk.management,jdk.unsupported,jdk.zipfs";

  /** The most bytes of a packed bundle. */
  private static final long MOST_PACKED = 40_000_000;

  /** Makes every run demand the certificates of the bundle. */
  private static final String PROVED = " -D" + ProvedOption.PROPERTY + "=\"$here/proofs\"";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "FOLDER", description = "a folder that does not exist yet")
  private Path folder = Path.of("");

  @Mixin private ProvedOption proved = new ProvedOption();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (Files.exists(folder)) {
      throw new MachineException("folder exists: path=" + folder + "; name a new one");
    }
    List<Certificate> certificates =
        proved.demanded() ? proved.certificates().certificates() : List.of();
    ToolProvider jlink =
        ToolProvider.findFirst("jlink")
            .orElseThrow(() ->
                MachineException.lacking("no jlink: this Java is no JDK; run oriel with a JDK"));
    try {
      fill(jlink, certificates, out);
    } catch (IOException | MachineException e) {
      // An incomplete bundle could be mistaken for a complete one.
      remove(folder);
      throw e;
    }
    out.println("bundle   " + folder);
    PackedSize size = PackedSize.of(folder);
    out.println("size     " + size);
    Optional<String> refusal = size.refusal(MOST_PACKED);
    refusal.ifPresent(why -> spec.commandLine().getErr().println("oriel: " + why));
    return refusal.isEmpty() ? ExitCodes.FINE : ExitCodes.VIOLATION;
  }

  private static String launcher(String options) {
    return """
    #!/bin/sh
    unset CDPATH
    here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
    # ORIEL_JAVA_OPTS: options are separated by spaces
    exec "$here/runtime/bin/java" --enable-native-access=ALL-UNNAMED \\
      -Djava.library.path="$here/native" -Doriel.command="$here/oriel"%s $ORIEL_JAVA_OPTS -cp "$here/lib/*" dev.oriel.it.Main "$@"
    """
        .formatted(options);
  }

  private static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> found = Files.walk(folder)) {
      all = found.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.delete(path);
    }
  }

  private void fill(ToolProvider jlink, List<Certificate> certificates, PrintWriter out)
      throws IOException {
    Files.createDirectories(folder.resolve("lib"));
    Files.createDirectories(folder.resolve("native"));
    out.println("runtime  linking " + MODULES);
    int linked =
        jlink.run(
            System.out,
            System.err,
            "--add-modules",
            MODULES,
            "--strip-java-debug-attributes",
            "--no-header-files",
            "--no-man-pages",
            "--compress",
            "zip-0",
            "--output",
            folder.resolve("runtime").toString());
    if (linked != 0) {
      throw MachineException.lacking("jlink failed: exit=" + linked + "; see its message above");
    }
    for (Path jar : entries("java.class.path")) {
      if (jar.toString().endsWith(".jar")) {
        Files.copy(jar, folder.resolve("lib").resolve(jar.getFileName()));
      }
    }
    natives(out);
    proofs(certificates, out);
    Path launcher = folder.resolve("oriel");
    Files.writeString(launcher, launcher(certificates.isEmpty() ? "" : PROVED));
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Writes the demanded certificates. */
  private void proofs(List<Certificate> certificates, PrintWriter out) throws IOException {
    if (certificates.isEmpty()) {
      return;
    }
    Path proofs = Files.createDirectories(folder.resolve("proofs"));
    for (int i = 0; i < certificates.size(); i++) {
      Certificate one = certificates.get(i);
      String name = "%04d-%s%s".formatted(i, one.name(), ProvedOption.SUFFIX);
      Files.writeString(proofs.resolve(name), CertificateText.print(one));
    }
    out.printf(
        "proved   run and suite of this bundle refuse programs that no certificate covers: certificates=%d%n",
        certificates.size());
  }

  /** Copies JCuda's library, the only native part outside the driver. */
  private void natives(PrintWriter out) throws IOException {
    int copied = 0;
    for (Path directory : entries("java.library.path")) {
      if (!Files.isDirectory(directory)) {
        continue;
      }
      try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "libJCudaDriver*")) {
        for (Path library : found) {
          Files.copy(library, folder.resolve("native").resolve(library.getFileName()));
          copied++;
        }
      }
    }
    if (copied == 0) {
      out.println("native   none for this platform: the bundle will not find a GPU");
    }
  }

  private static List<Path> entries(String property) {
    return Arrays.stream(System.getProperty(property, "").split(File.pathSeparator))
        .filter(entry -> !entry.isEmpty())
        .map(Path::of)
        .toList();
  }
}

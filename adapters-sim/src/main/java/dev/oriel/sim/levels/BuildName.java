package dev.oriel.sim.levels;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.release.ReleaseName;
import dev.oriel.ports.MachineException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * The name of this build of Oriel: its version, and a digest of the classes that decide what a
 * state is and what follows it. Two builds of one version may differ.
 */
public final class BuildName {
  private static final String NAME = ReleaseName.NAME + "-" + digest();

  private BuildName() {}

  /** The name, equal in two processes exactly if they run the same classes. */
  public static String get() {
    return NAME;
  }

  private static String digest() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Class<?> one : List.of(Form.class, MachineException.class, BuildName.class)) {
        add(Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI()), digest);
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 6);
    } catch (NoSuchAlgorithmException | URISyntaxException e) {
      throw new AssertionError(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void add(Path classes, MessageDigest digest) throws IOException {
    if (Files.isRegularFile(classes)) {
      digest.update(Files.readAllBytes(classes));
      return;
    }
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        digest.update(Files.readAllBytes(file));
      }
    }
  }
}

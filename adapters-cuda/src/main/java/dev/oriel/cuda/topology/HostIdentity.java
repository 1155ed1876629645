package dev.oriel.cuda.topology;

import dev.oriel.domain.topology.RankFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The name of this host as ranks compare it: its name, and a part of the number that its kernel
 * drew at boot. Hosts of one name stay apart.
 */
public final class HostIdentity {
  private static final String KERNEL = "proc/sys/kernel";
  private static final int BOOT_DIGITS = 8;

  private HostIdentity() {}

  /** The identity of this host. */
  public static String name() {
    return name(Path.of("/"));
  }

  /** The same from the files below another folder. */
  static String name(Path root) {
    String host = first(root.resolve(KERNEL).resolve("hostname"), "localhost");
    String boot = first(root.resolve(KERNEL).resolve("random/boot_id"), "");
    String visible = host.replaceAll("[^\\x21-\\x7e]", "_");
    String tail = boot.length() < BOOT_DIGITS ? "" : "-" + boot.substring(0, BOOT_DIGITS);
    int room = RankFacts.MAX_HOST_LENGTH - tail.length();
    return visible.substring(0, Math.min(visible.length(), room)) + tail;
  }

  private static String first(Path file, String otherwise) {
    try {
      String text = Files.readString(file).strip();
      return text.isEmpty() ? otherwise : text;
    } catch (IOException e) {
      return otherwise;
    }
  }
}

package dev.oriel.ibverbs.verbs;

import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/**
 * The addresses that this process can read and write, as the kernel lists them. An access to any
 * other address would end the process.
 */
final class MappedRanges {
  private static final Path LIST = Path.of("/proc/self/maps");

  private MappedRanges() {}

  /**
   * Refuses memory that this process cannot read and write.
   *
   * @throws MachineException naming the first address that it cannot
   */
  static void require(UserMemory memory) {
    long next = memory.address();
    long end = memory.address() + memory.bytes();
    for (String line : lines()) {
      // 7f00aa000000-7f00aa021000 rw-p ...
      int dash = line.indexOf('-');
      int space = line.indexOf(' ', dash);
      long first = HexFormat.fromHexDigitsToLong(line, 0, dash);
      long last = HexFormat.fromHexDigitsToLong(line, dash + 1, space);
      // Addresses of the kernel are negative numbers: no memory of applications is there.
      if (first >= 0 && first <= next && next < last && line.startsWith("rw", space + 1)) {
        next = last;
      }
      if (next >= end) {
        return;
      }
    }
    throw new MachineException(
        "no memory of the host: address=%d, bytes=%d, first missing=%d; it was freed, or it is read-only, or memory of a GPU: give memory that this process can read and write"
            .formatted(memory.address(), memory.bytes(), next));
  }

  private static List<String> lines() {
    try {
      return Files.readAllLines(LIST);
    } catch (IOException e) {
      throw MachineException.lacking(
          "addresses of this process cannot be read: file=%s, reason=%s; mount /proc"
              .formatted(LIST, e.getMessage()),
          e);
    }
  }
}

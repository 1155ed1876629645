package dev.oriel.cuda.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Finds the instructions of generated PTX that order accesses; each must have a comment with its
 * purpose above it.
 */
final class Edges {
  private static final Pattern ORDERING =
      Pattern.compile(
          "(@!?\\S+ )?((bar|barrier|fence|membar|mbarrier|griddepcontrol)\\..*|membar.*|cp\\.async\\.bulk\\.wait_group.*|\\S+\\.(release|acquire|acq_rel)\\..*)");

  private Edges() {}

  /** The instructions that order any access. */
  static List<String> all(String ptx) {
    return ptx.lines().map(String::strip).filter(l -> ORDERING.matcher(l).matches()).toList();
  }

  /** Those of them without a comment. */
  static List<String> unnamed(String ptx) {
    List<String> lines = ptx.lines().map(String::strip).toList();
    List<String> unnamed = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (ORDERING.matcher(lines.get(i)).matches()
          && (i == 0 || !lines.get(i - 1).startsWith("// "))) {
        unnamed.add("line %d: %s".formatted(i + 1, lines.get(i)));
      }
    }
    return unnamed;
  }

  /** The kernel, after a check that all its edges have comments. */
  static PtxKernel named(PtxKernel kernel) {
    assertThat(unnamed(kernel.ptx())).as(kernel.entry()).isEmpty();
    return kernel;
  }
}

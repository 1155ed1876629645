package dev.oriel.cuda.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A kernel for newer GPUs is the one for the oldest, with other lines about when it and its
 * successors start. These are the same in every kernel, and the assembler takes them in those that
 * come along; whatever else it takes for the oldest GPU it takes for newer ones.
 */
public final class Generations {
  private static final Set<String> STARTS =
      Set.of(
          ".reg .b32 %blocks;",
          ".reg .pred %few;",
          "mov.u32 %blocks, %nctaid.x;",
          "setp.le.u32 %few, %blocks, 32;",
          "griddepcontrol.wait;",
          "@%few griddepcontrol.launch_dependents;",
          "@!%few griddepcontrol.launch_dependents;");

  private Generations() {}

  /** The kernel differs from the older one in no other lines. */
  public static void onlyStartOtherwise(String older, String newer) {
    assertThat(STARTS.stream().filter(newer::contains)).as("in the newer kernel").isNotEmpty();
    assertThat(code(newer)).isEqualTo(code(older));
  }

  private static List<String> code(String ptx) {
    return ptx.lines()
        .map(String::strip)
        .filter(line -> !line.startsWith("//") && !line.startsWith(".target "))
        .filter(line -> !STARTS.contains(line))
        .collect(Collectors.toList());
  }
}

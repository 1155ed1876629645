package dev.oriel.sim.oracle;

import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.util.List;

/** Vector clocks that share their common parts, each wrong in one line. */
final class ClockTableMutants {
  static final List<EngineMutant> ALL =
      List.of(
          in("while ((width - 1) >> shift >= SIZE) {", "while ((width - 1) >> shift > SIZE) {"),
          in("node = node.nodes[column >> shift & MASK];", "node = node.nodes[column & MASK];"),
          in("node.numbers.clone()", "node.numbers"),
          in("node.nodes.clone()", "node.nodes"),
          in("return value == 0 && changed.zeros() ? null : changed;", "return changed;"),
          in("return value == 0 && changed.zeros()", "return value == 0"),
          in("if (number != 0) {", "if (false) {"),
          in(
              "if (node != null) {\n          return false;",
              "if (false) {\n          return false;"),
          in("if (one == null) {", "if (false) {"),
          in("less |= a[i] - b[i];", ""),
          in("more |= b[i] - a[i];", ""),
          in("all &= sum == b[i];", ""),
          in("if (sum != a[i]) {", "if (sum != b[i]) {"),
          in("both = both == null ? a.clone() : both;", "both = a;"),
          in("roots[into] = ((SharedClockTable) from).roots[row];", ""),
          in("roots[into] = joined(roots[into], ((SharedClockTable) from).roots[row]);", ""),
          in("System.arraycopy(((SharedClockTable) from).roots, 0, roots, 0, count);", ""),
          in("Arrays.fill(roots, 0, count, null);", ""),
          in("roots = Arrays.copyOf(roots, count);", "roots = new Node[count];"),
          in("print.add(numbers);", ""),
          in(
              "into.add(root == null ? 0 : root.high());\n      into.add(root == null ? 0 : root.low());",
              ""),
          in("return root == null ? 0 : root.high();", "return 1;"));

  private ClockTableMutants() {}

  private static EngineMutant in(String line, String becomes) {
    return new EngineMutant("SharedClockTable", line, becomes);
  }
}

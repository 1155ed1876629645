package dev.oriel.sim.litmus;

import java.util.Arrays;

/** Relations as tables of booleans, composed by the definition. */
final class RelationTables {
  private RelationTables() {}

  static boolean[][] union(boolean[][] a, boolean[][] b) {
    boolean[][] result = new boolean[a.length][a.length];
    for (int i = 0; i < a.length; i++) {
      for (int j = 0; j < a.length; j++) {
        result[i][j] = a[i][j] || b[i][j];
      }
    }
    return result;
  }

  static boolean[][] join(boolean[][] a, boolean[][] b) {
    boolean[][] result = new boolean[a.length][a.length];
    for (int i = 0; i < a.length; i++) {
      for (int j = 0; j < a.length; j++) {
        for (int via = 0; via < a.length; via++) {
          result[i][j] |= a[i][via] && b[via][j];
        }
      }
    }
    return result;
  }

  static boolean[][] closure(boolean[][] a) {
    boolean[][] result = a;
    while (true) {
      boolean[][] next = union(result, join(result, a));
      if (Arrays.deepEquals(next, result)) {
        return result;
      }
      result = next;
    }
  }

  static boolean reflexive(boolean[][] a) {
    for (int i = 0; i < a.length; i++) {
      if (a[i][i]) {
        return true;
      }
    }
    return false;
  }

  static boolean cyclic(boolean[][] a) {
    return reflexive(closure(a));
  }
}

package dev.oriel.sim.machine.rows;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Clocks as trees of immutable nodes: two clocks share the nodes that they have in common. Most
 * clocks are copies of others with a few numbers changed. So where tens of thousands of agents know
 * something of all others, their clocks take little more than the changes. A join of two clocks
 * visits only what they do not share.
 */
final class SharedClockTable extends ClockTable {
  /** A node holds 2^BITS numbers, or nodes. */
  private static final int BITS = 5;

  private static final int SIZE = 1 << BITS;
  private static final int MASK = SIZE - 1;

  /** The same limit as that of {@link FlatClockTable}. */
  private static final long MAX_BYTES = 1L << 30;

  /** Bytes of a node: its own numbers or references, and its digest. */
  static final int NODE = 192;

  /** Bytes of a root in a copy: its nodes exist already, and little is the copy's own. */
  private static final int ROOT = Long.BYTES;

  /** Part of a row, identified by two numbers of 64 bits; null for zeros. */
  private static final class Node {
    final int[] numbers;
    final @Nullable Node[] nodes;
    private long high;
    private long low;

    /** Whether it was counted as part of a final row, together with all nodes below it. */
    private boolean counted;

    Node(int[] numbers, @Nullable Node[] nodes) {
      this.numbers = numbers;
      this.nodes = nodes;
    }

    /** Whether it holds numbers; nodes otherwise. */
    boolean leaf() {
      return nodes.length == 0;
    }

    boolean zeros() {
      for (int number : numbers) {
        if (number != 0) {
          return false;
        }
      }
      for (Node node : nodes) {
        if (node != null) {
          return false;
        }
      }
      return true;
    }

    long high() {
      digest();
      return high;
    }

    long low() {
      digest();
      return low;
    }

    private void digest() {
      if (high != 0) {
        return;
      }
      Fingerprint print = new Fingerprint();
      print.clear();
      print.add(numbers);
      for (Node node : nodes) {
        print.add(node == null ? 0 : node.high());
        print.add(node == null ? 0 : node.low());
      }
      high = print.high() == 0 ? 1 : print.high();
      low = print.low();
    }
  }

  private static final int[] NO_NUMBERS = {};
  private static final Node[] NO_NODES = {};

  private @Nullable Node[] roots;

  /**
   * Bytes of nodes of final rows. Nodes that a state shares with the one that it was copied from
   * count in both. Nodes that two states came to share later count in one of them.
   */
  long own;

  /** By how much the column is shifted to find the root's child. */
  private final int top;

  SharedClockTable(int width, int count) {
    super(width);
    roots = new Node[count];
    int shift = 0;
    while ((width - 1) >> shift >= SIZE) {
      shift += BITS;
    }
    top = shift;
  }

  @Override
  public int at(int row, int column) {
    Node node = roots[row];
    for (int shift = top; node != null && shift > 0; shift -= BITS) {
      node = node.nodes[column >> shift & MASK];
    }
    return node == null ? 0 : node.numbers[column & MASK];
  }

  @Override
  public void set(int row, int column, int value) {
    roots[row] = with(roots[row], top, column, value);
  }

  private static @Nullable Node with(@Nullable Node node, int shift, int column, int value) {
    Node changed;
    if (shift == 0) {
      int[] numbers = node == null ? new int[SIZE] : node.numbers.clone();
      numbers[column & MASK] = value;
      changed = new Node(numbers, NO_NODES);
    } else {
      @Nullable Node[] nodes = node == null ? new Node[SIZE] : node.nodes.clone();
      int part = column >> shift & MASK;
      nodes[part] = with(nodes[part], shift - BITS, column, value);
      changed = new Node(NO_NUMBERS, nodes);
    }
    return value == 0 && changed.zeros() ? null : changed;
  }

  @Override
  public void copy(int into, ClockTable from, int row) {
    roots[into] = ((SharedClockTable) from).roots[row];
  }

  @Override
  public void join(int into, ClockTable from, int row) {
    roots[into] = joined(roots[into], ((SharedClockTable) from).roots[row]);
  }

  /** The join; it is one of the two nodes where that node is at least the other. */
  private static @Nullable Node joined(@Nullable Node one, @Nullable Node other) {
    if (other == null || one == other) {
      return one;
    }
    if (one == null) {
      return other;
    }
    return one.leaf() ? joinedNumbers(one, other) : joinedNodes(one, other);
  }

  private static Node joinedNumbers(Node one, Node other) {
    int[] a = one.numbers;
    int[] b = other.numbers;
    int less = 0;
    int more = 0;
    for (int i = 0; i < SIZE; i++) {
      less |= a[i] - b[i];
      more |= b[i] - a[i];
    }
    // Tests the sign of a difference: numbers are never negative.
    if (less >= 0) {
      return one;
    }
    if (more >= 0) {
      return other;
    }
    int[] both = new int[SIZE];
    for (int i = 0; i < SIZE; i++) {
      both[i] = Math.max(a[i], b[i]);
    }
    return new Node(both, NO_NODES);
  }

  private static Node joinedNodes(Node one, Node other) {
    @Nullable Node[] a = one.nodes;
    @Nullable Node[] b = other.nodes;
    @Nullable Node @Nullable [] both = null;
    boolean all = true;
    for (int i = 0; i < SIZE; i++) {
      Node sum = joined(a[i], b[i]);
      all &= sum == b[i];
      if (sum != a[i]) {
        both = both == null ? a.clone() : both;
        both[i] = sum;
      }
    }
    return both == null ? one : all ? other : new Node(NO_NUMBERS, both);
  }

  @Override
  public void copy(ClockTable from, int count) {
    System.arraycopy(((SharedClockTable) from).roots, 0, roots, 0, count);
    own = ((SharedClockTable) from).own;
  }

  @Override
  public void clear(int count) {
    Arrays.fill(roots, 0, count, null);
    own = 0;
  }

  @Override
  void room(int count) {
    requireRoom(count);
    roots = Arrays.copyOf(roots, count);
  }

  private void requireRoom(int count) {
    long bytes = own + (long) ROOT * count;
    if (bytes > MAX_BYTES) {
      throw MachineException.lacking(
          "clocks kept take too much room: rows=%d, bytes=%d, max=%d; use fewer launches, ranks or lanes"
              .formatted(count, bytes, MAX_BYTES));
    }
  }

  @Override
  void stays(int row) {
    Node root = roots[row];
    if (root != null && !root.counted) {
      own += (long) NODE * count(root);
      requireRoom(roots.length);
    }
  }

  /** Counts the nodes that were not counted yet, and marks them. */
  private static int count(Node node) {
    int count = 1;
    node.counted = true;
    for (Node below : node.nodes) {
      count += below == null || below.counted ? 0 : count(below);
    }
    return count;
  }

  @Override
  long hash(int row) {
    Node root = roots[row];
    return root == null ? 0 : root.high();
  }

  @Override
  public void digest(Fingerprint into) {
    for (Node root : roots) {
      into.add(root == null ? 0 : root.high());
      into.add(root == null ? 0 : root.low());
    }
  }

  @Override
  public long footprint() {
    return (long) ROOT * roots.length;
  }

  @Override
  public long shared() {
    for (Node root : roots) {
      own += root == null || root.counted ? 0 : (long) NODE * count(root);
    }
    return own;
  }
}

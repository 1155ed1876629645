package dev.oriel.sim.levels;

import dev.oriel.ports.MachineException;
import java.io.Serializable;
import java.util.Arrays;

/**
 * States of one level as the decisions that lead to them, in the order of these paths. Immutable.
 *
 * <p>A decision takes one byte, or five from {@link #LARGE} on, such that the order of bytes is
 * that of decisions. No path of a level begins with another one: equal decisions are equal
 * executions.
 */
public final class NodeBlock implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The first decision that takes five bytes, and the byte before the four of such a decision. */
  private static final int LARGE = 0xFF;

  private static final int MOST = Integer.MAX_VALUE - 8;

  /** No nodes. */
  public static final NodeBlock EMPTY = new NodeBlock(new long[0], new int[0], new byte[0]);

  /** Both halves of each node's fingerprint; empty where they are no longer needed. */
  private final long[] prints;

  private final int[] ends;
  private final byte[] paths;

  /** A block of such nodes. It does not copy the arrays. */
  NodeBlock(long[] prints, int[] ends, byte[] paths) {
    this.prints = prints;
    this.ends = ends;
    this.paths = paths;
  }

  /** How many nodes there are. */
  public int count() {
    return ends.length;
  }

  /** The first half of the node's fingerprint. */
  public long high(int node) {
    return prints[2 * node];
  }

  /** The second half of the node's fingerprint. */
  public long low(int node) {
    return prints[2 * node + 1];
  }

  /** The decisions that lead to the node. */
  public int[] decisions(int node) {
    return decisions(paths, start(node), ends[node]);
  }

  /** The decisions of a path in bytes. */
  public static int[] decisions(byte[] path) {
    return decisions(path, 0, path.length);
  }

  private static int[] decisions(byte[] paths, int from, int end) {
    int[] decisions = new int[end - from];
    int length = 0;
    for (int i = from; i < end; i++) {
      int decision = paths[i] & 0xFF;
      if (decision == LARGE) {
        decision = 0;
        for (int b = 0; b < Integer.BYTES; b++) {
          decision = (decision << 8) | (paths[++i] & 0xFF);
        }
      }
      decisions[length++] = decision;
    }
    return Arrays.copyOf(decisions, length);
  }

  /** The node's path in bytes. */
  public byte[] path(int node) {
    return Arrays.copyOfRange(paths, start(node), ends[node]);
  }

  /** Whether the node's path is less than that of a node of another block. */
  public boolean precedes(int node, NodeBlock other, int otherNode) {
    return Arrays.compareUnsigned(
            paths,
            start(node),
            ends[node],
            other.paths,
            other.start(otherNode),
            other.ends[otherNode])
        < 0;
  }

  private int start(int node) {
    return node == 0 ? 0 : ends[node - 1];
  }

  /** Bytes of memory. */
  public long bytes() {
    return (long) Long.BYTES * prints.length + (long) Integer.BYTES * ends.length + paths.length;
  }

  int[] ends() {
    return ends;
  }

  byte[] paths() {
    return paths;
  }

  /** Nodes that are added one after another, in the order of their paths. */
  public static final class Builder {
    private long[] prints = {};
    private int[] ends = {};
    private byte[] paths = {};
    private int count;
    private int fingerprints;
    private int length;

    /** Begins the next node, or changes its fingerprint. */
    public Builder node(long high, long low) {
      prints = fingerprints + 2 > prints.length ? room(prints, fingerprints + 2) : prints;
      prints[fingerprints] = high;
      prints[fingerprints + 1] = low;
      fingerprints += 2;
      return this;
    }

    /** Adds a decision to the path of the next node. */
    public Builder decision(int decision) {
      if (length + 1 + Integer.BYTES > paths.length) {
        paths = Arrays.copyOf(paths, larger(paths.length, length + 1L + Integer.BYTES));
      }
      if (decision < LARGE) {
        paths[length++] = (byte) decision;
      } else {
        paths[length++] = (byte) LARGE;
        for (int shift = Integer.SIZE - 8; shift >= 0; shift -= 8) {
          paths[length++] = (byte) (decision >>> shift);
        }
      }
      return this;
    }

    /** Ends the node. */
    public void end() {
      if (count == ends.length) {
        ends = Arrays.copyOf(ends, larger(count, count + 1L));
      }
      ends[count++] = length;
    }

    /** Adds a node of another block, with its fingerprint if this block keeps them. */
    public void add(NodeBlock other, int node, boolean fingerprint) {
      if (fingerprint) {
        Builder _ = node(other.high(node), other.low(node));
      }
      int from = other.start(node);
      int more = other.ends[node] - from;
      if (more > paths.length - length) {
        paths = Arrays.copyOf(paths, larger(paths.length, (long) length + more));
      }
      System.arraycopy(other.paths, from, paths, length, more);
      length += more;
      end();
    }

    /** The nodes so far. */
    public NodeBlock build() {
      return count == 0
          ? EMPTY
          : new NodeBlock(
              Arrays.copyOf(prints, fingerprints),
              Arrays.copyOf(ends, count),
              Arrays.copyOf(paths, length));
    }

    /** Begins anew. */
    public void clear() {
      count = 0;
      fingerprints = 0;
      length = 0;
    }

    private static long[] room(long[] array, long needed) {
      return Arrays.copyOf(array, larger(array.length, needed));
    }

    private static int larger(int length, long needed) {
      if (needed > MOST) {
        throw MachineException.lacking(
            "too many states of one level in one part: needed=%d, max=%d; search on more cores, which makes more parts"
                .formatted(needed, MOST));
      }
      return (int) Math.min(MOST, Math.max(needed, 2L * length));
    }
  }
}

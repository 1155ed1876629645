package dev.oriel.sim.machine.layout;

/**
 * Layout of the histories of bytes in {@code State.shadow}. For each memory there is an ordered
 * list of intervals of bytes that were accessed alike.
 *
 * <pre>
 * memory    number of intervals | intervals
 * interval  first byte | weak writer, its tick | others since | component, tick of each
 * tick      the tick, then one bit each for an interface's write of words that may be awaited, a
 *           store of a cell, the second name, a write, and a synchronising access
 * </pre>
 */
public final class ShadowLayout {
  public static final int FIELDS = 4;

  /** Bits below a tick: an access that synchronises, a write, one through a second name. */
  public static final int STRONG = 1;

  public static final int WRITE = 2;

  /** An access through the memory's second name. */
  public static final int ALIAS = 4;

  /** A store of 16 bytes at once; strong reads of any of its words may observe it. */
  public static final int CELL = 8;

  /**
   * An interface's write of words that lanes may await: of strong accesses only reads observe it.
   */
  public static final int PUT = 16;

  public static final int KIND = STRONG | WRITE | ALIAS | PUT;
  public static final int MARKS = 5;
  private static final int FIRST_ROOM = 8;
  private static final int FIRST_ACCESSES = 4;

  private ShadowLayout() {}

  public static String part(MachineModel model, int memory) {
    return "intervals of buffer " + memory % model.buffers;
  }

  public static int accesses(MachineModel model) {
    return model.sizes.of("accesses of an interval", FIRST_ACCESSES);
  }

  /** For each memory, its first field; the last entry is the number of all fields. */
  static int[] firsts(MachineModel model) {
    int[] first = new int[model.bytes.length + 1];
    int fields = FIELDS + 2 * accesses(model);
    for (int m = 0; m < model.bytes.length; m++) {
      int room = model.sizes.of(part(model, m), FIRST_ROOM);
      first[m + 1] = Math.addExact(first[m], Math.addExact(1, Math.multiplyExact(room, fields)));
    }
    return first;
  }

  public static void clear(MachineModel model, int[] shadow) {
    for (int m = 0; m < model.bytes.length; m++) {
      shadow[model.firstShadow[m]] = 1;
      shadow[model.firstShadow[m] + 2] = -1;
    }
  }
}

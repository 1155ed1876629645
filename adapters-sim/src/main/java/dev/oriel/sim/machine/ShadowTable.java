package dev.oriel.sim.machine;

/**
 * Where the histories of bytes lie in {@link State#shadow}: for each memory an ordered list of
 * intervals whose bytes were accessed together.
 *
 * <pre>
 * memory    number of intervals | intervals
 * interval  first byte | writer, its tick | number of reads | component, tick of each read
 * tick      twice the tick, plus 1 for an access that synchronises
 * </pre>
 */
final class ShadowTable {
  static final int FIELDS = 4;
  private static final int FIRST_ROOM = 8;
  private static final int FIRST_READS = 4;

  private ShadowTable() {}

  static String part(Model model, int memory) {
    return "intervals of buffer " + memory % model.buffers;
  }

  static int room(Model model, int memory) {
    return model.sizes.of(part(model, memory), FIRST_ROOM);
  }

  static int reads(Model model) {
    return model.sizes.of("reads of an interval", FIRST_READS);
  }

  static int size(Model model) {
    long size = 0;
    for (int m = 0; m < model.bytes.length; m++) {
      size += 1 + (long) room(model, m) * (FIELDS + 2 * reads(model));
    }
    return Math.toIntExact(size);
  }

  static void clear(Model model, State s) {
    int at = 0;
    for (int m = 0; m < model.bytes.length; m++) {
      s.shadow[at] = 1;
      s.shadow[at + 2] = -1;
      at += 1 + room(model, m) * (FIELDS + 2 * reads(model));
    }
  }
}

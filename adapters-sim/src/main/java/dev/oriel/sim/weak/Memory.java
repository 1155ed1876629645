package dev.oriel.sim.weak;

import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.PacketFormat;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeMap;

/** Every rank's bytes with their histories, its slots, and the packets in its buffers. */
final class Memory {
  private final Model model;
  final byte[][][] bytes;
  final Shadow[][] shadows;

  /** By owner, signal, and source * count + index. */
  private final SyncWord[][][] slots;

  /** By owner and buffer: packets by their offset. */
  private final TreeMap<Integer, SyncWord>[][] packets;

  private final int[] nothing;

  /** What this execution left out, in words. */
  final Set<String> bounds = new LinkedHashSet<>();

  @SuppressWarnings({"unchecked", "rawtypes"})
  Memory(Model model) {
    this.model = model;
    int world = model.world();
    int buffers = model.form.buffers().size();
    int signals = model.form.signals().size();
    nothing = new int[model.agents];
    bytes = new byte[world][buffers][];
    shadows = new Shadow[world][buffers];
    slots = new SyncWord[world][signals][];
    packets = new TreeMap[world][buffers];
    for (RankProgram rank : model.ranks) {
      int r = rank.rank();
      for (int b = 0; b < buffers; b++) {
        int size = Math.toIntExact(rank.bytes(model.form.buffers().get(b).name()));
        bytes[r][b] = new byte[size];
        shadows[r][b] = new Shadow(size);
        packets[r][b] = new TreeMap<>();
      }
      for (int s = 0; s < signals; s++) {
        int count = Math.multiplyExact(rank.slots(model.form.signals().get(s).name()), world);
        slots[r][s] = new SyncWord[count];
        for (int i = 0; i < count; i++) {
          slots[r][s][i] = new SyncWord(model.lanes.size(), nothing);
        }
      }
    }
  }

  SyncWord slot(int owner, int signal, int source, long index) {
    SyncWord[] all = slots[owner][signal];
    int perSource = all.length / model.world();
    if (index < 0 || index >= perSource) {
      throw new FindingException(
          new Finding(
              Finding.BOUNDS,
              "slot outside its row: signal=%s, index=%d, count=%d; declare more slots"
                  .formatted(model.form.signals().get(signal).name(), index, perSource)));
    }
    return all[source * perSource + (int) index];
  }

  SyncWord packet(int owner, int buffer, int offset) {
    return packets[owner][buffer].computeIfAbsent(
        offset, o -> new SyncWord(model.lanes.size(), nothing));
  }

  int checked(int owner, int buffer, long offset, long length) {
    if (offset < 0 || length < 0 || offset > bytes[owner][buffer].length - length) {
      throw new FindingException(
          new Finding(
              Finding.BOUNDS,
              "access outside its buffer: buffer=%s, owner=%d, offset=%d, length=%d, size=%d; bound it"
                  .formatted(
                      model.form.buffers().get(buffer).name(),
                      owner,
                      offset,
                      length,
                      bytes[owner][buffer].length)));
    }
    return (int) offset;
  }

  byte[] copy(int owner, int buffer, int offset, int length) {
    return Arrays.copyOfRange(bytes[owner][buffer], offset, offset + length);
  }

  /** The 32-bit flag of a packet's bytes, or -1 if its two flags differ. */
  static long flag(PacketFormat format, byte[] image, int at) {
    return switch (format) {
      case PKT8 -> word(image, at + 4);
      case PKT16 -> word(image, at + 4) == word(image, at + 12) ? word(image, at + 4) : -1;
      case LINE128 -> word(image, at + 120) | word(image, at + 124) << 32;
    };
  }

  private static long word(byte[] image, int at) {
    return (image[at] & 0xFFL)
        | (image[at + 1] & 0xFFL) << 8
        | (image[at + 2] & 0xFFL) << 16
        | (image[at + 3] & 0xFFL) << 24;
  }
}

package dev.oriel.ibverbs.fabric;

import dev.oriel.ibverbs.verbs.Gid;
import dev.oriel.ibverbs.verbs.QueueEnd;
import dev.oriel.ports.MachineException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The messages between ranks, as bytes: big-endian, each kind with a mark of its own. */
public sealed interface WireMessage {

  /** The queue ends that {@code from} made for {@code to}. */
  record Offer(int from, int to, List<QueueEnd> ends) implements WireMessage {
    static final int MARK = 0x6f72_0601;
    private static final int END_BYTES = 4 * Integer.BYTES + Gid.BYTES;

    public Offer {
      ends = List.copyOf(ends);
    }

    /** As bytes. */
    public byte[] bytes() {
      ByteBuffer buffer = ByteBuffer.allocate(4 * Integer.BYTES + ends.size() * END_BYTES);
      buffer.putInt(MARK).putInt(from).putInt(to).putInt(ends.size());
      for (QueueEnd end : ends) {
        buffer.putInt(end.pair()).putInt(end.sequence()).putInt(end.lid()).putInt(end.mtu());
        buffer.putLong(end.high()).putLong(end.low());
      }
      return buffer.array();
    }

    /**
     * Reads bytes that {@link #bytes} made.
     *
     * @throws MachineException if they are anything else
     */
    public static Offer parse(byte[] bytes) {
      return read(
          "offer",
          MARK,
          bytes,
          buffer -> {
            int from = buffer.getInt();
            int to = buffer.getInt();
            int count = buffer.getInt();
            if (count < 1 || buffer.remaining() != (long) count * END_BYTES) {
              throw foreign("offer", bytes.length, "ends=" + count);
            }
            List<QueueEnd> ends = new ArrayList<>();
            for (int i = 0; i < count; i++) {
              int pair = buffer.getInt();
              int sequence = buffer.getInt();
              int lid = buffer.getInt();
              int mtu = buffer.getInt();
              long high = buffer.getLong();
              long low = buffer.getLong();
              ends.add(new QueueEnd(pair, sequence, lid, high, low, mtu));
            }
            return new Offer(from, to, ends);
          });
    }
  }

  /** Memory to which {@code owner} gives its peers access, with a key of each interface. */
  record Export(int owner, long address, long size, List<Integer> keys) implements WireMessage {
    static final int MARK = 0x6f72_0602;
    private static final int BYTES = 3 * Integer.BYTES + 2 * Long.BYTES;

    public Export {
      keys = List.copyOf(keys);
    }

    /** As bytes. */
    public byte[] bytes() {
      ByteBuffer buffer = ByteBuffer.allocate(BYTES + keys.size() * Integer.BYTES);
      buffer.putInt(MARK).putInt(owner).putLong(address).putLong(size).putInt(keys.size());
      keys.forEach(buffer::putInt);
      return buffer.array();
    }

    /**
     * Reads bytes that {@link #bytes} made.
     *
     * @throws MachineException if they are anything else
     */
    public static Export parse(byte[] bytes) {
      return read(
          "export",
          MARK,
          bytes,
          buffer -> {
            int owner = buffer.getInt();
            long address = buffer.getLong();
            long size = buffer.getLong();
            int count = buffer.getInt();
            if (count < 1 || buffer.remaining() != (long) count * Integer.BYTES) {
              throw foreign("export", bytes.length, "keys=" + count);
            }
            List<Integer> keys = new ArrayList<>();
            for (int i = 0; i < count; i++) {
              keys.add(buffer.getInt());
            }
            Export export = new Export(owner, address, size, keys);
            if (export.size < 0
                || Long.compareUnsigned(export.address + export.size, export.address) < 0) {
              throw foreign("export", bytes.length, "size=" + export.size);
            }
            return export;
          });
    }
  }

  private static <T> T read(String what, int mark, byte[] bytes, Function<ByteBuffer, T> rest) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    try {
      int found = buffer.getInt();
      if (found != mark) {
        throw foreign(what, bytes.length, "mark=0x%x".formatted(found));
      }
      return rest.apply(buffer);
    } catch (BufferUnderflowException e) {
      throw foreign(what, bytes.length, "cut short");
    }
  }

  private static MachineException foreign(String what, int length, String fact) {
    return new MachineException(
        "bytes are no %s: length=%d, %s; pass what the peer's fabric gave, unchanged"
            .formatted(what, length, fact));
  }
}

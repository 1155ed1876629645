package dev.oriel.ibverbs.run;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.ibverbs.verbs.HostMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Packets of 8-byte units, each with 4 bytes of data in its low half and 4 bytes of flag in its
 * high half. A unit is read in one access: its data are never older than its flag.
 */
final class PacketUnits {
  private static final int UNIT = Long.BYTES;
  private static final int DATA = Integer.BYTES;

  private PacketUnits() {}

  /** The packets of {@code data}; bytes of the last packet beyond the data are 0. */
  static byte[] pack(PacketFormat format, byte[] data, long flag) {
    ByteBuffer image =
        ByteBuffer.allocate((int) format.image(data.length)).order(ByteOrder.LITTLE_ENDIAN);
    for (int from = 0; image.hasRemaining(); from += DATA) {
      for (int i = from; i < from + DATA; i++) {
        image.put(i < data.length ? data[i] : 0);
      }
      image.putInt((int) flag);
    }
    return image.array();
  }

  /** Whether every unit at {@code offset} carries the flag. */
  static boolean arrived(
      PacketFormat format, HostMemory memory, long offset, long bytes, long flag) {
    long end = offset + format.image(bytes);
    for (long at = offset; at < end; at += UNIT) {
      if ((int) (memory.getAcquire(at) >>> Integer.SIZE) != (int) flag) {
        return false;
      }
    }
    return true;
  }

  /** The data of packets that have arrived. */
  static byte[] unpack(HostMemory memory, long offset, int bytes) {
    ByteBuffer data =
        ByteBuffer.allocate(Math.ceilDiv(bytes, DATA) * DATA).order(ByteOrder.LITTLE_ENDIAN);
    for (long at = offset; data.hasRemaining(); at += UNIT) {
      data.putInt((int) memory.getAcquire(at));
    }
    byte[] exact = new byte[bytes];
    data.get(0, exact);
    return exact;
  }
}

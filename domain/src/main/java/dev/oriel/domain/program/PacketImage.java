package dev.oriel.domain.program;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Packs data into packets and back; see {@link PacketFormat} for the shapes. */
public final class PacketImage {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private PacketImage() {}

  /** The packets of {@code data}; bytes of the last one beyond the data are 0. */
  public static byte[] pack(PacketFormat format, byte[] data, long flag) {
    byte[] image = new byte[(int) format.image(data.length)];
    int count = (int) format.count(data.length);
    for (int p = 0; p < count; p++) {
      for (int i = 0; i < format.payload(); i++) {
        int from = p * format.payload() + i;
        image[p * format.bytes() + place(format, i)] = from < data.length ? data[from] : 0;
      }
      putFlags(format, image, p * format.bytes(), flag);
    }
    return image;
  }

  /** The {@code length} data bytes of the packets. */
  public static byte[] unpack(PacketFormat format, byte[] image, int length) {
    byte[] data = new byte[length];
    for (int i = 0; i < length; i++) {
      int packet = i / format.payload();
      data[i] = image[packet * format.bytes() + place(format, i % format.payload())];
    }
    return data;
  }

  /** Whether every packet carries the flag. */
  public static boolean arrived(PacketFormat format, byte[] image, long flag) {
    for (int at = 0; at < image.length; at += format.bytes()) {
      boolean here =
          switch (format) {
            case PKT8 -> (int) INT.get(image, at + 4) == (int) flag;
            case PKT16 ->
                (int) INT.get(image, at + 4) == (int) flag
                    && (int) INT.get(image, at + 12) == (int) flag;
            case LINE128 -> (long) LONG.get(image, at + 120) == flag;
          };
      if (!here) {
        return false;
      }
    }
    return true;
  }

  private static int place(PacketFormat format, int i) {
    return format == PacketFormat.PKT16 ? i / 4 * 8 + i % 4 : i;
  }

  private static void putFlags(PacketFormat format, byte[] image, int at, long flag) {
    switch (format) {
      case PKT8 -> INT.set(image, at + 4, (int) flag);
      case PKT16 -> {
        INT.set(image, at + 4, (int) flag);
        INT.set(image, at + 12, (int) flag);
      }
      case LINE128 -> LONG.set(image, at + 120, flag);
    }
  }
}

package dev.oriel.domain.packet;

/** Packs data into packets and back; see {@link PacketFormat} for the shapes. */
public final class PacketImage {
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
    long low = flag & 0xFFFF_FFFFL;
    for (int at = 0; at < image.length; at += format.bytes()) {
      boolean here =
          switch (format) {
            case PKT8 -> word(image, at + 4, 4) == low;
            case PKT16 -> word(image, at + 4, 4) == low && word(image, at + 12, 4) == low;
            case LINE128 -> word(image, at + 120, 8) == flag;
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
      case PKT8 -> put(image, at + 4, 4, flag);
      case PKT16 -> {
        put(image, at + 4, 4, flag);
        put(image, at + 12, 4, flag);
      }
      case LINE128 -> put(image, at + 120, 8, flag);
    }
  }

  /** An unsigned word of so many bytes, the lowest first. */
  private static long word(byte[] image, int at, int bytes) {
    long word = 0;
    for (int i = bytes - 1; i >= 0; i--) {
      word = (word << Byte.SIZE) | (image[at + i] & 0xFF);
    }
    return word;
  }

  private static void put(byte[] image, int at, int bytes, long word) {
    for (int i = 0; i < bytes; i++) {
      image[at + i] = (byte) (word >>> (Byte.SIZE * i));
    }
  }
}

package dev.oriel.domain.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The bytes of packets, which generated kernels and other processes read as well. */
class PacketImageTest {
  private static final long FLAG = 0x8877_6655_4433_2281L;

  private static byte[] data(int length) {
    byte[] data = new byte[length];
    for (int i = 0; i < length; i++) {
      data[i] = (byte) (0xF1 + i);
    }
    return data;
  }

  /** Data, flag of 4 bytes, lowest byte first; the last packet is filled with zeros. */
  @ParameterizedTest
  @CsvSource({
    "PKT8,  0, 0000000081223344",
    "PKT8,  4, f1f2f3f481223344",
    "PKT8,  5, f1f2f3f481223344f500000081223344",
    "PKT16, 0, 00000000812233440000000081223344",
    "PKT16, 7, f1f2f3f481223344f5f6f70081223344",
    "PKT16, 9, f1f2f3f481223344f5f6f7f881223344f9000000812233440000000081223344"
  })
  void packetsOfShortFormats(PacketFormat format, int length, String bytes) {
    byte[] image = PacketImage.pack(format, data(length), 0x4433_2281L);
    assertThat(HexFormat.of().formatHex(image)).isEqualTo(bytes);
  }

  /** A line has 120 bytes of data and a flag of 8 bytes. */
  @ParameterizedTest
  @CsvSource({"0, 1", "1, 1", "120, 1", "121, 2"})
  void lines(int length, int count) {
    byte[] image = PacketImage.pack(PacketFormat.LINE128, data(length), FLAG);
    assertThat(image).hasSize(128 * count);
    for (int i = 0; i < 120 * count; i++) {
      byte expected = i < length ? (byte) (0xF1 + i) : 0;
      assertThat(image[i / 120 * 128 + i % 120]).as("byte %d", i).isEqualTo(expected);
    }
    for (int line = 0; line < count; line++) {
      String flag = HexFormat.of().formatHex(image, 128 * line + 120, 128 * line + 128);
      assertThat(flag).isEqualTo("8122334455667788");
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatWasPackedIsUnpacked(PacketFormat format) {
    for (int length = 0; length <= 2 * format.payload() + 1; length++) {
      byte[] image = PacketImage.pack(format, data(length), FLAG);
      assertThat(PacketImage.unpack(format, image, length)).isEqualTo(data(length));
    }
  }

  /** A packet has not arrived while any byte of a flag differs; bytes of data do not matter. */
  @ParameterizedTest
  @EnumSource
  void everyByteOfEveryFlagCounts(PacketFormat format) {
    int length = format.payload() + 1;
    byte[] image = PacketImage.pack(format, data(length), FLAG);
    int flags = 0;
    assertThat(PacketImage.arrived(format, image, FLAG)).isTrue();
    for (int at = 0; at < image.length; at++) {
      image[at] ^= 1;
      boolean flag = !PacketImage.arrived(format, image, FLAG);
      image[at] ^= 1;
      flags += flag ? 1 : 0;
    }
    assertThat(flags).isEqualTo(image.length - 2 * format.payload());
  }
}

package dev.oriel.ports.queue;

import dev.oriel.ports.MachineException;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * The bytes of a queue that are known before a request is; they are 0 where a hole will be filled.
 */
public final class ElementTemplate {
  private final byte[] bytes;

  /** Keeps a copy. */
  public ElementTemplate(byte[] bytes) {
    this.bytes = bytes.clone();
  }

  /** A copy of the bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** The bytes as every poster must make them; a missing field is 0. */
  public byte[] filled(List<TemplateField> holes, Map<RequestField, Long> values) {
    byte[] filled = bytes();
    for (TemplateField hole : holes) {
      if (hole.offset() + hole.width() > filled.length) {
        throw new MachineException(
            "hole outside its image: hole=%s, bytes=%d; use the image's own holes"
                .formatted(hole, filled.length));
      }
      long value = values.getOrDefault(hole.field(), 0L);
      for (int i = 0; i < hole.width(); i++) {
        int place = hole.order() == ByteOrder.BIG_ENDIAN ? hole.width() - 1 - i : i;
        filled[hole.offset() + place] |= (byte) (value >>> (Byte.SIZE * i));
      }
    }
    return filled;
  }

  @Override
  public String toString() {
    return "Image[" + HexFormat.of().formatHex(bytes) + "]";
  }
}

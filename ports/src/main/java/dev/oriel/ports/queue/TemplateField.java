package dev.oriel.ports.queue;

import dev.oriel.ports.MachineException;
import java.nio.ByteOrder;

/**
 * A place in an image into which a field's low bytes are put.
 *
 * @param offset of its first byte
 * @param width how many bytes, 1 to 8
 */
public record TemplateField(RequestField field, int offset, int width, ByteOrder order) {
  public TemplateField {
    if (offset < 0 || width < 1 || width > Long.BYTES) {
      throw new MachineException(
          "no such hole: field=%s, offset=%d, width=%d; use 1 to 8 bytes of the image"
              .formatted(field, offset, width));
    }
  }

  /** A hole in big-endian order. */
  public static TemplateField big(RequestField field, int offset, int width) {
    return new TemplateField(field, offset, width, ByteOrder.BIG_ENDIAN);
  }

  /** A hole in little-endian order. */
  public static TemplateField little(RequestField field, int offset, int width) {
    return new TemplateField(field, offset, width, ByteOrder.LITTLE_ENDIAN);
  }
}

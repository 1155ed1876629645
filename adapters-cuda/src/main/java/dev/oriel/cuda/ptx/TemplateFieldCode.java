package dev.oriel.cuda.ptx;

import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.TemplateField;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;

/**
 * Generates code that fills the holes of an image in registers, as {@link
 * dev.oriel.ports.queue.ElementTemplate#filled} does in bytes.
 */
final class TemplateFieldCode {
  private final PtxBuilder ptx;

  TemplateFieldCode(PtxBuilder ptx) {
    this.ptx = ptx;
  }

  /**
   * Puts the fields into the image.
   *
   * @param words 64-bit registers with the image as the GPU loads it, the last one perhaps in part
   * @param fields 64-bit registers; one that is missing is 0
   */
  void fill(List<String> words, List<TemplateField> holes, Map<RequestField, String> fields) {
    for (TemplateField hole : holes) {
      String field = fields.get(hole.field());
      if (field != null) {
        fill(words, hole, field);
      }
    }
  }

  private void fill(List<String> words, TemplateField hole, String field) {
    int unused = Long.SIZE - Byte.SIZE * hole.width();
    String bytes = field;
    if (hole.order() == ByteOrder.BIG_ENDIAN) {
      bytes = swapped(field);
      bytes = unused == 0 ? bytes : shifted("shr", bytes, unused);
    } else if (unused > 0) {
      bytes = shifted("shr", shifted("shl", field, unused), unused);
    }
    int word = hole.offset() / Long.BYTES;
    int shift = Byte.SIZE * (hole.offset() % Long.BYTES);
    put(words.get(word), shift == 0 ? bytes : shifted("shl", bytes, shift));
    if (shift > unused) {
      put(words.get(word + 1), shifted("shr", bytes, Long.SIZE - shift));
    }
  }

  private void put(String word, String bits) {
    ptx.op("or.b64 %s, %s, %s", word, word, bits);
  }

  private String shifted(String how, String value, int bits) {
    String result = ptx.word();
    ptx.op("%s.%s64 %s, %s, %d", how, how.equals("shl") ? "b" : "u", result, value, bits);
    return result;
  }

  /** Swaps the byte order of eight bytes. */
  String swapped(String value) {
    String low = ptx.half();
    String high = ptx.half();
    String result = ptx.word();
    ptx.op("mov.b64 {%s, %s}, %s", low, high, value);
    ptx.op("prmt.b32 %s, %s, 0, 0x0123", low, low);
    ptx.op("prmt.b32 %s, %s, 0, 0x0123", high, high);
    ptx.op("mov.b64 %s, {%s, %s}", result, high, low);
    return result;
  }
}

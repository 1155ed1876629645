package dev.oriel.ibverbs.queue;

import static dev.oriel.ports.queue.TemplateField.little;

import dev.oriel.ports.queue.CompletionWord;
import dev.oriel.ports.queue.ElementTemplate;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueFormat.DoorbellWord;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.RequestKind;
import dev.oriel.ports.queue.TemplateField;
import dev.oriel.ports.queue.WorkQueue.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The format of the queues by which a poster hands requests to a host thread, lowest byte first.
 *
 * <pre>
 *   element     0 kind, counted from 1 | 1 fenced | 4 low bits of the count | 8 remote | 16 local
 *               24 length | 32 value | 40 compare | 48 awaited
 *   bell        the number posted
 *   completion  0 idle, 1 done, 2 failed: 4 bits | 16 count of the latest: 48 bits
 * </pre>
 */
final class ProxyQueues {
  static final int ELEMENT = 64;
  private static final int FENCED = 1;
  private static final int COUNT = 4;
  private static final int DONE = 1;
  private static final int FAILED = 2;
  private static final int SHIFT = 16;
  private static final List<RequestKind> KINDS = List.of(RequestKind.values());

  private static final Map<RequestField, TemplateField> HOLES =
      new EnumMap<>(
          Map.of(
              RequestField.COUNT, little(RequestField.COUNT, COUNT, Integer.BYTES),
              RequestField.REMOTE, little(RequestField.REMOTE, 8, Long.BYTES),
              RequestField.LOCAL, little(RequestField.LOCAL, 16, Long.BYTES),
              RequestField.LENGTH, little(RequestField.LENGTH, 24, Long.BYTES),
              RequestField.VALUE, little(RequestField.VALUE, 32, Long.BYTES),
              RequestField.COMPARE, little(RequestField.COMPARE, 40, Long.BYTES),
              RequestField.AWAITED, little(RequestField.AWAITED, 48, Long.BYTES)));

  private ProxyQueues() {}

  static QueueFormat format(long messageBytes) {
    Map<RequestKind, List<TemplateField>> elements = new EnumMap<>(RequestKind.class);
    for (RequestKind kind : RequestKind.values()) {
      elements.put(kind, List.copyOf(HOLES.values()));
    }
    return new QueueFormat(
        ELEMENT,
        elements,
        List.of(new DoorbellWord(Long.BYTES, List.of(little(RequestField.COUNT, 0, Long.BYTES)))),
        new CompletionWord(ByteOrder.LITTLE_ENDIAN, SHIFT, Long.SIZE - SHIFT, 0, 4, 0, DONE),
        messageBytes);
  }

  static ElementTemplate bell() {
    return new ElementTemplate(new byte[Long.BYTES]);
  }

  static Map<Shape, ElementTemplate> elements() {
    Map<Shape, ElementTemplate> images = new HashMap<>();
    for (RequestKind kind : RequestKind.values()) {
      for (boolean fenced : new boolean[] {false, true}) {
        byte[] bytes = new byte[ELEMENT];
        bytes[0] = (byte) (KINDS.indexOf(kind) + 1);
        bytes[FENCED] = (byte) (fenced ? 1 : 0);
        images.put(new Shape(kind, fenced), new ElementTemplate(bytes));
      }
    }
    return images;
  }

  /** The completion word after so many elements, at least one. */
  static long done(long completed) {
    return ((completed - 1) << SHIFT) | DONE;
  }

  static long failed() {
    return FAILED;
  }

  /** An element as a poster filled it. */
  record PostedElement(RequestKind kind, boolean fenced, Map<RequestField, Long> fields) {}

  /** The element in its slot, if it is the element of that count. */
  static Optional<PostedElement> read(ByteBuffer ring, int at, long count) {
    ByteBuffer element = ByteBuffer.allocate(ELEMENT).order(ByteOrder.LITTLE_ENDIAN);
    // Copied first: the poster might change the bytes between two reads.
    element.put(0, ring, at, ELEMENT);
    int kind = element.get(0) - 1;
    int fenced = element.get(FENCED);
    if (kind < 0
        || kind >= KINDS.size()
        || (fenced & ~1) != 0
        || element.getInt(COUNT) != (int) count) {
      return Optional.empty();
    }
    Map<RequestField, Long> fields = new EnumMap<>(RequestField.class);
    HOLES.forEach((field, hole) -> {
      if (hole.width() == Long.BYTES) {
        fields.put(field, element.getLong(hole.offset()));
      }
    });
    return Optional.of(new PostedElement(KINDS.get(kind), fenced == 1, fields));
  }
}

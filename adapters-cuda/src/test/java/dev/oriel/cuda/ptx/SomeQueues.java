package dev.oriel.cuda.ptx;

import dev.oriel.ports.queue.CompletionWord;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueFormat.DoorbellWord;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.RequestKind;
import dev.oriel.ports.queue.TemplateField;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Queue formats of no real interface, with fields of every kind. */
public final class SomeQueues {
  /** Two doorbells, big-endian, 16 bits of a count. */
  public static final QueueFormat BIG =
      format(
          ByteOrder.BIG_ENDIAN,
          64,
          List.of(
              new DoorbellWord(4, List.of(TemplateField.big(RequestField.COUNT, 2, 2))),
              new DoorbellWord(8, List.of(TemplateField.big(RequestField.COUNT, 1, 2)))),
          16);

  /** As {@link #BIG}, with the last doorbell in a register of a device. */
  static final QueueFormat REGISTER =
      format(
          ByteOrder.BIG_ENDIAN,
          64,
          List.of(
              new DoorbellWord(4, List.of(TemplateField.big(RequestField.COUNT, 2, 2))),
              new DoorbellWord(8, List.of(TemplateField.big(RequestField.COUNT, 1, 2)), true)),
          16);

  /** One doorbell, little-endian, whole counts. */
  static final QueueFormat LITTLE =
      format(
          ByteOrder.LITTLE_ENDIAN,
          48,
          List.of(new DoorbellWord(8, List.of(TemplateField.little(RequestField.COUNT, 0, 8)))),
          32);

  private SomeQueues() {}

  private static QueueFormat format(
      ByteOrder order, int bytes, List<DoorbellWord> bells, int countBits) {
    List<TemplateField> holes =
        List.of(
            new TemplateField(RequestField.COUNT, 1, 2, order),
            new TemplateField(RequestField.REMOTE, 8, 8, order),
            new TemplateField(RequestField.LOCAL, 20, 8, order),
            new TemplateField(RequestField.LENGTH, 29, 3, order),
            new TemplateField(RequestField.VALUE, 36, 8, order),
            new TemplateField(RequestField.COMPARE, 44, 4, order),
            new TemplateField(RequestField.AWAITED, 32, 4, order));
    Map<RequestKind, List<TemplateField>> elements = new EnumMap<>(RequestKind.class);
    for (RequestKind kind : RequestKind.values()) {
      elements.put(kind, holes);
    }
    return new QueueFormat(
        bytes, elements, bells, new CompletionWord(order, 16, countBits, 4, 4, 15, 0), 1 << 20);
  }
}

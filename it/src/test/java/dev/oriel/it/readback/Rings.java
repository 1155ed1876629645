package dev.oriel.it.readback;

import dev.oriel.cuda.ptx.QueueTable;
import dev.oriel.ports.queue.CompletionWord;
import dev.oriel.ports.queue.ElementTemplate;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueFormat.DoorbellWord;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.RequestKind;
import dev.oriel.ports.queue.TemplateField;
import dev.oriel.ports.queue.WorkQueue;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The queues of one rank to its peers, and the interface that serves them. It reads every element
 * that a doorbell announces, as bytes, and reports it done on the second poll.
 */
final class Rings implements PtxBlock.Interface {
  static final int ELEMENT = 64;
  static final int SLOTS = 256;
  static final long MESSAGE = 96;
  private static final int SHAPE = 56;
  private static final List<RequestKind> KINDS = List.of(RequestKind.values());
  private static final List<RequestField> PLACES =
      List.of(
          RequestField.COUNT,
          RequestField.REMOTE,
          RequestField.LOCAL,
          RequestField.LENGTH,
          RequestField.VALUE,
          RequestField.COMPARE,
          RequestField.AWAITED);

  /** Elements of eight words, little-endian; a doorbell in memory, and one in a register. */
  static final QueueFormat FORMAT = format();

  /**
   * One element as it was in its ring.
   *
   * @param queue twice the peer's number, plus one for the queue's companion
   */
  record Taken(int queue, RequestKind kind, boolean fenced, Map<RequestField, Long> fields) {
    long field(RequestField field) {
      return fields.getOrDefault(field, 0L);
    }
  }

  private final Layout layout;
  private final Memory memory;
  private final int rank;
  private final List<Taken> taken = new ArrayList<>();
  private final Map<Long, Integer> bells = new HashMap<>();
  private final long[] rung;

  Rings(Layout layout, Memory memory, int rank, int world) {
    this.layout = layout;
    this.memory = memory;
    this.rank = rank;
    this.rung = new long[2 * world];
    for (int peer = 0; peer < world; peer++) {
      byte[] records = QueueTable.records(FORMAT, queue(2 * peer), queue(2 * peer + 1));
      for (int i = 0; i < records.length; i++) {
        memory.store(record(2 * peer) + i, 1, records[i]);
      }
      bells.put(register(2 * peer), 2 * peer);
      bells.put(register(2 * peer + 1), 2 * peer + 1);
    }
  }

  /** The start of a queue's record. */
  long record(int queue) {
    return layout.other(rank, Layout.Other.QUEUES) + (long) QueueTable.bytes(FORMAT) / 2 * queue;
  }

  /**
   * The place of the element's template in a record: after 128 bytes, each kind without and with a
   * fence.
   */
  static int image(RequestKind kind, boolean fenced) {
    return 128 + ELEMENT * (2 * KINDS.indexOf(kind) + (fenced ? 1 : 0));
  }

  long ring(int queue) {
    return layout.other(rank, Layout.Other.RINGS) + (long) SLOTS * ELEMENT * queue;
  }

  long completion(int queue) {
    return layout.other(rank, Layout.Other.COMPLETIONS) + (long) Long.BYTES * queue;
  }

  long bell(int queue) {
    return layout.other(rank, Layout.Other.BELLS) + 16L * queue;
  }

  long register(int queue) {
    return bell(queue) + 8;
  }

  /** All elements so far, in the order of their doorbells. */
  List<Taken> taken() {
    return taken;
  }

  @Override
  public void stored(long address, long value) {
    Integer queue = bells.get(address);
    if (queue == null) {
      return;
    }
    long before = memory.load(completion(queue), 8);
    for (; rung[queue] < value; rung[queue]++) {
      taken.add(element(queue, ring(queue) + rung[queue] % SLOTS * ELEMENT));
    }
    memory.store(completion(queue), 8, ((value - 1) << 16) | (15L << 4));
    memory.arrives(completion(queue), before, 1);
  }

  private Taken element(int queue, long at) {
    Map<RequestField, Long> fields = new EnumMap<>(RequestField.class);
    for (int i = 0; i < PLACES.size(); i++) {
      fields.put(PLACES.get(i), memory.load(at + 8L * i, 8));
    }
    int kind = (int) memory.load(at + SHAPE, 1) - 1;
    if (kind < 0
        || kind >= KINDS.size()
        || fields.getOrDefault(RequestField.COUNT, -1L) != rung[queue]) {
      throw new Mismatch(
          "no element where the bell says: queue=%d, count=%d".formatted(queue, rung[queue]));
    }
    return new Taken(queue, KINDS.get(kind), memory.load(at + SHAPE + 1, 1) != 0, fields);
  }

  private WorkQueue queue(int number) {
    Map<WorkQueue.Shape, ElementTemplate> images = new HashMap<>();
    for (RequestKind kind : RequestKind.values()) {
      for (boolean fenced : new boolean[] {false, true}) {
        byte[] image = new byte[ELEMENT];
        image[SHAPE] = (byte) (KINDS.indexOf(kind) + 1);
        image[SHAPE + 1] = (byte) (fenced ? 1 : 0);
        images.put(new WorkQueue.Shape(kind, fenced), new ElementTemplate(image));
      }
    }
    ElementTemplate empty = new ElementTemplate(new byte[Long.BYTES]);
    return new WorkQueue(
        SLOTS,
        ring(number),
        images,
        List.of(
            new WorkQueue.Place(bell(number), empty), new WorkQueue.Place(register(number), empty)),
        completion(number));
  }

  private static QueueFormat format() {
    List<TemplateField> holes = new ArrayList<>();
    for (int i = 0; i < PLACES.size(); i++) {
      holes.add(TemplateField.little(PLACES.get(i), Long.BYTES * i, Long.BYTES));
    }
    Map<RequestKind, List<TemplateField>> elements = new EnumMap<>(RequestKind.class);
    for (RequestKind kind : RequestKind.values()) {
      elements.put(kind, holes);
    }
    List<TemplateField> count = List.of(TemplateField.little(RequestField.COUNT, 0, Long.BYTES));
    return new QueueFormat(
        ELEMENT,
        elements,
        List.of(new DoorbellWord(Long.BYTES, count), new DoorbellWord(Long.BYTES, count, true)),
        new CompletionWord(ByteOrder.LITTLE_ENDIAN, 16, 32, 4, 4, 0, 15),
        MESSAGE);
  }
}

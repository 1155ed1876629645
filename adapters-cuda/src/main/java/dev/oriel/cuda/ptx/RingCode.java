package dev.oriel.cuda.ptx;

import dev.oriel.ports.queue.CompletionWord;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.RequestKind;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Generates one thread's post to a queue that the lanes of its GPU share. The thread reserves a
 * count. Its slot is free once the slot's previous element is done. The thread fills the element
 * and publishes it in the order of the counts. The holder of the lock rings for all published
 * elements.
 *
 * <p>Completions hold only the low bits of counts. All lanes therefore share a full count of
 * completed elements, and wait for that count alone. A lane that finds the completion ahead of the
 * count raises the count, unless another lane has. Every reservation waits for the count: it lags
 * by at most the queue's length, and the low bits of both give the difference.
 */
final class RingCode {
  private final PtxBuilder ptx;
  private final BoundedWaitCode waits;
  private final WorkSharingCode threads;
  private final QueueFormat format;
  private final TemplateFieldCode holes;

  /** The register that holds the address of all peers' records. */
  private final String table;

  RingCode(
      PtxBuilder ptx,
      BoundedWaitCode waits,
      WorkSharingCode threads,
      QueueFormat format,
      String table) {
    this.ptx = ptx;
    this.waits = waits;
    this.threads = threads;
    this.format = format;
    this.holes = new TemplateFieldCode(ptx);
    this.table = table;
  }

  /** The most bytes that one element moves. */
  long messageBytes() {
    return format.messageBytes();
  }

  /** The address of a peer's record. */
  String queue(String peer) {
    String queue = ptx.word();
    ptx.op("mad.lo.s64 %s, %s, %d, %s", queue, peer, QueueTable.bytes(format), table);
    return queue;
  }

  /** The address of the record of that queue's companion. */
  String companion(String queue) {
    String companion = ptx.word();
    ptx.op("add.s64 %s, %s, %d", companion, queue, QueueTable.companion(format));
    return companion;
  }

  /** The count of the last published element, of this thread or a later one of another. */
  String last(String queue) {
    String last = ptx.word();
    ptx.comment("acquire: published elements are seen filled");
    ptx.op("ld.acquire.sys.global.u64 %s, [%s+%d]", last, queue, QueueTable.READY);
    ptx.op("add.s64 %s, %s, -1", last, last);
    return last;
  }

  /** Posts one element; branches to {@code otherwise} if the block gives up. */
  void post(
      String queue,
      RequestKind kind,
      boolean fenced,
      Map<RequestField, String> fields,
      String otherwise) {
    String count = ptx.word();
    String next = ptx.word();
    ptx.comment(
        "reserve the next count; wait until the previous element in that slot has completed");
    ptx.op("atom.relaxed.sys.global.add.u64 %s, [%s+%d], 1", count, queue, QueueTable.RESERVED);
    ptx.op("add.s64 %s, %s, 1", next, count);
    String slots = ptx.word();
    String needed = ptx.word();
    ptx.op("ld.global.u64 %s, [%s+%d]", slots, queue, QueueTable.SLOTS);
    ptx.op("sub.s64 %s, %s, %s", needed, next, slots);
    untilCompleted(queue, needed, otherwise);
    element(queue, kind, fenced, count, slots, fields);
    publish(queue, count, next, otherwise);
    ring(queue, otherwise);
  }

  /** Waits until every element that is published now is done. */
  void await(String queue, String otherwise) {
    String all = ptx.word();
    ptx.comment("acquire: published elements are seen filled");
    ptx.op("ld.acquire.sys.global.u64 %s, [%s+%d]", all, queue, QueueTable.READY);
    untilCompleted(queue, all, otherwise);
  }

  private void element(
      String queue,
      RequestKind kind,
      boolean fenced,
      String count,
      String slots,
      Map<RequestField, String> fields) {
    ptx.comment("fill: copy the template of this kind of request and insert its fields");
    List<String> words = new ArrayList<>();
    int image = QueueTable.image(format, kind, fenced);
    for (int at = 0; at < format.elementBytes(); at += 16) {
      words.add(ptx.word());
      words.add(ptx.word());
      ptx.op(
          "ld.global.v2.u64 {%s, %s}, [%s+%d]", last(words, 2), last(words, 1), queue, image + at);
    }
    Map<RequestField, String> all = new EnumMap<>(fields);
    all.put(RequestField.COUNT, count);
    holes.fill(words, format.holes(kind), all);
    String slot = ptx.word();
    String ring = ptx.word();
    ptx.op("ld.global.u64 %s, [%s+%d]", ring, queue, QueueTable.RING);
    ptx.op("add.s64 %s, %s, -1", slot, slots);
    ptx.op("and.b64 %s, %s, %s", slot, slot, count);
    ptx.op("mad.lo.s64 %s, %s, %d, %s", slot, slot, format.elementBytes(), ring);
    for (int i = 0; i < words.size(); i += 2) {
      ptx.op(
          "st.global.v2.u64 [%s+%d], {%s, %s}",
          slot, i * Long.BYTES, words.get(i), words.get(i + 1));
    }
  }

  private static String last(List<String> words, int back) {
    return words.get(words.size() - back);
  }

  private void publish(String queue, String count, String next, String otherwise) {
    ptx.comment("publish in the order of the counts");
    String ready = ptx.word();
    String mine = ptx.predicate();
    waits.until(
        BoundedWaitCode.NO_WORD,
        () -> {
          ptx.comment("the elements before this one are filled");
          ptx.op("ld.acquire.sys.global.u64 %s, [%s+%d]", ready, queue, QueueTable.READY);
          ptx.op("setp.eq.u64 %s, %s, %s", mine, ready, count);
          return mine;
        });
    threads.living(otherwise);
    ptx.comment("release: a reader of this count sees this element and all earlier ones filled");
    ptx.op("st.release.sys.global.u64 [%s+%d], %s", queue, QueueTable.READY, next);
  }

  private void ring(String queue, String otherwise) {
    ptx.comment(
        "ring the doorbell for all published elements, unless another thread has done so; no wait inside the lock");
    String taken = ptx.word();
    String free = ptx.predicate();
    waits.until(
        BoundedWaitCode.NO_WORD,
        () -> {
          ptx.comment("acquire: this thread sees up to which count the previous holder has rung");
          ptx.op(
              "atom.acquire.sys.global.cas.b64 %s, [%s+%d], 0, 1", taken, queue, QueueTable.LOCK);
          ptx.op("setp.eq.u64 %s, %s, 0", free, taken);
          return free;
        });
    threads.living(otherwise);
    String head = ptx.word();
    String rung = ptx.word();
    String unlock = ptx.label("rung");
    String before = ptx.predicate();
    ptx.comment("all elements that it rings for are filled");
    ptx.op("ld.acquire.sys.global.u64 %s, [%s+%d]", head, queue, QueueTable.READY);
    ptx.op("ld.global.u64 %s, [%s+%d]", rung, queue, QueueTable.RUNG);
    ptx.op("sub.s64 %s, %s, %s", rung, head, rung);
    ptx.op("setp.le.s64 %s, %s, 0", before, rung);
    ptx.opIf(before, "bra %s", unlock);
    for (int i = 0; i < format.bells().size(); i++) {
      bell(queue, i, head);
    }
    ptx.op("st.global.u64 [%s+%d], %s", queue, QueueTable.RUNG, head);
    ptx.place(unlock);
    ptx.comment("release: the next holder sees up to which count this thread has rung");
    ptx.op("st.release.sys.global.u64 [%s+%d], 0", queue, QueueTable.LOCK);
  }

  private void bell(String queue, int number, String head) {
    QueueFormat.DoorbellWord bell = format.bells().get(number);
    String address = ptx.word();
    String image = ptx.word();
    int at = QueueTable.bell(number);
    ptx.op("ld.global.v2.u64 {%s, %s}, [%s+%d]", address, image, queue, at);
    holes.fill(List.of(image), bell.holes(), Map.of(RequestField.COUNT, head));
    int bits = Byte.SIZE * bell.bytes();
    if (bell.register()) {
      // Volatile: the store is done once and whole. A release would promise this of memory only.
      ptx.comment("elements and records are there before the register is rung");
      ptx.op("fence.acq_rel.sys");
      ptx.op("st.volatile.global.u%d [%s], %s", bits, address, image);
    } else {
      ptx.comment("elements are there before the interface sees the bell");
      ptx.op("st.release.sys.global.u%d [%s], %s", bits, address, image);
    }
  }

  private void untilCompleted(String queue, String needed, String otherwise) {
    String done = ptx.word();
    String ahead = ptx.word();
    String enough = ptx.predicate();
    waits.until(
        BoundedWaitCode.NO_WORD,
        () -> {
          completed(queue, done, otherwise);
          ptx.op("sub.s64 %s, %s, %s", ahead, done, needed);
          ptx.op("setp.ge.s64 %s, %s, 0", enough, ahead);
          return enough;
        });
    threads.living(otherwise);
  }

  /** The number of elements that are done, according to the completion and to other lanes. */
  private void completed(String queue, String done, String otherwise) {
    CompletionWord layout = format.completion();
    String place = ptx.word();
    String known = ptx.word();
    String word = ptx.word();
    ptx.op("ld.global.u64 %s, [%s+%d]", place, queue, QueueTable.COMPLETION);
    ptx.comment("what another lane saw completed is seen here too");
    ptx.op("ld.acquire.sys.global.u64 %s, [%s+%d]", known, queue, QueueTable.COMPLETED);
    ptx.comment("bytes that the network interface placed are visible after their completion");
    ptx.op("ld.acquire.sys.global.u64 %s, [%s]", word, place);
    String number = layout.order() == ByteOrder.BIG_ENDIAN ? holes.swapped(word) : word;
    String code = ptx.word();
    String idle = ptx.predicate();
    String fine = ptx.predicate();
    String same = ptx.predicate();
    String checked = ptx.label("idle");
    String reported = ptx.label("reported");
    ptx.op("mov.b64 %s, %s", done, known);
    ptx.op("shr.u64 %s, %s, %d", code, number, layout.codeShift());
    ptx.op("and.b64 %s, %s, %d", code, code, layout.codeMask());
    ptx.op("setp.eq.u64 %s, %s, %d", idle, code, layout.idle());
    ptx.opIf(idle, "bra %s", checked);
    ptx.op("setp.eq.u64 %s, %s, %d", fine, code, layout.done());
    ptx.opIf(fine, "bra %s", reported);
    ptx.comment("the queue failed: nothing of it will ever be done");
    waits.endAll(LaneStatus.QUEUE_FAILED);
    ptx.op("bra %s", otherwise);
    ptx.place(reported);
    String count = ptx.word();
    ptx.op("shr.u64 %s, %s, %d", count, number, layout.countShift());
    ptx.op("add.s64 %s, %s, 1", count, count);
    ptx.op("sub.s64 %s, %s, %s", count, count, known);
    ptx.op("and.b64 %s, %s, %d", count, count, layout.countMask());
    ptx.op("add.s64 %s, %s, %s", done, known, count);
    ptx.op("setp.eq.u64 %s, %s, %s", same, done, known);
    ptx.opIf(same, "bra %s", checked);
    String old = ptx.word();
    ptx.comment(
        "acq_rel: lanes that read this count see the completions seen here; this lane sees theirs");
    ptx.op(
        "atom.acq_rel.sys.global.cas.b64 %s, [%s+%d], %s, %s",
        old, queue, QueueTable.COMPLETED, known, done);
    String raised = ptx.predicate();
    ptx.op("setp.ne.u64 %s, %s, %s", raised, old, known);
    ptx.opIf(raised, "mov.b64 %s, %s", done, old);
    ptx.place(checked);
  }
}

package dev.oriel.ibverbs.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.mlx5.CompletionBytes;
import dev.oriel.ibverbs.mlx5.CompletionElement;
import dev.oriel.ibverbs.mlx5.CompletionReporting;
import dev.oriel.ibverbs.mlx5.Doorbell;
import dev.oriel.ibverbs.mlx5.DoorbellRecord;
import dev.oriel.ibverbs.mlx5.ElementFence;
import dev.oriel.ibverbs.mlx5.ElementOpcode;
import dev.oriel.ibverbs.mlx5.ElementPayload;
import dev.oriel.ibverbs.mlx5.ElementWriter;
import dev.oriel.ibverbs.mlx5.QueueRing;
import dev.oriel.ibverbs.mlx5.SendElement;
import dev.oriel.ibverbs.mlx5.Syndrome;
import dev.oriel.ports.queue.CompletionWord;
import dev.oriel.ports.queue.ElementTemplate;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.RequestKind;
import dev.oriel.ports.queue.WorkQueue.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The description encodes a request as the writer of elements does. */
class Mlx5QueuesProperties {
  private static final QueueFormat FORMAT = Mlx5Queues.format(1 << 30);

  @Property(tries = 20_000)
  void filledTemplatesAreElements(
      @ForAll RequestKind kind,
      @ForAll boolean fenced,
      @ForAll @IntRange(min = 1, max = 0xff_ffff) int queuePair,
      @ForAll int localKey,
      @ForAll int remoteKey,
      @ForAll long count,
      @ForAll long remote,
      @ForAll long local,
      @ForAll @IntRange(min = 1) int length,
      @ForAll long value,
      @ForAll long compare,
      @ForAll @IntRange(min = 1, max = 0xff_ffff) int completions,
      @ForAll long awaited) {
    Map<RequestField, Long> fields = new EnumMap<>(RequestField.class);
    fields.put(RequestField.COUNT, count);
    fields.put(RequestField.REMOTE, remote);
    fields.put(RequestField.LOCAL, local);
    fields.put(RequestField.LENGTH, (long) length);
    fields.put(RequestField.VALUE, value);
    fields.put(RequestField.COMPARE, compare);
    fields.put(RequestField.AWAITED, awaited);
    Map<Shape, ElementTemplate> images =
        kind == RequestKind.WAIT
            ? Mlx5Queues.companion(queuePair, localKey, completions)
            : Mlx5Queues.elements(queuePair, localKey, remoteKey);
    byte[] filled =
        Objects.requireNonNull(images.get(new Shape(kind, fenced)))
            .filled(FORMAT.holes(kind), fields);

    ElementFence fence = fenced ? ElementFence.SMALL_AND_READS : ElementFence.NONE;
    SendElement.Head head =
        new SendElement.Head(
            QueueRing.index(count), queuePair, fence, CompletionReporting.ALWAYS, false);
    SendElement.Remote there = new SendElement.Remote(remote, remoteKey);
    ElementPayload.Gather word = new ElementPayload.Gather(Long.BYTES, localKey, local);
    ElementPayload.Gather bytes = new ElementPayload.Gather(length, localKey, local);
    ByteBuffer inline =
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value);
    SendElement element =
        switch (kind) {
          case WRITE -> new SendElement.Write(head, there, bytes);
          case WRITE_WORD ->
              new SendElement.Write(head, there, new ElementPayload.Inline(inline.array()));
          case READ -> new SendElement.Read(head, there, bytes);
          case ADD -> new SendElement.FetchAdd(head, there, value, word);
          case COMPARE_SWAP -> new SendElement.CompareSwap(head, there, compare, value, word);
          case WAIT -> new SendElement.Wait(head, (int) awaited, completions);
        };
    byte[] written = new byte[SendElement.BLOCK];
    ElementWriter.write(ByteBuffer.wrap(written), 0, element);
    assertThat(filled).isEqualTo(written);
  }

  @Property
  void filledDoorbellsAreRecordAndRegister(
      @ForAll @IntRange(min = 1, max = 0xff_ffff) int queuePair, @ForAll long posted) {
    Map<RequestField, Long> fields = Map.of(RequestField.COUNT, posted);
    ByteBuffer record = ByteBuffer.allocateDirect(DoorbellRecord.BYTES);
    record.put(Mlx5Queues.SENDS, Mlx5Queues.record().filled(FORMAT.bells().get(0).holes(), fields));
    ByteBuffer written = ByteBuffer.allocateDirect(DoorbellRecord.BYTES);
    DoorbellRecord.postSends(written, 0, posted);
    assertThat(record).isEqualTo(written);

    byte[] register = Mlx5Queues.register(queuePair).filled(FORMAT.bells().get(1).holes(), fields);
    assertThat(ByteBuffer.wrap(register).getLong())
        .isEqualTo(new Doorbell(QueueRing.index(posted), queuePair).word());
  }

  @Property
  void completionWordsAreReadAsWritten(
      @ForAll @IntRange(max = 0xffff) int index,
      @ForAll @IntRange(min = 1, max = 0xff_ffff) int queuePair,
      @ForAll boolean failed,
      @ForAll @IntRange(max = 1) int owner) {
    CompletionWord layout = FORMAT.completion();
    ByteBuffer place = ByteBuffer.allocateDirect(CompletionElement.BYTES);
    CompletionBytes.clear(place);
    assertThat(word(place) >>> layout.codeShift() & layout.codeMask()).isEqualTo(layout.idle());
    CompletionElement completion =
        failed
            ? new CompletionElement.Failed(
                CompletionElement.Side.REQUESTER,
                Syndrome.REMOTE_ACCESS,
                0,
                ElementOpcode.WRITE.code(),
                queuePair,
                index)
            : new CompletionElement.Done(ElementOpcode.WRITE, queuePair, index, 0);
    CompletionBytes.write(place, 0, completion, owner);
    long code = word(place) >>> layout.codeShift() & layout.codeMask();
    assertThat(code == layout.done()).isEqualTo(!failed);
    assertThat(code).isNotEqualTo(layout.idle());
    assertThat(word(place) >>> layout.countShift() & layout.countMask()).isEqualTo(index);
  }

  private static long word(ByteBuffer place) {
    return place.order(FORMAT.completion().order()).getLong(Mlx5Queues.TAIL);
  }
}

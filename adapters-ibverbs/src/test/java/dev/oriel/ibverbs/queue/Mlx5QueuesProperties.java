package dev.oriel.ibverbs.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.mlx5.Completion;
import dev.oriel.ibverbs.mlx5.CompletionBytes;
import dev.oriel.ibverbs.mlx5.Doorbell;
import dev.oriel.ibverbs.mlx5.DoorbellRecord;
import dev.oriel.ibverbs.mlx5.Element;
import dev.oriel.ibverbs.mlx5.ElementWriter;
import dev.oriel.ibverbs.mlx5.Fence;
import dev.oriel.ibverbs.mlx5.Opcode;
import dev.oriel.ibverbs.mlx5.Payload;
import dev.oriel.ibverbs.mlx5.Reporting;
import dev.oriel.ibverbs.mlx5.Ring;
import dev.oriel.ibverbs.mlx5.Syndrome;
import dev.oriel.ports.queue.CompletionWord;
import dev.oriel.ports.queue.Field;
import dev.oriel.ports.queue.Image;
import dev.oriel.ports.queue.QueueFormat;
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
    Map<Field, Long> fields = new EnumMap<>(Field.class);
    fields.put(Field.COUNT, count);
    fields.put(Field.REMOTE, remote);
    fields.put(Field.LOCAL, local);
    fields.put(Field.LENGTH, (long) length);
    fields.put(Field.VALUE, value);
    fields.put(Field.COMPARE, compare);
    fields.put(Field.AWAITED, awaited);
    Map<Shape, Image> images =
        kind == RequestKind.WAIT
            ? Mlx5Queues.companion(queuePair, localKey, completions)
            : Mlx5Queues.elements(queuePair, localKey, remoteKey);
    byte[] filled =
        Objects.requireNonNull(images.get(new Shape(kind, fenced)))
            .filled(FORMAT.holes(kind), fields);

    Fence fence = fenced ? Fence.SMALL_AND_READS : Fence.NONE;
    Element.Head head =
        new Element.Head(Ring.index(count), queuePair, fence, Reporting.ALWAYS, false);
    Element.Remote there = new Element.Remote(remote, remoteKey);
    Payload.Gather word = new Payload.Gather(Long.BYTES, localKey, local);
    Payload.Gather bytes = new Payload.Gather(length, localKey, local);
    ByteBuffer inline =
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value);
    Element element =
        switch (kind) {
          case WRITE -> new Element.Write(head, there, bytes);
          case WRITE_WORD -> new Element.Write(head, there, new Payload.Inline(inline.array()));
          case READ -> new Element.Read(head, there, bytes);
          case ADD -> new Element.FetchAdd(head, there, value, word);
          case COMPARE_SWAP -> new Element.CompareSwap(head, there, compare, value, word);
          case WAIT -> new Element.Wait(head, (int) awaited, completions);
        };
    byte[] written = new byte[Element.BLOCK];
    ElementWriter.write(ByteBuffer.wrap(written), 0, element);
    assertThat(filled).isEqualTo(written);
  }

  @Property
  void filledDoorbellsAreRecordAndRegister(
      @ForAll @IntRange(min = 1, max = 0xff_ffff) int queuePair, @ForAll long posted) {
    Map<Field, Long> fields = Map.of(Field.COUNT, posted);
    ByteBuffer record = ByteBuffer.allocateDirect(DoorbellRecord.BYTES);
    record.put(Mlx5Queues.SENDS, Mlx5Queues.record().filled(FORMAT.bells().get(0).holes(), fields));
    ByteBuffer written = ByteBuffer.allocateDirect(DoorbellRecord.BYTES);
    DoorbellRecord.postSends(written, 0, posted);
    assertThat(record).isEqualTo(written);

    byte[] register = Mlx5Queues.register(queuePair).filled(FORMAT.bells().get(1).holes(), fields);
    assertThat(ByteBuffer.wrap(register).getLong())
        .isEqualTo(new Doorbell(Ring.index(posted), queuePair).word());
  }

  @Property
  void completionWordsAreReadAsWritten(
      @ForAll @IntRange(max = 0xffff) int index,
      @ForAll @IntRange(min = 1, max = 0xff_ffff) int queuePair,
      @ForAll boolean failed,
      @ForAll @IntRange(max = 1) int owner) {
    CompletionWord layout = FORMAT.completion();
    ByteBuffer place = ByteBuffer.allocateDirect(Completion.BYTES);
    CompletionBytes.clear(place);
    assertThat(word(place) >>> layout.codeShift() & layout.codeMask()).isEqualTo(layout.idle());
    Completion completion =
        failed
            ? new Completion.Failed(
                Completion.Side.REQUESTER,
                Syndrome.REMOTE_ACCESS,
                0,
                Opcode.WRITE.code(),
                queuePair,
                index)
            : new Completion.Done(Opcode.WRITE, queuePair, index, 0);
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

package dev.oriel.ibverbs.queue;

import static dev.oriel.ports.queue.TemplateField.big;
import static dev.oriel.ports.queue.TemplateField.little;

import dev.oriel.ibverbs.mlx5.CompletionReporting;
import dev.oriel.ibverbs.mlx5.Doorbell;
import dev.oriel.ibverbs.mlx5.ElementFence;
import dev.oriel.ibverbs.mlx5.ElementPayload;
import dev.oriel.ibverbs.mlx5.ElementWriter;
import dev.oriel.ibverbs.mlx5.SendElement;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The queue format of {@link dev.oriel.ibverbs.mlx5}, with holes for the fields of a request. Every
 * element reports its completion. {@link #format} describes a collapsed completion queue. A network
 * whose completion queue is a ring uses the rest of the format, and reports in a word of its own.
 */
final class Mlx5Queues {
  /** The offset of the word for sends in a doorbell record. */
  static final int SENDS = 4;

  /** The offset in a completion of the word that is written last. */
  static final int TAIL = 56;

  private static final int INDEX = 1;
  private static final int REMOTE = 16;
  private static final int AWAITED = 24;
  private static final int THIRD = 32;
  private static final int FOURTH = 48;

  /** Without the fence of verbs, and with it. */
  private static final List<ElementFence> FENCES =
      List.of(ElementFence.NONE, ElementFence.SMALL_AND_READS);

  private Mlx5Queues() {}

  static QueueFormat format(long messageBytes) {
    TemplateField index = big(RequestField.COUNT, INDEX, 2);
    TemplateField remote = big(RequestField.REMOTE, REMOTE, 8);
    List<TemplateField> moves =
        List.of(
            index,
            remote,
            big(RequestField.LENGTH, THIRD, Integer.BYTES),
            big(RequestField.LOCAL, THIRD + 8, Long.BYTES));
    TemplateField value = big(RequestField.VALUE, THIRD, Long.BYTES);
    TemplateField old = big(RequestField.LOCAL, FOURTH + 8, Long.BYTES);
    Map<RequestKind, List<TemplateField>> elements =
        Map.of(
            RequestKind.WRITE,
            moves,
            RequestKind.READ,
            moves,
            // An inline word is copied to memory as it is, and thus has the byte order of GPU and
            // host.
            RequestKind.WRITE_WORD,
            List.of(index, remote, little(RequestField.VALUE, THIRD + 4, Long.BYTES)),
            RequestKind.ADD,
            List.of(index, remote, value, old),
            RequestKind.COMPARE_SWAP,
            List.of(index, remote, value, big(RequestField.COMPARE, THIRD + 8, Long.BYTES), old),
            RequestKind.WAIT,
            List.of(index, big(RequestField.AWAITED, AWAITED, Integer.BYTES)));
    List<DoorbellWord> bells =
        List.of(
            new DoorbellWord(Integer.BYTES, List.of(big(RequestField.COUNT, 2, 2))),
            new DoorbellWord(Long.BYTES, List.of(big(RequestField.COUNT, INDEX, 2))));
    CompletionWord completion =
        new CompletionWord(ByteOrder.BIG_ENDIAN, 16, 16, 4, 4, /* idle */ 15, /* done */ 0);
    return new QueueFormat(SendElement.BLOCK, elements, bells, completion, messageBytes);
  }

  /** The doorbell record's word: its image is empty apart from the count. */
  static ElementTemplate record() {
    return new ElementTemplate(new byte[Integer.BYTES]);
  }

  static ElementTemplate register(int queuePair) {
    ByteBuffer word = ByteBuffer.allocate(Long.BYTES);
    return new ElementTemplate(word.putLong(new Doorbell(0, queuePair).word()).array());
  }

  /**
   * Elements that count another queue's progress in a rank's own memory.
   *
   * @param completions the number of the watched queue's completion queue; every element is
   *     reported there
   */
  static Map<Shape, ElementTemplate> companion(int queuePair, int key, int completions) {
    Map<Shape, ElementTemplate> images = new HashMap<>();
    for (ElementFence fence : FENCES) {
      SendElement.Head head = head(queuePair, fence);
      boolean fenced = fence != ElementFence.NONE;
      SendElement.Remote remote = new SendElement.Remote(0, key);
      ElementPayload.Gather word = new ElementPayload.Gather(Long.BYTES, key, 0);
      put(images, RequestKind.WAIT, fenced, new SendElement.Wait(head, 0, completions));
      put(images, RequestKind.ADD, fenced, new SendElement.FetchAdd(head, remote, 0, word));
    }
    return images;
  }

  private static SendElement.Head head(int queuePair, ElementFence fence) {
    return new SendElement.Head(0, queuePair, fence, CompletionReporting.ALWAYS, false);
  }

  /** Every element of a queue pair, with the keys of both ranks' memory. */
  static Map<Shape, ElementTemplate> elements(int queuePair, int localKey, int remoteKey) {
    Map<Shape, ElementTemplate> images = new HashMap<>();
    for (ElementFence fence : FENCES) {
      SendElement.Head head = head(queuePair, fence);
      SendElement.Remote remote = new SendElement.Remote(0, remoteKey);
      ElementPayload.Gather word = new ElementPayload.Gather(Long.BYTES, localKey, 0);
      boolean fenced = fence != ElementFence.NONE;
      put(images, RequestKind.WRITE, fenced, new SendElement.Write(head, remote, word));
      put(images, RequestKind.READ, fenced, new SendElement.Read(head, remote, word));
      put(
          images,
          RequestKind.WRITE_WORD,
          fenced,
          new SendElement.Write(head, remote, new ElementPayload.Inline(new byte[Long.BYTES])));
      put(images, RequestKind.ADD, fenced, new SendElement.FetchAdd(head, remote, 0, word));
      put(
          images,
          RequestKind.COMPARE_SWAP,
          fenced,
          new SendElement.CompareSwap(head, remote, 0, 0, word));
    }
    return images;
  }

  private static void put(
      Map<Shape, ElementTemplate> images, RequestKind kind, boolean fenced, SendElement element) {
    byte[] bytes = new byte[SendElement.BLOCK];
    ElementWriter.write(ByteBuffer.wrap(bytes), 0, element);
    // A gather entry of no bytes cannot be encoded; the length is cleared here.
    for (TemplateField hole : lengths(kind)) {
      Arrays.fill(bytes, hole.offset(), hole.offset() + hole.width(), (byte) 0);
    }
    images.put(new Shape(kind, fenced), new ElementTemplate(bytes));
  }

  private static List<TemplateField> lengths(RequestKind kind) {
    List<TemplateField> lengths = new ArrayList<>(format(1).holes(kind));
    lengths.removeIf(hole -> hole.field() != RequestField.LENGTH);
    return lengths;
  }
}

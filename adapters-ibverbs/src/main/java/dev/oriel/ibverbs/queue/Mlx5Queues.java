package dev.oriel.ibverbs.queue;

import static dev.oriel.ports.queue.Hole.big;
import static dev.oriel.ports.queue.Hole.little;

import dev.oriel.ibverbs.mlx5.Doorbell;
import dev.oriel.ibverbs.mlx5.Element;
import dev.oriel.ibverbs.mlx5.ElementWriter;
import dev.oriel.ibverbs.mlx5.Fence;
import dev.oriel.ibverbs.mlx5.Payload;
import dev.oriel.ibverbs.mlx5.Reporting;
import dev.oriel.ports.queue.CompletionWord;
import dev.oriel.ports.queue.Field;
import dev.oriel.ports.queue.Hole;
import dev.oriel.ports.queue.Image;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueFormat.Bell;
import dev.oriel.ports.queue.RequestKind;
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
  private static final List<Fence> FENCES = List.of(Fence.NONE, Fence.SMALL_AND_READS);

  private Mlx5Queues() {}

  static QueueFormat format(long messageBytes) {
    Hole index = big(Field.COUNT, INDEX, 2);
    Hole remote = big(Field.REMOTE, REMOTE, 8);
    List<Hole> moves =
        List.of(
            index,
            remote,
            big(Field.LENGTH, THIRD, Integer.BYTES),
            big(Field.LOCAL, THIRD + 8, Long.BYTES));
    Hole value = big(Field.VALUE, THIRD, Long.BYTES);
    Hole old = big(Field.LOCAL, FOURTH + 8, Long.BYTES);
    Map<RequestKind, List<Hole>> elements =
        Map.of(
            RequestKind.WRITE,
            moves,
            RequestKind.READ,
            moves,
            // An inline word is copied to memory as it is, and thus has the byte order of GPU and
            // host.
            RequestKind.WRITE_WORD,
            List.of(index, remote, little(Field.VALUE, THIRD + 4, Long.BYTES)),
            RequestKind.ADD,
            List.of(index, remote, value, old),
            RequestKind.COMPARE_SWAP,
            List.of(index, remote, value, big(Field.COMPARE, THIRD + 8, Long.BYTES), old),
            RequestKind.WAIT,
            List.of(index, big(Field.AWAITED, AWAITED, Integer.BYTES)));
    List<Bell> bells =
        List.of(
            new Bell(Integer.BYTES, List.of(big(Field.COUNT, 2, 2))),
            new Bell(Long.BYTES, List.of(big(Field.COUNT, INDEX, 2))));
    CompletionWord completion =
        new CompletionWord(ByteOrder.BIG_ENDIAN, 16, 16, 4, 4, /* idle */ 15, /* done */ 0);
    return new QueueFormat(Element.BLOCK, elements, bells, completion, messageBytes);
  }

  /** The doorbell record's word: its image is empty apart from the count. */
  static Image record() {
    return new Image(new byte[Integer.BYTES]);
  }

  static Image register(int queuePair) {
    ByteBuffer word = ByteBuffer.allocate(Long.BYTES);
    return new Image(word.putLong(new Doorbell(0, queuePair).word()).array());
  }

  /**
   * Elements that count another queue's progress in a rank's own memory.
   *
   * @param completions the number of the watched queue's completion queue; every element is
   *     reported there
   */
  static Map<Shape, Image> companion(int queuePair, int key, int completions) {
    Map<Shape, Image> images = new HashMap<>();
    for (Fence fence : FENCES) {
      Element.Head head = head(queuePair, fence);
      boolean fenced = fence != Fence.NONE;
      Element.Remote remote = new Element.Remote(0, key);
      Payload.Gather word = new Payload.Gather(Long.BYTES, key, 0);
      put(images, RequestKind.WAIT, fenced, new Element.Wait(head, 0, completions));
      put(images, RequestKind.ADD, fenced, new Element.FetchAdd(head, remote, 0, word));
    }
    return images;
  }

  private static Element.Head head(int queuePair, Fence fence) {
    return new Element.Head(0, queuePair, fence, Reporting.ALWAYS, false);
  }

  /** Every element of a queue pair, with the keys of both ranks' memory. */
  static Map<Shape, Image> elements(int queuePair, int localKey, int remoteKey) {
    Map<Shape, Image> images = new HashMap<>();
    for (Fence fence : FENCES) {
      Element.Head head = head(queuePair, fence);
      Element.Remote remote = new Element.Remote(0, remoteKey);
      Payload.Gather word = new Payload.Gather(Long.BYTES, localKey, 0);
      boolean fenced = fence != Fence.NONE;
      put(images, RequestKind.WRITE, fenced, new Element.Write(head, remote, word));
      put(images, RequestKind.READ, fenced, new Element.Read(head, remote, word));
      put(
          images,
          RequestKind.WRITE_WORD,
          fenced,
          new Element.Write(head, remote, new Payload.Inline(new byte[Long.BYTES])));
      put(images, RequestKind.ADD, fenced, new Element.FetchAdd(head, remote, 0, word));
      put(
          images,
          RequestKind.COMPARE_SWAP,
          fenced,
          new Element.CompareSwap(head, remote, 0, 0, word));
    }
    return images;
  }

  private static void put(
      Map<Shape, Image> images, RequestKind kind, boolean fenced, Element element) {
    byte[] bytes = new byte[Element.BLOCK];
    ElementWriter.write(ByteBuffer.wrap(bytes), 0, element);
    // A gather entry of no bytes cannot be encoded; the length is cleared here.
    for (Hole hole : lengths(kind)) {
      Arrays.fill(bytes, hole.offset(), hole.offset() + hole.width(), (byte) 0);
    }
    images.put(new Shape(kind, fenced), new Image(bytes));
  }

  private static List<Hole> lengths(RequestKind kind) {
    List<Hole> lengths = new ArrayList<>(format(1).holes(kind));
    lengths.removeIf(hole -> hole.field() != Field.LENGTH);
    return lengths;
  }
}

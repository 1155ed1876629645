package dev.oriel.cuda.ptx;

import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.RequestKind;
import dev.oriel.ports.queue.WorkQueue;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The table of a rank's queues that its kernels read: two records for each peer, in the rank's own
 * GPU memory, one of the queue to the peer and one of that queue's companion.
 *
 * <pre>
 *   0 counts that the lanes share: reserved, ready, rung, completed, and a lock
 *  40 ring | 48 slots | 56 completion word
 *  64 of each bell 16 bytes: address, image
 * 128 the images of the elements: each kind, without and with a fence
 * </pre>
 */
public final class QueueTable {
  static final int RESERVED = 0;
  static final int READY = 8;
  static final int RUNG = 16;
  static final int COMPLETED = 24;
  static final int LOCK = 32;
  static final int RING = 40;
  static final int SLOTS = 48;
  static final int COMPLETION = 56;
  private static final int BELLS = 64;
  private static final int BELL = 16;
  private static final int IMAGES = 128;
  private static final List<RequestKind> KINDS = List.of(RequestKind.values());

  private QueueTable() {}

  /** Bytes of a peer's records. */
  public static int bytes(QueueFormat format) {
    return 2 * companion(format);
  }

  /** The offset of a companion's record from its queue's. */
  static int companion(QueueFormat format) {
    int end = IMAGES + 2 * KINDS.size() * format.elementBytes();
    return Math.ceilDiv(end, PtxKernel.LINE) * PtxKernel.LINE;
  }

  /** The offset of a bell's address; its image follows. */
  static int bell(int number) {
    return BELLS + BELL * number;
  }

  static int image(QueueFormat format, RequestKind kind, boolean fenced) {
    return IMAGES + format.elementBytes() * (2 * KINDS.indexOf(kind) + (fenced ? 1 : 0));
  }

  /** The records of queues to which nothing was posted yet. */
  public static byte[] records(QueueFormat format, WorkQueue queue, WorkQueue companion) {
    return ByteBuffer.allocate(bytes(format))
        .put(record(format, queue))
        .put(record(format, companion))
        .array();
  }

  private static byte[] record(QueueFormat format, WorkQueue queue) {
    ByteBuffer record = ByteBuffer.allocate(companion(format)).order(ByteOrder.LITTLE_ENDIAN);
    record.putLong(RING, queue.ring());
    record.putLong(SLOTS, queue.slots());
    record.putLong(COMPLETION, queue.completion());
    for (int i = 0; i < format.bells().size(); i++) {
      WorkQueue.Place place = queue.bells().get(i);
      record.putLong(bell(i), place.address());
      record.put(bell(i) + Long.BYTES, place.image().bytes());
    }
    queue
        .images()
        .forEach((shape, image) ->
            record.put(image(format, shape.kind(), shape.fenced()), image.bytes()));
    return record.array();
  }
}

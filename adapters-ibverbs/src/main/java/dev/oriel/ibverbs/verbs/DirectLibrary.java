package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.oriel.ibverbs.verbs.DirectQueue.Piece;
import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.nio.ByteOrder;

/** libmlx5, which describes the memory of its devices' queues. */
public final class DirectLibrary {
  /** The library's name for the loader. */
  public static final String NAME = "libmlx5.so.1";

  private static final int BLOCK = 64;
  private static final int RECORD = 8;
  private static final int MOST = 1 << 15;

  private final ControlPathCalls library;

  DirectLibrary(ControlPathCalls library) {
    this.library = library;
  }

  /** Whether it can be loaded; never throws. */
  public static RdmaPresence probe() {
    return VerbsLibrary.probe(
        NAME, "ibverbs-providers or libibverbs", System.getProperty("os.name"));
  }

  /**
   * The library of this machine.
   *
   * @throws MachineException if there is none, with the reason and the remedy
   */
  @SuppressWarnings("restricted")
  public static DirectLibrary load() {
    if (probe() instanceof RdmaPresence.Absent absent) {
      throw MachineException.lacking("no queues of hardware here: " + absent.sentence());
    }
    return new DirectLibrary(
        new ControlPathCalls(SymbolLookup.libraryLookup(NAME, Arena.global()), NAME));
  }

  /**
   * The memory of a queue pair and of its completion queue. Afterwards the library must no longer
   * be used to post to it or to poll its completions.
   *
   * @throws MachineException if the device is none of the library's, or describes an impossible
   *     queue
   */
  public DirectQueue open(QueuePair pair, CompletionQueue completions) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment object = arena.allocate(DirectLayouts.OBJ);
      MemorySegment qp = arena.allocate(DirectLayouts.QP);
      MemorySegment cq = arena.allocate(DirectLayouts.CQ);
      object.set(ADDRESS, ControlPathLayouts.at(DirectLayouts.OBJ, "qp", "in"), pair.pointer());
      object.set(ADDRESS, ControlPathLayouts.at(DirectLayouts.OBJ, "qp", "out"), qp);
      object.set(
          ADDRESS, ControlPathLayouts.at(DirectLayouts.OBJ, "cq", "in"), completions.pointer());
      object.set(ADDRESS, ControlPathLayouts.at(DirectLayouts.OBJ, "cq", "out"), cq);
      library.check(
          VerbsFunction.INIT_OBJ,
          "pair=" + pair.number() + " (a device of the driver mlx5 is needed)",
          object,
          (long) DirectLayouts.QP_AND_CQ);
      return queue(pair.number(), qp, cq);
    }
  }

  private static DirectQueue queue(int number, MemorySegment qp, MemorySegment cq) {
    int slots = number(qp, DirectLayouts.QP, "sq", "wqe_cnt");
    int stride = number(qp, DirectLayouts.QP, "sq", "stride");
    int entries = number(cq, DirectLayouts.CQ, "cqe_cnt");
    int entryBytes = number(cq, DirectLayouts.CQ, "cqe_size");
    MemorySegment register = pointer(qp, DirectLayouts.QP, "bf", "reg");
    if (Integer.bitCount(slots) != 1
        || slots < 1
        || slots > MOST
        || stride != BLOCK
        || Integer.bitCount(entries) != 1
        || entries < 1
        || (entryBytes != BLOCK && entryBytes != 2 * BLOCK)
        || register.address() == 0) {
      throw new MachineException(
          "queue of a device is of no known kind: pair=%d, blocks=%d, block bytes=%d, completions=%d, completion bytes=%d, register=0x%x; use rdma-core's libmlx5 with a ConnectX-5 or newer"
              .formatted(number, slots, stride, entries, entryBytes, register.address()));
    }
    return new DirectQueue(
        number,
        piece(pointer(qp, DirectLayouts.QP, "sq", "buf"), slots * BLOCK),
        piece(pointer(qp, DirectLayouts.QP, "dbrec"), RECORD),
        register.address(),
        piece(pointer(cq, DirectLayouts.CQ, "buf"), Math.multiplyExact(entries, entryBytes)),
        entryBytes,
        piece(pointer(cq, DirectLayouts.CQ, "dbrec"), RECORD));
  }

  private static int number(MemorySegment of, StructLayout layout, String... path) {
    return of.get(JAVA_INT, ControlPathLayouts.at(layout, path));
  }

  private static MemorySegment pointer(MemorySegment of, StructLayout layout, String... path) {
    return of.get(ADDRESS, ControlPathLayouts.at(layout, path));
  }

  @SuppressWarnings("restricted")
  private static Piece piece(MemorySegment pointer, int bytes) {
    return new Piece(
        pointer.address(),
        pointer.reinterpret(bytes).asByteBuffer().order(ByteOrder.nativeOrder()));
  }
}

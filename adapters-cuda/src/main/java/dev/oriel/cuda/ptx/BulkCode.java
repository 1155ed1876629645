package dev.oriel.cuda.ptx;

import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Proxy;
import dev.oriel.domain.program.Region;

/**
 * Generates copies by the block's bulk-copy unit. The unit copies between shared memory and any
 * other. Thread 0 lets it fetch piece after piece into a ring of the block's own, and store each
 * piece from there after its arrival. Binding has proved that places and lengths are multiples of
 * 16, and memory begins at such a multiple.
 *
 * <p>Pieces are counted over the lane's whole life. Piece {@code i} is in place {@code i} modulo
 * {@value #PLACES} of the ring, and is the {@code i / PLACES}-th to complete that place's barrier.
 * At most {@value #AHEAD} + 1 pieces are fetched and not yet stored. Each piece is stored as a
 * group of its own. Before a piece is fetched, all groups but the last {@code PLACES - 1 - AHEAD}
 * have been read: no piece overwrites one that is not yet read.
 */
final class BulkCode {
  private static final int PIECE = 8192;
  private static final int PLACES = 4;
  private static final int AHEAD = 2;

  /** Groups of stores that may be unread when a piece is fetched: no fetch reuses their places. */
  private static final int UNREAD = PLACES - 1 - AHEAD;

  private final PtxBuilder ptx;
  private final ExprCode exprs;
  private final AddressCode addresses;
  private final WorkSharingCode threads;

  /**
   * 32-bit registers of thread 0: the pieces that the lane has fetched, and those that it has
   * stored.
   */
  private final String fetched;

  private final String stored;

  BulkCode(PtxBuilder ptx, ExprCode exprs, AddressCode addresses, WorkSharingCode threads) {
    this.ptx = ptx;
    this.exprs = exprs;
    this.addresses = addresses;
    this.threads = threads;
    this.fetched = ptx.half();
    this.stored = ptx.half();
  }

  /**
   * Declares the shared memory of a kernel with such lanes; its lane families use it one at a time.
   */
  static String shared() {
    return """
        .shared .align 128 .b8 bulk_ring[%s];
        .shared .align 8 .b8 bulk_come[%s];
    """
        .formatted(PLACES * PIECE, PLACES * Long.BYTES);
  }

  /** Initialises the ring at the lane's start. */
  void prepare() {
    ptx.op("mov.b32 %s, 0", fetched);
    ptx.op("mov.b32 %s, 0", stored);
    threads.leader(() -> {
      for (int place = 0; place < PLACES; place++) {
        ptx.comment("mbarrier for bulk loads into place " + place);
        ptx.op("mbarrier.init.shared::cta.b64 [bulk_come+%d], 1", place * Long.BYTES);
      }
      ptx.comment("the unit finds barriers that are set up");
      ptx.op("fence.proxy.async.shared::cta");
    });
  }

  /** Orders the unit, too, after all accesses before the launch. */
  void orderAfterEarlierKernels() {
    ptx.comment("the unit, too, is ordered after what was complete before the launch");
    ptx.op("fence.proxy.async");
  }

  void step(MicroOperation.ProxyStep step) {
    switch (step) {
      case MicroOperation.BulkCopy(Region to, Region from, Expr bytes) ->
          copy(to, from, exprs.of(bytes));
      case MicroOperation.AwaitBulk() -> threads.leader(this::finish);
      case MicroOperation.ProxyFence(Proxy proxy) ->
          ptx.op("fence.proxy.%s", proxy == Proxy.BULK ? "async" : "alias");
    }
  }

  /**
   * Generated where every block ends, including one that gave up: waits until the unit has finished
   * with the block's shared memory. Each thread waits for copies of its own.
   */
  void finish() {
    ptx.comment("wait until all bulk stores have completed");
    ptx.op("cp.async.bulk.wait_group 0");
  }

  private void copy(Region to, Region from, String bytes) {
    String end = ptx.label("bulk");
    threads.working(end);
    threads.leader(() -> {
      String target = addresses.buffer(to.buffer(), rank(to), to.offset());
      String source = addresses.buffer(from.buffer(), rank(from), from.offset());
      String come = ptx.word();
      String gone = ptx.word();
      String none = ptx.predicate();
      String more = ptx.label("fetch");
      String store = ptx.label("store");
      String over = ptx.label("stored");
      ptx.op("mov.b64 %s, 0", come);
      ptx.op("mov.b64 %s, 0", gone);
      ptx.place(more);
      ptx.op("setp.ge.u64 %s, %s, %s", none, come, bytes);
      ptx.opIf(none, "bra %s", store);
      fetch(source, come, bytes);
      String ahead = ptx.half();
      String room = ptx.predicate();
      ptx.op("sub.u32 %s, %s, %s", ahead, fetched, stored);
      ptx.op("setp.le.u32 %s, %s, %d", room, ahead, AHEAD);
      ptx.opIf(room, "bra %s", more);
      ptx.place(store);
      ptx.op("setp.ge.u64 %s, %s, %s", none, gone, bytes);
      ptx.opIf(none, "bra %s", over);
      store(target, gone, bytes);
      ptx.op("bra %s", more);
      ptx.place(over);
    });
    ptx.place(end);
  }

  private void fetch(String source, String come, String bytes) {
    String length = length(come, bytes);
    Place place = place(fetched);
    String address = ptx.word();
    ptx.comment("wait until the bulk store that read this place has finished reading");
    ptx.op("cp.async.bulk.wait_group.read %d", UNREAD);
    ptx.op("add.s64 %s, %s, %s", address, source, come);
    ptx.comment("the place's barrier is complete once that many bytes have come");
    ptx.op("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%s], %s", place.barrier(), length);
    ptx.op(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%s], %s, [%s]",
        place.data(), address, length, place.barrier());
    ptx.op("add.s64 %s, %s, %d", come, come, PIECE);
    ptx.op("add.u32 %s, %s, 1", fetched, fetched);
  }

  /**
   * Waits for loads under way. They complete as any thread's loads do: the wait needs no deadline.
   */
  private void store(String target, String gone, String bytes) {
    String length = length(gone, bytes);
    Place place = place(stored);
    String turn = ptx.half();
    String there = ptx.predicate();
    String wait = ptx.label("come");
    String address = ptx.word();
    ptx.op("bfe.u32 %s, %s, %d, 1", turn, stored, Integer.numberOfTrailingZeros(PLACES));
    ptx.place(wait);
    ptx.comment("wait until the bulk load into this place has completed");
    ptx.op("mbarrier.try_wait.parity.shared::cta.b64 %s, [%s], %s", there, place.barrier(), turn);
    ptx.opIf("!" + there, "bra %s", wait);
    ptx.op("add.s64 %s, %s, %s", address, target, gone);
    ptx.op(
        "cp.async.bulk.global.shared::cta.bulk_group [%s], [%s], %s",
        address, place.data(), length);
    ptx.op("cp.async.bulk.commit_group");
    ptx.op("add.s64 %s, %s, %d", gone, gone, PIECE);
    ptx.op("add.u32 %s, %s, 1", stored, stored);
  }

  private String length(String at, String bytes) {
    String left = ptx.word();
    String length = ptx.half();
    ptx.op("sub.s64 %s, %s, %s", left, bytes, at);
    ptx.op("min.u64 %s, %s, %d", left, left, PIECE);
    ptx.op("cvt.u32.u64 %s, %s", length, left);
    return length;
  }

  /** The place of a piece in the ring, and the barrier that completes on its arrival. */
  private record Place(String data, String barrier) {}

  private Place place(String piece) {
    String number = ptx.half();
    String data = ptx.half();
    String barrier = ptx.half();
    String base = ptx.half();
    ptx.op("and.b32 %s, %s, %d", number, piece, PLACES - 1);
    ptx.op("mov.u32 %s, bulk_ring", base);
    ptx.op("mad.lo.u32 %s, %s, %d, %s", data, number, PIECE, base);
    ptx.op("mov.u32 %s, bulk_come", base);
    ptx.op("mad.lo.u32 %s, %s, %d, %s", barrier, number, Long.BYTES, base);
    return new Place(data, barrier);
  }

  private String rank(Region region) {
    if (region.at() instanceof Peers.One(Expr one)) {
      String rank = ptx.word();
      ptx.op("mov.b64 %s, %s", rank, exprs.of(one));
      return rank;
    }
    return exprs.register("r");
  }
}

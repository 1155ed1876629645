package dev.oriel.cuda.ptx;

import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Generates the sharing of work among the threads of a block, unless the block has given up. */
final class WorkSharingCode {
  /** The mask of all threads of a warp, for votes. */
  static final String WARP = "0xFFFFFFFF";

  private static final int WARP_SIZE = 32;

  private final PtxBuilder ptx;

  /** 64-bit registers with the thread's number and the number of threads. */
  private final String self;

  private final String count;

  /** 32-bit register: not 0 once the block has given up. */
  private final String dead;

  /** 32-bit register: the code of a failed check, or 0; the same in all threads. */
  private final String failed;

  /** The number of threads. */
  private final int number;

  WorkSharingCode(
      PtxBuilder ptx, int number, String self, String count, String dead, String failed) {
    this.ptx = ptx;
    this.number = number;
    this.self = self;
    this.count = count;
    this.dead = dead;
    this.failed = failed;
  }

  /**
   * Shares work among the block's warps: every thread of a warp executes the warp's items. All
   * warps of a lane are full, since its number of threads is a multiple of the warp size.
   */
  WorkSharingCode warps() {
    String warp = ptx.word();
    String warps = ptx.word();
    ptx.op("shr.u64 %s, %s, 5", warp, self);
    ptx.op("mov.b64 %s, %d", warps, number / WARP_SIZE);
    return new WorkSharingCode(ptx, number / WARP_SIZE, warp, warps, dead, failed);
  }

  /**
   * If one thread has given up, its whole warp does: from here on the threads of a warp take the
   * same branches, which votes require.
   */
  void agree() {
    String gone = ptx.predicate();
    String any = ptx.predicate();
    ptx.op("setp.ne.u32 %s, %s, 0", gone, dead);
    ptx.op("vote.sync.any.pred %s, %s, %s", any, gone, WARP);
    ptx.op("selp.b32 %s, 1, 0, %s", dead, any);
  }

  /** Runs the body in thread 0. */
  void leader(Runnable body) {
    String skip = ptx.label("leader");
    String other = ptx.predicate();
    ptx.op("setp.ne.u64 %s, %s, 0", other, self);
    ptx.opIf(other, "bra %s", skip);
    living(skip);
    body.run();
    ptx.place(skip);
  }

  /**
   * Runs the body for 0 … items - 1, item i in thread i modulo the number of threads. A thread that
   * gave up in one item skips the rest: it does not wait in vain twice.
   */
  void share(String items, Consumer<String> body) {
    String item = ptx.word();
    ptx.op("mov.b64 %s, %s", item, self);
    String head = ptx.label("share");
    String end = ptx.label("shared");
    String done = ptx.predicate();
    ptx.place(head);
    ptx.op("setp.ge.u64 %s, %s, %s", done, item, items);
    ptx.opIf(done, "bra %s", end);
    living(end);
    body.accept(item);
    ptx.op("add.s64 %s, %s, %s", item, item, count);
    ptx.op("bra %s", head);
    ptx.place(end);
  }

  /**
   * Runs the body for every rank, rank i in thread i. If there may be fewer threads than ranks, a
   * thread runs several ranks in turn.
   */
  void each(String ranks, Consumer<String> body) {
    if (number < PtxKernel.MAX_WORLD) {
      share(ranks, body);
      return;
    }
    String end = ptx.label("ranks");
    String beyond = ptx.predicate();
    ptx.op("setp.ge.u64 %s, %s, %s", beyond, self, ranks);
    ptx.opIf(beyond, "bra %s", end);
    living(end);
    body.accept(self);
    ptx.place(end);
  }

  /**
   * Runs the body for 0 … items - 1 of every rank, optionally without the own one. All pairs of a
   * rank and an item are shared out at once, rank after rank. A thread computes its pair without a
   * branch: threads of one warp that reached their pairs on different branches would wait for them
   * one after the other.
   */
  void sharePairs(
      boolean others, String world, String rank, String items, BiConsumer<String, String> body) {
    String item = ptx.word();
    String index = ptx.word();
    String peers = ptx.word();
    String peer = ptx.word();
    String head = ptx.label("pairs");
    String end = ptx.label("paired");
    String done = ptx.predicate();
    String beyond = ptx.predicate();
    ptx.op("mov.b64 %s, %s", item, self);
    ptx.op("mov.b64 %s, 0", index);
    ptx.op("add.s64 %s, %s, %d", peers, world, others ? -1 : 0);
    ptx.place(head);
    for (int i = 0; i < PtxKernel.MAX_WORLD; i++) {
      ptx.op("setp.ge.u64 %s, %s, %s", beyond, item, items);
      ptx.opIf(beyond, "sub.s64 %s, %s, %s", item, item, items);
      ptx.opIf(beyond, "add.s64 %s, %s, 1", index, index);
    }
    ptx.op("setp.ge.u64 %s, %s, %s", done, index, peers);
    ptx.opIf(done, "bra %s", end);
    living(end);
    ptx.op("mov.b64 %s, %s", peer, index);
    if (others) {
      String after = ptx.predicate();
      ptx.op("setp.ge.u64 %s, %s, %s", after, peer, rank);
      ptx.opIf(after, "add.s64 %s, %s, 1", peer, peer);
    }
    body.accept(peer, item);
    ptx.op("add.s64 %s, %s, %s", item, item, count);
    ptx.op("bra %s", head);
    ptx.place(end);
  }

  /** Runs the body in the calling threads for rank after rank, optionally without the own one. */
  void eachPeer(boolean others, String world, String rank, Consumer<String> body) {
    String peer = ptx.word();
    String head = ptx.label("peer");
    String next = ptx.label("next");
    String end = ptx.label("peers");
    String done = ptx.predicate();
    ptx.op("mov.b64 %s, 0", peer);
    ptx.place(head);
    ptx.op("setp.ge.u64 %s, %s, %s", done, peer, world);
    ptx.opIf(done, "bra %s", end);
    if (others) {
      String self = ptx.predicate();
      ptx.op("setp.eq.u64 %s, %s, %s", self, peer, rank);
      ptx.opIf(self, "bra %s", next);
    }
    body.accept(peer);
    ptx.place(next);
    ptx.op("add.s64 %s, %s, 1", peer, peer);
    ptx.op("bra %s", head);
    ptx.place(end);
  }

  /** Branches to the label if the block has given up. */
  void living(String otherwise) {
    String gone = ptx.predicate();
    ptx.op("setp.ne.u32 %s, %s, 0", gone, dead);
    ptx.opIf(gone, "bra %s", otherwise);
  }

  /** Branches to the label if the block has given up or the lane has failed. */
  void working(String otherwise) {
    String either = ptx.half();
    String idle = ptx.predicate();
    ptx.op("or.b32 %s, %s, %s", either, dead, failed);
    ptx.op("setp.ne.u32 %s, %s, 0", idle, either);
    ptx.opIf(idle, "bra %s", otherwise);
  }

  String self() {
    return self;
  }

  String count() {
    return count;
  }
}

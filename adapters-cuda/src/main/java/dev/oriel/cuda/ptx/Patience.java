package dev.oriel.cuda.ptx;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The end of every wait. A thread whose wait was in vain looks, every so often, at the host's abort
 * word and at its own timer, which starts at its first vain look. It then gives up for the whole
 * block: the block's flag is set, and from the next barrier on no thread writes anything.
 */
final class Patience {
  /**
   * Vain looks between two glances at abort word and timer, some milliseconds apart. The word is in
   * the host's memory: if thousands of threads that wait for a GPU that starts late glanced more
   * often, they would hold up the host that is to start it.
   */
  private static final int LOOKS = 1 << 14;

  private final Ptx ptx;
  private final String abort;
  private final String limit;
  private final String status;
  private final String dead;
  private final String meeting;
  private final String exit;
  private final String looks;

  /**
   * @param meeting the barrier of the lane's threads
   * @param exit where a block goes that gave up
   */
  Patience(
      Ptx ptx,
      String abort,
      String limit,
      String status,
      String dead,
      String meeting,
      String exit) {
    this.ptx = ptx;
    this.abort = abort;
    this.limit = limit;
    this.status = status;
    this.dead = dead;
    this.meeting = meeting;
    this.exit = exit;
    this.looks = ptx.half();
  }

  /** The register that one wait keeps: when its first vain glance was, 0 before. */
  record Watch(String since) {}

  /** Starts counting vain looks, over all waits of the thread: short waits must end too. */
  void prepare() {
    ptx.op("mov.b32 %s, 0", looks);
  }

  /** Starts a wait. */
  Watch start() {
    Watch watch = new Watch(ptx.word());
    ptx.op("mov.b64 %s, 0", watch.since());
    return watch;
  }

  /** After a vain look: goes to {@code again}, or gives up and goes to {@code over}. */
  void again(Watch watch, String again, String over) {
    again(watch, again, over, alone -> alone);
  }

  /** The same of a whole warp whose threads look together: they go the same way. */
  void againTogether(Watch watch, String again, String over) {
    again(watch, again, over, this::every);
  }

  /**
   * @param agreed makes of what one thread would do what all that wait with it do
   */
  private void again(Watch watch, String again, String over, UnaryOperator<String> agreed) {
    String low = ptx.half();
    String skip = ptx.predicate();
    ptx.op("add.u32 %s, %s, 1", looks, looks);
    ptx.op("and.b32 %s, %s, %d", low, looks, LOOKS - 1);
    ptx.op("setp.ne.u32 %s, %s, 0", skip, low);
    ptx.opIf(agreed.apply(skip), "bra %s", again);
    String now = ptx.word();
    String first = ptx.predicate();
    ptx.op("mov.u64 %s, %%globaltimer", now);
    ptx.op("setp.eq.u64 %s, %s, 0", first, watch.since());
    ptx.opIf(first, "mov.b64 %s, %s", watch.since(), now);
    String asked = ptx.word();
    String wanted = ptx.predicate();
    String spent = ptx.word();
    String late = ptx.predicate();
    String reason = ptx.word();
    ptx.op("ld.relaxed.sys.global.u64 %s, [%s]", asked, abort);
    ptx.op("setp.ne.u64 %s, %s, 0", wanted, asked);
    ptx.op("sub.u64 %s, %s, %s", spent, now, watch.since());
    ptx.op("setp.gt.u64 %s, %s, %s", late, spent, limit);
    ptx.op("selp.b64 %s, %d, %d, %s", reason, Status.ABORTED, Status.TIMED_OUT, wanted);
    String over0 = ptx.predicate();
    ptx.op("or.pred %s, %s, %s", over0, wanted, late);
    String none = ptx.predicate();
    ptx.op("not.pred %s, %s", none, over0);
    ptx.opIf(agreed.apply(none), "bra %s", again);
    giveUp(reason);
    ptx.op("bra %s", over);
  }

  /** Gives up for the whole block. */
  private void giveUp(String reason) {
    String seen = ptx.word();
    ptx.op("atom.relaxed.gpu.global.cas.b64 %s, [%s], 0, %s", seen, status, reason);
    giveUp();
  }

  /**
   * The same for a cause that no rank can go on behind: all ranks of this process are asked to end
   * at once, since nothing looks for the cause before all have ended. It takes the place of what
   * may already follow from it.
   */
  void endAll(long cause) {
    ptx.op("st.relaxed.gpu.global.u64 [%s], %d", status, cause);
    ptx.comment("the cause is there for who sees that it is over");
    ptx.op("st.release.sys.global.u64 [%s], 1", abort);
    giveUp();
  }

  private void giveUp() {
    ptx.op("mov.b32 %s, 1", dead);
    ptx.op("st.shared.u32 [block_dead], 1");
  }

  /**
   * Looks again and again until the predicate holds, or patience is over.
   *
   * @param look emits one look, and names the predicate
   */
  void until(Supplier<String> look) {
    Watch watch = start();
    String again = ptx.label("try");
    String over = ptx.label("tried");
    ptx.place(again);
    ptx.opIf(look.get(), "bra %s", over);
    again(watch, again, over);
    ptx.place(over);
  }

  /** All threads of the lane arrive before any goes on. */
  void arrive() {
    ptx.op("%s", meeting);
  }

  /** The same; then every thread knows whether one gave up, and all leave together. */
  void meet() {
    arrive();
    ptx.op("ld.shared.u32 %s, [block_dead]", dead);
    String gone = ptx.predicate();
    ptx.op("setp.ne.u32 %s, %s, 0", gone, dead);
    ptx.opIf(gone, "bra %s", exit);
  }

  /**
   * At the end of a loop's turn: a block that gave up takes no more turns. Its threads go to the
   * lane's last barrier; those that wait at another one take it for theirs, and leave as well.
   */
  void leave(String last) {
    ptx.opIf(flagged(), "bra %s", last);
  }

  /** The same of a whole warp whose threads stay together. */
  void leaveTogether(String last) {
    String stays = ptx.predicate();
    ptx.op("not.pred %s, %s", stays, flagged());
    String leaves = ptx.predicate();
    ptx.op("not.pred %s, %s", leaves, every(stays));
    ptx.opIf(leaves, "bra %s", last);
  }

  private String flagged() {
    String flag = ptx.half();
    String gone = ptx.predicate();
    ptx.op("ld.volatile.shared.u32 %s, [block_dead]", flag);
    ptx.op("setp.ne.u32 %s, %s, 0", gone, flag);
    return gone;
  }

  /** Whether it holds in every thread of the warp, all of which must come here. */
  private String every(String holds) {
    String all = ptx.predicate();
    ptx.op("vote.sync.all.pred %s, %s, %s", all, holds, Threads.WARP);
    return all;
  }
}

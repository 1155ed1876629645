package dev.oriel.cuda.ptx;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Bounds every wait. A thread that has polled in vain checks, every so often, the host's abort word
 * and its own timer, which starts at the first such check of the wait. If either is due, the thread
 * gives up for the whole block: it sets the block's flag, and from the next barrier on no thread
 * writes anything.
 */
final class BoundedWaitCode {
  /**
   * Failed polls between two checks of abort word and timer, some milliseconds apart. The word is
   * in the host's memory. Thousands of threads may wait for a GPU that starts late; more frequent
   * checks would hold up the host that is about to start it.
   */
  private static final int LOOKS = 1 << 14;

  /** In place of the address of a polled word: the wait is for no single word of this GPU. */
  static final String NO_WORD = "0";

  private final PtxBuilder ptx;
  private final String abort;
  private final String limit;
  private final String status;
  private final String state;
  private final String dead;
  private final String meeting;
  private final String exit;
  private final String polls;

  /**
   * Sets up the waits of a lane.
   *
   * @param state where the lane's line is
   * @param meeting the barrier of the lane's threads
   * @param exit the label to which a block goes after it gave up
   */
  BoundedWaitCode(
      PtxBuilder ptx,
      String abort,
      String limit,
      String status,
      String state,
      String dead,
      String meeting,
      String exit) {
    this.ptx = ptx;
    this.abort = abort;
    this.limit = limit;
    this.status = status;
    this.state = state;
    this.dead = dead;
    this.meeting = meeting;
    this.exit = exit;
    this.polls = ptx.half();
  }

  /**
   * A wait: the register with the time of its first check, 0 before, and the register with the
   * address of the word that it polls, or {@link #NO_WORD}.
   */
  record WaitTimer(String since, String polled) {}

  /**
   * Starts the count of failed polls, over all waits of the thread: short waits must reach a check,
   * too.
   */
  void prepare() {
    ptx.op("mov.b32 %s, 0", polls);
  }

  /** Starts a wait for the word at that address. */
  WaitTimer start(String polled) {
    WaitTimer watch = new WaitTimer(ptx.word(), polled);
    ptx.op("mov.b64 %s, 0", watch.since());
    return watch;
  }

  /** After a failed poll: branches to {@code again}, or gives up and branches to {@code over}. */
  void again(WaitTimer watch, String again, String over) {
    again(watch, again, over, alone -> alone);
  }

  /** After a failed poll of a whole warp whose threads poll together: all take the same branch. */
  void againTogether(WaitTimer watch, String again, String over) {
    again(watch, again, over, this::every);
  }

  /**
   * Generates both forms.
   *
   * @param agreed turns a thread's decision into that of all threads that wait with it
   */
  private void again(WaitTimer watch, String again, String over, UnaryOperator<String> agreed) {
    String low = ptx.half();
    String skip = ptx.predicate();
    ptx.op("add.u32 %s, %s, 1", polls, polls);
    ptx.op("and.b32 %s, %s, %d", low, polls, LOOKS - 1);
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
    ptx.op("selp.b64 %s, %d, %d, %s", reason, LaneStatus.ABORTED, LaneStatus.TIMED_OUT, wanted);
    String over0 = ptx.predicate();
    ptx.op("or.pred %s, %s, %s", over0, wanted, late);
    String none = ptx.predicate();
    ptx.op("not.pred %s, %s", none, over0);
    ptx.opIf(agreed.apply(none), "bra %s", again);
    giveUp(reason, watch.polled());
    ptx.op("bra %s", over);
  }

  /** Gives up for the whole block. The first that does says which word it waited for, and where. */
  private void giveUp(String reason, String polled) {
    String seen = ptx.word();
    String first = ptx.predicate();
    ptx.op("atom.relaxed.gpu.global.cas.b64 %s, [%s], 0, %s", seen, status, reason);
    ptx.op("setp.eq.u64 %s, %s, 0", first, seen);
    ptx.opIf(first, "st.global.u64 [%s+%d], %s", status, LaneStatus.POLLED, polled);
    ptx.opIf(first, "st.global.u64 [%s+%d], %s", status, LaneStatus.LINE, state);
    giveUp();
  }

  /**
   * Gives up for a cause that stops every rank. It asks all ranks of this process to end at once,
   * since the host reads the cause only after all have ended. The cause replaces a status that
   * another lane may have set as a consequence.
   */
  void endAll(long cause) {
    ptx.op("st.relaxed.gpu.global.u64 [%s], %d", status, cause);
    ptx.comment("release: a reader of the abort word sees the cause");
    ptx.op("st.release.sys.global.u64 [%s], 1", abort);
    giveUp();
  }

  /**
   * Reads, at the lane's start, whether an earlier launch gave up. The load is in flight together
   * with that of the epoch.
   *
   * @return the register with the rank's status
   */
  String earlier() {
    String reason = ptx.word();
    ptx.op("ld.relaxed.gpu.global.u64 %s, [%s]", reason, status);
    return reason;
  }

  /**
   * Gives up at once if an earlier launch did: peers may still be in an earlier one, and would take
   * what this launch writes for a part of theirs. A lane of this launch may give up while the
   * threads read the status, so that only some of them see it. These give up early; the others
   * follow at the next barrier. A failed check is no reason to give up.
   *
   * @param reason as {@link #earlier} read it
   */
  void inherit(String reason) {
    String rest = ptx.word();
    String gone = ptx.predicate();
    ptx.comment("an earlier launch gave up: so does this one");
    ptx.op("sub.s64 %s, %s, 1", rest, reason);
    ptx.op("setp.lt.u64 %s, %s, %d", gone, rest, LaneStatus.FAILED - 1);
    ptx.opIf(gone, "mov.b32 %s, 1", dead);
    ptx.opIf(gone, "st.shared.u32 [block_dead], 1");
  }

  private void giveUp() {
    ptx.op("mov.b32 %s, 1", dead);
    ptx.op("st.shared.u32 [block_dead], 1");
  }

  /**
   * Polls until the predicate holds, or the thread gives up.
   *
   * @param polled the address of the polled word, or {@link #NO_WORD}
   * @param look emits one poll, and names the predicate
   */
  void until(String polled, Supplier<String> look) {
    WaitTimer watch = start(polled);
    String again = ptx.label("try");
    String over = ptx.label("tried");
    ptx.place(again);
    ptx.opIf(look.get(), "bra %s", over);
    again(watch, again, over);
    ptx.place(over);
  }

  /** A barrier of all threads of the lane. */
  void arrive() {
    ptx.op("%s", meeting);
  }

  /** A barrier after which every thread knows whether one gave up; if so, all leave together. */
  void meet() {
    arrive();
    ptx.op("ld.shared.u32 %s, [block_dead]", dead);
    String gone = ptx.predicate();
    ptx.op("setp.ne.u32 %s, %s, 0", gone, dead);
    ptx.opIf(gone, "bra %s", exit);
  }

  /**
   * At the end of a loop's turn: a block that gave up takes no more turns. Its threads go to the
   * lane's last barrier. Threads that wait at another barrier count this arrival as theirs, and
   * leave as well.
   */
  void leave(String last) {
    ptx.opIf(flagged(), "bra %s", last);
  }

  /** At the end of a turn of a whole warp whose threads stay together: all leave, or none. */
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

  /**
   * Whether the predicate holds in every thread of the warp, all of which must execute the vote.
   */
  private String every(String holds) {
    String all = ptx.predicate();
    ptx.op("vote.sync.all.pred %s, %s, %s", all, holds, WorkSharingCode.WARP);
    return all;
  }
}

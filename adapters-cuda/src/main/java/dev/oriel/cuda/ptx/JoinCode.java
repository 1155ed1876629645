package dev.oriel.cuda.ptx;

import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Form;
import java.util.List;

/**
 * Generates waits for the end of other lanes of the rank. A lane's last store is its epoch, in its
 * own line; the wait polls it. All lanes of a kernel are co-resident: a lane that is waited for can
 * start.
 */
final class JoinCode {
  private final PtxBuilder ptx;
  private final ExprCode exprs;
  private final BoundedWaitCode waits;
  private final WorkSharingCode threads;
  private final Form form;

  /** The register that holds the address of the first lane's line. */
  private final String lines;

  JoinCode(
      PtxBuilder ptx,
      ExprCode exprs,
      BoundedWaitCode waits,
      WorkSharingCode threads,
      Form form,
      String lines) {
    this.ptx = ptx;
    this.exprs = exprs;
    this.waits = waits;
    this.threads = threads;
    this.form = form;
    this.lines = lines;
  }

  /** Whether one of the lanes waits for the end of the named lane. */
  static boolean joins(List<LoweredLane> lanes, String name) {
    return lanes.stream()
        .flatMap(lane -> lane.steps().stream())
        .anyMatch(step -> step.micro().equals(new MicroOperation.AwaitLane(name)));
  }

  void await(String other) {
    int family = 0;
    while (!form.lanes().get(family).name().equals(other)) {
      family++;
    }
    String skip = ptx.label("failed");
    threads.working(skip);
    String first = ptx.word();
    String count = ptx.word();
    ptx.op("mov.b64 %s, %s", first, exprs.of(PtxKernel.before(form, family)));
    ptx.op("mov.b64 %s, %s", count, exprs.of(PtxKernel.before(form, family + 1)));
    ptx.op("sub.s64 %s, %s, %s", count, count, first);
    threads.share(
        count,
        instance -> {
          String address = ptx.word();
          ptx.op("add.s64 %s, %s, %s", address, instance, first);
          ptx.op("mad.lo.s64 %s, %s, %d, %s", address, address, PtxKernel.LINE, lines);
          BoundedWaitCode.WaitTimer watch = waits.start(address);
          String again = ptx.label("join");
          String over = ptx.label("joined");
          String seen = ptx.word();
          String ahead = ptx.word();
          String done = ptx.predicate();
          ptx.place(again);
          ptx.comment(
              "acquire: all accesses of the joined lane are visible, up to its release of the epoch");
          ptx.op("ld.acquire.gpu.global.u64 %s, [%s]", seen, address);
          ptx.op("sub.s64 %s, %s, %s", ahead, seen, exprs.register("epoch"));
          ptx.op("setp.ge.s64 %s, %s, 0", done, ahead);
          ptx.opIf(done, "bra %s", over);
          waits.again(watch, again, over);
          ptx.place(over);
        });
    ptx.place(skip);
  }
}

package dev.oriel.sim.litmus.text;

import dev.oriel.sim.litmus.test.InstructionOperand;
import dev.oriel.sim.litmus.test.LitmusInstruction.Barrier;
import dev.oriel.sim.litmus.test.LitmusInstruction.Branch;
import dev.oriel.sim.litmus.test.LitmusInstruction.Jump;
import dev.oriel.sim.litmus.test.LitmusThread;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.UnaryOperator;

/**
 * The forms of a test's barriers, and their meaning where only the whole test determines it.
 *
 * <p>The engines group the n-th uses of one number. A count has this meaning in the instruction set
 * if it includes all threads that name the barrier, and if no thread arrives twice before the
 * others. Otherwise, the groups depend on the order of arrivals. A number in a register has this
 * meaning if every thread reaches one barrier once: the numbers are then resources of one barrier.
 * Barriers without such a meaning are refused.
 */
final class BarrierUses {
  /**
   * The form of a barrier: a number alone, with a count or a resource; or a number in a register.
   */
  enum Form {
    NUMBER,
    COUNT,
    RESOURCE,
    REGISTER
  }

  /** The instruction set counts threads in whole warps; a thread of a test may represent one. */
  private static final int WARP = 32;

  private final Set<Form> forms = EnumSet.noneOf(Form.class);

  void add(Form form) {
    forms.add(form);
  }

  /**
   * The threads with their barriers' meaning; barriers without a unique meaning count as
   * unsupported.
   */
  List<LitmusThread> settle(List<LitmusThread> threads, SortedMap<String, Integer> unsupported) {
    if (forms.contains(Form.REGISTER)) {
      boolean alone = !forms.contains(Form.COUNT) && !forms.contains(Form.RESOURCE);
      if (alone && threads.stream().allMatch(BarrierUses::atMostOnce)) {
        return threads.stream().map(t -> changed(t, BarrierUses::byResource)).toList();
      }
      unsupported.merge("barrier's number in a register, among others", 1, Integer::sum);
    } else if (forms.contains(Form.COUNT)) {
      if (!forms.contains(Form.RESOURCE)) {
        return threads.stream()
            .map(t -> changed(t, barrier -> counted(barrier, t, threads, unsupported)))
            .toList();
      }
      unsupported.merge("barriers with a count and with a resource", 1, Integer::sum);
    }
    return threads;
  }

  private static LitmusThread changed(LitmusThread thread, UnaryOperator<Barrier> change) {
    return new LitmusThread(
        thread.number(),
        thread.placement(),
        thread.registers(),
        thread.code().stream().map(i -> i instanceof Barrier b ? change.apply(b) : i).toList());
  }

  private static boolean atMostOnce(LitmusThread thread) {
    long uses = thread.code().stream().filter(Barrier.class::isInstance).count();
    return uses == 0 || (uses == 1 && !loops(thread));
  }

  private static boolean loops(LitmusThread thread) {
    for (int at = 0; at < thread.code().size(); at++) {
      int target =
          switch (thread.code().get(at)) {
            case Jump jump -> jump.target();
            case Branch branch -> branch.target();
            default -> Integer.MAX_VALUE;
          };
      if (target <= at) {
        return true;
      }
    }
    return false;
  }

  private static Barrier byResource(Barrier barrier) {
    return barrier.resource() instanceof InstructionOperand.Register
        ? barrier
        : new Barrier(
            barrier.waits(), 0, new InstructionOperand.Constant(barrier.instance()), null);
  }

  private static Barrier counted(
      Barrier barrier,
      LitmusThread thread,
      List<LitmusThread> threads,
      SortedMap<String, Integer> unsupported) {
    if (!(barrier.quorum() instanceof InstructionOperand.Constant count)) {
      return barrier;
    }
    List<List<Barrier>> uses =
        threads.stream()
            .filter(other -> other.placement().equals(thread.placement()))
            .map(other -> uses(other, barrier.instance()))
            .filter(of -> !of.isEmpty())
            .toList();
    int all = uses.size();
    if (count.value() != all && count.value() != (long) WARP * all) {
      unsupported.merge("barrier that counts others than all who name it", 1, Integer::sum);
    }
    if (uses.stream().flatMap(List::stream).anyMatch(o -> !Objects.equals(count, o.quorum()))) {
      unsupported.merge("barrier with different counts", 1, Integer::sum);
    }
    if (!barrier.waits() && (uses(thread, barrier.instance()).size() > 1 || loops(thread))) {
      unsupported.merge("barrier at which a thread arrives and comes again", 1, Integer::sum);
    }
    return new Barrier(
        barrier.waits(),
        barrier.instance(),
        barrier.resource(),
        new InstructionOperand.Constant(all));
  }

  private static List<Barrier> uses(LitmusThread thread, int instance) {
    return thread.code().stream()
        .filter(Barrier.class::isInstance)
        .map(Barrier.class::cast)
        .filter(barrier -> barrier.instance() == instance)
        .toList();
  }
}

package dev.oriel.sim.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The faults of one execution: a set, stored in one order whatever the order of writing. As text,
 * {@code crash rank=1 after=17; straggle rank=2 by=50}, and {@code none} without faults.
 */
public record FaultPlan(List<Fault> faults) {
  /** The most faults of a plan. */
  public static final int MAX_FAULTS = 64;

  private static final Comparator<Fault> ORDER =
      Comparator.comparing(Fault::kind).thenComparing(Fault::values, FaultPlan::compare);

  /** The plan without faults. */
  public static final FaultPlan NONE = new FaultPlan(List.of());

  public FaultPlan {
    faults = faults.stream().distinct().sorted(ORDER).toList();
    if (faults.size() > MAX_FAULTS) {
      throw new ReplayException(
          "too many faults: count=%d, max=%d; drop some".formatted(faults.size(), MAX_FAULTS));
    }
  }

  public static FaultPlan of(Fault... faults) {
    return new FaultPlan(List.of(faults));
  }

  /** The plan that {@code text} describes. */
  public static FaultPlan parse(String text) {
    return FaultParser.parse(text);
  }

  /** The legal outcomes of a launch under all of these faults; {@code UNAFFECTED} without any. */
  public Set<Fault.Effect> legal() {
    Set<Fault.Effect> legal = EnumSet.of(Fault.Effect.UNAFFECTED);
    faults.forEach(f -> legal.addAll(f.legal()));
    return legal;
  }

  /**
   * Returns the plan if a world of that many ranks has all ranks that it names.
   *
   * @throws ReplayException naming the first fault whose rank does not exist
   */
  public FaultPlan requireWorld(int world) {
    for (Fault f : faults) {
      for (int i = 0; i < f.values().size(); i++) {
        if (f.kind().isRank(i) && f.values().get(i) >= world) {
          throw new ReplayException(
              "fault of a rank that does not exist: fault='%s', world=%d; use ranks 0 to %d"
                  .formatted(text(f), world, world - 1));
        }
      }
    }
    return this;
  }

  /**
   * Returns the plan if programs can meet all its faults.
   *
   * @throws ReplayException naming the first fault that only code which registers memory can meet
   */
  public FaultPlan requirePrograms() {
    for (Fault f : faults) {
      if (!f.kind().meetsPrograms()) {
        throw new ReplayException(
            "nothing registers memory here: fault='%s'; no text of a program does, let rank code with keys meet it"
                .formatted(text(f)));
      }
    }
    return this;
  }

  /**
   * The plan for a smaller world: ranks that no longer exist become the last one. A fault that
   * would then join a rank with itself is dropped.
   */
  FaultPlan clampedTo(int world) {
    List<Fault> clamped = new ArrayList<>();
    for (Fault f : faults) {
      int[] values = f.values().stream().mapToInt(Integer::intValue).toArray();
      for (int i = 0; i < values.length; i++) {
        values[i] = f.kind().isRank(i) ? Math.min(values[i], world - 1) : values[i];
      }
      if (!f.kind().joinsRanks() || values[0] != values[1]) {
        clamped.add(f.kind().of(values));
      }
    }
    return new FaultPlan(clamped);
  }

  private static int compare(List<Integer> a, List<Integer> b) {
    for (int i = 0; i < a.size(); i++) {
      int order = Integer.compare(a.get(i), b.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static String text(Fault fault) {
    StringBuilder text = new StringBuilder(fault.kind().spelling());
    for (int i = 0; i < fault.values().size(); i++) {
      text.append(' ').append(fault.kind().keys().get(i)).append('=').append(fault.values().get(i));
    }
    return text.toString();
  }

  /** The text form. */
  @Override
  public String toString() {
    return faults.isEmpty()
        ? FaultParser.NONE
        : faults.stream().map(FaultPlan::text).collect(Collectors.joining("; "));
  }
}

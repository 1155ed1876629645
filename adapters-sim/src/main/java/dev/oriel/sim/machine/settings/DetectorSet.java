package dev.oriel.sim.machine.settings;

import dev.oriel.sim.machine.finding.Finding.Kind;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The kinds of findings that end an execution, and the features that the machine leaves out.
 *
 * @param kinds the kinds looked for. Without races, an unordered read may return either value.
 *     Without accesses out of bounds, an execution ends at such an access without a finding.
 * @param lacking the features that the machine does not model
 */
public record DetectorSet(Set<Kind> kinds, Set<MachineFeature> lacking) {
  private static final Set<Kind> RACES = EnumSet.of(Kind.RACE, Kind.SUM);
  private static final Set<Kind> WRITERS = EnumSet.of(Kind.WRITERS, Kind.RESET);

  /** All of them. */
  public static final DetectorSet ALL =
      new DetectorSet(EnumSet.allOf(Kind.class), EnumSet.noneOf(MachineFeature.class));

  /** Only the kinds that results show. A wait that may last for ever is one. */
  public static final DetectorSet RESULTS =
      ALL.without(Kind.RACE)
          .without(Kind.SCOPE)
          .without(Kind.WRITERS)
          .without(Kind.ATOMICITY)
          .without(Kind.LEAK);

  /**
   * The same for programs in which every wait ends: a wait that may miss a value is no finding. A
   * wait that misses its last value for ever shows in no result, since an await here always takes a
   * value that satisfies it.
   */
  public static final DetectorSet VALUES = RESULTS.without(Kind.OVERWRITE);

  public DetectorSet {
    kinds = Collections.unmodifiableSet(copy(Kind.class, kinds));
    lacking = Collections.unmodifiableSet(copy(MachineFeature.class, lacking));
  }

  private static <T extends Enum<T>> EnumSet<T> copy(Class<T> type, Set<T> all) {
    EnumSet<T> copy = EnumSet.noneOf(type);
    copy.addAll(all);
    return copy;
  }

  /** All kinds of the same detector: a sum is a race in other words, a reset is two writers. */
  public static Set<Kind> alike(Kind kind) {
    return RACES.contains(kind) ? RACES : WRITERS.contains(kind) ? WRITERS : EnumSet.of(kind);
  }

  /** The same with the detector of that kind. */
  public DetectorSet with(Kind kind) {
    EnumSet<Kind> more = copy(Kind.class, kinds);
    more.addAll(alike(kind));
    return new DetectorSet(more, lacking);
  }

  /** The same without the detector of that kind. */
  public DetectorSet without(Kind kind) {
    EnumSet<Kind> left = copy(Kind.class, kinds);
    left.removeAll(alike(kind));
    return new DetectorSet(left, lacking);
  }

  /** The same on a machine that does not model that feature either. */
  public DetectorSet without(MachineFeature feature) {
    EnumSet<MachineFeature> more = copy(MachineFeature.class, lacking);
    more.add(feature);
    return new DetectorSet(kinds, more);
  }

  /** Whether that kind ends an execution. */
  public boolean finds(Kind kind) {
    return kinds.contains(kind);
  }
}

package dev.oriel.sim.museum;

import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.settings.DetectorSet;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs an exhibit on simulators that each lack one feature or detector. Without a feature that it
 * needs, or without its own detector, its alarm must be absent; otherwise it must be given.
 *
 * @param features for each feature that affects the exhibit: whether the alarm is given without it
 * @param detectors the same for each detector
 */
public record AblationStudy(
    CaseStudy exhibit, Map<RequiredFeature, Boolean> features, Map<Kind, Boolean> detectors) {

  public AblationStudy {
    features = Map.copyOf(features);
    detectors = Map.copyOf(detectors);
  }

  /** Removes each feature and detector in turn. */
  public static AblationStudy of(CaseStudy exhibit) {
    CaseStudyPrograms showcase = exhibit.showcase().orElseThrow();
    Map<RequiredFeature, Boolean> features = new EnumMap<>(RequiredFeature.class);
    for (RequiredFeature need : RequiredFeature.values()) {
      without(showcase, need).ifPresent(shown -> features.put(need, given(exhibit, shown)));
    }
    Map<Kind, Boolean> detectors = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      RunConditions blind = showcase.conditions().without(kind);
      detectors.put(kind, given(exhibit, new CaseStudyRunner(showcase).broken(blind)));
    }
    return new AblationStudy(exhibit, features, detectors);
  }

  private static boolean given(CaseStudy exhibit, ProgramResult shown) {
    return CaseStudyReview.judge(exhibit, shown).isEmpty();
  }

  /**
   * The run of the broken program without that feature; empty if the feature does not affect it.
   */
  private static Optional<ProgramResult> without(CaseStudyPrograms showcase, RequiredFeature need) {
    RunConditions conditions = conditions(showcase, need);
    List<FeatureRemoval> words = showcase.without().stream().filter(w -> w.need() == need).toList();
    if (words.isEmpty() && conditions.equals(showcase.conditions())) {
      return Optional.empty();
    }
    ProgramRepair edit = showcase.edit();
    String text = words.stream().reduce(edit.broken(), (t, w) -> w.in(t), (a, b) -> b);
    ProgramResult shown = new CaseStudyRunner(showcase).of(text, conditions);
    if (!words.isEmpty() && shown.kind().equals(ExpectedAlarm.REFUSED)) {
      throw new IllegalArgumentException(
          "nothing runs so: without=%s, refused=%s; leave a program"
              .formatted(need, shown.message()));
    }
    return Optional.of(shown);
  }

  /** If lanes represent threads, a feature of threads is removed by the change for lanes. */
  private static RunConditions conditions(CaseStudyPrograms showcase, RequiredFeature need) {
    RunConditions conditions = showcase.conditions();
    if (!showcase.threads()) {
      return need.without(conditions);
    }
    return switch (need) {
      case M3 -> RequiredFeature.M4.without(conditions);
      case M4 -> conditions;
      default -> need.without(conditions);
    };
  }

  /** The deviations from the exhibit's promises, in words. */
  public List<String> complaints() {
    List<String> complaints = new ArrayList<>();
    for (RequiredFeature need : RequiredFeature.values()) {
      boolean listed = exhibit.needs().contains(need);
      Optional<Boolean> given = Optional.ofNullable(features.get(need));
      if (listed && given.isEmpty()) {
        complaints.add(
            "needs what nothing leaves out: need=%s; drop it, or say without".formatted(need));
      } else if (listed && given.orElse(false)) {
        complaints.add("found as well without what it needs: need=" + need);
      } else if (!listed && !given.orElse(true)) {
        complaints.add("needs more than it says: need=" + need);
      }
    }
    for (Kind kind : Kind.values()) {
      if (detectors.getOrDefault(kind, true) == own(kind)) {
        complaints.add(
            "%s without the detector: kind=%s"
                .formatted(own(kind) ? "found" : "not found", kind.word()));
      }
    }
    return complaints;
  }

  private boolean own(Kind kind) {
    String found = exhibit.showcase().orElseThrow().alarm().kind();
    return DetectorSet.alike(kind).stream().anyMatch(k -> k.word().equals(found));
  }
}

package dev.oriel.sim.search;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.Detectors;
import dev.oriel.sim.machine.Profile;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.replay.Case;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How tokens name what is assumed of hardware and what is looked for: the profile in letters that a
 * token may hold, {@code L2_depth.4}, and {@code _values} behind it where races are allowed.
 */
final class Terms {
  private static final String VALUES = "_values";
  private static final int MAX_NAME = 64;

  private Terms() {}

  /** The name in a token; empty for a profile that no text describes. */
  static Optional<String> name(Simulation.Terms terms) {
    Profile profile = terms.profile();
    boolean values = terms.detectors().equals(Detectors.VALUES);
    if (!known(profile) || !(values || terms.detectors().equals(Detectors.ALL))) {
      return Optional.empty();
    }
    String name = profile.name().replace(',', '_').replace('=', '.') + (values ? VALUES : "");
    return Optional.of(name).filter(n -> n.length() <= MAX_NAME);
  }

  private static boolean known(Profile profile) {
    try {
      return Profile.parse(profile.name()).equals(profile);
    } catch (MachineException e) {
      return false;
    }
  }

  /** What a case is subject to. */
  static Simulation.Terms of(Case execution) {
    String name = execution.profile();
    boolean values = name.endsWith(VALUES);
    String profile = values ? name.substring(0, name.length() - VALUES.length()) : name;
    return new Simulation.Terms(
        Profile.parse(profile.replace('_', ',').replace('.', '=')),
        execution.launches(),
        values ? Detectors.VALUES : Detectors.ALL,
        execution.timeouts());
  }

  /** The names of the layers from least to most order, with the same detectors as {@code like}. */
  static List<String> fromWeakest(String like) {
    String detectors = like.endsWith(VALUES) ? VALUES : "";
    return Stream.of(Profile.L3, Profile.L2, Profile.L1, Profile.L0)
        .map(p -> p.name() + detectors)
        .toList();
  }
}

package dev.oriel.sim.museum;

import dev.oriel.sim.machine.settings.Profile;
import java.util.Optional;

/** Finds the profile with slightly more order than another. */
final class StrongerProfile {
  private StrongerProfile() {}

  /**
   * The profile without its last change, else the next stronger layer; empty for one total order.
   */
  static Optional<Profile> of(Profile profile) {
    String name = profile.name();
    int comma = name.lastIndexOf(',');
    if (comma >= 0) {
      return Optional.of(Profile.parse(name.substring(0, comma)));
    }
    return switch (name) {
      case "L0" -> Optional.empty();
      case "L1" -> Optional.of(Profile.L0);
      case "L2" -> Optional.of(Profile.L1);
      default -> Optional.of(Profile.L2);
    };
  }
}

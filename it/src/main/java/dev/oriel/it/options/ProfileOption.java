package dev.oriel.it.options;

import dev.oriel.sim.machine.terms.Profile;
import picocli.CommandLine.Option;

/** The memory model and other properties of the hardware that a search assumes. */
public final class ProfileOption {
  @Option(
      names = "--profile",
      paramLabel = "NAME",
      defaultValue = "L2",
      converter = OptionSpellings.OfProfile.class,
      description =
          "what hardware is assumed: L0, L1, L2, L3, nvlink-h200, rdma-strict, rdma-multirail; then"
              + " ,depth=N ,resident=N ,interfaces=N ,whole=1 ,platform=1 ,proxy=1 ,torn=1 ,cells=1"
              + " (default: ${DEFAULT-VALUE})")
  private Profile profile = Profile.L2;

  public Profile profile() {
    return profile;
  }
}

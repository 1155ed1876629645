package dev.oriel.it.options;

import dev.oriel.sim.machine.settings.Profile;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The memory model and other properties of the hardware that a search assumes. */
public final class ProfileOption {
  @Option(
      names = "--profile",
      paramLabel = "NAME",
      converter = OptionSpellings.OfProfile.class,
      description =
          "the memory rules of the hardware: L0, L1, L2, L3, nvlink-h200, rdma-strict, rdma-multirail; then"
              + " ,depth=N ,resident=N ,interfaces=N ,whole=1 ,platform=1 ,proxy=1 ,torn=1 ,cells=1 ,anystart=1"
              + " (default: L2; of prove: L3)")
  private @Nullable Profile profile;

  /** Replaces the default. */
  void prefer(Profile other) {
    profile = Objects.requireNonNullElse(profile, other);
  }

  /** The requested profile, or else that one. */
  public Profile or(Profile usual) {
    return Objects.requireNonNullElse(profile, usual);
  }
}

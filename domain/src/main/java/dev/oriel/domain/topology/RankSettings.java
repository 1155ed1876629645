package dev.oriel.domain.topology;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The settings of one rank's user; they travel with the rank's facts, so all ranks know them.
 *
 * @param fabricMode the policy for fabric facts
 * @param clusterOverride replaces both halves of the cluster identity, if there are fabric facts
 * @param cliqueOverride replaces the clique, if there are fabric facts
 * @param p2pDisabled no NVLINK peer at all
 * @param rdmaDisabled a peer that is not NVLINK is an error
 * @param nvlinkSet the only ranks that may be NVLINK peers; an absent set means the whole world
 */
public record RankSettings(
    FabricMode fabricMode,
    OptionalLong clusterOverride,
    OptionalInt cliqueOverride,
    boolean p2pDisabled,
    boolean rdmaDisabled,
    Optional<IndexSet> nvlinkSet) {

  /** The default: the fabric if there is one, no override, both transports. */
  public static final RankSettings DEFAULT =
      new RankSettings(
          FabricMode.AUTO,
          OptionalLong.empty(),
          OptionalInt.empty(),
          false,
          false,
          Optional.empty());

  /** These settings with another fabric mode. */
  public RankSettings withFabricMode(FabricMode mode) {
    return new RankSettings(
        mode, clusterOverride, cliqueOverride, p2pDisabled, rdmaDisabled, nvlinkSet);
  }

  /** These settings with the cluster replaced by {@code value} in both halves. */
  public RankSettings withClusterOverride(long value) {
    return new RankSettings(
        fabricMode, OptionalLong.of(value), cliqueOverride, p2pDisabled, rdmaDisabled, nvlinkSet);
  }

  /** These settings with the clique replaced. */
  public RankSettings withCliqueOverride(int clique) {
    return new RankSettings(
        fabricMode, clusterOverride, OptionalInt.of(clique), p2pDisabled, rdmaDisabled, nvlinkSet);
  }

  /** These settings with peer-to-peer access switched off or on. */
  public RankSettings withP2pDisabled(boolean disabled) {
    return new RankSettings(
        fabricMode, clusterOverride, cliqueOverride, disabled, rdmaDisabled, nvlinkSet);
  }

  /** These settings with RDMA switched off or on. */
  public RankSettings withRdmaDisabled(boolean disabled) {
    return new RankSettings(
        fabricMode, clusterOverride, cliqueOverride, p2pDisabled, disabled, nvlinkSet);
  }

  /** These settings with NVLINK peers only among {@code ranks}. */
  public RankSettings withNvlinkSet(IndexSet ranks) {
    return new RankSettings(
        fabricMode, clusterOverride, cliqueOverride, p2pDisabled, rdmaDisabled, Optional.of(ranks));
  }

  /** The rank's {@code own} fabric facts as peers must see them under these settings. */
  Optional<FabricFacts> applyTo(Optional<FabricFacts> own) {
    if (fabricMode == FabricMode.DISABLED) {
      return Optional.empty();
    }
    return own.map(facts ->
        new FabricFacts(
            clusterOverride.isPresent()
                ? ClusterId.ofOverride(clusterOverride.getAsLong())
                : facts.cluster(),
            cliqueOverride.orElse(facts.clique()),
            facts.completed()));
  }
}

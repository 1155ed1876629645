package dev.oriel.domain.topology;

import java.util.Optional;

/**
 * The facts of one rank, in the form in which every rank receives them.
 *
 * <p>A rank applies its settings to its own facts <em>before</em> the exchange. The constructor
 * does it, so facts always include the overrides, and all ranks see the same ones.
 *
 * @param host the host's name: 1 to 64 visible ASCII characters
 * @param device the GPU's number on its host, the same for every process there (a per-process
 *     device mask must not renumber it)
 * @param fabric the fabric that peers may rely on, after {@code settings}
 * @param reachable the devices of this host that this device can access; always holds {@code
 *     device} itself, since two ranks on one GPU share its memory
 * @param settings the settings of this rank's user
 */
public record RankFacts(
    String host,
    int device,
    Optional<FabricFacts> fabric,
    IndexSet reachable,
    RankSettings settings) {

  /** The longest host name, in characters. */
  public static final int MAX_HOST_LENGTH = 64;

  public RankFacts {
    if (host.isEmpty() || host.length() > MAX_HOST_LENGTH) {
      throw new IllegalArgumentException(
          "bad host name: length="
              + host.length()
              + "; use 1 to "
              + MAX_HOST_LENGTH
              + " characters, shortened the same way on every rank of the host");
    }
    if (!host.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new IllegalArgumentException(
          "bad host name: host=" + host + "; use visible ASCII characters only");
    }
    if (device < 0) {
      throw new IllegalArgumentException(
          "negative device: host=" + host + ", device=" + device + "; devices count from 0");
    }
    reachable = reachable.with(device);
    fabric = settings.applyTo(fabric);
  }

  /** A GPU that reaches no other one and is on no fabric, with default settings. */
  public static RankFacts of(String host, int device) {
    return new RankFacts(host, device, Optional.empty(), IndexSet.EMPTY, RankSettings.DEFAULT);
  }

  /** These facts with fabric facts, to which the settings are applied. */
  public RankFacts withFabric(FabricFacts facts) {
    return new RankFacts(host, device, Optional.of(facts), reachable, settings);
  }

  /** These facts with {@code devices} of the same host in reach. */
  public RankFacts withReachable(IndexSet devices) {
    return new RankFacts(host, device, fabric, devices, settings);
  }

  /** These facts under {@code settings}, ready to be exchanged. */
  public RankFacts withOverrides(RankSettings settings) {
    return new RankFacts(host, device, fabric, reachable, settings);
  }

  /** The fabric, if GPUs with equal facts may rely on it. */
  Optional<FabricFacts> usableFabric() {
    return fabric.filter(FabricFacts::usable);
  }
}

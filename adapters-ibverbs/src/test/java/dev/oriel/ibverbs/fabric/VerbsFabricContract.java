package dev.oriel.ibverbs.fabric;

import dev.oriel.domain.topology.RankFacts;
import dev.oriel.ibverbs.verbs.Context;
import dev.oriel.ports.Fabric;
import dev.oriel.ports.contract.FabricContract;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;

/** What fabrics on one device do, whether the device is real or not. */
public abstract class VerbsFabricContract extends FabricContract {

  protected VerbsFabricContract() {
    // Opening asks nobody; that the memory is gone shows at the flush.
    super(EnumSet.of(Capability.STALE_EXPORTS));
  }

  /** An open device for a rank. */
  protected abstract Context device(int rank);

  @Override
  protected List<Fabric> open(int world, long bytesPerRank) {
    return IntStream.range(0, world)
        .<Fabric>mapToObj(rank ->
            new VerbsFabric(
                device(rank),
                rank,
                world,
                RankFacts.of("host" + rank, 0),
                VerbsSettings.USUAL,
                bytesPerRank,
                System::nanoTime))
        .toList();
  }
}

package dev.oriel.ibverbs.fabric;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.domain.topology.RankFacts;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ports.Fabric;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.FabricContract;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of fabrics on one device, real or fake. */
public abstract class VerbsFabricContract extends FabricContract {

  protected VerbsFabricContract() {
    // Opening asks no peer; the flush shows that the memory is gone.
    super(EnumSet.of(Capability.STALE_EXPORTS));
  }

  /** An open device for a rank. */
  protected abstract DeviceContext device(int rank);

  @Test
  void aPeerThatIsNotConnectedIsRefusedByName() {
    List<Fabric> fabrics = open(2, 64);
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(() -> fabrics.get(0).open(1, new byte[0]))
        .withMessageContaining("not connected: peer=1, connected=[]; ");
    fabrics.forEach(Fabric::close);
  }

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

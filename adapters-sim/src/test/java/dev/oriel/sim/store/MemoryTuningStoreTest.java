package dev.oriel.sim.store;

import dev.oriel.ports.TuningStore;
import dev.oriel.ports.contract.TuningStoreContract;
import java.util.Set;

final class MemoryTuningStoreTest extends TuningStoreContract {
  private final TuningStore store = new MemoryTuningStore();

  MemoryTuningStoreTest() {
    super(Set.of(Capability.DURABILITY));
  }

  @Override
  protected TuningStore open() {
    return store;
  }
}

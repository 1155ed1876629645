package dev.oriel.sim.store;

import dev.oriel.ports.ProofStore;
import dev.oriel.ports.contract.ProofStoreContract;
import java.util.Set;

final class MemoryProofStoreTest extends ProofStoreContract {
  private final ProofStore store = new MemoryProofStore();

  MemoryProofStoreTest() {
    super(Set.of(Capability.DURABILITY));
  }

  @Override
  protected ProofStore open() {
    return store;
  }
}

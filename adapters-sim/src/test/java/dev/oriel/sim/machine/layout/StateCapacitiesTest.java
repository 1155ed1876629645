package dev.oriel.sim.machine.layout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * The number of distinguished unordered requests: as many as the world has room for, at least one.
 */
class StateCapacitiesTest {
  @Test
  void theNumberOfComponentsDependsOnTheRoom() {
    StateCapacities sizes = new StateCapacities();
    assertThat(sizes.maxUnordered(1, 3, 200_000)).isEqualTo(8_192);
    assertThat(sizes.maxUnordered(4_032, 2, 180_000)).isEqualTo(16);
    assertThat(sizes.maxUnordered(4_032, 3, 180_000)).isEqualTo(14);
    assertThat(sizes.maxUnordered(4_032, 3, 0)).isEqualTo(1);
    assertThat(StateCapacities.ofUnordered(2).maxUnordered(4, 3, 200_000)).isEqualTo(2);
  }
}

package dev.oriel.sim.machine.rows;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Rows that share what they have in common hold what rows that lie flat hold. */
class RowsProperties {
  @Property
  void sharedRowsHoldWhatFlatOnesHold(@ForAll long seed) {
    assertThat(new DrawnRows().apply(Long.toString(seed))).isEmpty();
  }
}

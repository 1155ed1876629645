package dev.oriel.sim.machine.rows;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Rows that share nodes have the same contents as flat rows. */
class ClockTableProperties {
  @Property
  void sharedRowsHaveTheContentsOfFlatRows(@ForAll long seed) {
    assertThat(new RandomClockTables().apply(Long.toString(seed))).isEmpty();
  }
}

package dev.oriel.sim.tuning;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.TextDigest;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.CostModel;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.time.LinkModel;
import dev.oriel.sim.time.LoadedWords;
import dev.oriel.sim.time.TimeDriver;

/**
 * The virtual time of a call after two earlier ones, on links of a given cost; a loaded word is
 * assumed to be its bound. A program that would wait forever causes an error instead of a refusal.
 */
public final class TimedCost implements CostModel {
  private static final int LAUNCHES = 3;
  private static final int DIGITS = 12;

  private final LinkModel links;

  /** Prices on those links. */
  public TimedCost(LinkModel links) {
    this.links = links;
  }

  /** The name of the links and a digest of their costs: the device of a key. */
  public String device() {
    return links.name() + "@" + TextDigest.of(links.toString()).substring(0, DIGITS);
  }

  @Override
  public double nanos(Program program, Topology topology) {
    try {
      return new TimeDriver(program, topology, links, LAUNCHES, LoadedWords.atMost(program))
          .run()
          .last();
    } catch (MachineException e) {
      throw new ProgramException(String.valueOf(e.getMessage()));
    }
  }
}

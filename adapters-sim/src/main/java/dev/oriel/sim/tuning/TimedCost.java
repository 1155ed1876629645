package dev.oriel.sim.tuning;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Digest;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.CostModel;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.time.LinkModel;
import dev.oriel.sim.time.LoadedWords;
import dev.oriel.sim.time.TimeDriver;

/**
 * The virtual time of a call that two others precede, on links of a given cost; a word that is
 * loaded is taken to be its bound. A program that would wait forever is an error of its own and no
 * refusal.
 */
public final class TimedCost implements CostModel {
  private static final int LAUNCHES = 3;
  private static final int DIGITS = 12;

  private final LinkModel links;

  /** Prices on those links. */
  public TimedCost(LinkModel links) {
    this.links = links;
  }

  /** The name of the links and a digest of what they cost: the device of a key. */
  public String device() {
    return links.name() + "@" + Digest.of(links.toString()).substring(0, DIGITS);
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

package dev.oriel.sim.ranks;

import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Window;

/** Code over one window that exists from the beginning: the set-up is not part of executions. */
record SingleWindowCode(WindowSpec spec, RankCode code) implements MemberCode {

  @Override
  public void run(Communicator.Factory machine, Bootstrap ranks) throws Exception {
    try (Window window = ((RankCommunicators) machine).given(spec)) {
      code.run(window, ranks.rank());
    }
  }
}

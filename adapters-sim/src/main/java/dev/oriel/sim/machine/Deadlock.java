package dev.oriel.sim.machine;

import java.util.ArrayList;
import java.util.List;

/** Explains why nothing can happen any more: who waits, for what, and what became of it. */
final class Deadlock {
  private final Model model;
  private final Words words;
  private final Lanes lanes;

  Deadlock(Model model, Words words, Lanes lanes) {
    this.model = model;
    this.words = words;
    this.lanes = lanes;
  }

  /** Every lane that waits, with what it waits for and what came of that. */
  List<Simulation.Wait> waits(State s) {
    List<Simulation.Wait> waits = new ArrayList<>();
    for (int l = 0; l < model.lanes; l++) {
      if (!s.ended[l] && s.at[l] >= 0) {
        int launch = s.launched[model.rank(l)];
        String text = model.lane(l).text(s.at[l]) + lanes.missing(s, l);
        waits.add(new Simulation.Wait(l, launch, text));
      }
    }
    return waits;
  }

  Finding explain(State s) {
    StringBuilder text = new StringBuilder("nothing can happen any more:");
    for (int l = 0; l < model.lanes; l++) {
      if (!s.ended[l]) {
        int rank = model.rank(l);
        text.append(' ').append(model.laneName(l)).append(", launch=").append(s.launched[rank]);
        if (s.at[l] < 0) {
          text.append(" was never started, since no lane of its rank ended;");
        } else {
          text.append(" waits in '").append(model.lane(l).text(s.at[l])).append('\'');
          text.append(lanes.missing(s, l)).append(';');
        }
      }
    }
    return new Finding(
        Finding.Kind.DEADLOCK,
        text.append(" send what is missing, or do not wait for it").toString());
  }
}

package dev.oriel.sim.machine;

import dev.oriel.sim.machine.layout.Agents;
import dev.oriel.sim.machine.layout.Model;
import dev.oriel.sim.machine.terms.Profile;

/**
 * Who sees what an interface wrote. Whoever is ordered behind such a write and does not see it yet
 * has it behind them from where somebody makes it consistent: that is the component's twin.
 */
final class Sight {
  private final Model model;
  private final Agents agents;

  /** Whether everybody sees everything, whatever the profile says. */
  private final boolean all;

  Sight(Model model, boolean all) {
    this.model = model;
    this.agents = model.agents;
    this.all = all || model.profile.visibility() == Profile.Visibility.ALL;
  }

  /** In whose column the clock of who accesses says whether it sees what the other one wrote. */
  int column(int other, int component) {
    return hides(other, component) ? other + 1 : other;
  }

  /** Whether the component does not see what the other one wrote before it was made consistent. */
  boolean hides(int other, int component) {
    return !all && agents.placed[other] && hidden(other, component);
  }

  /** Whether the component sees what the other one wrote at that tick. */
  boolean reaches(State s, int other, int tick, int component) {
    return tick <= s.clocks.at(component, column(other, component));
  }

  /** Whether the component does not see by itself what the other one, an interface's, placed. */
  private boolean hidden(int other, int component) {
    boolean here = agents.rankOf[component] == agents.rankOf[other];
    int through = agents.interfaceOf[component];
    return through >= 0
        ? !here || through != agents.interfaceOf[other]
        : !here || model.profile.visibility() == Profile.Visibility.NONE;
  }
}

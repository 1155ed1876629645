package dev.oriel.sim.machine.clocks;

import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.machine.state.MachineState;

/**
 * Which components see what an interface wrote. A component may be ordered after such a write and
 * not see it yet. It then sees the write once it is ordered after a step that makes it visible.
 * Entries of the write's paired component, the next number, record these steps.
 */
public final class NicVisibility {
  private final MachineModel model;
  private final AgentLayout agents;

  /** Whether every component sees every write, whatever the profile says. */
  private final boolean all;

  public NicVisibility(MachineModel model, boolean all) {
    this.model = model;
    this.agents = model.agents;
    this.all = all || model.profile.visibility() == Profile.Visibility.ALL;
  }

  /** The column of the reader's clock that says whether it sees what the other component wrote. */
  public int column(int other, int component) {
    return hides(other, component) ? other + 1 : other;
  }

  /** Whether the component sees what the other one wrote only once it is made visible. */
  public boolean hides(int other, int component) {
    return !all && agents.placed[other] && hidden(other, component);
  }

  /** Whether the component sees what the other one wrote at that tick. */
  public boolean reaches(MachineState s, int other, int tick, int component) {
    return tick <= s.clocks.at(component, column(other, component));
  }

  /**
   * Whether writes that the other component, an interface's, placed need a step to be visible here.
   */
  private boolean hidden(int other, int component) {
    boolean here = agents.rankOf[component] == agents.rankOf[other];
    int through = agents.interfaceOf[component];
    return through >= 0
        ? !here || through != agents.interfaceOf[other]
        : !here || model.profile.visibility() == Profile.Visibility.NONE;
  }
}

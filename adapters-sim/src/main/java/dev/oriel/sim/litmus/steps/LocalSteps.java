package dev.oriel.sim.litmus.steps;

import dev.oriel.sim.litmus.steps.ThreadState.Pending;
import dev.oriel.sim.litmus.steps.ThreadState.Posted;
import dev.oriel.sim.litmus.steps.ThreadState.Visit;
import dev.oriel.sim.litmus.test.CodeLoops;
import dev.oriel.sim.litmus.test.InstructionOperand;
import dev.oriel.sim.litmus.test.LitmusInstruction;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.LitmusThread;
import dev.oriel.sim.litmus.test.LiveRegisters;
import dev.oriel.sim.litmus.test.MemoryOrder;
import dev.oriel.sim.litmus.test.ThreadPlacement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The steps that concern one agent alone: arithmetic, branches, fences other than sc. They commute
 * with all steps of other agents, so an agent takes them as soon as it can.
 */
final class LocalSteps {
  private static final int MAX_STEPS = 1024;

  private final LitmusTest test;
  private final ProxyLayers layers;
  private final int unroll;
  private final List<LiveRegisters> live = new ArrayList<>();
  private final List<CodeLoops> loops = new ArrayList<>();
  private boolean endless;

  LocalSteps(LitmusTest test, ProxyLayers layers, int unroll) {
    this.test = test;
    this.layers = layers;
    this.unroll = unroll;
    for (LitmusThread thread : test.threads()) {
      live.add(new LiveRegisters(thread.code(), test.observed(thread.number())));
      loops.add(new CodeLoops(thread.code()));
    }
  }

  /** Whether a run was abandoned in a loop that only computes. */
  boolean endless() {
    return endless;
  }

  /** Runs an agent to its next step that concerns others; false to abandon the run. */
  boolean run(OperationalState moment, int thread) {
    ThreadState agent = moment.agents[thread];
    List<LitmusInstruction> code = test.threads().get(thread).code();
    for (int steps = 0; agent.waiting == null && agent.at < code.size(); steps++) {
      if (steps > MAX_STEPS) {
        endless = true;
        return false;
      }
      if (agent.arrived && loops.get(thread).head(agent.at) && !enter(agent, thread)) {
        return false;
      }
      agent.arrived = false;
      LitmusInstruction instruction = code.get(agent.at);
      if (drains(instruction, agent) || !step(moment, thread, instruction)) {
        return true;
      }
    }
    return true;
  }

  /** Takes one step; false if it concerns others. */
  private boolean step(OperationalState moment, int thread, LitmusInstruction instruction) {
    ThreadState agent = moment.agents[thread];
    int next = agent.at + 1;
    switch (instruction) {
      case LitmusInstruction.Move move -> {
        set(agent, thread, move.to(), fed(agent, move.value()));
        agent.registers.put(move.to(), agent.value(move.value()));
      }
      case LitmusInstruction.Compute c -> {
        set(agent, thread, c.to(), fed(agent, c.a()) || fed(agent, c.b()));
        agent.registers.put(c.to(), c.op().apply(agent.value(c.a()), agent.value(c.b())));
      }
      case LitmusInstruction.Jump jump -> next = jump.target();
      case LitmusInstruction.Branch b -> {
        if (fed(agent, b.a()) || fed(agent, b.b())) {
          decided(agent, thread, b);
        }
        if (b.comparison().holds(agent.value(b.a()), agent.value(b.b()))) {
          next = b.target();
        }
      }
      case LitmusInstruction.Fence fence -> {
        if (fence.order() == MemoryOrder.SC) {
          return false;
        }
        fence(agent, actor(thread, fence));
      }
      case LitmusInstruction.ProxyFence fence -> {
        ThreadPlacement block = test.threads().get(thread).placement();
        agent.known = layers.fence(agent.known, fence.proxy(), block, moment.history);
      }
      default -> {
        return false;
      }
    }
    agent.goTo(next);
    return true;
  }

  private static boolean fed(ThreadState agent, @Nullable InstructionOperand operand) {
    return operand instanceof InstructionOperand.Register register
        && agent.fed.contains(register.name());
  }

  /** Records whether a register's value depends on memory. */
  void set(ThreadState agent, int thread, @Nullable String register, boolean fed) {
    if (register != null && !loops.get(thread).none() && agent.fed.contains(register) != fed) {
      Set<String> now = new TreeSet<>(agent.fed);
      if (fed) {
        now.add(register);
      } else {
        now.remove(register);
      }
      agent.fed = now;
    }
  }

  /** Records in the visits of loop heads that a read decided a branch. */
  private void decided(ThreadState agent, int thread, LitmusInstruction.Branch branch) {
    List<Visit> visits = new ArrayList<>(agent.visits);
    Set<Integer> rounds = new HashSet<>();
    for (int i = visits.size() - 1; i >= 0; i--) {
      Visit v = visits.get(i);
      boolean last = rounds.add(v.at());
      boolean round = v.round() || (last && loops.get(thread).controls(branch, agent.at, v.at()));
      visits.set(i, new Visit(v.at(), v.live(), v.effects(), true, round));
    }
    agent.visits = visits;
  }

  private OperationIssuer actor(int thread, LitmusInstruction.Fence fence) {
    return new OperationIssuer(
        thread, test.threads().get(thread).placement(), fence.order(), fence.scope());
  }

  private static void fence(ThreadState agent, OperationIssuer actor) {
    if (actor.order().acquires()) {
      acquire(agent, actor);
    }
    if (actor.order().releases()) {
      agent.fences = fenced(agent.fences, actor, agent.known);
    }
  }

  /** Joins the release clocks read earlier that are morally strong with an acquire. */
  static void acquire(ThreadState agent, OperationIssuer actor) {
    for (Pending pending : agent.pending) {
      if (pending.head().by().strongWith(actor)) {
        agent.learn(pending.head().before());
      }
    }
  }

  /**
   * A fence's release clock replaces those of earlier fences of no wider scope, since it includes
   * them.
   */
  static List<ReleasePattern> fenced(
      List<ReleasePattern> heads, OperationIssuer actor, HappensBeforeSets known) {
    List<ReleasePattern> kept = new ArrayList<>(heads);
    kept.removeIf(head -> head.by().scope().compareTo(actor.scope()) <= 0);
    kept.add(new ReleasePattern(actor, known));
    return kept;
  }

  /** Whether an instruction must wait until the agent's posted updates are performed. */
  boolean drains(LitmusInstruction instruction, ThreadState agent) {
    if (agent.posted.isEmpty()) {
      return false;
    }
    return switch (instruction) {
      case LitmusInstruction.Load load -> posted(agent, load.location());
      case LitmusInstruction.Store store ->
          store.order().releases() || posted(agent, store.location());
      case LitmusInstruction.Atomic atomic ->
          atomic.order().releases() || posted(agent, atomic.location());
      case LitmusInstruction.Fence fence -> true;
      case LitmusInstruction.ProxyFence fence -> true;
      case LitmusInstruction.Barrier barrier -> true;
      default -> false;
    };
  }

  private boolean posted(ThreadState agent, int location) {
    int memory = test.locations().get(location).memory();
    for (Posted posted : agent.posted) {
      if (posted.site().memory() == memory) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether to continue at a loop's head. A round without writes that left all live values
   * unchanged is skipped: a run with it has the constraints of the run without it, and more. A
   * round that left them unchanged and in which no read decided a branch repeats forever. Rounds
   * that a read let continue end at a bound.
   */
  private boolean enter(ThreadState agent, int thread) {
    List<Long> now = new ArrayList<>();
    for (String register : live.get(thread).at(agent.at)) {
      now.add(agent.registers.getOrDefault(register, 0L));
    }
    int here = 0;
    for (Visit visit : agent.visits) {
      if (visit.at() == agent.at) {
        here += visit.round() ? 1 : 0;
        if (visit.effects() == agent.effects && visit.live().equals(now)) {
          return false;
        }
        if (!visit.since() && visit.live().equals(now)) {
          return false;
        }
      }
    }
    if (here > unroll) {
      return false;
    }
    agent.visits =
        ThreadState.plus(agent.visits, new Visit(agent.at, now, agent.effects, false, false));
    return true;
  }
}

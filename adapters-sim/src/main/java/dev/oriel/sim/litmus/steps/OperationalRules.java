package dev.oriel.sim.litmus.steps;

import static dev.oriel.sim.litmus.answer.EventRelations.bit;
import static dev.oriel.sim.litmus.answer.EventRelations.lowest;

import dev.oriel.sim.litmus.answer.EventRelations;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.steps.PerformedAccess.Site;
import dev.oriel.sim.litmus.steps.ThreadState.Pending;
import dev.oriel.sim.litmus.steps.ThreadState.Posted;
import dev.oriel.sim.litmus.steps.ThreadState.Released;
import dev.oriel.sim.litmus.test.InstructionOperand;
import dev.oriel.sim.litmus.test.LitmusInstruction;
import dev.oriel.sim.litmus.test.LitmusScope;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.test.MemoryLocation;
import dev.oriel.sim.litmus.test.MemoryOrder;
import dev.oriel.sim.litmus.test.MemoryProxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transitions of the operational engine: the next steps of one agent, each with its guard and
 * its effect on the agent's knowledge. A read returns a write that has been performed, so no value
 * is read before it is written. Load buffering is therefore out of reach, except for updates whose
 * result is unused: they are issued in order and performed later.
 */
final class OperationalRules {
  private final LitmusTest test;
  private final MemoryModel model;
  private final ProxyLayers layers;
  private final LocalSteps locals;
  private boolean tooLarge;
  private boolean strange;

  OperationalRules(LitmusTest test, MemoryModel model, int unroll) {
    this.test = test;
    this.model = model;
    layers = new ProxyLayers(test);
    locals = new LocalSteps(test, layers, unroll);
  }

  /** Why a run was abandoned that should have been followed; empty if none was. */
  String shortfall() {
    if (locals.endless()) {
      return "a loop computes for too long";
    }
    return tooLarge ? "too many accesses" : strange ? "a barrier's quorums differ" : "";
  }

  List<OperationalState> start() {
    ThreadState[] agents = new ThreadState[test.threads().size()];
    for (int t = 0; t < agents.length; t++) {
      agents[t] = new ThreadState(test.threads().get(t).registers(), layers.nothing());
    }
    OperationalState start =
        new OperationalState(
            agents, new AccessHistory(EventRelations.MAX_EVENTS), new BarrierArrivals(test));
    for (int t = 0; t < agents.length; t++) {
      if (!locals.run(start, t)) {
        return List.of();
      }
    }
    return List.of(start);
  }

  boolean finished(OperationalState moment) {
    for (int t = 0; t < moment.agents.length; t++) {
      ThreadState agent = moment.agents[t];
      if (agent.at < code(t).size() || agent.waiting != null || !agent.posted.isEmpty()) {
        return false;
      }
    }
    return moment.meetings.guessedWell();
  }

  private List<LitmusInstruction> code(int thread) {
    return test.threads().get(thread).code();
  }

  /** All moments to which one step of a thread may lead. */
  List<OperationalState> next(OperationalState moment, int thread) {
    List<OperationalState> reached = new ArrayList<>();
    ThreadState agent = moment.agents[thread];
    for (Posted posted : agent.posted) {
      perform(moment, thread, posted, reached);
    }
    if (agent.waiting != null) {
      leave(moment, thread, agent.waiting, reached);
    } else if (agent.at < code(thread).size()) {
      LitmusInstruction instruction = code(thread).get(agent.at);
      if (!locals.drains(instruction, agent)) {
        step(moment, thread, instruction, reached);
      }
    }
    reached.removeIf(next -> !locals.run(next, thread));
    return reached;
  }

  private void step(
      OperationalState moment,
      int thread,
      LitmusInstruction instruction,
      List<OperationalState> reached) {
    switch (instruction) {
      case LitmusInstruction.Load load -> load(moment, thread, load, reached);
      case LitmusInstruction.Store store -> store(moment, thread, store, reached);
      case LitmusInstruction.Atomic atomic -> {
        if (test.threads().get(thread).posts(atomic)) {
          post(moment, thread, atomic, reached);
        } else {
          atomic(moment, thread, atomic, reached);
        }
      }
      case LitmusInstruction.Fence fence -> scFence(moment, thread, fence, reached);
      case LitmusInstruction.Barrier barrier -> arrive(moment, thread, barrier, reached);
      default -> throw new IllegalStateException("no rule: instruction=%s".formatted(instruction));
    }
  }

  private OperationIssuer actor(int thread, MemoryOrder order, LitmusScope scope) {
    return new OperationIssuer(thread, test.threads().get(thread).placement(), order, scope);
  }

  private Site site(
      int thread, int location, MemoryProxy proxy, MemoryOrder order, LitmusScope scope) {
    MemoryLocation place = test.locations().get(location);
    return new Site(actor(thread, order, scope), place.memory(), place.address(), proxy);
  }

  /** The number of a thread's next access, or -1 after too many. */
  private int issue(ThreadState agent, int thread) {
    int id = agent.accesses++ * test.threads().size() + thread;
    tooLarge |= id >= EventRelations.MAX_EVENTS;
    return id < EventRelations.MAX_EVENTS ? id : -1;
  }

  /**
   * Candidate sources of a read: all writes of the memory. A coherence check rejects wrong ones
   * later.
   */
  private static List<Integer> sources(OperationalState moment, Site site) {
    List<Integer> sources = new ArrayList<>(List.of(PerformedAccess.FIRST));
    for (long rest = moment.history.writes(site.memory()); rest != 0; rest &= rest - 1) {
      sources.add(lowest(rest));
    }
    return sources;
  }

  private void load(
      OperationalState moment,
      int thread,
      LitmusInstruction.Load load,
      List<OperationalState> reached) {
    Site site = site(thread, load.location(), load.proxy(), load.order(), load.scope());
    for (int source : sources(moment, site)) {
      OperationalState next = moment.copy(thread);
      ThreadState agent = next.agents[thread];
      int id = issue(agent, thread);
      if (id >= 0) {
        HappensBeforeSets known = acquire(next, agent, site, source);
        PerformedAccess read = read(next, id, site, source, -1, known);
        if (next.history.coherent(site.memory())) {
          locals.set(agent, thread, load.to(), true);
          agent.registers.put(load.to(), read.value());
          did(agent, bit(id));
          agent.goTo(agent.at + 1);
          reached.add(next);
        }
      }
    }
  }

  /** The release clocks of a source that the read observes morally strongly. */
  private static List<ReleasePattern> heads(OperationalState moment, Site site, int source) {
    if (source == PerformedAccess.FIRST || !moment.history.get(source).site().strongWith(site)) {
      return List.of();
    }
    return moment.history.get(source).heads();
  }

  /** Joins these release clocks if the read acquires, and keeps them for a later acquire. */
  private static HappensBeforeSets acquire(
      OperationalState moment, ThreadState agent, Site site, int source) {
    for (ReleasePattern head : heads(moment, site, source)) {
      agent.pending = ThreadState.plus(agent.pending, new Pending(site.address(), head));
    }
    if (site.by().order().acquires()) {
      for (Pending pending : agent.pending) {
        if (pending.address() == site.address() && pending.head().by().strongWith(site.by())) {
          agent.learn(pending.head().before());
        }
      }
    }
    return agent.known;
  }

  private PerformedAccess read(
      OperationalState moment,
      int id,
      Site site,
      int source,
      int partner,
      HappensBeforeSets known) {
    AccessHistory history = moment.history;
    long value =
        source == PerformedAccess.FIRST
            ? test.locations().get(site.memory()).initial()
            : history.get(source).value();
    long past = layers.past(known, site, history);
    PerformedAccess read = PerformedAccess.read(id, site, value, source, partner, past);
    history.add(read);
    return read;
  }

  /** Adds accesses to those that happened before later steps. */
  private static void did(ThreadState agent, long accesses) {
    agent.known = agent.known.with(0, accesses);
  }

  private void store(
      OperationalState moment,
      int thread,
      LitmusInstruction.Store store,
      List<OperationalState> reached) {
    Site site = site(thread, store.location(), store.proxy(), store.order(), store.scope());
    OperationalState next = moment.copy(thread);
    ThreadState agent = next.agents[thread];
    int id = issue(agent, thread);
    if (id >= 0) {
      long value = agent.value(store.value());
      List<ReleasePattern> heads = released(agent, site);
      PerformedAccess write = PerformedAccess.write(id, site, value, -1, heads);
      long past = layers.past(agent.known, site, next.history);
      did(agent, bit(id));
      agent.goTo(agent.at + 1);
      agent.effects++;
      for (AccessHistory way : next.history.placed(write, past)) {
        reached.add(next.with(way, thread));
      }
    }
  }

  /**
   * The release clocks of a write: of fences before it, of own releases to its address, and its
   * own.
   */
  private static List<ReleasePattern> released(ThreadState agent, Site site) {
    if (site.by().order().releases()) {
      ReleasePattern own = new ReleasePattern(site.by(), agent.known);
      agent.releases = ThreadState.plus(agent.releases, new Released(site.address(), own));
    }
    List<ReleasePattern> heads = new ArrayList<>(agent.fences);
    for (Released released : agent.releases) {
      if (released.address() == site.address()) {
        heads.add(released.head());
      }
    }
    return heads;
  }

  private void atomic(
      OperationalState moment,
      int thread,
      LitmusInstruction.Atomic atomic,
      List<OperationalState> reached) {
    MemoryOrder first = atomic.order().acquires() ? MemoryOrder.ACQUIRE : MemoryOrder.RELAXED;
    MemoryOrder second = atomic.order().releases() ? MemoryOrder.RELEASE : MemoryOrder.RELAXED;
    Site site = site(thread, atomic.location(), MemoryProxy.GENERIC, first, atomic.scope());
    Site stored = site(thread, atomic.location(), MemoryProxy.GENERIC, second, atomic.scope());
    for (int source : sources(moment, site)) {
      OperationalState next = moment.copy(thread);
      ThreadState agent = next.agents[thread];
      int read = issue(agent, thread);
      int write = issue(agent, thread);
      if (read < 0 || write < 0) {
        return;
      }
      HappensBeforeSets known = acquire(next, agent, site, source);
      did(agent, bit(read));
      List<ReleasePattern> heads = new ArrayList<>(released(agent, stored));
      heads.addAll(heads(next, site, source));
      List<Long> operands = operands(agent, atomic);
      long old = read(next, read, site, source, write, known).value();
      if (!next.history.coherent(site.memory())) {
        continue;
      }
      long past = layers.past(agent.known, stored, next.history);
      if (atomic.to() != null) {
        locals.set(agent, thread, atomic.to(), true);
        agent.registers.put(atomic.to(), old);
      }
      did(agent, bit(write));
      agent.goTo(agent.at + 1);
      agent.effects++;
      PerformedAccess update =
          PerformedAccess.write(write, stored, updated(atomic, old, operands), read, heads);
      for (AccessHistory way : next.history.placed(update, past)) {
        reached.add(next.with(way, thread));
      }
    }
  }

  private static List<Long> operands(ThreadState agent, LitmusInstruction.Atomic atomic) {
    @Nullable InstructionOperand expected = atomic.expected();
    return expected == null
        ? List.of(agent.value(atomic.value()))
        : List.of(agent.value(atomic.value()), agent.value(expected));
  }

  private static long updated(LitmusInstruction.Atomic atomic, long old, List<Long> operands) {
    long operand = operands.getFirst();
    if (operands.size() == 2) {
      return old == operands.getLast() ? operand : old;
    }
    return atomic.op() == null ? operand : atomic.op().apply(old, operand);
  }

  /** Issues an update whose result is not needed: this fixes its place in program order. */
  private void post(
      OperationalState moment,
      int thread,
      LitmusInstruction.Atomic atomic,
      List<OperationalState> reached) {
    Site site =
        site(thread, atomic.location(), MemoryProxy.GENERIC, MemoryOrder.RELAXED, atomic.scope());
    OperationalState next = moment.copy(thread);
    ThreadState agent = next.agents[thread];
    int read = issue(agent, thread);
    int write = issue(agent, thread);
    if (read < 0 || write < 0) {
      return;
    }
    List<ReleasePattern> heads = released(agent, site);
    agent.posted =
        ThreadState.plus(
            agent.posted,
            new Posted(read, atomic, site, operands(agent, atomic), agent.known, heads));
    did(agent, bit(read) | bit(write));
    agent.goTo(agent.at + 1);
    agent.effects++;
    reached.add(next);
  }

  private void perform(
      OperationalState moment, int thread, Posted posted, List<OperationalState> reached) {
    Site site = posted.site();
    int write = posted.id() + test.threads().size();
    for (int source : sources(moment, site)) {
      OperationalState next = moment.copy(thread);
      ThreadState agent = next.agents[thread];
      agent.posted = agent.posted.stream().filter(p -> p.id() != posted.id()).toList();
      List<ReleasePattern> heads = new ArrayList<>(posted.heads());
      heads.addAll(heads(next, site, source));
      acquire(next, agent, site, source);
      long old = read(next, posted.id(), site, source, write, posted.known()).value();
      if (posted.code().to() != null) {
        locals.set(agent, thread, posted.code().to(), true);
        agent.registers.put(posted.code().to(), old);
      }
      if (next.history.coherent(site.memory())) {
        HappensBeforeSets known = posted.known().with(0, bit(posted.id()));
        long past = layers.past(known, site, next.history);
        long value = updated(posted.code(), old, posted.operands());
        PerformedAccess update = PerformedAccess.write(write, site, value, posted.id(), heads);
        for (AccessHistory way : next.history.placed(update, past)) {
          reached.add(next.with(way, thread));
        }
      }
    }
  }

  /**
   * Joins every earlier sc fence that is morally strong with it, and adds itself for later ones.
   */
  private void scFence(
      OperationalState moment,
      int thread,
      LitmusInstruction.Fence fence,
      List<OperationalState> reached) {
    OperationalState next = moment.copy(thread);
    ThreadState agent = next.agents[thread];
    OperationIssuer actor = actor(thread, fence.order(), fence.scope());
    for (ThreadState other : moment.agents) {
      for (ReleasePattern head : other.scFences) {
        if (head.by().strongWith(actor)) {
          agent.learn(head.before());
        }
      }
    }
    if (model.scFenceReleases()) {
      LocalSteps.acquire(agent, actor);
      agent.fences = LocalSteps.fenced(agent.fences, actor, agent.known);
    }
    agent.scFences = LocalSteps.fenced(agent.scFences, actor, agent.known);
    agent.goTo(agent.at + 1);
    reached.add(next);
  }

  private void arrive(
      OperationalState moment,
      int thread,
      LitmusInstruction.Barrier barrier,
      List<OperationalState> reached) {
    OperationalState next = moment.copy(thread);
    ThreadState agent = next.agents[thread];
    BarrierArrivals.Key key =
        next.meetings.key(thread, barrier.instance(), agent.value(barrier.resource()));
    @Nullable InstructionOperand quorum = barrier.quorum();
    long needed = quorum == null ? -1 : Math.clamp(agent.value(quorum), 0, 64);
    if (!next.meetings.fits(key, needed)) {
      strange = true;
      return;
    }
    agent.waiting = barrier.waits() ? key : null;
    agent.goTo(agent.at + 1);
    agent.effects++;
    if (next.meetings.arrive(key, thread, barrier.waits(), needed, agent.known)) {
      reached.add(next);
    }
  }

  private static void leave(
      OperationalState moment,
      int thread,
      BarrierArrivals.Key key,
      List<OperationalState> reached) {
    if (moment.meetings.full(key)) {
      OperationalState next = moment.copy(thread);
      next.meetings.leave(key, next.agents[thread]);
      next.agents[thread].waiting = null;
      reached.add(next);
    }
  }
}

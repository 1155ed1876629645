package dev.oriel.sim.oracle;

import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.util.List;

/** Guards and joins of the operational litmus engine, each removed by a change of one line. */
final class OperationalMutants {
  static final List<EngineMutant> ALL =
      List.of(
          // Moral strength.
          in("OperationIssuer", "&& place.shares(scope, other.place)\n", ""),
          in("OperationIssuer", "&& place.shares(other.scope, other.place)", ""),
          in("OperationIssuer", "return order.strong()\n", "return true\n"),
          in("OperationIssuer", "&& other.order.strong()\n", ""),
          in("PerformedAccess", "address == other.address", "true"),
          // Which source a read may have, and where a write may enter.
          in("AccessHistory", "(hidden(access) || torn(access))", "torn(access)"),
          in("AccessHistory", "(hidden(access) || torn(access))", "hidden(access)"),
          in(
              "AccessHistory",
              "place(write, all, open, before | before(all, bit(other)), after, ways);",
              ""),
          in(
              "AccessHistory",
              "place(write, all, open, before, after | bit(other) | later[other], ways);",
              ""),
          in("AccessHistory", "before | before(all, bit(other))", "before | bit(other)"),
          in("AccessHistory", "after | bit(other) | later[other]", "after | bit(other)"),
          in(
              "AccessHistory",
              "place(write, all, open, before(all, past), 0, ways);",
              "place(write, all, open, past, 0, ways);"),
          in(
              "AccessHistory",
              "place(write, all, open, before(all, past), 0, ways);",
              "place(write, all, open, 0, 0, ways);"),
          in("AccessHistory", "last &= later[lowest(rest)] == 0 ? -1 : ~bit(lowest(rest));", ""),
          in("AccessHistory", "return seen ? bit(read.source()) : 0;", "return 0;"),
          in("AccessHistory", "get(read.source()).site().strongWith(read.site());", "true;"),
          // The clocks that agents acquire, and from whom.
          in("OperationalRules", "if (site.by().order().acquires()) {", "if (false) {"),
          in(
              "OperationalRules",
              "if (pending.address() == site.address() && pending.head().by().strongWith(site.by())) {",
              "if (pending.address() == site.address()) {"),
          in(
              "OperationalRules",
              "if (pending.address() == site.address() && pending.head().by().strongWith(site.by())) {",
              "if (pending.head().by().strongWith(site.by())) {"),
          in(
              "OperationalRules",
              "if (source == PerformedAccess.FIRST || !moment.history.get(source).site().strongWith(site)) {",
              "if (source == PerformedAccess.FIRST) {"),
          in("OperationalRules", "agent.known = agent.known.with(0, accesses);", ""),
          in(
              "OperationalRules",
              "agent.releases = ThreadState.plus(agent.releases, new Released(site.address(), own));",
              ""),
          in("OperationalRules", "new ArrayList<>(agent.fences);", "new ArrayList<>();"),
          in("OperationalRules", "if (released.address() == site.address()) {", "if (true) {"),
          in("OperationalRules", "heads.addAll(heads(next, site, source));\n      List", "List"),
          in(
              "OperationalRules",
              "heads.addAll(heads(next, site, source));\n      acquire",
              "acquire"),
          in("OperationalRules", "acquire(next, agent, site, source);\n      long old", "long old"),
          in(
              "OperationalRules",
              "long past = layers.past(agent.known, site, next.history);",
              "long past = 0;"),
          in(
              "OperationalRules",
              "long past = layers.past(agent.known, stored, next.history);",
              "long past = 0;"),
          in(
              "OperationalRules",
              "long past = layers.past(known, site, next.history);",
              "long past = 0;"),
          in(
              "OperationalRules",
              "long past = layers.past(known, site, history);",
              "long past = 0;"),
          in("OperationalRules", "if (head.by().strongWith(actor)) {", "if (true) {"),
          in("OperationalRules", "if (head.by().strongWith(actor)) {", "if (false) {"),
          in("OperationalRules", "if (model.scFenceReleases()) {", "if (true) {"),
          in("OperationalRules", "if (model.scFenceReleases()) {", "if (false) {"),
          in("OperationalRules", "LocalSteps.acquire(agent, actor);", ""),
          in(
              "OperationalRules",
              "agent.fences = LocalSteps.fenced(agent.fences, actor, agent.known);",
              ""),
          in("OperationalRules", "if (!locals.drains(instruction, agent)) {", "if (true) {"),
          in("OperationalRules", "|| !agent.posted.isEmpty()", ""),
          in("OperationalRules", "if (test.threads().get(thread).posts(atomic)) {", "if (false) {"),
          in("LocalSteps", "if (actor.order().acquires()) {", "if (false) {"),
          in("LocalSteps", "if (actor.order().acquires()) {", "if (true) {"),
          in("LocalSteps", "if (actor.order().releases()) {", "if (false) {"),
          in("LocalSteps", "if (actor.order().releases()) {", "if (true) {"),
          in("LocalSteps", "if (pending.head().by().strongWith(actor)) {", "if (true) {"),
          in("LocalSteps", "compareTo(actor.scope()) <= 0", "compareTo(actor.scope()) >= 0"),
          in(
              "LocalSteps",
              "case LitmusInstruction.Fence fence -> true;",
              "case LitmusInstruction.Fence fence -> false;"),
          in(
              "LocalSteps",
              "case LitmusInstruction.Barrier barrier -> true;",
              "case LitmusInstruction.Barrier barrier -> false;"),
          in(
              "LocalSteps",
              "case LitmusInstruction.Load load -> posted(agent, load.location());",
              "case LitmusInstruction.Load load -> false;"),
          in(
              "LocalSteps",
              "store.order().releases() || posted(agent, store.location());",
              "posted(agent, store.location());"),
          in(
              "LocalSteps",
              "atomic.order().releases() || posted(agent, atomic.location());",
              "posted(agent, atomic.location());"),
          in(
              "LocalSteps",
              "store.order().releases() || posted(agent, store.location());",
              "store.order().releases();"),
          in(
              "LocalSteps",
              "atomic.order().releases() || posted(agent, atomic.location());",
              "atomic.order().releases();"),
          in(
              "LocalSteps",
              "if (visit.effects() == agent.effects && visit.live().equals(now)) {",
              "if (visit.live().equals(now)) {"),
          in("LocalSteps", "if (here > unroll) {", "if (here > 0) {"),
          in("ThreadState", "known = known.join(more);", ""),
          // Barriers.
          in("BarrierArrivals", "if (before.left() && quorum < 0) {", "if (false) {"),
          in(
              "BarrierArrivals",
              "return meeting.arrivals().size() >= meeting.quorum();",
              "return true;"),
          in("OperationalRules", "return moment.meetings.guessedWell();", "return true;"),
          in("BarrierArrivals", "&& entry.getValue().quorum() < 0\n", ""),
          in(
              "BarrierArrivals",
              "uses <= key.use() && textual > uses && resource",
              "uses <= key.use() && textual > uses"),
          in(
              "BarrierArrivals",
              "uses <= key.use() && textual > uses && resource",
              "uses <= key.use() && resource"),
          in(
              "BarrierArrivals",
              "uses <= key.use() && textual > uses && resource",
              "textual > uses && resource"),
          in(
              "BarrierArrivals",
              "first = first.subList(0, (int) Math.min(first.size(), meeting.quorum()));",
              ""),
          in("BarrierArrivals", "agent.learn(arrival.known());", ""),
          // Proxies.
          in("ProxyLayers", "return known.with(ALIASED, generic);", "return known;"),
          in("ProxyLayers", ".with(GENERIC, own)", ""),
          in("ProxyLayers", ".with(arrived, generic)", ""),
          in("ProxyLayers", ".with(arrived + 1, known.set(ALIASED))", ""),
          in("ProxyLayers", "own |= here && access", "own |= access"),
          in("ProxyLayers", "here && access.site().proxy() == proxy ?", "here ?"),
          in(
              "ProxyLayers",
              "generic |= access.site().proxy() == MemoryProxy.GENERIC ? bit(access.id()) : 0;",
              ""),
          in(
              "ProxyLayers",
              "if (sameAddress && from.proxy() == site.proxy() && sameBlock) {",
              "if (sameAddress && from.proxy() == site.proxy()) {"),
          in(
              "ProxyLayers",
              "if (sameAddress && from.proxy() == site.proxy() && sameBlock) {",
              "if (from.proxy() == site.proxy() && sameBlock) {"),
          in(
              "ProxyLayers",
              "if (sameAddress && from.proxy() == site.proxy() && sameBlock) {",
              "if (false) {"),
          in("ProxyLayers", "known.set(sameAddress ? arrived : arrived + 1)", "known.set(arrived)"),
          in("ProxyLayers", "from.proxy() == MemoryProxy.GENERIC || has", "has"),
          in("ProxyLayers", ": has(known.set(ALIASED), access.id());", ": true;"));

  private OperationalMutants() {}

  private static EngineMutant in(String file, String line, String becomes) {
    return new EngineMutant(file, line, becomes);
  }
}

package dev.oriel.sim.oracle;

import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.util.List;

/** Guards and joins of the operational litmus engine, each removed by a change of one line. */
final class OperationalMutants {
  static final List<EngineMutant> ALL =
      List.of(
          // Moral strength.
          in("Actor", "&& place.shares(scope, other.place)\n", ""),
          in("Actor", "&& place.shares(other.scope, other.place)", ""),
          in("Actor", "return order.strong()\n", "return true\n"),
          in("Actor", "&& other.order.strong()\n", ""),
          in("Access", "address == other.address", "true"),
          // Which source a read may have, and where a write may enter.
          in("History", "(hidden(access) || torn(access))", "torn(access)"),
          in("History", "(hidden(access) || torn(access))", "hidden(access)"),
          in(
              "History",
              "place(write, all, open, before | before(all, bit(other)), behind, ways);",
              ""),
          in(
              "History",
              "place(write, all, open, before, behind | bit(other) | later[other], ways);",
              ""),
          in("History", "before | before(all, bit(other))", "before | bit(other)"),
          in("History", "behind | bit(other) | later[other]", "behind | bit(other)"),
          in(
              "History",
              "place(write, all, open, before(all, past), 0, ways);",
              "place(write, all, open, past, 0, ways);"),
          in(
              "History",
              "place(write, all, open, before(all, past), 0, ways);",
              "place(write, all, open, 0, 0, ways);"),
          in("History", "last &= later[lowest(rest)] == 0 ? -1 : ~bit(lowest(rest));", ""),
          in("History", "return seen ? bit(read.source()) : 0;", "return 0;"),
          in("History", "get(read.source()).site().strongWith(read.site());", "true;"),
          // The clocks that agents acquire, and from whom.
          in("Rules", "if (site.by().order().acquires()) {", "if (false) {"),
          in(
              "Rules",
              "if (pending.address() == site.address() && pending.head().by().strongWith(site.by())) {",
              "if (pending.address() == site.address()) {"),
          in(
              "Rules",
              "if (pending.address() == site.address() && pending.head().by().strongWith(site.by())) {",
              "if (pending.head().by().strongWith(site.by())) {"),
          in(
              "Rules",
              "if (source == Access.FIRST || !moment.history.get(source).site().strongWith(site)) {",
              "if (source == Access.FIRST) {"),
          in("Rules", "agent.known = agent.known.with(0, accesses);", ""),
          in(
              "Rules",
              "agent.releases = Agent.plus(agent.releases, new Released(site.address(), own));",
              ""),
          in("Rules", "new ArrayList<>(agent.fences);", "new ArrayList<>();"),
          in("Rules", "if (released.address() == site.address()) {", "if (true) {"),
          in("Rules", "heads.addAll(heads(next, site, source));\n      List", "List"),
          in("Rules", "heads.addAll(heads(next, site, source));\n      acquire", "acquire"),
          in("Rules", "acquire(next, agent, site, source);\n      long old", "long old"),
          in(
              "Rules",
              "long past = layers.past(agent.known, site, next.history);",
              "long past = 0;"),
          in(
              "Rules",
              "long past = layers.past(agent.known, stored, next.history);",
              "long past = 0;"),
          in("Rules", "long past = layers.past(known, site, next.history);", "long past = 0;"),
          in("Rules", "long past = layers.past(known, site, history);", "long past = 0;"),
          in("Rules", "if (head.by().strongWith(actor)) {", "if (true) {"),
          in("Rules", "if (head.by().strongWith(actor)) {", "if (false) {"),
          in("Rules", "if (model.scFenceReleases()) {", "if (true) {"),
          in("Rules", "if (model.scFenceReleases()) {", "if (false) {"),
          in("Rules", "Locals.acquire(agent, actor);", ""),
          in("Rules", "agent.fences = Locals.fenced(agent.fences, actor, agent.known);", ""),
          in("Rules", "if (!locals.drains(instruction, agent)) {", "if (true) {"),
          in("Rules", "|| !agent.posted.isEmpty()", ""),
          in("Rules", "if (test.threads().get(thread).posts(atomic)) {", "if (false) {"),
          in("Locals", "if (actor.order().acquires()) {", "if (false) {"),
          in("Locals", "if (actor.order().acquires()) {", "if (true) {"),
          in("Locals", "if (actor.order().releases()) {", "if (false) {"),
          in("Locals", "if (actor.order().releases()) {", "if (true) {"),
          in("Locals", "if (pending.head().by().strongWith(actor)) {", "if (true) {"),
          in("Locals", "compareTo(actor.scope()) <= 0", "compareTo(actor.scope()) >= 0"),
          in(
              "Locals",
              "case Instruction.Fence fence -> true;",
              "case Instruction.Fence fence -> false;"),
          in(
              "Locals",
              "case Instruction.Barrier barrier -> true;",
              "case Instruction.Barrier barrier -> false;"),
          in(
              "Locals",
              "case Instruction.Load load -> posted(agent, load.location());",
              "case Instruction.Load load -> false;"),
          in(
              "Locals",
              "store.order().releases() || posted(agent, store.location());",
              "posted(agent, store.location());"),
          in(
              "Locals",
              "atomic.order().releases() || posted(agent, atomic.location());",
              "posted(agent, atomic.location());"),
          in(
              "Locals",
              "store.order().releases() || posted(agent, store.location());",
              "store.order().releases();"),
          in(
              "Locals",
              "atomic.order().releases() || posted(agent, atomic.location());",
              "atomic.order().releases();"),
          in(
              "Locals",
              "if (visit.effects() == agent.effects && visit.live().equals(now)) {",
              "if (visit.live().equals(now)) {"),
          in("Locals", "if (here > unroll) {", "if (here > 0) {"),
          in("Agent", "known = known.join(more);", ""),
          // Barriers.
          in("Meetings", "if (before.left() && quorum < 0) {", "if (false) {"),
          in("Meetings", "return meeting.arrivals().size() >= meeting.quorum();", "return true;"),
          in("Rules", "return moment.meetings.guessedWell();", "return true;"),
          in("Meetings", "&& entry.getValue().quorum() < 0\n", ""),
          in(
              "Meetings",
              "uses <= key.use() && textual > uses && resource",
              "uses <= key.use() && textual > uses"),
          in(
              "Meetings",
              "uses <= key.use() && textual > uses && resource",
              "uses <= key.use() && resource"),
          in(
              "Meetings",
              "uses <= key.use() && textual > uses && resource",
              "textual > uses && resource"),
          in(
              "Meetings",
              "first = first.subList(0, (int) Math.min(first.size(), meeting.quorum()));",
              ""),
          in("Meetings", "agent.learn(arrival.known());", ""),
          // Proxies.
          in("ProxyLayers", "return known.with(ALIASED, generic);", "return known;"),
          in("ProxyLayers", ".with(GENERIC, own)", ""),
          in("ProxyLayers", ".with(arrived, generic)", ""),
          in("ProxyLayers", ".with(arrived + 1, known.set(ALIASED))", ""),
          in("ProxyLayers", "own |= here && access", "own |= access"),
          in("ProxyLayers", "here && access.site().proxy() == proxy ?", "here ?"),
          in(
              "ProxyLayers",
              "generic |= access.site().proxy() == Proxy.GENERIC ? bit(access.id()) : 0;",
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
          in("ProxyLayers", "from.proxy() == Proxy.GENERIC || has", "has"),
          in("ProxyLayers", ": has(known.set(ALIASED), access.id());", ": true;"));

  private OperationalMutants() {}

  private static EngineMutant in(String file, String line, String becomes) {
    return new EngineMutant(file, line, becomes);
  }
}

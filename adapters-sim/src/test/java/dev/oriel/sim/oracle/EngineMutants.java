package dev.oriel.sim.oracle;

import java.util.List;

/**
 * Guards, joins and checks of the machine, each removed by a change of one line.
 *
 * <p>Not listed, since another line has the same effect: After a barrier (the end of a lane, a
 * join, a fence after moves) leader and worker have equal clocks, so either join suffices. The
 * caller's write of the same bytes follows its read of outputs.
 */
final class EngineMutants {
  /** A line that occurs once in a class of the machine, and its replacement. */
  record EngineMutant(String file, String line, String becomes) {
    @Override
    public String toString() {
      return file + ": " + line;
    }
  }

  static final List<EngineMutant> ALL =
      List.of(
          // A barrier, the start and the end of a launch, a fence.
          in("ComponentClocks", "order(s, worker, leader);", ""),
          in("ComponentClocks", "order(s, leader, worker);", ""),
          in("ComponentClocks", "order(s, caller, leader);", ""),
          in("ComponentClocks", "order(s, caller, worker);", ""),
          in(
              "ComponentClocks",
              "join(s, agents.leader[lane], ClockIndex.pending(model, lane, v));",
              ""),
          in("ComponentClocks", "s.clocks.copy(fenced, s.clocks, leader);", ""),
          in(
              "LaneSteps",
              "clocks.release(s, lane, level, ops[at + 3] == 1);",
              "clocks.release(s, lane, level, false);"),
          // Lanes that are no blocks.
          in(
              "MachineModel",
              "if (isOutside(lane) || (other >= 0 && isOutside(other))) {",
              "if (false) {"),
          in("SyncWords", "group == rank && !model.hasOutside(rank) ? -1", "group == rank ? -1"),
          in("SyncWords", "return model.isOutside(lane) ? -1 : table", "return table"),
          in(
              "ReleaseClocks",
              "if (group < model.world && !model.fromOutside(agent)) {",
              "if (group < model.world) {"),
          in(
              "ReleaseClocks",
              """
              && !model.fromOutside(agent)) {
                      add(s, model.words.inGroup(group), MachineModel.NEAR);\
              """,
              """
              ) {
                      int scope = model.fromOutside(agent) ? MachineModel.SYS : MachineModel.NEAR;
                      add(s, model.words.inGroup(group), scope);\
              """),
          in(
              "ComponentClocks",
              "s.releases.rows.set(row, leader, s.clocks.at(fenced, leader));",
              ""),
          in(
              "ComponentClocks",
              "s.releases.rows.set(row, worker, s.clocks.at(fenced, worker));",
              ""),
          in("ComponentClocks", "consist(s, agents.leader[lane], rank);", ""),
          in("ComponentClocks", "consist(s, agents.worker[lane], rank);", ""),
          in(
              "ComponentClocks",
              "s.seen.join(row, s.causes.rows, causes);\n    }\n    return",
              "}\n    return"),
          in(
              "ComponentClocks",
              "s.seen.increment(awaiting(lane, worker), CausalClockIndex.column(model, lane, worker));",
              ""),
          // Which accesses race, and who sees an interface's writes.
          in("RaceDetector", "if ((then & tick & ShadowLayout.STRONG) != 0) {", "if (false) {"),
          in(
              "RaceDetector",
              "return event <= s.settled[component] || event == tick >> ShadowLayout.MARKS;",
              "return true;"),
          in(
              "RaceDetector",
              "boolean conflict = ((shadow[p + 1] | tick) & ShadowLayout.WRITE) != 0;",
              "boolean conflict = false;"),
          in("RaceDetector", "if (event <= known) {", "if (true) {"),
          in(
              "NicVisibility",
              ": !here || model.profile.visibility() == Profile.Visibility.NONE;",
              ": false;"),
          in(
              "RaceDetector",
              "agents.source[other] >= 0\n        && s.known(seen, CausalClockIndex.fetchColumn(model, other)) >= event;",
              "false;"),
          in(
              "RaceDetector",
              "known = s.clocks.at(component, wrote ?",
              "known = s.clocks.at(component, true ?"),
          in("RaceDetector", "if (write && !strong) {", "if (write) {"),
          in("RaceDetector", "int kind = tick & ShadowLayout.KIND;", "int kind = tick & 2;"),
          // What words release, to whom, and which messages a read may find.
          in(
              "SyncWords",
              "if (s.words[m + AGENT] < 0\n          || sight.reaches(",
              "if (false && sight.reaches("),
          in(
              "SyncWords",
              "boolean sees = agent < 0 || sight.reaches(s, agent, s.words[m + TICK], component);",
              "boolean sees = true;"),
          in("SyncWords", "s.words[reader(word, lane) + VIEW] = number(s, word, index);", ""),
          in(
              "SyncWords",
              "return apart > 0 && !kept.scopes && (reach(s, m) < apart || scope < apart);",
              "return false;"),
          // The messages that strong reads found, and the agents ordered after these reads.
          in("SyncWords", "if (foundBefore(model, s, word, i, leader, false)) {", "if (false) {"),
          in("SyncWords", "if (tick <= s.clocks.at(", "if (true || tick <= s.clocks.at("),
          in("SyncWords", "leader)) {\n      s.words[at] = clocks.tick(s, leader);", "leader)) {"),
          in("PendingAtomics", "words.happened(s, word, writes.entered(), issued);", ";"),
          in("SyncWords", "if (s.words[at] == 0 && !sight.reaches(", "if (!sight.reaches("),
          in(
              "WordWrites",
              "s.words, table.found(word, index, 0), table.found(word, index + 1, 0), 0);",
              "s.words, 0, 0, 0);"),
          in("WordWrites", "left * founds);", "0);"),
          in("WordLayout", "readers[kind] > 1 && model.scan.relaxed.get(kind)", "false"),
          in("CodeScan", "relaxed.set(signal, relaxed.get(signal) || !orders);", ""),
          // A strong write that was found or replaced does not race with later accesses.
          in(
              "RaceDetector",
              "if ((then & (ShadowLayout.WRITE | ShadowLayout.CELL)) != ShadowLayout.WRITE) {",
              "if (true) {"),
          in(
              "RaceDetector",
              "if ((then & (ShadowLayout.WRITE | ShadowLayout.CELL)) != ShadowLayout.WRITE) {",
              "if (false) {"),
          in(
              "RaceDetector",
              "if ((then & (ShadowLayout.WRITE | ShadowLayout.CELL)) != ShadowLayout.WRITE) {",
              "if ((then & ShadowLayout.WRITE) == 0) {"),
          in(
              "ObservedOrder",
              ": SyncWords.foundBefore(model, s, word, index, component, renamed);",
              ": false;"),
          in(
              "ObservedOrder",
              "if (model.cells && s.words[m + table.stored] > 0) {",
              "if (false) {"),
          in(
              "ObservedOrder",
              "return !renamed && SyncWords.cellKnown(",
              "return SyncWords.cellKnown("),
          in(
              "ObservedOrder",
              "return !renamed && SyncWords.cellKnown(",
              "return false && SyncWords.cellKnown("),
          in(
              "ObservedOrder",
              "if (s.words[m + AGENT] == writer && s.words[m + TICK] == event) {",
              "if (false) {"),
          in(
              "ObservedOrder",
              "if (PendingAtomicLayout.pending(model, s, writer, word)) {",
              "if (false) {"),
          in("ObservedOrder", "return sight.hides(agent, component)\n", "return false\n"),
          in("ObservedOrder", "? agent + 1 : sight", "? agent : sight"),
          in("ObservedOrder", ": sight.column(agent, component);", ": agent;"),
          in(
              "SyncWords",
              "int finder = finder(model, word, r) + (renamed ? 1 : 0);",
              "int finder = finder(model, word, r);"),
          in("PendingAtomicLayout", "model.agents.leader[lane] != component", "true"),
          in(
              "PendingAtomicLayout",
              "if (s.updates[header + 1 + i * FIELDS + WORD] == word) {",
              "if (i >= 0) {"),
          // The value before the last write, and the reads that may still find it.
          in("DataWords", "System.arraycopy(s.bytes, at, s.before, at, Long.BYTES);", ""),
          in("SimulatedMemory", "System.arraycopy(s.bytes, start, s.before, start, length);", ""),
          in(
              "SimulatedMemory",
              "int known = shadow.end(s, memory, next, end);",
              "int known = end;"),
          in("RaceDetector", "return replaced\n", "return false\n"),
          in("RaceDetector", "renamed |= write && !sameName(shadow[p + 1], tick);", ""),
          // What a fence or release with the lane's own threads as scope does not wait for.
          in("LaneReadiness", "ops[at + 1] > MachineModel.CTA;", "true;"),
          in("LaneReadiness", "ops[at + 7] > MachineModel.CTA)", "true)"),
          in("SyncWords", "boolean acquired = level <= reach;", "boolean acquired = true;"),
          in("SyncWords", "boolean acquired = level <= reach;", "boolean acquired = false;"),
          in(
              "ReleaseClocks",
              "released[v] = releases && v <= reach ? all : fenced(s, lane, v);",
              "released[v] = releases ? all : fenced(s, lane, v);"),
          in(
              "ReleaseClocks",
              "released[v] = releases && v <= reach ? all : fenced(s, lane, v);",
              "released[v] = fenced(s, lane, v);"),
          in("ReleaseClocks", "carried[index] = s.releases.joined(carried[index], row);", ""),
          // What a lane of a cluster released reaches its cluster through any agent.
          in(
              "ReleaseClocks",
              "boolean forOther = index == FOR_LANE &&",
              "boolean forOther = index > 0 && index < model.words.inGroup(0) &&"),
          in(
              "ReleaseClocks",
              "add(s, model.words.inCluster(cluster), MachineModel.CLUSTER);",
              "add(s, model.words.inCluster(cluster), MachineModel.CTA);"),
          in(
              "ReleaseClocks",
              "add(s, model.words.inCluster(cluster), MachineModel.CLUSTER);",
              "add(s, model.words.inCluster(cluster), MachineModel.NEAR);"),
          in(
              "ReleaseClocks",
              "add(s, model.words.inGroup(group), MachineModel.NEAR);",
              "add(s, model.words.inGroup(group), MachineModel.CLUSTER);"),
          in(
              "SyncWords",
              "return cluster < 0 ? -1 : table.inCluster(cluster);",
              "return cluster < 0 ? -1 : table.inCluster(0);"),
          in("MachineModel", "first ? number++", "first ? number"),
          // A change is inserted anywhere after the last change that its lane is ordered after, but
          // not between an atomic and the message that it found. ProgramsAgainstAxiomsTest has more
          // of these.
          in(
              "SyncWords",
              "return (s.words[table.message(word, index) + SCOPE] & UPDATES) != 0;",
              "return false;"),
          in(
              "SyncWords",
              "return predecessorFrom(s, word, inOrder ? 0 : oldest(s, word, lane), branch);",
              "return predecessorFrom(s, word, 0, branch);"),
          in("WordWrites", "if (alone && writers) {", "if (false) {"),
          // A store reads nothing, and the earlier releases of its own lane remain.
          in("SyncWords", "return result || change != SET || model.ordered;", "return true;"),
          in("WordSteps", "releaseClocks.own(s, target, lane);\n      int", "int"),
          in("PendingAtomics", "releaseClocks.own(s, word, lane);", ""),
          in("ReleaseClocks", "s.words[own + v] = released[v];", ""),
          in("WordWrites", "if (!alone && atomicity && apart(other, agent)) {", "if (false) {"),
          in(
              "WordWrites",
              "if (writers && ATOMICS[change] == Atomic.SET && compare != 0 && old == 0) {",
              "if (false) {"),
          in(
              "WordWrites",
              "if (writers && ATOMICS[change] == Atomic.SET && compare != 0 && old == 0) {",
              "if (writers && ATOMICS[change] == Atomic.SET && old == 0) {"),
          in(
              "WordWrites",
              "if (writers && ATOMICS[change] == Atomic.SET && compare != 0 && old == 0) {",
              "if (writers && compare != 0 && old == 0) {"),
          in(
              "WordWrites",
              "next == 0 && old != 0 && locks.notItsHolder(s, word, other, agent)",
              "false"),
          in("WordWrites", "requireTaken(s, word, after, next, agent, afterAll);", ""),
          in(
              "SyncWords",
              "if (!OperandTable.compares(comparison, value(s, word, i), value)) {",
              "if (false) {"),
          in("WordWrites", "if (s.words[reader + TAKEN] <= known) {", "if (false) {"),
          // Which request may continue, and what it is ordered after.
          in(
              "RequestCompletions",
              "if (kind != Request.ARRANGE && s.requests[e + STAGE] < needed) {",
              "if (false) {"),
          in(
              "PlaceStage",
              "boolean waits = unordered ? false : relaxed ? strictWaits : strictWaits || relaxedWaits;",
              "boolean waits = false;"),
          in(
              "PlaceStage",
              "boolean first = !strictWaits && !relaxedWaits && !unorderedWaits && !closed;",
              "boolean first = !closed;"),
          // A bulk copy is ordered after its lane's earlier steps, and ends where its lane waits
          // for it.
          in("ComponentClocks", "before(s, lane, agents.unit[lane]);", ""),
          in("ComponentClocks", "order(s, caller, agents.unit[lane]);", ""),
          in("ComponentClocks", "advance(s, agents.unit[lane]);", ""),
          in("ComponentClocks", "s.settled[agents.unit[lane]] = tick(s, agents.unit[lane]);", ""),
          in("ComponentClocks", "orderLaneAfter(s, lane, unit);", ""),
          in("ComponentClocks", "s.settled[unit] = tick(s, unit);", ""),
          in("LaneSteps", "clocks.orderBulk(s, lane);\n          }\n        }", "}}"),
          in("LaneSteps", "clocks.orderNamesOf(s, lane);", ""),
          in("ObservedOrder", "return ((then ^ tick) & ShadowLayout.ALIAS) != 0", "return false"),
          in("ComponentClocks", "- (c == component ? 1 : 0));", ");"),
          in("LaneReadiness", "copies.meetsUpdates(s, lane, ops, at, 5, updates)", "false"),
          // A line that arrives in parts: through an interface, or over links that tear it.
          in("CopySteps", "return format == PacketFormat.LINE128", "return false"),
          in("CopySteps", "? model.profile.relaxedOrdering()", "? true"),
          in("CopySteps", "words.fromInterface(s, packet, lane)\n", "true\n"),
          in("CopySteps", "words.fromInterface(s, packet, lane)\n", "false\n"),
          in("CopySteps", ": model.profile.torn();", ": true;"),
          in("CopySteps", ": model.profile.torn();", ": false;"),
          // Stores of whole cells: which accesses they race with, and who is ordered after them.
          in("RaceDetector", "&& (poll(then) || poll(tick))", "&& true"),
          in("RaceDetector", "&& sameName(then, tick)) {", "&& true) {"),
          in("RaceDetector", "&& sameName(then, tick)\n", "&& true\n"),
          in(
              "RaceDetector",
              "&& !(model.cells && overwritten(s, memory, at, component, tick))) {",
              ") {"),
          in(
              "RaceDetector",
              "&& !cellKnown(s, memory, shadow[at], shadow[p + 1], component, tick)\n",
              "\n"),
          in("RaceDetector", "&& agents.cells.known(s.clocks, memory, at, component);", ";"),
          in(
              "RaceDetector",
              "forget(s, at, component, tick, seen);\n        }\n        note",
              "}\nnote"),
          in("RaceDetector", "if (poll(shadow[p + 1]) && !before(", "if (false && !before("),
          in(
              "RaceDetector",
              "if (poll(shadow[p + 1]) && !before(s, shadow[p], shadow[p + 1], component, tick, seen)) {",
              "if (poll(shadow[p + 1])) {"),
          in(
              "SyncWords",
              "sees = sees || (model.cells && cellKnown(model, s, word, m, component));",
              ""),
          in("WordWrites", "releaseClocks.also(s, clocks.keep(s, cell));", ""),
          in("WordWrites", "s.words[m + table.stored] = stored;", "s.words[m + table.stored] = 0;"),
          in(
              "WordWrites",
              "|| (model.cells && SyncWords.cellKnown(model, s, word, m, agent));",
              ";"),
          in(
              "SyncWords",
              "if (model.cells && cellKnown(model, s, word, m, leader)) {",
              "if (false) {"),
          in("DataWords", "clocks.advance(s, cell);", ""),
          in("DataWords", "whole > 0 && p < from + whole ?", "p < from + whole ?"),
          in("AtomicCells", "((from | to) & (BYTES - 1)) == 0 ?", "true ?"),
          in("AtomicCells", "((from | to) & (BYTES - 1)) == 0 ?", "(to & (BYTES - 1)) == 0 ?"),
          in("AtomicCells", "length & -BYTES : 0", "length : 0"),
          in("AtomicCells", "return of.engine() instanceof LaneFamily.Engine.Sm", "return true"),
          in("AtomicCells", "&& code.combineAt(of.ops()[at + 2]) instanceof Combine.Copy", ""),
          in(
              "AtomicCells",
              "&& of.ops()[CopyLayout.source(of.ops(), at, 0) + CopyLayout.FORMAT] < 0;",
              ";"),
          // Writes from front to back: what a reader of a word has, and that their order matters.
          in("DataWords", "if (done > 0) {", "if (false) {"),
          in("DataWords", "into.changed(table.word(at, p));", ";"),
          in("PlaceStage", "|| (model.whole && awaited(s, queue));", ";"),
          in(
              "FillStage",
              "int number = model.whole ? fillable(s, queue) : -1;",
              "int number = -1;"),
          in(
              "WordWrites",
              "return model.whole && model.agents.interfaceOf[agent] >= 0;",
              "return false;"),
          in("SimulatedMemory", "polled ? WRITE | STRONG | PUT : WRITE", "WRITE"),
          // A counter signals the fetch alone, and never to a wait for the queue.
          in(
              "RequestCompletions",
              "if (RequestLayout.aside(kind)) {\n        continue;",
              "if (false) {\n        continue;"),
          in(
              "PlaceStage",
              "if (RequestLayout.aside(kind)) {\n        if (!countWaits",
              "if (false) {\n        if (!countWaits"),
          in(
              "PlaceStage",
              "releaseClocks.all(s, component);\n    change",
              "releaseClocks.none();\n    change"),
          in(
              "ReadStage",
              "s.requests[e + STAGE] == 1 && !RequestLayout.aside(kind)",
              "s.requests[e + STAGE] == 1"),
          in(
              "RequestQueues",
              "RequestLayout.aside(kind) ? agents.count[queue] : agents.place[queue];",
              "agents.place[queue];"),
          in("FetchStage", "component = unordered && carries ?", "component = false ?"),
          in("FetchStage", "} else if ((flags & UNORDERED) == 0) {", "} else {"),
          in("FetchStage", "if ((flags & UNCOVERED) == 0) {", "if (true) {"),
          in("FetchStage", "clocks.order(s, component, all);", ""),
          in("FetchStage", "if (s.requests[e + KIND] == Request.ARRANGE) {", "if (false) {"),
          // Which component an unordered request may reuse: that of a request whose end its lane is
          // ordered after, never that of a pending one.
          in(
              "RequestQueues",
              "if (s.settled[component] <= s.clocks.at(leader, component)) {",
              "if (true) {"),
          in("RequestQueues", "s.settled[s.requests[e + COMPONENT]] = Integer.MAX_VALUE;", ""),
          in("RequestQueues", "s.requests[h + UNORDERED_COUNT]++;\n      return", "return"),
          in(
              "FetchStage",
              "carries(s.requests[e + KIND]) || relaxes",
              "carries(s.requests[e + KIND])"),
          in(
              "PlaceStage",
              "s.requests[e + CAUSES] = order.arrangedToo(s, queue, s.requests[e + CAUSES]);",
              ""),
          in("QueueOrder", "s.clocks.set(before, fetch, clocks.tick(s, fetch));", ""),
          in("PlaceStage", "words.reads(change, finds);", "true;"),
          in("PlaceStage", "released = finds ? words", "released = true ? words"),
          in(
              "PlaceStage",
              "if (!waits && !locked(s, e) && left-- == 0) {",
              "if (!waits && left-- == 0) {"),
          in(
              "PlaceStage",
              "clocks.join(s, component, s.releases, s.requests[e + ROW]);\n    order",
              "order"),
          in("PlaceStage", "order.afterArranged(s, queue, component);", ""),
          in("QueueOrder", "after(s, agents.unordered(queue, i), arranged);", ""),
          in("ReadStage", "if (!passed && !unordered) {", "if (!passed) {"),
          in(
              "ReadStage",
              "if (!unordered) {\n      order.afterUnordered(s, queue, component);",
              "if (false) {\n      order.afterUnordered(s, queue, component);"),
          in("ReadStage", "return waits || (unorderedWaits && !unordered) ? -1 : n;", "return n;"),
          in("ReadStage", "clocks.order(s, agents.place[queue], component);", ""),
          in("RequestCompletions", "clocks.orderLaneAfter(s, lane, agents.fetch[queue]);", ""),
          in("RequestCompletions", "clocks.orderLaneAfter(s, lane, agents.fill[queue]);", ""),
          in("ComponentClocks", "order(s, from, agents.leader[lane]);", ""),
          in("ComponentClocks", "order(s, from, agents.worker[lane]);", ""),
          in(
              "EnabledAgents",
              "return contains(s, lane) && lane != stepped && steady && !readiness.locks(s, lane);",
              "return contains(s, lane) && lane != stepped && steady;"),
          in(
              "EnabledAgents",
              "return contains(s, lane) && lane != stepped && steady && !readiness.locks(s, lane);",
              "return contains(s, lane) && steady && !readiness.locks(s, lane);"),
          in("FillStage", "s.settled[component] = Math.min(s.settled[component], first - 1);", ""),
          in(
              "RequestCompletions",
              "s.settled[agents.fill[queue]] = clocks.tick(s, agents.fill[queue]);",
              ""),
          in(
              "PlaceStage",
              "s.requests[e + ROW] = s.releases.joined(s.requests[e + ROW], released);",
              ""),
          // The operations that a lane waits for, and the order that its steps create.
          in(
              "LaneReadiness",
              "== 0;\n      case LaneOpcode.AWAIT_LANES",
              ">= 0;\n      case LaneOpcode.AWAIT_LANES"),
          in("LaneReadiness", "all &= s.ended[other];", ""),
          in("LaneSteps", "clocks.acquire(s, lane, level);\n    if (ops", "if (ops"),
          in("LaneSteps", "clocks.release(s, lane, level, ops[at + 3] == 1);", ""),
          // Effects later than their issue, and the operations that wait for them.
          in("LaneReadiness", "case LaneOpcode.END -> true;", "case LaneOpcode.END -> false;"),
          in("LaneReadiness", "ops[at + 1] > MachineModel.CTA;", "false;"),
          in(
              "LaneReadiness",
              "if (updates.any(s, lane) && afterUpdates(s, lane, ops, at)) {",
              "if (false) {"),
          in(
              "LaneReadiness",
              "any |= !AccessOrders.posted(ops, at) && updates.any(s, lane, word, 1);",
              ""),
          in("WordSteps", "if (updates.on && AccessOrders.posted(ops, at)) {", "if (false) {"),
          in("LaneReadiness", "(AccessOrders.releases(ops[at + 6]) && ops", "(false && ops"),
          in(
              "PendingAtomics",
              "while (!first(s, lane, number) || left-- > 0) {",
              "while (left-- > 0) {"),
          in(
              "LaneSteps",
              "case LaneOpcode.BAR -> clocks.barrier(s, lane);",
              "case LaneOpcode.BAR -> {}"),
          in(
              "LaneSteps",
              "case LaneOpcode.CONSIST -> consist(s, lane);",
              "case LaneOpcode.CONSIST -> {}"),
          in(
              "SlotSteps",
              "boolean releases = AccessOrders.releases(ops[at + 6]) || kept.releases;",
              "boolean releases = false;"),
          // Which lanes share a cluster, and which joins are left out since nobody observes them.
          in(
              "MachineModel",
              "cluster[other] == cluster[lane] ? CLUSTER : NEAR",
              "true ? CLUSTER : NEAR"),
          in(
              "MachineModel",
              "cluster[other] == cluster[lane] ? CLUSTER : NEAR",
              "false ? CLUSTER : NEAR"),
          in("MachineModel", "(l - family) % size", "l % size"),
          in("CodeScan", "relaxes |= !AccessOrders.acquires(ops[at + 7]);", ""),
          // The operations that a lane skips.
          in("JumpThreading", "? code.next(at) : ops[at + 3];", "? ops[at + 3] : code.next(at);"),
          in("JumpThreading", "model.agents.worker[lane] == model.agents.leader[lane]", "true"),
          // What a proxy hands on and reports. Broken proxies publish before they fill, complete
          // before the interface does, put a signal before its data, omit the flush after a get, or
          // overwrite descriptors.
          in(
              "RequestQueues",
              "proxies.publish(s, queue, posted, s.requests[h + RETIRED], posted);",
              "proxies.publish(s, queue, posted, s.requests[h + RETIRED], number);"),
          in(
              "ProxyStage",
              "int all = completions.completedTo(s, queue, proxies.handed(s, queue));",
              "int all = proxies.handed(s, queue);"),
          in(
              "ProxyStage",
              "int e = ring.entry(queue, proxies.handed(s, queue));",
              """
              int next = proxies.handed(s, queue);
              int e = ring.entry(queue, next);
              if (next + 1 < s.requests[ring.header(queue) + POSTED]) {
                int other = ring.entry(queue, next + 1);
                int fields = dev.oriel.sim.machine.layout.RequestLayout.FIELDS;
                int[] swap = java.util.Arrays.copyOfRange(s.requests, e, e + fields);
                System.arraycopy(s.requests, other, s.requests, e, fields);
                System.arraycopy(swap, 0, s.requests, other, fields);
                int values = dev.oriel.sim.machine.layout.RequestLayout.VALUES;
                for (int i = 0; i < values; i++) {
                  long value = s.requestValues[values * ring.slot(queue, next) + i];
                  s.requestValues[values * ring.slot(queue, next) + i] =
                      s.requestValues[values * ring.slot(queue, next + 1) + i];
                  s.requestValues[values * ring.slot(queue, next + 1) + i] = value;
                }
              }
              """),
          in("ProxyStage", "row = s.releases.joined(row, known(s, agents.fill[queue]));", ""),
          in("ProxyStage", "int row = known(s, agents.fetch[queue]);", "int row = 0;"),
          in(
              "RequestQueues",
              "? proxies.hasRoom(s, queue, posted, s.requests[h + RETIRED])",
              "? true"),
          in("ProxyThreads", "clocks.join(s, agents.leader[lane], s.releases, row);", ""),
          in("ProxyThreads", "clocks.join(s, agents.worker[lane], s.releases, row);", ""),
          // Which steps are tried in every order, which steps commute, and which agents are checked
          // again.
          in(
              "OrderSensitiveSteps",
              "case LaneOpcode.READ_SLOT, LaneOpcode.LOCK -> true;",
              "case LaneOpcode.READ_SLOT -> true;"),
          in(
              "OrderSensitiveSteps",
              "case LaneOpcode.READ_SLOT, LaneOpcode.LOCK -> true;",
              "case LaneOpcode.LOCK -> true;"),
          in(
              "OrderSensitiveSteps",
              "case LaneOpcode.RMW -> !updates.on || !AccessOrders.posted(ops, at);",
              ""),
          in(
              "OrderSensitiveSteps",
              "case LaneOpcode.WRITE_SLOT -> model.scan.contended(ops[at + 1]);",
              ""),
          in(
              "OrderSensitiveSteps",
              "into.changed(names.slot(owner, ops[at + 1], model.rank(lane), index));",
              ""),
          in("OrderSensitiveSteps", "into.changed(word);", ""),
          in("OrderSensitiveSteps", "into.read(word);", ""),
          in(
              "OrderSensitiveSteps",
              "into.changed(names.word(s, lane, owner, ops[at + 1], ops[at + 3]));",
              ""),
          in("StepFootprint", "return true;", "return false;"),
          in(
              "StepFootprint",
              "((words[i] | other.words[k]) & 1) == 1",
              "((words[i] & other.words[k]) & 1) == 1"),
          in("EnabledDirtySet", "callers.add(rank);", ""),
          in("EnabledDirtySet", "lanesOf(rank);\n    callers", "callers"),
          // Which lanes are resident, and in which order they begin.
          in("ResidentBlocks", "crowded[rank] = blocks > most;", "crowded[rank] = false;"),
          in(
              "ResidentBlocks",
              "return model.lane(lane).engine() instanceof LaneFamily.Engine.Sm;",
              "return true;"),
          in("ResidentBlocks", "if (!crowded[rank] || !block(l)) {", "if (!crowded[rank]) {"),
          in("ResidentBlocks", "return anyOrder && crowded[rank];", "return false;"),
          in("ResidentBlocks", "return chooses(rank) && waits(s, rank);", "return false;"),
          in("ResidentBlocks", "int room = most - running(s, rank);", "int room = most;"),
          in("ResidentBlocks", "room -= size[first];", ""),
          in("ResidentBlocks", "l < first + size[first]; l++", "l < first + 1; l++"),
          in(
              "ResidentBlocks",
              "options += size[l] <= room ? 1 : 0;",
              "options += room > 0 ? 1 : 0;"),
          in("ResidentBlocks", "if (!anyOrder) {", "if (false) {"),
          in("CallerSteps", "blocks.fill(s, rank, branch);", ""),
          in("CallerSteps", "if (blocks.late(rank)) {", "if (false) {"),
          // The checks of callers.
          in("CallerSteps", "judge(s, rank, promised);", ""),
          in("CallerSteps", "if (applies(s, rank, promised.claim)) {", "if (true) {"),
          in("CallerSteps", "if (octet == InputPattern.POISON) {", "if (false) {"),
          in(
              "CallerSteps",
              "memory.access(s, agents.caller[rank], rank, buffer, offset, Long.BYTES, 0, -1);",
              ""),
          in("CallerSteps", "clocks.end(s, l, caller);", ""),
          in(
              "CallerSteps",
              "memory.write(s, caller, rank, b, 0, size, fill, 0, CausalClockIndex.caller(model, rank));",
              "System.arraycopy(fill, 0, s.bytes, model.firstByte[rank * model.buffers + b], size);"));

  private EngineMutants() {}

  private static EngineMutant in(String file, String line, String becomes) {
    return new EngineMutant(file, line, becomes);
  }
}

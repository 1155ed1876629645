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
          in("Clocks", "order(s, worker, leader);", ""),
          in("Clocks", "order(s, leader, worker);", ""),
          in("Clocks", "order(s, caller, leader);", ""),
          in("Clocks", "order(s, caller, worker);", ""),
          in("Clocks", "join(s, agents.leader[lane], ClockRows.pending(model, lane, v));", ""),
          in("Clocks", "s.clocks.copy(fenced, s.clocks, leader);", ""),
          in("Clocks", "s.heads.rows.set(row, leader, s.clocks.at(fenced, leader));", ""),
          in("Clocks", "s.heads.rows.set(row, worker, s.clocks.at(fenced, worker));", ""),
          in("Clocks", "consist(s, agents.leader[lane], rank);", ""),
          in("Clocks", "consist(s, agents.worker[lane], rank);", ""),
          in(
              "Clocks",
              "s.seen.join(row, s.causes.rows, causes);\n    }\n    return",
              "}\n    return"),
          in(
              "Clocks",
              "s.seen.increment(awaiting(lane, worker), SeenRows.column(model, lane, worker));",
              ""),
          // Which accesses race, and who sees an interface's writes.
          in("Shadow", "if ((then & tick & ShadowTable.STRONG) != 0) {", "if (false) {"),
          in(
              "Shadow",
              "return event <= s.settled[component] || event == tick >> ShadowTable.MARKS;",
              "return true;"),
          in(
              "Shadow",
              "boolean conflict = ((shadow[p + 1] | tick) & ShadowTable.WRITE) != 0;",
              "boolean conflict = false;"),
          in("Shadow", "if (event <= known) {", "if (true) {"),
          in(
              "Sight",
              ": !here || model.profile.visibility() == Profile.Visibility.NONE;",
              ": false;"),
          in(
              "Shadow",
              "agents.source[other] >= 0 && s.known(seen, SeenRows.fetchColumn(model, other)) >= event;",
              "false;"),
          in(
              "Shadow",
              "known = s.clocks.at(component, wrote ?",
              "known = s.clocks.at(component, true ?"),
          in("Shadow", "if (write && !strong) {", "if (write) {"),
          in("Shadow", "int kind = tick & ShadowTable.KIND;", "int kind = tick & 2;"),
          // What words release, to whom, and which messages a read may find.
          in(
              "Words",
              "if (s.words[m + AGENT] < 0\n          || sight.reaches(",
              "if (false && sight.reaches("),
          in(
              "Words",
              "boolean sees = agent < 0 || sight.reaches(s, agent, s.words[m + TICK], component);",
              "boolean sees = true;"),
          in("Words", "s.words[reader(word, lane) + VIEW] = number(s, word, index);", ""),
          in(
              "Words",
              "return apart > 0 && !kept.scopes && (reach(s, m) < apart || scope < apart);",
              "return false;"),
          // The messages that strong reads found, and the agents ordered after these reads.
          in("Words", "if (foundBefore(model, s, word, i, leader, false)) {", "if (false) {"),
          in("Words", "if (tick <= s.clocks.at(", "if (true || tick <= s.clocks.at("),
          in("Words", "leader)) {\n      s.words[at] = clocks.tick(s, leader);", "leader)) {"),
          in("Updates", "words.happened(s, word, writes.entered(), issued);", ";"),
          in("Words", "if (s.words[at] == 0 && !sight.reaches(", "if (!sight.reaches("),
          in(
              "WordWrites",
              "s.words, table.found(word, index, 0), table.found(word, index + 1, 0), 0);",
              "s.words, 0, 0, 0);"),
          in("WordWrites", "left * founds);", "0);"),
          in("WordTable", "readers[kind] > 1 && model.scan.relaxed.get(kind)", "false"),
          in("Scan", "relaxed.set(signal, relaxed.get(signal) || !orders);", ""),
          // A strong write that was found or replaced does not race with later accesses.
          in(
              "Shadow",
              "if ((then & (ShadowTable.WRITE | ShadowTable.CELL)) != ShadowTable.WRITE) {",
              "if (true) {"),
          in(
              "Shadow",
              "if ((then & (ShadowTable.WRITE | ShadowTable.CELL)) != ShadowTable.WRITE) {",
              "if (false) {"),
          in(
              "Shadow",
              "if ((then & (ShadowTable.WRITE | ShadowTable.CELL)) != ShadowTable.WRITE) {",
              "if ((then & ShadowTable.WRITE) == 0) {"),
          in(
              "Known",
              ": Words.foundBefore(model, s, word, index, component, renamed);",
              ": false;"),
          in("Known", "if (model.cells && s.words[m + table.stored] > 0) {", "if (false) {"),
          in("Known", "return !renamed && Words.cellKnown(", "return Words.cellKnown("),
          in("Known", "return !renamed && Words.cellKnown(", "return false && Words.cellKnown("),
          in(
              "Known",
              "if (s.words[m + AGENT] == writer && s.words[m + TICK] == event) {",
              "if (false) {"),
          in("Known", "if (Updates.pending(model, s, writer, word)) {", "if (false) {"),
          in("Known", "return sight.hides(agent, component)\n", "return false\n"),
          in("Known", "? agent + 1 : sight", "? agent : sight"),
          in("Known", ": sight.column(agent, component);", ": agent;"),
          in(
              "Words",
              "int finder = finder(model, word, r) + (renamed ? 1 : 0);",
              "int finder = finder(model, word, r);"),
          in("Updates", "model.agents.leader[lane] != component", "true"),
          in(
              "Updates",
              "if (s.updates[header + 1 + i * FIELDS + WORD] == word) {",
              "if (i >= 0) {"),
          // The value before the last write, and the reads that may still find it.
          in("DataWords", "System.arraycopy(s.bytes, at, s.before, at, Long.BYTES);", ""),
          in("Memory", "System.arraycopy(s.bytes, start, s.before, start, length);", ""),
          in("Memory", "int behind = shadow.end(s, memory, next, end);", "int behind = end;"),
          in("Shadow", "return replaced\n", "return false\n"),
          in("Shadow", "renamed |= write && !sameName(shadow[p + 1], tick);", ""),
          // What a fence or release with the lane's own threads as scope does not wait for.
          in("Readiness", "ops[at + 1] > Model.CTA;", "true;"),
          in("Readiness", "ops[at + 7] > Model.CTA)", "true)"),
          in("Words", "boolean acquired = level <= reach;", "boolean acquired = true;"),
          in("Words", "boolean acquired = level <= reach;", "boolean acquired = false;"),
          in(
              "Heads",
              "heads[v] = releases && v <= reach ? all : fenced(s, lane, v);",
              "heads[v] = releases ? all : fenced(s, lane, v);"),
          in(
              "Heads",
              "heads[v] = releases && v <= reach ? all : fenced(s, lane, v);",
              "heads[v] = fenced(s, lane, v);"),
          in(
              "Heads",
              "heads[head] = s.heads.joined(heads[head], s.words[message + HEADS + other]);",
              ""),
          // A change is inserted anywhere after the last change that its lane is ordered after, but
          // not between an atomic and the message that it found. ProgramsAgainstAxiomsTest has more
          // of these.
          in(
              "Words",
              "return (s.words[table.message(word, index) + SCOPE] & UPDATES) != 0;",
              "return false;"),
          in(
              "Words",
              "return predecessorFrom(s, word, inOrder ? 0 : oldest(s, word, lane), branch);",
              "return predecessorFrom(s, word, 0, branch);"),
          in("WordWrites", "if (alone && writers) {", "if (false) {"),
          // A store reads nothing, and the earlier releases of its own lane remain.
          in("Words", "return result || change != SET || model.ordered;", "return true;"),
          in("WordSteps", "heads.own(s, target, lane);\n      int", "int"),
          in("Updates", "heads.own(s, word, lane);", ""),
          in("Heads", "s.words[own + v] = heads[v];", ""),
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
          in("WordWrites", "requireTaken(s, word, after, next, agent, behindAll);", ""),
          in(
              "Words",
              "if (!Operands.compares(comparison, value(s, word, i), value)) {",
              "if (false) {"),
          in("WordWrites", "if (s.words[reader + TAKEN] > known\n", "if (true\n"),
          // Which request may continue, and what it is ordered after.
          in(
              "Completions",
              "if (kind != Request.ARRANGE && s.requests[e + STAGE] < needed) {",
              "if (false) {"),
          in(
              "PlaceStage",
              "boolean waits = loose ? false : relaxed ? strictWaits : strictWaits || relaxedWaits;",
              "boolean waits = false;"),
          in(
              "PlaceStage",
              "boolean first = !strictWaits && !relaxedWaits && !looseWaits && !closed;",
              "boolean first = !closed;"),
          // A bulk copy is ordered after its lane's earlier steps, and ends where its lane waits
          // for it.
          in("Clocks", "before(s, lane, agents.unit[lane]);", ""),
          in("Clocks", "order(s, caller, agents.unit[lane]);", ""),
          in("Clocks", "advance(s, agents.unit[lane]);", ""),
          in("Clocks", "s.settled[agents.unit[lane]] = tick(s, agents.unit[lane]);", ""),
          in("Clocks", "behind(s, lane, unit);", ""),
          in("Clocks", "s.settled[unit] = tick(s, unit);", ""),
          in("Lanes", "clocks.orderBulk(s, lane);\n          }\n        }", "}}"),
          in("Lanes", "clocks.orderNamesOf(s, lane);", ""),
          in("Known", "return ((then ^ tick) & ShadowTable.ALIAS) != 0", "return false"),
          in("Clocks", "- (c == component ? 1 : 0));", ");"),
          in("Readiness", "copies.meetsUpdates(s, lane, ops, at, 5, updates)", "false"),
          // A line that arrives in parts: through an interface, or over links that tear it.
          in("Copies", "return format == PacketFormat.LINE128", "return false"),
          in("Copies", "? model.profile.loose() :", "? true :"),
          in("Copies", "words.fromInterface(s, packet, lane) ?", "true ?"),
          in("Copies", "words.fromInterface(s, packet, lane) ?", "false ?"),
          in("Copies", ": model.profile.torn();", ": true;"),
          in("Copies", ": model.profile.torn();", ": false;"),
          // Stores of whole cells: which accesses they race with, and who is ordered after them.
          in("Shadow", "&& (poll(then) || poll(tick))", "&& true"),
          in("Shadow", "&& sameName(then, tick)) {", "&& true) {"),
          in("Shadow", "&& sameName(then, tick)\n", "&& true\n"),
          in(
              "Shadow",
              "&& !(model.cells && overwritten(s, memory, at, component, tick))) {",
              ") {"),
          in(
              "Shadow",
              "&& !cellKnown(s, memory, shadow[at], shadow[p + 1], component, tick)\n",
              "\n"),
          in("Shadow", "&& agents.cells.known(s.clocks, memory, at, component);", ";"),
          in("Shadow", "forget(s, at, component, tick, seen);\n        }\n        note", "}\nnote"),
          in("Shadow", "if (poll(shadow[p + 1]) && !before(", "if (false && !before("),
          in(
              "Shadow",
              "if (poll(shadow[p + 1]) && !before(s, shadow[p], shadow[p + 1], component, tick, seen)) {",
              "if (poll(shadow[p + 1])) {"),
          in(
              "Words",
              "sees = sees || (model.cells && cellKnown(model, s, word, m, component));",
              ""),
          in("WordWrites", "heads.also(s, clocks.keep(s, cell));", ""),
          in("WordWrites", "s.words[m + table.stored] = stored;", "s.words[m + table.stored] = 0;"),
          in("WordWrites", "|| (model.cells && Words.cellKnown(model, s, word, m, agent));", ";"),
          in("Words", "if (model.cells && cellKnown(model, s, word, m, leader)) {", "if (false) {"),
          in("DataWords", "clocks.advance(s, cell);", ""),
          in("DataWords", "whole > 0 && p < from + whole ?", "p < from + whole ?"),
          in("Cells", "((from | to) & (BYTES - 1)) == 0 ?", "true ?"),
          in("Cells", "((from | to) & (BYTES - 1)) == 0 ?", "(to & (BYTES - 1)) == 0 ?"),
          in("Cells", "length & -BYTES : 0", "length : 0"),
          in("Cells", "return of.engine() instanceof Lane.Engine.Sm", "return true"),
          in("Cells", "&& code.combineAt(of.ops()[at + 2]) instanceof Combine.Copy", ""),
          in(
              "Cells",
              "&& of.ops()[CopyLayout.source(of.ops(), at, 0) + CopyLayout.FORMAT] < 0;",
              ";"),
          // A counter signals the fetch alone, and never to a wait for the queue.
          in(
              "Completions",
              "if (RequestTable.aside(kind)) {\n        continue;",
              "if (false) {\n        continue;"),
          in(
              "PlaceStage",
              "if (RequestTable.aside(kind)) {\n        if (!countWaits",
              "if (false) {\n        if (!countWaits"),
          in("PlaceStage", "heads.all(s, component);\n    change", "heads.none();\n    change"),
          in(
              "ReadStage",
              "s.requests[e + STAGE] == 1 && !RequestTable.aside(kind)",
              "s.requests[e + STAGE] == 1"),
          in(
              "Queues",
              "RequestTable.aside(kind) ? agents.count[queue] : agents.place[queue];",
              "agents.place[queue];"),
          in("FetchStage", "component = loose && carries ?", "component = false ?"),
          in("FetchStage", "} else if ((flags & LOOSE) == 0) {", "} else {"),
          in("FetchStage", "if ((flags & UNCOVERED) == 0) {", "if (true) {"),
          in("FetchStage", "clocks.order(s, component, all);", ""),
          in("FetchStage", "if (s.requests[e + KIND] == Request.ARRANGE) {", "if (false) {"),
          // Which component an unordered request may reuse: that of a request whose end its lane is
          // ordered after, never that of a pending one.
          in(
              "Queues",
              "if (s.settled[component] <= s.clocks.at(leader, component)) {",
              "if (true) {"),
          in("Queues", "s.settled[s.requests[e + COMPONENT]] = Integer.MAX_VALUE;", ""),
          in("Queues", "s.requests[h + LOOSE_COUNT]++;\n      return", "return"),
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
              "clocks.join(s, component, s.heads, s.requests[e + ROW]);\n    order",
              "order"),
          in("PlaceStage", "order.behindArranged(s, queue, component);", ""),
          in("QueueOrder", "behind(s, agents.loose(queue, i), arranged);", ""),
          in("ReadStage", "if (!passed && !loose) {", "if (!passed) {"),
          in(
              "ReadStage",
              "if (!loose) {\n      order.behindLoose(s, queue, component);",
              "if (false) {\n      order.behindLoose(s, queue, component);"),
          in("ReadStage", "return waits || (looseWaits && !loose) ? -1 : n;", "return n;"),
          in("ReadStage", "clocks.order(s, agents.place[queue], component);", ""),
          in("Completions", "clocks.behind(s, lane, agents.fetch[queue]);", ""),
          in("Completions", "clocks.behind(s, lane, agents.fill[queue]);", ""),
          in("Clocks", "order(s, from, agents.leader[lane]);", ""),
          in("Clocks", "order(s, from, agents.worker[lane]);", ""),
          in(
              "EnabledAgents",
              "return contains(s, lane) && lane != stepped && steady && !readiness.locks(s, lane);",
              "return contains(s, lane) && lane != stepped && steady;"),
          in(
              "EnabledAgents",
              "return contains(s, lane) && lane != stepped && steady && !readiness.locks(s, lane);",
              "return contains(s, lane) && steady && !readiness.locks(s, lane);"),
          in(
              "FillStage",
              "s.settled[component] = Math.min(s.settled[component], clocks.tick(s, component) - 1);",
              ""),
          in(
              "Completions",
              "s.settled[agents.fill[queue]] = clocks.tick(s, agents.fill[queue]);",
              ""),
          in(
              "PlaceStage",
              "s.requests[e + ROW] = s.heads.joined(s.requests[e + ROW], released);",
              ""),
          // The operations that a lane waits for, and the order that its steps create.
          in(
              "Readiness",
              "== 0;\n      case Opcode.AWAIT_LANES",
              ">= 0;\n      case Opcode.AWAIT_LANES"),
          in("Readiness", "all &= s.ended[other];", ""),
          in("Lanes", "clocks.acquire(s, lane, level);\n    if (ops", "if (ops"),
          in("Lanes", "clocks.release(s, lane, level);", ""),
          // Effects later than their issue, and the operations that wait for them.
          in("Readiness", "case Opcode.END -> true;", "case Opcode.END -> false;"),
          in("Readiness", "ops[at + 1] > Model.CTA;", "false;"),
          in(
              "Readiness",
              "if (updates.any(s, lane) && behindUpdates(s, lane, ops, at)) {",
              "if (false) {"),
          in("Readiness", "any |= !Orders.posted(ops, at) && updates.any(s, lane, word, 1);", ""),
          in("WordSteps", "if (updates.on && Orders.posted(ops, at)) {", "if (false) {"),
          in("Readiness", "(Orders.releases(ops[at + 6]) && ops", "(false && ops"),
          in("Updates", "while (!first(s, lane, number) || left-- > 0) {", "while (left-- > 0) {"),
          in("Lanes", "case Opcode.BAR -> clocks.barrier(s, lane);", "case Opcode.BAR -> {}"),
          in("Lanes", "case Opcode.CONSIST -> consist(s, lane);", "case Opcode.CONSIST -> {}"),
          in(
              "SlotSteps",
              "boolean releases = Orders.releases(ops[at + 6]) || kept.releases;",
              "boolean releases = false;"),
          // Which lanes share a cluster, and which joins are left out since nobody observes them.
          in("Model", "cluster[other] == cluster[lane] ? BESIDE : NEAR", "true ? BESIDE : NEAR"),
          in("Model", "cluster[other] == cluster[lane] ? BESIDE : NEAR", "false ? BESIDE : NEAR"),
          in("Model", "(l - family) % size", "l % size"),
          in("Scan", "relaxes |= !Orders.acquires(ops[at + 7]);", ""),
          // The operations that a lane skips.
          in("Skips", "? code.next(at) : ops[at + 3];", "? ops[at + 3] : code.next(at);"),
          in("Skips", "model.agents.worker[lane] == model.agents.leader[lane]", "true"),
          // What a proxy hands on and reports. Broken proxies publish before they fill, complete
          // before the interface does, put a signal before its data, omit the flush after a get, or
          // overwrite descriptors.
          in(
              "Queues",
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
                int fields = dev.oriel.sim.machine.layout.RequestTable.FIELDS;
                int[] swap = java.util.Arrays.copyOfRange(s.requests, e, e + fields);
                System.arraycopy(s.requests, other, s.requests, e, fields);
                System.arraycopy(swap, 0, s.requests, other, fields);
                int values = dev.oriel.sim.machine.layout.RequestTable.VALUES;
                for (int i = 0; i < values; i++) {
                  long value = s.requestValues[values * ring.slot(queue, next) + i];
                  s.requestValues[values * ring.slot(queue, next) + i] =
                      s.requestValues[values * ring.slot(queue, next + 1) + i];
                  s.requestValues[values * ring.slot(queue, next + 1) + i] = value;
                }
              }
              """),
          in("ProxyStage", "row = s.heads.joined(row, known(s, agents.fill[queue]));", ""),
          in("ProxyStage", "int row = known(s, agents.fetch[queue]);", "int row = 0;"),
          in("Queues", "? proxies.hasRoom(s, queue, posted, s.requests[h + RETIRED])", "? true"),
          in("Proxies", "clocks.join(s, agents.leader[lane], s.heads, row);", ""),
          in("Proxies", "clocks.join(s, agents.worker[lane], s.heads, row);", ""),
          // Which steps are tried in every order, which steps commute, and which agents are checked
          // again.
          in(
              "OpenSteps",
              "case Opcode.READ_SLOT, Opcode.LOCK -> true;",
              "case Opcode.READ_SLOT -> true;"),
          in(
              "OpenSteps",
              "case Opcode.READ_SLOT, Opcode.LOCK -> true;",
              "case Opcode.LOCK -> true;"),
          in("OpenSteps", "case Opcode.RMW -> !updates.on || !Orders.posted(ops, at);", ""),
          in("OpenSteps", "case Opcode.WRITE_SLOT -> model.scan.contended(ops[at + 1]);", ""),
          in(
              "OpenSteps",
              "into.changed(names.slot(owner, ops[at + 1], model.rank(lane), index));",
              ""),
          in("OpenSteps", "into.changed(word);", ""),
          in("OpenSteps", "into.read(word);", ""),
          in(
              "OpenSteps",
              "into.changed(names.word(s, lane, owner, ops[at + 1], ops[at + 3]));",
              ""),
          in("Footprint", "return true;", "return false;"),
          in(
              "Footprint",
              "((words[i] | other.words[k]) & 1) == 1",
              "((words[i] & other.words[k]) & 1) == 1"),
          in("Wakes", "callers.add(rank);", ""),
          in("Wakes", "lanesOf(rank);\n    callers", "callers"),
          // The checks of callers.
          in("Callers", "judge(s, rank, promised);", ""),
          in("Callers", "clocks.end(s, l, caller);", ""),
          in(
              "Callers",
              "memory.write(s, caller, rank, b, 0, size, fill, 0, SeenRows.caller(model, rank));",
              "memory.put(s, rank, b, 0, size, fill, 0);"));

  private EngineMutants() {}

  private static EngineMutant in(String file, String line, String becomes) {
    return new EngineMutant(file, line, becomes);
  }
}

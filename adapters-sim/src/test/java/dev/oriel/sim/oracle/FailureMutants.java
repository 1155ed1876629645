package dev.oriel.sim.oracle;

import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.util.List;
import java.util.Map;

/**
 * Faults and their messages, sums, locks and reductions: each guard, join and check of the machine,
 * removed by a change of one line.
 */
final class FailureMutants {
  /** By the name of the file whose programs detect them. */
  static final Map<String, List<EngineMutant>> BY_PROGRAMS =
      Map.of(
          "faults",
          faults(),
          "deadlock",
          deadlock(),
          "sums",
          sums(),
          "locks",
          locks(),
          "reductions",
          reductions());

  private static List<EngineMutant> faults() {
    return List.of(
        // Which of several faults of a kind applies, and to which rank.
        in("Faults", "Math.min(counts[place], after)", "after"),
        in("Faults", "Math.max(waits[place], by)", "by"),
        in(
            "Faults",
            "lists[queue] = Arrays.copyOf(list, list.length + 2);",
            "lists[queue] = new int[list.length + 2];"),
        in("Faults", "(from == rank(rank) && to == rank(peer))", "(to == rank(peer))"),
        in("Faults", "(from == rank(rank) && to == rank(peer))", "(from == rank(rank))"),
        in("Faults", "(back && from == peer && to == rank)", "false"),
        in("Faults", "(back && from == peer && to == rank)", "(from == peer && to == rank)"),
        in("Faults", "if (origin(q) == rank(rank) && left-- == 0) {", "if (left-- == 0) {"),
        in(
            "Faults",
            "if (origin(q) == rank(rank) && left-- == 0) {",
            "if (origin(q) == rank(rank)) {"),
        in(
            "Faults",
            "case Fault.Straggle(int rank, int by) -> {\n          most(straggle, rank(rank), by);\n          waits = true;",
            "case Fault.Straggle(int rank, int by) -> {\n          most(straggle, rank(rank), by);"),
        in(
            "Faults",
            "add(delays, queue(rank, queue), after, by);\n          waits = true;",
            "add(delays, queue(rank, queue), after, by);"),
        in(
            "Faults",
            "queues(rank, peer, true).forEach(q -> add(stalls, q, after, by));\n          linked = true;",
            "queues(rank, peer, true).forEach(q -> add(stalls, q, after, by));"),
        in(
            "Faults",
            "queues(rank, peer, true).forEach(q -> most(degrade, q, by));\n          linked = true;",
            "queues(rank, peer, true).forEach(q -> most(degrade, q, by));"),
        in(
            "Faults",
            "add(stalls, queue(rank, queue), after, by);\n          linked = true;",
            "add(stalls, queue(rank, queue), after, by);"),
        in(
            "Faults",
            "least(proxyCrash, proxied(rank), after);\n          proxied = true;",
            "least(proxyCrash, proxied(rank), after);"),
        in(
            "Faults",
            "most(proxyStraggle, proxied(rank), by);\n          proxied = true;",
            "most(proxyStraggle, proxied(rank), by);"),
        in("Faults", "proxied = true;\n          waits = true;", "proxied = true;"),
        in("Faults", "slow = waits || linked;", "slow = waits;"),
        // When a fault happens.
        in("Faults", "s.steps[rank]++;", ""),
        in("Faults", "s.lastStep[rank] = s.allSteps;", ""),
        in("Faults", "s.aborted[rank] |= s.steps[rank] >= abort[rank];", ""),
        in(
            "Faults",
            "s.aborted[rank] |= s.steps[rank] >= abort[rank];",
            "s.aborted[rank] = s.steps[rank] == abort[rank];"),
        in("Faults", "return s.steps[rank] >= crash[rank];", "return false;"),
        in("Faults", "return s.steps[rank] >= crash[rank];", "return s.steps[rank] > crash[rank];"),
        in("Faults", "return number >= queueError[queue];", "return number > queueError[queue];"),
        in("Faults", "return number >= queueError[queue];", "return number == queueError[queue];"),
        in("Faults", "return posted > lostCompletion[queue];", "return false;"),
        in(
            "Faults",
            "return posted > lostCompletion[queue];",
            "return posted >= lostCompletion[queue];"),
        in("Faults", "return lostCompletion[queue];", "return NEVER;"),
        in("Faults", "return steps < proxyCrash[rank];", "return true;"),
        in("Faults", "return steps < proxyCrash[rank];", "return steps <= proxyCrash[rank];"),
        in("Faults", "return others >= proxyStraggle[rank];", "return true;"),
        in("Faults", "s.lastStep[rank] < straggle[rank];", "s.lastStep[rank] < 0;"),
        in(
            "Faults",
            "wait = list[i] == number ? Math.max(wait, list[i + 1]) : wait;",
            "wait = Math.max(wait, list[i + 1]);"),
        in("Faults", "return s.allSteps - s.held[queue] < wait;", "return false;"),
        in("Faults", "s.held[queue] = s.allSteps;", ""),
        in("Faults", "boolean down = oldest >= number;", "boolean down = false;"),
        in("Faults", "boolean down = oldest >= number;", "boolean down = true;"),
        in("Faults", "down |= list[i] == number;", ""),
        in("Faults", "int wait = degrade[queue];", "int wait = 0;"),
        in("Faults", "oldest <= list[i] && list[i] < fetched ?", "list[i] < fetched ?"),
        in("Faults", "oldest <= list[i] && list[i] < fetched ?", "oldest <= list[i] ?"),
        in("Faults", "return s.allSteps - s.stalled[queue] < wait;", "return false;"),
        in(
            "Faults",
            "if (degrade[queue] > 0) {\n      s.stalled[queue] = s.allSteps;",
            "if (false) {\n      s.stalled[queue] = s.allSteps;"),
        in(
            "Faults",
            "if (degrade[queue] > 0) {\n      s.stalled[queue] = s.allSteps;",
            "if (true) {\n      s.stalled[queue] = s.allSteps;"),
        // Who asks for faults.
        in("FetchStage", "if (faults.any && faults.fails(queue, number)) {", "if (false) {"),
        in(
            "FetchStage",
            "if (faults.slow && !impatient && faults.holds(s, queue, number)) {",
            "if (false) {"),
        in(
            "FetchStage",
            "if (faults.slow && !impatient && faults.holds(s, queue, number)) {",
            "if (faults.slow && faults.holds(s, queue, number)) {"),
        in("Completions", "!(faults.any && faults.loses(queue, posted));", "true;"),
        in(
            "ProxyStage",
            "return faults.any ? Math.min(all, faults.lastCompletion(queue)) : all;",
            "return all;"),
        in("Stages", "if (faults.links && (stage == 1 || stage == 2)) {", "if (false) {"),
        in("Proxies", "&& (impatient || faults.proxyHurries(", "&& (faults.proxyHurries("),
        in(
            "Readiness",
            "if (faults.any && s.aborted[model.rank(lane)] && waits(s, lane)) {",
            "if (false) {"),
        in(
            "EnabledAgents",
            "(faults.crashed(s, rank) || (!impatient && faults.straggles(s, rank)));",
            "faults.crashed(s, rank);"),
        in(
            "EnabledAgents",
            "(faults.crashed(s, rank) || (!impatient && faults.straggles(s, rank)));",
            "(!impatient && faults.straggles(s, rank));"),
        in(
            "EnabledAgents",
            "(faults.crashed(s, rank) || (!impatient && faults.straggles(s, rank)));",
            "(faults.crashed(s, rank) || faults.straggles(s, rank));"),
        in("Machine", "s.allSteps += faults.slow ? 1 : 0;", ""),
        in(
            "Machine",
            "if (!callers.through(s, r) && !crashed(s, r)) {",
            "if (!callers.through(s, r)) {"));
  }

  private static List<EngineMutant> deadlock() {
    return List.of(
        // The message of a deadlock.
        in(
            "Deadlock",
            "return !s.ended[lane] && s.at[lane] >= 0 && !crashed(s, lane);",
            "return s.at[lane] >= 0 && !crashed(s, lane);"),
        in(
            "Deadlock",
            "return !s.ended[lane] && s.at[lane] >= 0 && !crashed(s, lane);",
            "return !s.ended[lane] && !crashed(s, lane);"),
        in(
            "Deadlock",
            "return !s.ended[lane] && s.at[lane] >= 0 && !crashed(s, lane);",
            "return !s.ended[lane] && s.at[lane] >= 0;"),
        in(
            "Deadlock",
            "return faults.any && faults.crashed(s, model.rank(lane));",
            "return false;"),
        in("Deadlock", "if (!s.ended[l]) {", "if (true) {"),
        in("Deadlock", "if (crashed(s, l)) {", "if (false) {"),
        in("Deadlock", "} else if (s.at[l] < 0) {", "} else if (false) {"),
        in("Deadlock", "if (proxies.dead(s, r)) {", "if (false) {"),
        in("Deadlock", "if (!unserved.isEmpty()) {", "if (true) {"),
        in("Deadlock", "text.append(cycle(s));", ""),
        in("Deadlock", "missing(s, l, text);\n          text.append(';');", "text.append(';');"),
        in(
            "Deadlock",
            "boolean sent = words.agent(s, need.word(), last) >= 0;",
            "boolean sent = true;"),
        in("Deadlock", "== Opcode.LOCK));", "< 0));"),
        in("Deadlock", "if (needs.size() > SHOWN) {", "if (false) {"),
        in("Deadlock", "needs.subList(0, Math.min(SHOWN, needs.size()))", "needs"),
        in(
            "Deadlock",
            "if (model.lane(lane).ops()[s.at[lane]] == Opcode.AWAIT_QUEUE) {",
            "if (false) {"),
        in("Deadlock", "proxies.dead(s, model.rank(lane))\n", "false\n"),
        in("Deadlock", "if (lock >= 0) {\n        text", "if (false) {\n        text"),
        in(
            "Deadlock",
            "return agent < 0 ? -1 : model.agents.laneOf[agent];",
            "return agent < 0 ? -1 : 0;"),
        in("Deadlock", ": op == Opcode.AWAIT_QUEUE ? senders.awaitedLock(s, lane) : -1;", ": -1;"),
        in("Deadlock", "if (!held.isEmpty()) {", "if (false) {"),
        in("Deadlock", "if (!operations.isEmpty()) {", "if (true) {"),
        in("Deadlock", "if (!elsewhere.isEmpty()) {", "if (false) {"),
        in("Deadlock", "waits(s, lane) && ahead(s, lane, need).isEmpty();", "false;"),
        in("Deadlock", "waits(s, lane) && ahead(s, lane, need).isEmpty();", "waits(s, lane);"),
        in("Deadlock", "senders.ahead(lane, s.at[lane])", "0"),
        in(
            "Deadlock",
            "return need.sender() < 0 || need.sender() == model.rank(lane)\n",
            "return true\n"),
        in(
            "Deadlock",
            "int launch = Math.min(s.launched[model.rank(lane)], launches);",
            "int launch = s.launched[model.rank(lane)];"),
        in("Deadlock", "if (crashed(s, lane)) {\n      return", "if (false) {\n      return"),
        in("Deadlock", "if (s.ended[lane]) {", "if (false) {"),
        in("Deadlock", "s.failure[lane] == Lanes.ABANDONED", "false"),
        in("Deadlock", "s.aborted[model.rank(lane)] ? \"\"", "false ? \"\""),
        in("Deadlock", "s.ended[lane] ? \"behind\" : \"in\"", "\"in\""),
        in(
            "Deadlock",
            "return s.at[lane] < 0 ? \"was never started\" : \"still waits\";",
            "return \"still waits\";"),
        in("Deadlock", "nobody || need.sender() >= 0 ?", "nobody ?"),
        in("Deadlock", "nobody || need.sender() >= 0 ?", "need.sender() >= 0 ?"),
        in(
            "Deadlock",
            "filter(need -> words.last(s, need.word()) == least)",
            "filter(need -> true)"),
        in("Targets", "return always == ANY || always == wanted;", "return true;"),
        in("Targets", "return always == ANY || always == wanted;", "return always == wanted;"),
        in("Targets", "if (rank == owner) {", "if (true) {"),
        in("Targets", "Math.abs(from - model.words.offset[word]) < Long.BYTES", "true"),
        in("Targets", "return ops[signal] == kind && is(", "return is("),
        in("Deadlock", "next[l] = waits(s, l) ? waitsFor(s, l) : -1;", "next[l] = -1;"),
        in("Deadlock", "if (at == start) {", "if (i == model.lanes - 1) {"),
        in("Deadlock", "if (ops[s.at[lane]] == Opcode.AWAIT_LANES) {", "if (false) {"),
        in(
            "Deadlock",
            "if (waits(s, other) && !ahead(s, other, need).isEmpty()) {",
            "if (waits(s, other)) {"));
  }

  private static List<EngineMutant> sums() {
    return List.of(
        // The messages that may have made up a sum.
        in(
            "Sums",
            "return satisfies(s, slots, newest, comparison, value)\n        || !ways(s, slots, lane, comparison, value, false).isEmpty();",
            "return satisfies(s, slots, newest, comparison, value);"),
        in("Sums", "&& (uneven || minimal(s, slots, oldest, chosen, comparison, value))) {", ") {"),
        in(
            "Sums",
            "oldest[i] = words.oldest(s, slots[i], lane);",
            "oldest[i] = words.count(s, slots[i]) - 1;"),
        in("Sums", "oldest[i] = words.oldest(s, slots[i], lane);", "oldest[i] = 0;"),
        in("Sums", "found.size() < MAX_WAYS; n++", "found.size() < 1; n++"),
        in("Sums", "cut |= tried > MAX_TRIED || found.size() == MAX_WAYS;", ""),
        in("Sums", "if (found.isEmpty()) {", "if (false) {"),
        in(
            "Sums",
            "if (++chosen[i] < words.count(s, slots[i])) {",
            "if (++chosen[i] < words.count(s, slots[i]) || true) {"),
        in("Sums", "chosen[i] = oldest[i];\n    }", "}"));
  }

  private static List<EngineMutant> locks() {
    return List.of(
        // Which words are locks that are taken, and who holds them.
        in("Locks", "s.locks[word >> 6] |= 1L << word;", ""),
        in("Locks", "s.locks[word >> 6] &= ~(1L << word);", ""),
        in("Locks", "model.scan.anyLock && (s.locks[word >> 6] & 1L << word) != 0;", "true;"),
        in("Locks", "return lock && other >= 0", "return other >= 0"),
        in("Locks", "model.agents.laneOf[other] != model.agents.laneOf[agent];", "true;"),
        in("Locks", "if (words.last(s, word) != 0) {", "if (true) {"),
        in("Locks", "if (words.last(s, word) != 0) {", "if (false) {"),
        in("WordWrites", "if (next == 0) {\n      locks.given(s, word);\n    }", ""),
        in("Machine", "given &= !s.aborted[r] && !crashed(s, r);", "given &= !crashed(s, r);"),
        in("Machine", "given &= !s.aborted[r] && !crashed(s, r);", "given &= !s.aborted[r];"),
        in("WordSteps", "Locks.taken(s, target);", ""),
        in("PlaceStage", "Locks.taken(s, word);", ""),
        in("Machine", "? shared.locks.held(s) : -1;", "? -1 : -1;"));
  }

  private static List<EngineMutant> reductions() {
    return List.of(
        // The operands of a reduction, and their order.
        in(
            "Reducer",
            "noneMatch(e -> e.grouping() instanceof Grouping.Any);",
            "noneMatch(e -> false);"),
        in(
            "Reducer",
            "noneMatch(e -> e.grouping() instanceof Grouping.Any);",
            "noneMatch(e -> true);"),
        in("Reducer", "origin = lineage.next(origin, data[k * length + at + b]);", ""),
        in(
            "Reducer",
            "accumulated = reduction.next(accumulated, element(data, k * length + at));",
            ""),
        in(
            "Reducer",
            "data[at + b] = upper | (made >>> (8 * b) & 0xFF);",
            "data[at + b] = (data[at + b] & ~0xFFL) | (made >>> (8 * b) & 0xFF);"),
        in("Lineage", "averages = reduction.op() == ReduceOp.AVG;", "averages = false;"),
        in(
            "Lineage",
            "rounds = reduction.element() != reduction.accumulator();",
            "rounds = false;"),
        in("Lineage", "rounds = reduction.element() != reduction.accumulator();", "rounds = true;"),
        in("Lineage", "salt = Hash.spread(name(reduction));", "salt = 1;"),
        in(
            "Lineage",
            "Hash.spread(before + salt) & ORIGIN : before",
            "before + (salt << 8) : before"),
        in("Lineage", ": before + (salt << 8))", ": before)"),
        in("Lineage", "+ (source & ORIGIN);", ";"),
        in(
            "Lineage",
            "if (sources == 1 || !ordered || !(averages || rounds)) {",
            "if (!ordered || !(averages || rounds)) {"),
        in(
            "Lineage",
            "if (sources == 1 || !ordered || !(averages || rounds)) {",
            "if (sources == 1 || !(averages || rounds)) {"),
        in(
            "Lineage",
            "if (sources == 1 || !ordered || !(averages || rounds)) {",
            "if (sources == 1 || !ordered) {"));
  }

  private FailureMutants() {}

  private static EngineMutant in(String file, String line, String becomes) {
    return new EngineMutant(file, line, becomes);
  }
}

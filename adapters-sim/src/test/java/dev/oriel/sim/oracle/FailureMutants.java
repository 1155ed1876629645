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
        in("FaultInjector", "Math.min(counts[place], after)", "after"),
        in("FaultInjector", "Math.max(waits[place], by)", "by"),
        in(
            "FaultInjector",
            "lists[queue] = Arrays.copyOf(list, list.length + 2);",
            "lists[queue] = new int[list.length + 2];"),
        in("FaultInjector", "(from == rank(rank) && to == rank(peer))", "(to == rank(peer))"),
        in("FaultInjector", "(from == rank(rank) && to == rank(peer))", "(from == rank(rank))"),
        in("FaultInjector", "(back && from == peer && to == rank)", "false"),
        in("FaultInjector", "(back && from == peer && to == rank)", "(from == peer && to == rank)"),
        in("FaultInjector", "if (origin(q) == rank(rank) && left-- == 0) {", "if (left-- == 0) {"),
        in(
            "FaultInjector",
            "if (origin(q) == rank(rank) && left-- == 0) {",
            "if (origin(q) == rank(rank)) {"),
        in(
            "FaultInjector",
            "case Fault.Straggle(int rank, int by) -> {\n          most(straggle, rank(rank), by);\n          waits = true;",
            "case Fault.Straggle(int rank, int by) -> {\n          most(straggle, rank(rank), by);"),
        in(
            "FaultInjector",
            "add(delays, queue(rank, queue), after, by);\n          waits = true;",
            "add(delays, queue(rank, queue), after, by);"),
        in(
            "FaultInjector",
            "queues(rank, peer, true).forEach(q -> add(stalls, q, after, by));\n          linked = true;",
            "queues(rank, peer, true).forEach(q -> add(stalls, q, after, by));"),
        in(
            "FaultInjector",
            "queues(rank, peer, true).forEach(q -> most(degrade, q, by));\n          linked = true;",
            "queues(rank, peer, true).forEach(q -> most(degrade, q, by));"),
        in(
            "FaultInjector",
            "add(stalls, queue(rank, queue), after, by);\n          linked = true;",
            "add(stalls, queue(rank, queue), after, by);"),
        in(
            "FaultInjector",
            "least(proxyCrash, proxied(rank), after);\n          proxied = true;",
            "least(proxyCrash, proxied(rank), after);"),
        in(
            "FaultInjector",
            "most(proxyStraggle, proxied(rank), by);\n          proxied = true;",
            "most(proxyStraggle, proxied(rank), by);"),
        in("FaultInjector", "proxied = true;\n          waits = true;", "proxied = true;"),
        in("FaultInjector", "slow = waits || linked;", "slow = waits;"),
        // When a fault happens.
        in("FaultInjector", "s.steps[rank]++;", ""),
        in("FaultInjector", "s.lastStep[rank] = s.allSteps;", ""),
        in("FaultInjector", "s.aborted[rank] |= s.steps[rank] >= abort[rank];", ""),
        in(
            "FaultInjector",
            "s.aborted[rank] |= s.steps[rank] >= abort[rank];",
            "s.aborted[rank] = s.steps[rank] == abort[rank];"),
        in("FaultInjector", "return s.steps[rank] >= crash[rank];", "return false;"),
        in(
            "FaultInjector",
            "return s.steps[rank] >= crash[rank];",
            "return s.steps[rank] > crash[rank];"),
        in(
            "FaultInjector",
            "return number >= queueError[queue];",
            "return number > queueError[queue];"),
        in(
            "FaultInjector",
            "return number >= queueError[queue];",
            "return number == queueError[queue];"),
        in("FaultInjector", "return posted > lostCompletion[queue];", "return false;"),
        in(
            "FaultInjector",
            "return posted > lostCompletion[queue];",
            "return posted >= lostCompletion[queue];"),
        in("FaultInjector", "return lostCompletion[queue];", "return NEVER;"),
        in("FaultInjector", "return steps < proxyCrash[rank];", "return true;"),
        in(
            "FaultInjector",
            "return steps < proxyCrash[rank];",
            "return steps <= proxyCrash[rank];"),
        in("FaultInjector", "return others >= proxyStraggle[rank];", "return true;"),
        in("FaultInjector", "s.lastStep[rank] < straggle[rank];", "s.lastStep[rank] < 0;"),
        in(
            "FaultInjector",
            "wait = list[i] == number ? Math.max(wait, list[i + 1]) : wait;",
            "wait = Math.max(wait, list[i + 1]);"),
        in("FaultInjector", "return s.allSteps - s.held[queue] < wait;", "return false;"),
        in("FaultInjector", "s.held[queue] = s.allSteps;", ""),
        in("FaultInjector", "boolean down = oldest >= number;", "boolean down = false;"),
        in("FaultInjector", "boolean down = oldest >= number;", "boolean down = true;"),
        in("FaultInjector", "down |= list[i] == number;", ""),
        in("FaultInjector", "int wait = degrade[queue];", "int wait = 0;"),
        in("FaultInjector", "oldest <= list[i] && list[i] < fetched ?", "list[i] < fetched ?"),
        in("FaultInjector", "oldest <= list[i] && list[i] < fetched ?", "oldest <= list[i] ?"),
        in("FaultInjector", "return s.allSteps - s.stalled[queue] < wait;", "return false;"),
        in(
            "FaultInjector",
            "if (degrade[queue] > 0) {\n      s.stalled[queue] = s.allSteps;",
            "if (false) {\n      s.stalled[queue] = s.allSteps;"),
        in(
            "FaultInjector",
            "if (degrade[queue] > 0) {\n      s.stalled[queue] = s.allSteps;",
            "if (true) {\n      s.stalled[queue] = s.allSteps;"),
        // Callers that ask for faults.
        in("FetchStage", "if (faults.any && faults.fails(queue, number)) {", "if (false) {"),
        in(
            "FetchStage",
            "if (faults.slow && !quiescent && faults.holds(s, queue, number)) {",
            "if (false) {"),
        in(
            "FetchStage",
            "if (faults.slow && !quiescent && faults.holds(s, queue, number)) {",
            "if (faults.slow && faults.holds(s, queue, number)) {"),
        in("RequestCompletions", "!(faults.any && faults.loses(queue, posted));", "true;"),
        in(
            "ProxyStage",
            "return faults.any ? Math.min(all, faults.lastCompletion(queue)) : all;",
            "return all;"),
        in("QueueStages", "if (faults.links && (stage == 1 || stage == 2)) {", "if (false) {"),
        in("ProxyThreads", "&& (quiescent || faults.proxyHurries(", "&& (faults.proxyHurries("),
        in(
            "LaneReadiness",
            "if (faults.any && s.aborted[model.rank(lane)] && waits(s, lane)) {",
            "if (false) {"),
        in(
            "EnabledAgents",
            "(faults.crashed(s, rank) || (!quiescent && faults.straggles(s, rank)));",
            "faults.crashed(s, rank);"),
        in(
            "EnabledAgents",
            "(faults.crashed(s, rank) || (!quiescent && faults.straggles(s, rank)));",
            "(!quiescent && faults.straggles(s, rank));"),
        in(
            "EnabledAgents",
            "(faults.crashed(s, rank) || (!quiescent && faults.straggles(s, rank)));",
            "(faults.crashed(s, rank) || faults.straggles(s, rank));"),
        in("SimulatedMachine", "s.countStep();", ""),
        in(
            "SimulatedMachine",
            "if (!callers.through(s, r) && !crashed(s, r)) {",
            "if (!callers.through(s, r)) {"));
  }

  private static List<EngineMutant> deadlock() {
    return List.of(
        // The message of a deadlock.
        in(
            "DeadlockExplainer",
            "return !s.ended[lane] && s.at[lane] >= 0 && !crashed(s, lane);",
            "return s.at[lane] >= 0 && !crashed(s, lane);"),
        in(
            "DeadlockExplainer",
            "return !s.ended[lane] && s.at[lane] >= 0 && !crashed(s, lane);",
            "return !s.ended[lane] && !crashed(s, lane);"),
        in(
            "DeadlockExplainer",
            "return !s.ended[lane] && s.at[lane] >= 0 && !crashed(s, lane);",
            "return !s.ended[lane] && s.at[lane] >= 0;"),
        in(
            "DeadlockExplainer",
            "return faults.any && faults.crashed(s, model.rank(lane));",
            "return false;"),
        in("DeadlockExplainer", "if (!s.ended[l]) {", "if (true) {"),
        in("DeadlockExplainer", "if (crashed(s, l)) {", "if (false) {"),
        in("DeadlockExplainer", "} else if (s.at[l] < 0) {", "} else if (false) {"),
        in("DeadlockExplainer", "if (proxies.dead(s, r)) {", "if (false) {"),
        in("DeadlockExplainer", "if (!unserved.isEmpty()) {", "if (true) {"),
        in("DeadlockExplainer", "String cycle = cycle(s);", "String cycle = \"\";"),
        in("DeadlockExplainer", "cycle.isEmpty()", "true"),
        in("DeadlockExplainer", "cycle.isEmpty()", "false"),
        in(
            "DeadlockExplainer",
            "missing(s, l, text);\n          text.append(';');",
            "text.append(';');"),
        in(
            "DeadlockExplainer",
            "boolean sent = words.agent(s, need.word(), last) >= 0;",
            "boolean sent = true;"),
        in("DeadlockExplainer", "== LaneOpcode.LOCK));", "< 0));"),
        in("DeadlockExplainer", "if (needs.size() > SHOWN) {", "if (false) {"),
        in("DeadlockExplainer", "needs.subList(0, Math.min(SHOWN, needs.size()))", "needs"),
        in(
            "DeadlockExplainer",
            "if (model.lane(lane).ops()[s.at[lane]] == LaneOpcode.AWAIT_QUEUE) {",
            "if (false) {"),
        in("DeadlockExplainer", "proxies.dead(s, model.rank(lane))\n", "false\n"),
        in("DeadlockExplainer", "if (lock >= 0) {\n        text", "if (false) {\n        text"),
        in(
            "DeadlockExplainer",
            "return agent < 0 ? -1 : model.agents.laneOf[agent];",
            "return agent < 0 ? -1 : 0;"),
        in(
            "DeadlockExplainer",
            ": op == LaneOpcode.AWAIT_QUEUE ? senders.awaitedLock(s, lane) : -1;",
            ": -1;"),
        in("DeadlockExplainer", "if (!held.isEmpty()) {", "if (false) {"),
        in("DeadlockExplainer", "if (!operations.isEmpty()) {", "if (true) {"),
        in("DeadlockExplainer", "if (!elsewhere.isEmpty()) {", "if (false) {"),
        in("DeadlockExplainer", "waits(s, lane) && ahead(s, lane, need).isEmpty();", "false;"),
        in(
            "DeadlockExplainer",
            "waits(s, lane) && ahead(s, lane, need).isEmpty();",
            "waits(s, lane);"),
        in("DeadlockExplainer", "senders.ahead(lane, s.at[lane])", "0"),
        in(
            "DeadlockExplainer",
            "return need.sender() < 0 || need.sender() == model.rank(lane)\n",
            "return true\n"),
        in(
            "DeadlockExplainer",
            "int launch = Math.min(s.launched[model.rank(lane)], launches);",
            "int launch = s.launched[model.rank(lane)];"),
        in(
            "DeadlockExplainer",
            "if (crashed(s, lane)) {\n      return",
            "if (false) {\n      return"),
        in("DeadlockExplainer", "if (s.ended[lane]) {", "if (false) {"),
        in("DeadlockExplainer", "s.failure[lane] == LaneSteps.ABANDONED", "false"),
        in("DeadlockExplainer", "s.aborted[model.rank(lane)] ? \"\"", "false ? \"\""),
        in("DeadlockExplainer", "s.ended[lane] ? \"after\" : \"in\"", "\"in\""),
        in(
            "DeadlockExplainer",
            "return s.at[lane] < 0 ? \"was never started\" : \"still waits\";",
            "return \"still waits\";"),
        in("DeadlockExplainer", "nobody || need.sender() >= 0 ?", "nobody ?"),
        in("DeadlockExplainer", "nobody || need.sender() >= 0 ?", "need.sender() >= 0 ?"),
        in(
            "DeadlockExplainer",
            "filter(need -> words.last(s, need.word()) == least)",
            "filter(need -> true)"),
        in("WriteTargets", "return always == ANY || always == wanted;", "return true;"),
        in("WriteTargets", "return always == ANY || always == wanted;", "return always == wanted;"),
        in("WriteTargets", "if (rank == owner) {", "if (true) {"),
        in("WriteTargets", "Math.abs(from - model.words.offset[word]) < Long.BYTES", "true"),
        in("WriteTargets", "return ops[signal] == kind && is(", "return is("),
        in("DeadlockExplainer", "next[l] = waits(s, l) ? waitsFor(s, l) : -1;", "next[l] = -1;"),
        in("DeadlockExplainer", "if (at == start) {", "if (i == model.lanes - 1) {"),
        in("DeadlockExplainer", "if (ops[s.at[lane]] == LaneOpcode.AWAIT_LANES) {", "if (false) {"),
        in(
            "DeadlockExplainer",
            "if (waits(s, other) && !ahead(s, other, need).isEmpty()) {",
            "if (waits(s, other)) {"));
  }

  private static List<EngineMutant> sums() {
    return List.of(
        // The messages that may have made up a sum.
        in(
            "MessageSums",
            "return satisfies(s, slots, newest, comparison, value)\n        || !ways(s, slots, lane, comparison, value, false).isEmpty();",
            "return satisfies(s, slots, newest, comparison, value);"),
        in(
            "MessageSums",
            "&& (uneven || minimal(s, slots, oldest, chosen, comparison, value))) {",
            ") {"),
        in(
            "MessageSums",
            "oldest[i] = words.oldest(s, slots[i], lane);",
            "oldest[i] = words.count(s, slots[i]) - 1;"),
        in("MessageSums", "oldest[i] = words.oldest(s, slots[i], lane);", "oldest[i] = 0;"),
        in("MessageSums", "found.size() < MAX_WAYS; n++", "found.size() < 1; n++"),
        in("MessageSums", "cut |= tried > MAX_TRIED || found.size() == MAX_WAYS;", ""),
        in("MessageSums", "if (found.isEmpty()) {", "if (false) {"),
        in(
            "MessageSums",
            "if (++chosen[i] < words.count(s, slots[i])) {",
            "if (++chosen[i] < words.count(s, slots[i]) || true) {"),
        in("MessageSums", "chosen[i] = oldest[i];\n    }", "}"));
  }

  private static List<EngineMutant> locks() {
    return List.of(
        // Which words are locks that are taken, and who holds them.
        in("LockHolders", "s.locks[word >> 6] |= 1L << word;", ""),
        in("LockHolders", "s.locks[word >> 6] &= ~(1L << word);", ""),
        in("LockHolders", "model.scan.anyLock && (s.locks[word >> 6] & 1L << word) != 0;", "true;"),
        in("LockHolders", "return lock && other >= 0", "return other >= 0"),
        in("LockHolders", "model.agents.laneOf[other] != model.agents.laneOf[agent];", "true;"),
        in("LockHolders", "if (words.last(s, word) != 0) {", "if (true) {"),
        in("LockHolders", "if (words.last(s, word) != 0) {", "if (false) {"),
        in("WordWrites", "if (next == 0) {\n      locks.given(s, word);\n    }", ""),
        in(
            "SimulatedMachine",
            "given &= !s.aborted[r] && !crashed(s, r);",
            "given &= !crashed(s, r);"),
        in(
            "SimulatedMachine",
            "given &= !s.aborted[r] && !crashed(s, r);",
            "given &= !s.aborted[r];"),
        in("WordSteps", "LockHolders.taken(s, target);", ""),
        in("PlaceStage", "LockHolders.taken(s, word);", ""),
        in("SimulatedMachine", "? shared.locks.held(s) : -1;", "? -1 : -1;"));
  }

  private static List<EngineMutant> reductions() {
    return List.of(
        // The operands of a reduction, and their order.
        in(
            "ReductionCombiner",
            "noneMatch(e -> e.grouping() instanceof Grouping.Any);",
            "noneMatch(e -> false);"),
        in(
            "ReductionCombiner",
            "noneMatch(e -> e.grouping() instanceof Grouping.Any);",
            "noneMatch(e -> true);"),
        in("ReductionCombiner", "type.isInteger() && combine.op() != ReduceOp.AVG;", "true;"),
        in("ReductionCombiner", "type.isInteger() && combine.op() != ReduceOp.AVG;", "false;"),
        in(
            "ReductionCombiner",
            "type.isInteger() && combine.op() != ReduceOp.AVG;",
            "type.isInteger();"),
        in(
            "ReductionCombiner",
            "combine.op() == ReduceOp.SUM && type.isInteger();",
            "type.isInteger();"),
        in(
            "ReductionCombiner",
            "combine.op() == ReduceOp.SUM && type.isInteger();",
            "combine.op() == ReduceOp.SUM;"),
        in("ReductionCombiner", "combine.op() == ReduceOp.SUM && type.isInteger();", "false;"),
        in("ReductionCombiner", "origin = lineage.next(origin, data[k * length + at + b]);", ""),
        in(
            "ReductionCombiner",
            "accumulated = reduction.next(accumulated, element(data, k * length + at));",
            ""),
        in(
            "ReductionCombiner",
            "data[at + b] = upper | (made >>> (8 * b) & 0xFF);",
            "data[at + b] = (data[at + b] & ~0xFFL) | (made >>> (8 * b) & 0xFF);"),
        in(
            "ReductionProvenance",
            "averages = reduction.op() == ReduceOp.AVG;",
            "averages = false;"),
        in(
            "ReductionProvenance",
            "rounds = reduction.element() != reduction.accumulator();",
            "rounds = false;"),
        in(
            "ReductionProvenance",
            "rounds = reduction.element() != reduction.accumulator();",
            "rounds = true;"),
        in("ReductionProvenance", "salt = HashMixer.spread(name(reduction));", "salt = 1;"),
        in(
            "ReductionProvenance",
            "(HashMixer.spread(before + salt) + HashMixer.spread(next + salt)) & ORIGIN",
            "before + next + (salt << 8)"),
        in(
            "ReductionProvenance",
            "+ HashMixer.spread(next + salt)) & ORIGIN",
            "+ before + salt) & ORIGIN"),
        in("ReductionProvenance", ": before + (salt << 8) + next;", ": before + next;"),
        in("ReductionProvenance", ": before + (salt << 8) + next;", ": before + (salt << 8);"),
        in(
            "ReductionProvenance",
            "if (sources == 1 || !ordered || !(averages || rounds)) {",
            "if (!ordered || !(averages || rounds)) {"),
        in(
            "ReductionProvenance",
            "if (sources == 1 || !ordered || !(averages || rounds)) {",
            "if (sources == 1 || !(averages || rounds)) {"),
        in(
            "ReductionProvenance",
            "if (sources == 1 || !ordered || !(averages || rounds)) {",
            "if (sources == 1 || !ordered) {"));
  }

  private FailureMutants() {}

  private static EngineMutant in(String file, String line, String becomes) {
    return new EngineMutant(file, line, becomes);
  }
}

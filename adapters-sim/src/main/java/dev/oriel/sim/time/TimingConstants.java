package dev.oriel.sim.time;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.OperandTable;
import dev.oriel.sim.code.SharedCode;
import java.util.Map;

/** The constant data of a run: code, links and costs, and the meaning of operands. */
final class TimingConstants {
  private final Program program;
  private final Topology topology;
  private final SharedCode shared;
  private final OperandTable operands;
  private final LaneTable agents;
  private final LinkCosts costs;
  private final int[][] ops;
  private final boolean transitive;
  private final int[] domain;
  private final SuppliedWords loads;

  TimingConstants(
      Program program,
      Topology topology,
      SharedCode shared,
      LaneTable agents,
      LinkCosts costs,
      Map<String, Long> words) {
    this.program = program;
    this.topology = topology;
    this.shared = shared;
    this.operands = shared.operands();
    this.agents = agents;
    this.costs = costs;
    this.loads = new SuppliedWords(shared, words);
    ops = shared.lanes().stream().map(l -> l.code().ops()).toArray(int[][]::new);
    transitive = topology.transitive();
    domain = new int[program.world()];
    for (int r = 0; r < domain.length; r++) {
      domain[r] = topology.domainOf(r);
    }
  }

  int world() {
    return domain.length;
  }

  LinkCosts costs() {
    return costs;
  }

  int[] ops(int code) {
    return ops[code];
  }

  LaneInstructions code(int code) {
    return shared.lanes().get(code).code();
  }

  LaneFamily lane(int code) {
    return shared.lanes().get(code).lane();
  }

  int codes() {
    return ops.length;
  }

  PeerKind kind(int from, int to) {
    if (!transitive) {
      return topology.kind(from, to);
    }
    return from == to
        ? PeerKind.SELF
        : domain[from] == domain[to] ? PeerKind.NVLINK : PeerKind.RDMA;
  }

  long value(int operand, int lane) {
    return operands.value(operand, agents.registers, agents.base[lane]);
  }

  int divisions(int operand) {
    return operands.divisions(operand);
  }

  /** The rank that an operand names. */
  int rank(int operand, int lane) {
    long rank = value(operand, lane);
    if (rank < 0 || rank >= domain.length) {
      throw new MachineException(
          "no such rank: rank=%d, world=%d, %s; use 0 to %d"
              .formatted(rank, domain.length, label(lane), domain.length - 1));
    }
    return (int) rank;
  }

  /** Whether that set of ranks, from the point of view of {@code owner}, lacks {@code rank}. */
  boolean leavesOut(int ranks, int owner, int rank) {
    return ranks == SharedCode.OTHERS && rank == owner;
  }

  /** The supplied value of the word that a load reads. */
  long word(int lane, int register) {
    return loads.word(agents.code[lane], register);
  }

  String label(int lane) {
    RankProgram rank = program.rank(agents.rank[lane]);
    return "rank=%d, lane=%s"
        .formatted(rank.rank(), rank.lanes().get(lane - agents.first[rank.rank()]).label());
  }
}

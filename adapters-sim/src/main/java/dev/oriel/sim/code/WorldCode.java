package dev.oriel.sim.code;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Form;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** Every lane of every rank of one program, compiled; lanes are numbered rank by rank. */
public final class WorldCode {
  final OperandTable operands = new OperandTable();
  private final Program program;
  private final LoweredForm lowered;
  private final Map<Integer, OperationValues> values = new ConcurrentHashMap<>();
  private final List<RankProgram> ranks;
  private final List<LaneInstructions> lanes = new ArrayList<>();
  private final int[] firstLane;
  private final List<int[]> sets = new ArrayList<>();
  private final Map<List<Integer>, Integer> knownSets = new HashMap<>();
  private final List<Combine> combines = new ArrayList<>();

  public WorldCode(Program program, LoweredForm lowered) {
    this.program = program;
    this.lowered = lowered;
    ranks = IntStream.range(0, program.world()).mapToObj(program::rank).toList();
    WorldMemory.require(program.form().buffers(), ranks);
    firstLane = new int[ranks.size() + 1];
    for (RankProgram rank : ranks) {
      firstLane[rank.rank() + 1] = firstLane[rank.rank()] + rank.lanes().size();
    }
    for (RankProgram rank : ranks) {
      for (var instance : rank.lanes()) {
        RankEnvironment scene = new RankEnvironment(this, rank, instance);
        lanes.add(LaneCompiler.unrolled(scene, instance, lowered.lane(instance.lane().name())));
      }
    }
  }

  public Form form() {
    return program.form();
  }

  public int world() {
    return ranks.size();
  }

  public List<RankProgram> ranks() {
    return ranks;
  }

  public List<LaneInstructions> lanes() {
    return lanes;
  }

  /**
   * The operations of a lane with the values of their names, for reports. Made when first needed
   * and kept, since the search for advice records an execution once for each possible edge.
   */
  public OperationValues values(int lane) {
    return values.computeIfAbsent(lane, this::named);
  }

  private OperationValues named(int lane) {
    LaneInstructions of = lanes.get(lane);
    RankProgram rank = ranks.get(of.rank());
    LaneInstance instance = rank.lanes().get(lane - firstLane[of.rank()]);
    return new OperationValues(
        new RankEnvironment(this, rank, instance), lowered.lane(instance.lane().name()), of);
  }

  /** The number of the rank's first lane; for the index of the world, the number of lanes. */
  public int firstLane(int rank) {
    return firstLane[rank];
  }

  /** The evaluator of every lane's operands. */
  public OperandTable operands() {
    return operands;
  }

  /** The set of that number: ranks, or lanes. */
  public int[] members(int number) {
    return sets.get(number);
  }

  /** The ranks that an operand may name: those of a set, or the one of an expression. */
  public int[] mayName(int ranks) {
    if (ranks >= 0) {
      return members(ranks);
    }
    long only = operands.always(~ranks, -1);
    return only >= 0 && only < world()
        ? new int[] {(int) only}
        : IntStream.range(0, world()).toArray();
  }

  /** How a copy combines its sources. */
  public Combine combineAt(int number) {
    return combines.get(number);
  }

  /** The number of combinations that {@link #combineAt} numbers. */
  public int combines() {
    return combines.size();
  }

  /**
   * Whether every lane executes exactly the instructions of the other world's, over equal
   * declarations of memory and words. Then all outcomes of both are equal. The comparison uses the
   * numbers of operands, not their values, so worlds that only number operands differently are
   * unequal.
   */
  public boolean same(WorldCode other) {
    Form form = form();
    Form others = other.form();
    return program.params().equals(other.program.params())
        && form.definitions().equals(others.definitions())
        && form.buffers().equals(others.buffers())
        && form.signals().equals(others.signals())
        && form.teams().equals(others.teams())
        && form.ensures().equals(others.ensures())
        && combines.equals(other.combines)
        && operands.same(other.operands)
        && sameMembers(other)
        && sameLanes(other);
  }

  private boolean sameMembers(WorldCode other) {
    return sets.size() == other.sets.size()
        && IntStream.range(0, sets.size())
            .allMatch(i -> Arrays.equals(sets.get(i), other.sets.get(i)));
  }

  private boolean sameLanes(WorldCode other) {
    return lanes.size() == other.lanes.size()
        && IntStream.range(0, lanes.size()).allMatch(i -> lanes.get(i).same(other.lanes.get(i)));
  }

  int combine(Combine combine) {
    int at = combines.indexOf(combine);
    if (at < 0) {
      combines.add(combine);
      return combines.size() - 1;
    }
    return at;
  }

  int set(int... members) {
    List<Integer> key = IntStream.of(members).boxed().toList();
    return knownSets.computeIfAbsent(
        key,
        k -> {
          sets.add(members.clone());
          return sets.size() - 1;
        });
  }

  int all() {
    return set(IntStream.range(0, world()).toArray());
  }

  int others(int rank) {
    return set(IntStream.range(0, world()).filter(r -> r != rank).toArray());
  }

  /** Every instance of that lane of that rank. */
  int lanes(RankProgram rank, String name) {
    var instances = rank.lanes();
    return set(
        IntStream.range(0, instances.size())
            .filter(i -> instances.get(i).lane().name().equals(name))
            .map(i -> firstLane[rank.rank()] + i)
            .toArray());
  }
}

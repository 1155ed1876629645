package dev.oriel.domain.boundary;

import dev.oriel.domain.binding.ExprEvaluator;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.rewrite.PartTraversal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * The blocks of a form that no lane of some bound programs executes, as far as binding knows: a
 * branch whose condition never holds for their worlds and parameters, or a loop without turns. A
 * search of these programs says nothing about such a block.
 *
 * <p>What only a running lane knows, such as the epoch, a state or a loaded word, may have any
 * value. So a named block is certainly unreached, and one that is not named may be unreached too.
 */
public final class UnreachedBlocks {
  /** The most turns of a loop that are looked at one by one. */
  private static final long TURNS = 4096;

  /** Operations that are looked at. Where they do not suffice, no block is called unreached. */
  private static final long EFFORT = 4_000_000;

  /**
   * A block by its first operation.
   *
   * @param operation its number in the lane, from 0, in the order of the text
   */
  public record Block(String lane, int operation) {}

  /** The unreached blocks by their first operations, counted through all lanes. */
  private final BitSet unreached = new BitSet();

  /** The number of the first operation of each lane, counted through all lanes. */
  private final int[] starts;

  private final Form form;
  private int open;
  private long operations;

  /** The number of the first operation of the walked lane. */
  private int start;

  private Map<String, Long> names = new HashMap<>();

  /** What each rank of a world executes, and the operations that were looked at for it. */
  record ByRank(Set<BitSet> unreached, long operations) {}

  private UnreachedBlocks(Form form) {
    this.form = form;
    starts = new int[form.lanes().size()];
    int next = 0;
    for (int k = 0; k < starts.length; k++) {
      starts[k] = next;
      next = collect(form.lanes().get(k).body(), next);
    }
    open = unreached.cardinality();
  }

  /** A number of ranks and the values of parameters. */
  public record Binding(int world, Map<String, Long> params) {}

  /** The outermost blocks that none of those bindings reaches, in the order of the text. */
  public static List<Block> of(Form form, List<Binding> bindings) {
    UnreachedBlocks all = new UnreachedBlocks(form);
    for (Binding binding : bindings) {
      all.walk(binding.world(), binding.params());
    }
    return all.exhausted() ? List.of() : all.outermost();
  }

  /**
   * Values of one parameter, from 0 to {@code most}, with each of which lanes execute some block
   * that they execute with no value of {@code known}. A bounded effort finds them; it is the same
   * on every machine.
   *
   * @param params values of all other parameters
   */
  public static List<Long> reaching(
      Form form,
      int world,
      Map<String, Long> params,
      String param,
      Collection<Long> known,
      long most) {
    UnreachedBlocks all = new UnreachedBlocks(form);
    for (long value : known) {
      all.walk(world, with(params, param, value));
    }
    List<Long> values = new ArrayList<>();
    for (long value = 0; value <= most && all.open > 0 && !all.exhausted(); value++) {
      int before = all.open;
      all.walk(world, with(params, param, value));
      if (all.open < before) {
        values.add(value);
      }
    }
    return values;
  }

  /**
   * The blocks that a rank does not execute, for each rank; equal ones once. Empty if more
   * operations would have to be looked at.
   *
   * @param params values of parameters; what depends on others may have any value
   */
  static ByRank byRank(Form form, int world, Map<String, Long> params, long most) {
    Set<BitSet> sets = new LinkedHashSet<>();
    long operations = 0;
    for (int rank = 0; rank < world; rank++) {
      UnreachedBlocks one = new UnreachedBlocks(form);
      one.walk(world, rank, params);
      operations += one.operations;
      if (one.exhausted() || operations > most) {
        return new ByRank(Set.of(), operations);
      }
      sets.add(one.unreached);
    }
    return new ByRank(sets, operations);
  }

  private static Map<String, Long> with(Map<String, Long> params, String param, long value) {
    Map<String, Long> all = new HashMap<>(params);
    all.put(param, value);
    return all;
  }

  private int collect(List<Op> ops, int first) {
    int number = first;
    for (Op op : ops) {
      int next = number + 1;
      for (List<Op> block : PartTraversal.blocks(op)) {
        if (!block.isEmpty()) {
          unreached.set(next);
        }
        next = collect(block, next);
      }
      number = next;
    }
    return number;
  }

  private boolean exhausted() {
    return operations >= EFFORT;
  }

  private List<Block> outermost() {
    List<Block> found = new ArrayList<>();
    for (int k = 0; k < starts.length; k++) {
      start = starts[k];
      LaneFamily family = form.lanes().get(k);
      outermost(family, family.body(), 0, false, found);
    }
    return found;
  }

  private int outermost(
      LaneFamily family, List<Op> ops, int first, boolean inside, List<Block> found) {
    int number = first;
    for (Op op : ops) {
      int next = number + 1;
      for (List<Op> block : PartTraversal.blocks(op)) {
        boolean missed = !block.isEmpty() && unreached.get(start + next);
        if (missed && !inside) {
          found.add(new Block(family.name(), next));
        }
        next = outermost(family, block, next, inside || missed, found);
      }
      number = next;
    }
    return number;
  }

  private void walk(int world, Map<String, Long> params) {
    for (int rank = 0; rank < world && open > 0 && !exhausted(); rank++) {
      walk(world, rank, params);
    }
  }

  private void walk(int world, int rank, Map<String, Long> params) {
    names = new HashMap<>(params);
    names.put("n", (long) world);
    names.put("r", (long) rank);
    form.definitions().forEach(definition -> named(definition.name(), value(definition.value())));
    for (int k = 0; k < starts.length; k++) {
      start = starts[k];
      lanes(form.lanes().get(k), 0);
    }
  }

  /** Every lane of the family, from that index on. An unknown number of lanes is at least one. */
  private void lanes(LaneFamily family, int index) {
    if (index == family.indices().size()) {
      block(family.body(), 0);
      return;
    }
    LaneFamily.Index here = family.indices().get(index);
    long count = value(here.count()).orElse(1L);
    for (long i = 0; i < count && open > 0 && !exhausted(); i++) {
      operations++;
      names.put(here.name(), i);
      lanes(family, index + 1);
    }
    names.remove(here.name());
  }

  /** Names of a block are forgotten at its end. No name hides one of an outer block. */
  private int block(List<Op> ops, int first) {
    int number = first;
    for (Op op : ops) {
      number = op(op, number + 1);
    }
    for (Op op : ops) {
      if (op instanceof Op.Let(String register, Expr _)) {
        names.remove(register);
      }
    }
    return number;
  }

  private int op(Op op, int first) {
    operations++;
    return switch (op) {
      case Op.Let(String register, Expr value) -> {
        named(register, value(value));
        yield first;
      }
      case Op.If(Cond condition, List<Op> then, List<Op> otherwise) -> {
        Optional<Boolean> holds = holds(condition);
        int next = entered(then, first, holds.orElse(true));
        yield entered(otherwise, next, !holds.orElse(false));
      }
      case Op.For(String variable, Expr count, List<Op> body) ->
          turns(variable, turns(count), body, first);
      case Op.Each(String variable, Peers peers, List<Op> body) ->
          turns(variable, ranks(peers), body, first);
      case Op.Leader(List<Op> body) -> entered(body, first, true);
      default -> first;
    };
  }

  /** Every rank that it may be. */
  private Optional<List<Long>> ranks(Peers peers) {
    long world = names.getOrDefault("n", 0L);
    long own = names.getOrDefault("r", 0L);
    return switch (peers) {
      case Peers.Self() -> Optional.of(List.of(own));
      case Peers.One(Expr rank) -> value(rank).map(List::of);
      case Peers.Others() ->
          Optional.of(LongStream.range(0, world).filter(q -> q != own).boxed().toList());
      case Peers.All() -> Optional.of(LongStream.range(0, world).boxed().toList());
    };
  }

  private Optional<List<Long>> turns(Expr count) {
    return value(count)
        .filter(turns -> Long.compareUnsigned(turns, TURNS) <= 0)
        .map(turns -> LongStream.range(0, turns).boxed().toList());
  }

  /** A name that is not known here is one of a running lane: names hide nothing. */
  private int turns(String variable, Optional<List<Long>> values, List<Op> body, int first) {
    if (values.isEmpty()) {
      return entered(body, first, true);
    }
    int next = skipped(body, first);
    boolean entered = false;
    for (long value : values.get()) {
      if ((entered && !unreachedIn(first, next)) || exhausted()) {
        break;
      }
      names.put(variable, value);
      entered(body, first, true);
      entered = true;
    }
    names.remove(variable);
    return next;
  }

  private boolean unreachedIn(int first, int next) {
    int block = unreached.nextSetBit(start + first);
    return block >= 0 && block < start + next;
  }

  private int entered(List<Op> block, int first, boolean enters) {
    if (!enters || block.isEmpty()) {
      return skipped(block, first);
    }
    if (unreached.get(start + first)) {
      unreached.clear(start + first);
      open--;
    }
    return block(block, first);
  }

  private static int skipped(List<Op> ops, int first) {
    int number = first;
    for (Op op : ops) {
      number++;
      for (List<Op> block : PartTraversal.blocks(op)) {
        number = skipped(block, number);
      }
    }
    return number;
  }

  private void named(String register, Optional<Long> value) {
    names.remove(register);
    value.ifPresent(known -> names.put(register, known));
  }

  private Optional<Boolean> holds(Cond condition) {
    boolean unknown = false;
    for (Cond.Term term : condition.terms()) {
      Optional<Long> left = value(term.left());
      Optional<Long> right = value(term.right());
      if (left.isEmpty() || right.isEmpty()) {
        unknown = true;
      } else if (!term.comparison().test(left.get(), right.get())) {
        return Optional.of(false);
      }
    }
    return unknown ? Optional.empty() : Optional.of(true);
  }

  private Optional<Long> value(Expr expr) {
    if (!BoundNames.isKnown(expr, names::containsKey)) {
      return Optional.empty();
    }
    try {
      return Optional.of(ExprEvaluator.value(expr, name -> names.getOrDefault(name, 0L)));
    } catch (ProgramException _) {
      return Optional.empty();
    }
  }
}

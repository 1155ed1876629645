package dev.oriel.domain.program.build;

import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.EnsureBinder;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.SignalArray;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.program.check.FormValidator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Builds a form in Java, part by part, in the order of the text form. Each declaration returns the
 * operand, buffer or signal for later use.
 */
public final class FormBuilder {
  private final String name;
  private final List<Form.Param> params = new ArrayList<>();
  private final List<Form.Definition> definitions = new ArrayList<>();
  private final List<Cond> requirements = new ArrayList<>();
  private final List<Buffer> buffers = new ArrayList<>();
  private final List<SignalArray> signals = new ArrayList<>();
  private final List<Form.Team> teams = new ArrayList<>();
  private final List<Ensure> ensures = new ArrayList<>();
  private final List<LaneFamily> lanes = new ArrayList<>();

  private FormBuilder(String name) {
    this.name = name;
  }

  /** Starts a form of that name. */
  public static FormBuilder named(String name) {
    return new FormBuilder(name);
  }

  /** Declares a value given at binding time, from 0 to {@code max}. */
  public Expr param(String param, long max) {
    params.add(new Form.Param(param, max));
    return Expr.name(param);
  }

  /** Names a value that the world and the parameters determine. */
  public Expr let(String definition, Expr value) {
    definitions.add(new Form.Definition(definition, value));
    return Expr.name(definition);
  }

  /** The form is bound only to worlds and parameters for which the condition holds. */
  public FormBuilder require(Cond condition) {
    requirements.add(condition);
    return this;
  }

  /** Declares a buffer that every rank owns one of. */
  public BufferRef buffer(Space space, String buffer, Expr bytes) {
    buffers.add(new Buffer(space, buffer, bytes));
    return new BufferRef(buffer);
  }

  /** Declares a second mapping of a window or scratch buffer that is already declared. */
  public BufferRef alias(String name, BufferRef of) {
    String base = of.name();
    buffers.add(
        buffers.stream().filter(b -> b.name().equals(base)).findFirst().orElseThrow().alias(name));
    return new BufferRef(name);
  }

  public BufferRef input(String buffer, Expr bytes) {
    return buffer(Space.INPUT, buffer, bytes);
  }

  /** Declares an input with the same bytes at every rank, such as a size of each launch. */
  public BufferRef uniform(String buffer, Expr bytes) {
    return buffer(Space.UNIFORM, buffer, bytes);
  }

  public BufferRef output(String buffer, Expr bytes) {
    return buffer(Space.OUTPUT, buffer, bytes);
  }

  public BufferRef inout(String buffer, Expr bytes) {
    return buffer(Space.INOUT, buffer, bytes);
  }

  public BufferRef scratch(String buffer, Expr bytes) {
    return buffer(Space.SCRATCH, buffer, bytes);
  }

  /** Declares a row of slots for every source rank. */
  public SignalRef signal(String signal, Expr count) {
    signals.add(new SignalArray(signal, count));
    return new SignalRef(signal);
  }

  /** Names the ranks for which a condition on {@link Expr#rank} holds. */
  public FormBuilder team(String team, Cond members) {
    teams.add(new Form.Team(team, members));
    return this;
  }

  /** Declares a barrier of every rank. */
  public FormBuilder barrier(String barrier) {
    return barrier(barrier, "");
  }

  /** Declares a barrier of a team's members. */
  public FormBuilder barrier(String barrier, String team) {
    signals.add(SignalArray.barrier(barrier, team));
    return this;
  }

  /** States that the rank's own bytes finally equal the initial bytes of one rank. */
  public FormBuilder ensure(Region actual, Region expected, Expr bytes) {
    ensures.add(Ensure.copy(List.of(), actual, expected, bytes));
    return this;
  }

  /** States the same for every rank that {@code variable} runs over. */
  public FormBuilder ensureEach(
      String variable, Peers over, Region actual, Region expected, Expr bytes) {
    return ensure(
        Ensure.copy(List.of(new EnsureBinder.Rank(variable, over)), actual, expected, bytes));
  }

  /** States any post-condition, including results of a reduction. */
  public FormBuilder ensure(Ensure ensure) {
    ensures.add(ensure);
    return this;
  }

  /** Declares a lane family; an index list is written with {@link #index}. */
  public FormBuilder lane(
      String lane,
      List<LaneFamily.Index> indices,
      LaneFamily.Engine engine,
      List<LaneFamily.State> states,
      Consumer<BlockBuilder> body) {
    BlockBuilder block = new BlockBuilder();
    body.accept(block);
    lanes.add(new LaneFamily(lane, indices, engine, states, block.ops()));
    return this;
  }

  /** A lane index from 0 to {@code count} - 1. */
  public static LaneFamily.Index index(String index, Expr count) {
    return new LaneFamily.Index(index, count);
  }

  /** A state word that is always a multiple of {@code step}. */
  public static LaneFamily.State state(String state, Expr step) {
    return new LaneFamily.State(state, step);
  }

  /** One thread block of that many threads. */
  public static LaneFamily.Engine sm(int threads) {
    return new LaneFamily.Engine.Sm(threads);
  }

  /** The same, with {@code cluster} blocks of the family in one cluster. */
  public static LaneFamily.Engine sm(int threads, int cluster) {
    return new LaneFamily.Engine.Sm(threads, cluster);
  }

  /**
   * The finished form.
   *
   * @throws ProgramException naming the first invalid part
   */
  public Form build() {
    return FormValidator.validate(
        new Form(name, params, definitions, requirements, buffers, signals, teams, ensures, lanes));
  }

  /** A declared buffer, from which regions are taken. */
  public record BufferRef(String name) {
    /** The executing rank's own bytes from {@code offset} on. */
    public Region at(Expr offset) {
      return Region.of(name, offset);
    }

    public Region at(long offset) {
      return at(Expr.of(offset));
    }
  }

  /** A declared signal array, from which slots are taken. */
  public record SignalRef(String name) {
    /** The slot shared with {@code rank}: its owner under a signal, its source under an await. */
    public Slot at(Expr index, Expr rank) {
      return new Slot(name, index, Peers.one(rank));
    }

    /** The slots shared with several ranks. */
    public Slot at(Expr index, Peers peers) {
      return new Slot(name, index, peers);
    }
  }
}

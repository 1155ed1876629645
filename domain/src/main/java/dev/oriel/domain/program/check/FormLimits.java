package dev.oriel.domain.program.check;

import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.EnsureBinder;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Grouping;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.HookOperands;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.SourceSeries;
import java.util.List;

/**
 * Bounds the cost of checking, printing and running a form from any source. It runs before anything
 * that recurses over a form: parts may be shared, so a small graph in Java can be a huge tree.
 */
public final class FormLimits {
  /** Nested blocks, including a lane's own. */
  public static final int MAX_BLOCKS = 32;

  /** Operations of one lane. */
  public static final int MAX_OPERATIONS = 10_000;

  /** Declarations of a kind, and regions or comparisons of one operation. */
  static final int MAX_PARTS = 1_024;

  /** Nested operators in one operand. */
  public static final int MAX_OPERAND_DEPTH = 64;

  /** Names, numbers and operators of one operand. */
  static final int MAX_OPERAND_SIZE = 1_024;

  private final FormErrors complaints;
  private int size;

  private FormLimits(FormErrors complaints) {
    this.complaints = complaints;
  }

  static void check(Form form, FormErrors complaints) {
    new FormLimits(complaints).form(form);
  }

  private void form(Form form) {
    parts(form, "parameters", form.params());
    parts(form, "definitions", form.definitions());
    parts(form, "requirements", form.requirements());
    parts(form, "buffers", form.buffers());
    parts(form, "signals", form.signals());
    parts(form, "teams", form.teams());
    parts(form, "post-conditions", form.ensures());
    parts(form, "lanes", form.lanes());
    form.definitions().forEach(d -> operand(d.value()));
    form.requirements().forEach(c -> condition(c, c));
    form.buffers().forEach(b -> operand(b.bytes()));
    form.signals().forEach(s -> operand(s.count()));
    form.teams().forEach(t -> condition(t, t.members()));
    for (Ensure e : form.ensures()) {
      parts(e, "names", e.given());
      e.given().forEach(this::given);
      e.when()
          .ifPresent(when -> {
            region(when.word());
            operand(when.value());
          });
      region(e.actual());
      parts(e, "sources", e.expected());
      combine(e.combine());
      e.expected().forEach(this::series);
      if (e.grouping() instanceof Grouping.By(Expr size)) {
        operand(size);
      }
      operand(e.bytes());
    }
    form.lanes().forEach(this::lane);
  }

  private void combine(Combine combine) {
    if (combine instanceof Combine.Apply(HookForm hook, HookOperands operands)) {
      hook.maps().flatMap(map -> map.numbers().stream()).forEach(number -> operand(hook, number));
      operands.fields().values().forEach(this::operand);
    }
  }

  private void given(EnsureBinder given) {
    switch (given) {
      case EnsureBinder.Rank(var name, Peers over) -> peers(over);
      case EnsureBinder.Turn(var name, Expr count) -> operand(count);
      case EnsureBinder.Word(var name, Region word, int width, Expr most) -> {
        region(word);
        operand(most);
      }
    }
  }

  private void lane(LaneFamily lane) {
    complaints.enter(lane);
    parts(lane, "indices", lane.indices());
    parts(lane, "states", lane.states());
    lane.indices().forEach(i -> operand(i.count()));
    lane.states().forEach(s -> operand(s.step()));
    block(lane, lane.body(), 1);
  }

  private void block(Object owner, List<Op> ops, int depth) {
    if (depth > MAX_BLOCKS) {
      throw complaints.fail(
          owner, "blocks nested too deeply", "max=" + MAX_BLOCKS, "flatten the lane");
    }
    for (Op op : ops) {
      if (complaints.count() > MAX_OPERATIONS) {
        throw complaints.fail(
            op, "lane too long", "max=" + MAX_OPERATIONS, "use a loop or more lanes");
      }
      op(op, depth);
    }
  }

  private void op(Op op, int depth) {
    switch (op) {
      case Op.Move m -> {
        parts(m, "destinations", m.destinations());
        parts(m, "sources", m.sources());
        combine(m.combine());
        m.destinations().forEach(this::region);
        m.sources().forEach(this::series);
        operand(m.bytes());
      }
      case Op.Signal s -> {
        slot(s.slot());
        operand(s.value());
      }
      case Op.Await a -> {
        slot(a.slot());
        operand(a.value());
      }
      case Op.AwaitTicket t -> {}
      case Op.Flush f -> peers(f.peers());
      case Op.Sync s -> {}
      case Op.Join j -> {}
      case Op.Load l -> {
        region(l.word());
        l.bound().ifPresent(b -> operand(b.max()));
      }
      case Op.Let l -> operand(l.value());
      case Op.Assign a -> operand(a.value());
      case Op.Store s -> {
        region(s.word());
        operand(s.value());
      }
      case Op.Check c -> condition(c, c.condition());
      case Op.If branch -> {
        condition(branch, branch.condition());
        block(branch, branch.then(), depth + 1);
        block(branch, branch.otherwise(), depth + 1);
      }
      case Op.For loop -> {
        operand(loop.count());
        block(loop, loop.body(), depth + 1);
      }
      case Op.Each each -> {
        peers(each.peers());
        block(each, each.body(), depth + 1);
      }
      case Op.Leader leader -> block(leader, leader.body(), depth + 1);
      case Call c -> {
        CallParts parts = CallParts.of(c);
        parts.regions().forEach(this::region);
        parts.slots().forEach(this::slot);
        parts.operands().forEach(this::operand);
      }
    }
  }

  private void condition(Object owner, Cond condition) {
    parts(owner, "comparisons", condition.terms());
    for (Cond.Term t : condition.terms()) {
      operand(t.left());
      operand(t.right());
    }
  }

  private void region(Region g) {
    peers(g.at());
    operand(g.offset());
    if (g.access() instanceof Access.Packets(var format, Expr flag)) {
      operand(flag);
    }
  }

  private void series(SourceSeries s) {
    operand(s.count());
    region(s.region());
  }

  private void slot(Slot s) {
    peers(s.at());
    operand(s.index());
  }

  private void peers(Peers peers) {
    if (peers instanceof Peers.One(Expr rank)) {
      operand(rank);
    }
  }

  private void operand(Expr expr) {
    operand(expr, expr);
  }

  /** Checks the operand of a part at which errors are placed. */
  private void operand(Object owner, Expr expr) {
    size = 0;
    measure(owner, expr, 1);
  }

  private void measure(Object whole, Expr part, int depth) {
    if (depth > MAX_OPERAND_DEPTH || ++size > MAX_OPERAND_SIZE) {
      throw complaints.fail(
          whole,
          "operand too large",
          "max depth=" + MAX_OPERAND_DEPTH + ", max parts=" + MAX_OPERAND_SIZE,
          "name a part of it with let");
    }
    switch (part) {
      case Expr.Const c -> {}
      case Expr.Name n -> {}
      case Expr.NonZero32(Expr counter) -> measure(whole, counter, depth + 1);
      case Expr.Binary(var operator, Expr left, Expr right) -> {
        measure(whole, left, depth + 1);
        measure(whole, right, depth + 1);
      }
    }
  }

  private void parts(Object owner, String what, List<?> parts) {
    if (parts.size() > MAX_PARTS) {
      throw complaints.fail(
          owner,
          "too many " + what,
          "count=" + parts.size() + ", max=" + MAX_PARTS,
          "use fewer, with an index or a loop");
    }
  }
}

package dev.oriel.domain.program.check;

import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.check.NameScopes.Meaning;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks the operations of one lane, in the order of the text. */
final class OperationCheck {
  private final Form form;
  private final FormErrors complaints;
  private final NameResolver operands;
  private final CallCheck calls;
  private final ReductionCheck reductions;
  private final LaneFamily lane;
  private final List<String> tickets = new ArrayList<>();

  OperationCheck(
      Form form, LaneFamily lane, FormErrors complaints, NameResolver operands, CallCheck calls) {
    this.form = form;
    this.lane = lane;
    this.complaints = complaints;
    this.operands = operands;
    this.calls = calls;
    this.reductions = new ReductionCheck(complaints, operands);
  }

  void block(List<Op> ops) {
    int outer = tickets.size();
    operands.scoped(() -> ops.forEach(this::next));
    tickets.subList(outer, tickets.size()).clear();
  }

  private void next(Op op) {
    complaints.next(op);
    complaints.attempt(() -> op(op));
    declared(op).filter(name -> !operands.knows(name)).ifPresent(operands::assume);
  }

  /** The register that an operation declares: after a mistake in it, its uses are no mistakes. */
  private static Optional<String> declared(Op op) {
    return switch (op) {
      case Op.Load l -> Optional.of(l.register());
      case Op.Let l -> Optional.of(l.register());
      case Call.Read r -> Optional.of(r.register());
      case Call.LoadStrong l -> Optional.of(l.register());
      default -> Optional.empty();
    };
  }

  private void op(Op op) {
    switch (op) {
      case Op.Move m -> move(m);
      case Op.Signal s -> signal(s);
      case Op.Await a -> await(a);
      case Op.AwaitTicket(var ticket) -> ticket(op, ticket);
      case Op.Flush f -> operands.peers(f.peers());
      case Op.Sync() -> {}
      case Op.Join j -> join(j);
      case Op.Load l -> {
        own(l.word());
        operands.width(l, l.width());
        l.bound()
            .ifPresent(bound -> {
              operands.names(bound.max());
              code(l, bound.code());
            });
        operands.declare(l, l.register(), Meaning.RUNNING);
      }
      case Op.Let(var register, var value) -> {
        operands.names(value);
        operands.declare(op, register, Meaning.RUNNING);
      }
      case Op.Assign(var state, var value) -> {
        if (!operands.isState(state)) {
          throw complaints.fail(
              op,
              "only a state can be set",
              "name=" + state,
              "declare it with state, or name a new value with let");
        }
        operands.names(value);
      }
      case Op.Store(var word, int width, var value) -> {
        own(word);
        operands.writable(word);
        operands.width(op, width);
        operands.names(value);
      }
      case Op.Check(var condition, var code) -> {
        code(op, code);
        operands.condition(condition);
      }
      case Op.If(var condition, var then, var otherwise) -> {
        complaints.attempt(() -> operands.condition(condition));
        block(then);
        block(otherwise);
      }
      case Op.For(var variable, var count, var body) -> {
        complaints.attempt(() -> operands.names(count));
        inner(op, variable, body);
      }
      case Op.Each(var variable, var peers, var body) -> {
        complaints.attempt(() -> operands.peers(peers));
        inner(op, variable, body);
      }
      case Op.Leader(var body) -> {
        if (!(lane.engine() instanceof LaneFamily.Engine.Sm)) {
          throw complaints.fail(op, "lane of one thread", "", "leave out thread0, or write sm(32)");
        }
        body.forEach(inner -> complaints.attempt(() -> alone(inner)));
        block(body);
      }
      case Call c -> calls.check(c);
    }
  }

  /** One thread changes or awaits one word; what a register holds, all threads know. */
  private void alone(Op op) {
    Optional<Peers> word =
        switch (op) {
          case Op.Signal s -> Optional.of(s.slot().at());
          case Op.Await a -> Optional.of(a.slot().at());
          case Op.Store s -> Optional.of(s.word().at());
          case Call.Wait w -> Optional.of(w.word().at());
          case Call.StoreStrong s -> Optional.of(s.word().at());
          case Call.Change c when c.result().isEmpty() -> Optional.of(c.word().at());
          case Call.MemoryFence _ -> Optional.of(new Peers.Self());
          default -> Optional.empty();
        };
    if (word.isEmpty()) {
      throw complaints.fail(
          op,
          "not an operation of one thread",
          "",
          "in thread0, use signal, await, wait, store, order, and atomic without a result");
    } else if (word.get() instanceof Peers.Others || word.get() instanceof Peers.All) {
      throw complaints.fail(op, "one thread names one rank", "", "name it, as in @0");
    }
  }

  private void inner(Op op, String variable, List<Op> body) {
    operands.scoped(() -> {
      complaints.attempt(() -> operands.declare(op, variable, Meaning.RUNNING));
      block(body);
    });
  }

  private void move(Op.Move m) {
    if (m.destinations().isEmpty() || m.sources().isEmpty()) {
      throw complaints.fail(
          m, "move without regions", "", "name at least one destination and one source");
    }
    if (!m.ticket().isEmpty()) {
      ticketed(m);
    }
    reductions.combine(m, m.combine(), m.sources());
    new HookCheck(complaints, operands).stored(m, m.combine(), m.destinations());
    for (Region d : m.destinations()) {
      operands.region(d);
      packets(d);
      operands.writable(d);
    }
    reductions.sources(m, m.sources(), this::source);
    operands.names(m.bytes());
  }

  private void ticketed(Op.Move m) {
    operands.valid(m, m.ticket());
    if (tickets.contains(m.ticket())) {
      throw complaints.fail(
          m, "duplicated ticket", "ticket=" + m.ticket(), "give each move its own");
    }
    tickets.add(m.ticket());
  }

  private void packets(Region g) {
    if (g.access() instanceof Access.Packets) {
      operands.byItsOwnName(g);
    }
  }

  private void source(Region s) {
    operands.region(s);
    packets(s);
    if (s.at() instanceof Peers.Others || s.at() instanceof Peers.All) {
      throw complaints.fail(
          s,
          "a source is one rank's memory",
          "buffer=" + s.buffer(),
          "loop with each p in peers, or name the rank");
    }
    if (s.access() instanceof Access.Packets && !(s.at() instanceof Peers.Self)) {
      throw complaints.fail(
          s,
          "packets are polled in the rank's own memory",
          "buffer=" + s.buffer(),
          "let the sender push them here");
    }
  }

  private void own(Region word) {
    operands.region(word);
    if (!(word.at() instanceof Peers.Self) || !(word.access() instanceof Access.Weak)) {
      throw complaints.fail(
          word, "not a plain word of the rank's own", "buffer=" + word.buffer(), "move it first");
    }
  }

  private void signal(Op.Signal s) {
    operands.slot(s.slot());
    operands.names(s.value());
    if (s.order() == Order.ACQUIRE) {
      throw complaints.fail(s, "a signal cannot acquire", "", "use release or relaxed");
    }
    if (s.cover() instanceof Op.Signal.Cover.OneMove(String ticket)) {
      ticket(s, ticket);
    }
  }

  private void await(Op.Await a) {
    operands.slot(a.slot());
    operands.names(a.value());
    if (a.order() == Order.RELEASE) {
      throw complaints.fail(a, "an await cannot release", "", "use acquire or relaxed");
    }
  }

  private void ticket(Op op, String ticket) {
    if (!tickets.contains(ticket)) {
      throw complaints.fail(
          op, "unknown ticket", "ticket=" + ticket, "label an earlier move of this block with it");
    }
  }

  private void join(Op.Join j) {
    if (form.lane(j.lane()).isEmpty()) {
      throw complaints.unknown(
          j,
          "unknown lane",
          j.lane(),
          "known",
          form.lanes().stream().map(LaneFamily::name).toList());
    }
  }

  private void code(Op op, int code) {
    if (code < 1 || code > 255) {
      throw complaints.fail(op, "failure code out of range", "code=" + code, "use 1 to 255");
    }
  }
}

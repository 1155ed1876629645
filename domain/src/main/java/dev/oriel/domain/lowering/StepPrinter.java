package dev.oriel.domain.lowering;

import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Printer;
import dev.oriel.domain.program.Scope;
import java.util.Locale;
import java.util.Optional;

/** Prints micro-operations for reports, golden files and comments of generated code. */
public final class StepPrinter {
  private static final int WIDTH = 72;

  private StepPrinter() {}

  static String print(Step step) {
    if (step.micro() instanceof Micro.Label(int id)) {
      return " L" + id + ":";
    }
    String text = "    " + print(step.micro());
    return step.why().isEmpty()
        ? text
        : text + " ".repeat(Math.max(1, WIDTH - text.length())) + "-- " + step.why();
  }

  /** The micro-operation in one line. */
  public static String print(Micro micro) {
    return switch (micro) {
      case Micro.Label(int id) -> "label L" + id;
      case Micro.Jump(int label) -> "jump L" + label;
      case Micro.Unless(var condition, int label) ->
          "unless " + Printer.print(condition) + " jump L" + label;
      case Micro.UnlessKind(var peer, var kind, int label) ->
          "unless "
              + kind.name().toLowerCase(Locale.ROOT)
              + " "
              + Printer.print(peer)
              + " jump L"
              + label;
      case Micro.Set(var register, var value) -> register + " = " + Printer.print(value);
      case Micro.Bar() -> "bar";
      case Micro.BulkCopy(var to, var from, var bytes) ->
          "bulk "
              + Printer.print(to)
              + " <- "
              + Printer.print(from)
              + " bytes "
              + Printer.print(bytes);
      case Micro.AwaitBulk() -> "await-bulk";
      case Micro.ProxyFence(var proxy) -> "fence " + proxy.spelling();
      case Micro.Fence(var scope, boolean strict) ->
          "fence " + (strict ? "sc " : "") + scope.spelling();
      case Micro.Copy(var destinations, var combine, var sources, var bytes) ->
          Printer.head(new Op.Move("", destinations, combine, sources, bytes));
      case Micro.WriteSlot w ->
          Printer.head(
              new Op.Signal(
                  w.slot(), w.change(), w.value(), w.order(), w.scope(), Op.Signal.Cover.LANE));
      case Micro.PollSlot p ->
          Printer.head(
              new Op.Await(
                  p.slot(), p.quantifier(), p.comparison(), p.value(), p.order(), p.scope()));
      case Micro.AwaitLane(var lane) -> "join " + lane;
      case Micro.LoadWord(var register, var word, int width, var max, int code) ->
          Printer.head(new Op.Load(register, word, width, bound(max, code)));
      case Micro.StoreWord(var word, int width, var value) ->
          Printer.head(new Op.Store(word, width, value));
      case Micro.ReadSlot(var register, var slot, var order, var scope) ->
          register + " = read " + Printer.print(slot) + orders(order, scope);
      case Micro.Rmw m ->
          (m.register().isEmpty() ? "" : m.register() + " = ")
              + change(m.change(), m.operand(), m.compare())
              + " "
              + Printer.print(m.word())
              + orders(m.order(), m.scope());
      case Micro.PollWord p ->
          "poll "
              + Printer.print(p.word())
              + " "
              + Printer.print(p.comparison())
              + " "
              + Printer.print(p.value())
              + orders(p.order(), p.scope());
      case Micro.Lock(var word, var scope) -> "lock " + Printer.print(word) + narrow(scope);
      case Micro.Check(var condition, int code) -> Printer.head(new Op.Check(condition, code));
      case Micro.Post(var peer, var queue, var request, boolean fenced, boolean loose) ->
          "post @("
              + Printer.print(peer)
              + ") "
              + queue(queue)
              + (fenced ? "fenced " : "")
              + (loose ? "loose " : "")
              + print(request);
      case Micro.AwaitQueue(var peer, var queue) ->
          "await queue " + queue(queue) + "@(" + Printer.print(peer) + ")";
      case Micro.Consist() -> "consist";
      case Micro.End() -> "end";
    };
  }

  private static String queue(Expr queue) {
    return queue.equals(Expr.of(0)) ? "" : "via " + Printer.print(queue) + " ";
  }

  /** Code 0 belongs to no program: the load never fails. */
  private static Optional<Op.Load.Bound> bound(Expr max, int code) {
    return code == 0 ? Optional.empty() : Optional.of(new Op.Load.Bound(max, code));
  }

  private static String orders(Order order, Scope scope) {
    return " " + order.spelling() + narrow(scope);
  }

  /**
   * The agents for which a request's word orders earlier accesses; all of them if nothing is
   * printed.
   */
  private static String covers(Order order, Scope scope) {
    return (order == Order.RELEASE ? "" : " " + order.spelling()) + narrow(scope);
  }

  private static String narrow(Scope scope) {
    return scope == Scope.SYS ? "" : " " + scope.spelling();
  }

  private static String change(Atomic change, Expr operand, Expr compare) {
    return switch (change) {
      case FETCH -> "fetch";
      case SET, ADD -> change.spelling() + " " + Printer.print(operand);
      case CAS -> "cas " + Printer.print(compare) + " " + Printer.print(operand);
    };
  }

  private static String print(Micro.Request request) {
    return switch (request) {
      case Micro.Request.Write(var local, var remote, var bytes) ->
          "write "
              + Printer.print(remote)
              + " <- "
              + Printer.print(local)
              + " bytes "
              + Printer.print(bytes);
      case Micro.Request.Read(var local, var remote, var bytes) ->
          "read "
              + Printer.print(local)
              + " <- "
              + Printer.print(remote)
              + " bytes "
              + Printer.print(bytes);
      case Micro.Request.WriteSlot(var slot, var value, var order, var scope) ->
          "write " + Printer.print(slot) + " <- " + Printer.print(value) + covers(order, scope);
      case Micro.Request.AddSlot(var slot, var value, var order, var scope) ->
          "add " + Printer.print(slot) + " <- " + Printer.print(value) + covers(order, scope);
      case Micro.Request.ReadBack() -> "read back";
      case Micro.Request.ChangeWord c ->
          change(c.change(), c.operand(), c.compare())
              + " "
              + Printer.print(c.word())
              + c.result().map(result -> " into " + Printer.print(result)).orElse("");
      case Micro.Request.WriteAndSignal w ->
          "write "
              + Printer.print(w.remote())
              + " <- "
              + Printer.print(w.local())
              + " bytes "
              + Printer.print(w.bytes())
              + " then "
              + (w.change() == Op.Signal.Change.SET ? "write " : "add ")
              + Printer.print(w.slot())
              + " <- "
              + Printer.print(w.value());
      case Micro.Request.Count(var word) -> "count " + Printer.print(word);
      case Micro.Request.Lock(var word) -> "lock " + Printer.print(word);
      case Micro.Request.Arrange() -> "arrange";
    };
  }
}

package dev.oriel.domain.lowering;

import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Scope;
import java.util.Locale;
import java.util.Optional;

/** Prints micro-operations for reports, golden files and comments of generated code. */
public final class StepPrinter {
  private static final int WIDTH = 72;

  private StepPrinter() {}

  /** The step without its reason. */
  static String bare(LoweredStep step) {
    return step.micro() instanceof MicroOperation.Label(int id)
        ? " L" + id + ":"
        : "    " + print(step.micro());
  }

  static String print(LoweredStep step) {
    String text = bare(step);
    if (step.micro() instanceof MicroOperation.Label) {
      return text;
    }
    return step.why().isEmpty()
        ? text
        : text + " ".repeat(Math.max(1, WIDTH - text.length())) + "-- " + step.why();
  }

  /** The micro-operation in one line. */
  public static String print(MicroOperation micro) {
    return switch (micro) {
      case MicroOperation.Label(int id) -> "label L" + id;
      case MicroOperation.Jump(int label) -> "jump L" + label;
      case MicroOperation.Unless(var condition, int label) ->
          "unless " + FormPrinter.print(condition) + " jump L" + label;
      case MicroOperation.UnlessKind(var peer, var kind, int label) ->
          "unless "
              + kind.name().toLowerCase(Locale.ROOT)
              + " "
              + FormPrinter.print(peer)
              + " jump L"
              + label;
      case MicroOperation.Set(var register, var value) ->
          register + " = " + FormPrinter.print(value);
      case MicroOperation.Bar() -> "bar";
      case MicroOperation.BulkCopy(var to, var from, var bytes) ->
          "bulk "
              + FormPrinter.print(to)
              + " <- "
              + FormPrinter.print(from)
              + " bytes "
              + FormPrinter.print(bytes);
      case MicroOperation.AwaitBulk() -> "await-bulk";
      case MicroOperation.ProxyFence(var proxy) -> "fence " + proxy.spelling();
      case MicroOperation.Fence(var scope, boolean strict, boolean alone) ->
          (alone ? "thread0 " : "") + "fence " + (strict ? "sc " : "") + scope.spelling();
      case MicroOperation.Copy(var destinations, var combine, var sources, var bytes) ->
          FormPrinter.head(new Op.Move("", destinations, combine, sources, bytes));
      case MicroOperation.WriteSlot w ->
          FormPrinter.head(
              new Op.Signal(
                  w.slot(), w.change(), w.value(), w.order(), w.scope(), Op.Signal.Cover.LANE));
      case MicroOperation.PollSlot p ->
          FormPrinter.head(
              new Op.Await(
                  p.slot(), p.quantifier(), p.comparison(), p.value(), p.order(), p.scope()));
      case MicroOperation.AwaitLane(var lane) -> "join " + lane;
      case MicroOperation.LoadWord(var register, var word, int width, var max, int code) ->
          FormPrinter.head(new Op.Load(register, word, width, bound(max, code)));
      case MicroOperation.StoreWord(var word, int width, var value) ->
          FormPrinter.head(new Op.Store(word, width, value));
      case MicroOperation.ReadSlot(var register, var slot, var order, var scope, var until) ->
          register
              + " = read "
              + FormPrinter.print(slot)
              + orders(order, scope)
              + until.map(u -> " " + FormPrinter.print(u)).orElse("");
      case MicroOperation.Rmw m ->
          (m.register().isEmpty() ? "" : m.register() + " = ")
              + change(m.change(), m.operand(), m.compare())
              + " "
              + FormPrinter.print(m.word())
              + orders(m.order(), m.scope())
              + m.until().map(u -> " " + FormPrinter.print(u)).orElse("");
      case MicroOperation.PollWord p ->
          "poll "
              + FormPrinter.print(p.word())
              + " "
              + FormPrinter.print(p.comparison())
              + " "
              + FormPrinter.print(p.value())
              + orders(p.order(), p.scope());
      case MicroOperation.Lock(var word, var scope) ->
          "lock " + FormPrinter.print(word) + narrow(scope);
      case MicroOperation.Check(var condition, int code) ->
          FormPrinter.head(new Op.Check(condition, code));
      case MicroOperation.Post(
              var peer,
              var queue,
              var request,
              boolean fenced,
              boolean unordered) ->
          "post @("
              + FormPrinter.print(peer)
              + ") "
              + queue(queue)
              + (fenced ? "fenced " : "")
              + (unordered ? "unordered " : "")
              + print(request);
      case MicroOperation.AwaitQueue(var peer, var queue) ->
          "await queue " + queue(queue) + "@(" + FormPrinter.print(peer) + ")";
      case MicroOperation.VisibilityFence() -> "visibility fence";
      case MicroOperation.End() -> "end";
    };
  }

  private static String queue(Expr queue) {
    return queue.equals(Expr.of(0)) ? "" : "via " + FormPrinter.print(queue) + " ";
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
      case SET, ADD -> change.spelling() + " " + FormPrinter.print(operand);
      case CAS -> "cas " + FormPrinter.print(compare) + " " + FormPrinter.print(operand);
    };
  }

  private static String print(MicroOperation.Request request) {
    return switch (request) {
      case MicroOperation.Request.Write(var local, var remote, var bytes) ->
          "write "
              + FormPrinter.print(remote)
              + " <- "
              + FormPrinter.print(local)
              + " bytes "
              + FormPrinter.print(bytes);
      case MicroOperation.Request.Read(var local, var remote, var bytes) ->
          "read "
              + FormPrinter.print(local)
              + " <- "
              + FormPrinter.print(remote)
              + " bytes "
              + FormPrinter.print(bytes);
      case MicroOperation.Request.WriteSlot(var slot, var value, var order, var scope) ->
          "write "
              + FormPrinter.print(slot)
              + " <- "
              + FormPrinter.print(value)
              + covers(order, scope);
      case MicroOperation.Request.AddSlot(var slot, var value, var order, var scope) ->
          "add "
              + FormPrinter.print(slot)
              + " <- "
              + FormPrinter.print(value)
              + covers(order, scope);
      case MicroOperation.Request.ReadBack() -> "read back";
      case MicroOperation.Request.ChangeWord c ->
          change(c.change(), c.operand(), c.compare())
              + " "
              + FormPrinter.print(c.word())
              + c.result().map(result -> " into " + FormPrinter.print(result)).orElse("");
      case MicroOperation.Request.WriteAndSignal w ->
          "write "
              + FormPrinter.print(w.remote())
              + " <- "
              + FormPrinter.print(w.local())
              + " bytes "
              + FormPrinter.print(w.bytes())
              + " then "
              + (w.change() == Op.Signal.Change.SET ? "write " : "add ")
              + FormPrinter.print(w.slot())
              + " <- "
              + FormPrinter.print(w.value());
      case MicroOperation.Request.Count(var word) -> "count " + FormPrinter.print(word);
      case MicroOperation.Request.Lock(var word) -> "lock " + FormPrinter.print(word);
      case MicroOperation.Request.PlacementFence() -> "placement fence";
    };
  }
}

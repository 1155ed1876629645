package dev.oriel.domain.program;

/**
 * Writes one-sided calls in the text form that {@link dev.oriel.domain.program.parse.Parser} reads.
 */
final class CallPrinter {
  private CallPrinter() {}

  static String print(Call call) {
    return switch (call) {
      case Call.Put p ->
          "put "
              + move(p.to(), p.from(), p.extent())
              + p.notice().map(CallPrinter::notify).orElse("")
              + p.counter().map(word -> " counter " + Printer.print(word)).orElse("")
              + via(p.context())
              + nb(p.blocking());
      case Call.Get g ->
          "get " + move(g.to(), g.from(), g.extent()) + via(g.context()) + nb(g.blocking());
      case Call.Change c ->
          "atomic "
              + c.result().map(result -> Printer.print(result.into()) + " <- ").orElse("")
              + Printer.print(c.word())
              + " "
              + change(c)
              + via(c.context())
              + c.result().map(result -> nb(result.blocking())).orElse("");
      case Call.Fence(Expr context) -> "fence" + via(context);
      case Call.MemoryFence(boolean strict, Scope scope) ->
          "order" + (strict ? " sc " : " ") + scope.spelling();
      case Call.Bulk(Region to, Region from, Expr bytes) ->
          "bulk " + move(to, from, new Call.Extent(bytes));
      case Call.AwaitBulk() -> "await bulk";
      case Call.OrderProxy(Proxy proxy) -> "order " + proxy.spelling();
      case Call.Quiet(Expr context) -> "quiet" + via(context);
      case Call.Wait w ->
          "wait "
              + Printer.print(w.word())
              + " "
              + Printer.print(w.comparison())
              + " "
              + Printer.print(w.value())
              + order(w.order());
      case Call.Read(var register, var slot, var order) ->
          "read " + register + " <- " + Printer.print(slot) + order(order);
      case Call.LoadStrong(var register, var word, var order) ->
          "load " + register + " <- " + Printer.print(word) + order(order);
      case Call.StoreStrong(var word, var value, var order) ->
          "store " + Printer.print(word) + " <- " + Printer.print(value) + order(order);
      case Call.Lock(var word, var scope) -> "lock " + Printer.print(word) + narrow(scope);
      case Call.Unlock(var word, var scope) -> "unlock " + Printer.print(word) + narrow(scope);
      case Call.Meet(var barrier, boolean quiet) -> (quiet ? "barrier " : "meet ") + barrier;
    };
  }

  private static String move(Region to, Region from, Call.Extent extent) {
    return Printer.print(to)
        + " <- "
        + Printer.print(from)
        + " bytes "
        + Printer.print(extent.bytes())
        + extent.stride().map(CallPrinter::stride).orElse("");
  }

  private static String stride(Call.Stride s) {
    return " count "
        + Printer.print(s.count())
        + " step "
        + Printer.print(s.to())
        + ", "
        + Printer.print(s.from());
  }

  private static String notify(Call.Notify n) {
    return " notify "
        + n.signal()
        + "["
        + Printer.print(n.index())
        + "] "
        + Printer.lower(n.change())
        + " "
        + Printer.print(n.value());
  }

  private static String change(Call.Change c) {
    String operand = Printer.print(c.operand());
    return switch (c.change()) {
      case FETCH -> "fetch";
      case SET, ADD -> c.change().spelling() + " " + operand;
      case CAS -> "cas " + Printer.print(c.compare()) + ", " + operand;
    };
  }

  private static String via(Expr context) {
    return context.equals(Call.DEFAULT) ? "" : " via " + Printer.print(context);
  }

  private static String nb(boolean blocking) {
    return blocking ? "" : " nb";
  }

  private static String narrow(Scope scope) {
    return scope == Scope.SYS ? "" : " " + scope.spelling();
  }

  private static String order(Order order) {
    return " " + order.spelling();
  }
}

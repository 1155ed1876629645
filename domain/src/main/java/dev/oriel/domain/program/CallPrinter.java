package dev.oriel.domain.program;

/**
 * Writes one-sided calls in the text form that {@link dev.oriel.domain.program.parse.FormParser}
 * reads.
 */
final class CallPrinter {
  private CallPrinter() {}

  static String print(Call call) {
    return switch (call) {
      case Call.Put p ->
          "put "
              + move(p.to(), p.from(), p.extent())
              + p.notice().map(CallPrinter::notify).orElse("")
              + p.counter().map(word -> " counter " + FormPrinter.print(word)).orElse("")
              + via(p.context())
              + nb(p.blocking());
      case Call.Get g ->
          "get " + move(g.to(), g.from(), g.extent()) + via(g.context()) + nb(g.blocking());
      case Call.Change c ->
          "atomic "
              + c.result().map(result -> FormPrinter.print(result.into()) + " <- ").orElse("")
              + FormPrinter.print(c.word())
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
              + FormPrinter.print(w.word())
              + " "
              + FormPrinter.print(w.comparison())
              + " "
              + FormPrinter.print(w.value())
              + order(w.order());
      case Call.Read(var register, var slot, var order, var until) ->
          "read "
              + register
              + " <- "
              + FormPrinter.print(slot)
              + order(order)
              + until.map(u -> " " + FormPrinter.print(u)).orElse("");
      case Call.LoadStrong(var register, var word, var order, var until) ->
          "load "
              + register
              + " <- "
              + FormPrinter.print(word)
              + order(order)
              + until.map(u -> " " + FormPrinter.print(u)).orElse("");
      case Call.StoreStrong(var word, var value, var order) ->
          "store " + FormPrinter.print(word) + " <- " + FormPrinter.print(value) + order(order);
      case Call.Lock(var word, var scope) -> "lock " + FormPrinter.print(word) + narrow(scope);
      case Call.Unlock(var word, var scope) -> "unlock " + FormPrinter.print(word) + narrow(scope);
      case Call.Meet(var barrier, boolean quiet) -> (quiet ? "barrier " : "meet ") + barrier;
    };
  }

  private static String move(Region to, Region from, Call.Extent extent) {
    return FormPrinter.print(to)
        + " <- "
        + FormPrinter.print(from)
        + " bytes "
        + FormPrinter.print(extent.bytes())
        + extent.stride().map(CallPrinter::stride).orElse("");
  }

  private static String stride(Call.Stride s) {
    return " count "
        + FormPrinter.print(s.count())
        + " step "
        + FormPrinter.print(s.to())
        + ", "
        + FormPrinter.print(s.from());
  }

  private static String notify(Call.Notify n) {
    return " notify "
        + n.signal()
        + "["
        + FormPrinter.print(n.index())
        + "] "
        + FormPrinter.lower(n.change())
        + " "
        + FormPrinter.print(n.value());
  }

  private static String change(Call.Change c) {
    String operand = FormPrinter.print(c.operand());
    return switch (c.change()) {
      case FETCH -> "fetch";
      case SET, ADD -> c.change().spelling() + " " + operand;
      case CAS -> "cas " + FormPrinter.print(c.compare()) + ", " + operand;
    };
  }

  private static String via(Expr context) {
    return context.equals(Call.DEFAULT) ? "" : " via " + FormPrinter.print(context);
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

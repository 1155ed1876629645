package dev.oriel.domain.program.check;

import dev.oriel.domain.program.Access;
import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.SignalArray;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.program.TimeUnits;
import dev.oriel.domain.program.check.NameScopes.Meaning;
import java.util.Map;

/** Checks the one-sided calls of one lane: the owners of their memory, and their orders. */
final class CallCheck {
  private final Form form;
  private final LaneFamily lane;
  private final FormErrors complaints;
  private final NameResolver operands;
  private final Map<String, String> homes;

  /**
   * @param homes the lane that meets at each barrier, for the lanes checked so far
   */
  CallCheck(
      Form form,
      LaneFamily lane,
      FormErrors complaints,
      NameResolver operands,
      Map<String, String> homes) {
    this.form = form;
    this.lane = lane;
    this.complaints = complaints;
    this.operands = operands;
    this.homes = homes;
  }

  void check(Call call) {
    CallParts parts = CallParts.of(call);
    parts.regions().forEach(this::oneRank);
    if (!(call instanceof Call.Bulk)) {
      parts.regions().forEach(operands::byItsOwnName);
    }
    parts.slots().forEach(operands::slot);
    parts.operands().forEach(operands::names);
    switch (call) {
      case Call.Put p -> {
        operands.writable(p.to());
        own(p.from());
        p.counter()
            .ifPresent(word -> {
              own(word);
              operands.writable(word);
            });
        if (p.notice().isPresent() && p.extent().stride().isPresent()) {
          throw complaints.fail(
              p,
              "strided put that notifies",
              "signal=" + p.notice().get().signal(),
              "fence and signal after it instead");
        }
      }
      case Call.Get g -> {
        own(g.to());
        operands.writable(g.to());
      }
      case Call.Change c -> {
        if (c.change().writes()) {
          operands.writable(c.word());
        }
        c.result()
            .ifPresent(result -> {
              own(result.into());
              operands.writable(result.into());
            });
        if (c.change() == Atomic.FETCH && c.result().isEmpty()) {
          throw complaints.fail(
              c,
              "fetch without a result",
              "buffer=" + c.word().buffer(),
              "name where it goes, before <-");
        }
      }
      case Call.Wait w -> {
        own(w.word());
        order(w, w.order(), Order.ACQUIRE);
      }
      case Call.Read r -> {
        if (r.slot().at() instanceof Peers.Others || r.slot().at() instanceof Peers.All) {
          throw complaints.fail(
              r.slot(), "read of several slots", "signal=" + r.slot().signal(), "name one source");
        }
        order(r, r.order(), Order.ACQUIRE);
        r.until().ifPresent(until -> time(r, until.nanoseconds()));
        operands.declare(r, r.register(), Meaning.RUNNING);
      }
      case Call.LoadStrong l -> {
        own(l.word());
        order(l, l.order(), Order.ACQUIRE);
        l.until().ifPresent(until -> time(l, until.nanoseconds()));
        operands.declare(l, l.register(), Meaning.RUNNING);
      }
      case Call.StoreStrong s -> {
        own(s.word());
        operands.writable(s.word());
        order(s, s.order(), Order.RELEASE);
      }
      case Call.Lock(Region word, Scope scope) -> operands.writable(word);
      case Call.Unlock(Region word, Scope scope) -> operands.writable(word);
      case Call.Meet m -> meet(m);
      case Call.Fence f -> {}
      case Call.MemoryFence f -> {}
      case Call.Bulk b -> {
        operands.writable(b.to());
        unit(b);
      }
      case Call.AwaitBulk w -> unit(w);
      case Call.OrderProxy f -> {}
      case Call.Quiet q -> {}
    }
  }

  private void unit(Call call) {
    if (!(lane.engine() instanceof LaneFamily.Engine.Sm)) {
      throw complaints.fail(call, "no bulk-copy unit", "", "use an sm lane");
    }
  }

  private void oneRank(Region g) {
    operands.region(g);
    if (g.at() instanceof Peers.Others || g.at() instanceof Peers.All) {
      throw complaints.fail(
          g,
          "a call reaches one rank",
          "buffer=" + g.buffer(),
          "loop with each p in peers, or name the rank");
    }
    if (!(g.access() instanceof Access.Weak)) {
      throw complaints.fail(g, "packets in a call", "buffer=" + g.buffer(), "move them");
    }
    if (operands.space(g) == Space.SHARED) {
      throw complaints.fail(
          g,
          "shared memory in a call",
          "buffer=" + g.buffer(),
          "use scratch or a window, which calls reach");
    }
  }

  private void own(Region g) {
    if (!(g.at() instanceof Peers.Self)) {
      throw complaints.fail(
          g, "not the rank's own memory", "buffer=" + g.buffer(), "leave out the rank");
    }
  }

  private void time(Call read, long nanoseconds) {
    if (nanoseconds <= 0 || nanoseconds > Call.Until.LONGEST) {
      throw complaints.fail(
          read,
          "time of a read that waits is out of range",
          "nanoseconds=" + nanoseconds,
          "use 1ns to " + TimeUnits.print(Call.Until.LONGEST));
    }
  }

  private void order(Call call, Order order, Order strong) {
    if (order != Order.RELAXED && order != strong) {
      throw complaints.fail(
          call,
          "order without a meaning here",
          "order=" + order.spelling(),
          "use " + strong.spelling() + " or relaxed");
    }
  }

  private void meet(Call.Meet m) {
    boolean barrier =
        form.signal(m.barrier())
            .filter(s -> s.use() instanceof SignalArray.Use.Barrier)
            .isPresent();
    if (!barrier) {
      throw complaints.unknown(
          m,
          "unknown barrier",
          m.barrier(),
          "known",
          operands.arrays(SignalArray.Use.Barrier.class));
    }
    if (!lane.indices().isEmpty()) {
      throw complaints.fail(
          m,
          "barrier in a lane with indices",
          "barrier=" + m.barrier(),
          "meet in a lane of which each rank has one");
    }
    String home = homes.putIfAbsent(m.barrier(), lane.name());
    if (home != null && !home.equals(lane.name())) {
      throw complaints.fail(
          m,
          "barrier of two lanes",
          "barrier=" + m.barrier() + ", other=" + FormErrors.shown(home),
          "declare one for each lane");
    }
  }
}

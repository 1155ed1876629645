package dev.oriel.domain.program.check;

import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Slot;
import java.util.ArrayList;
import java.util.List;

/**
 * The regions, slots and operands of a call, regardless of their role; every check of names uses
 * this list.
 */
record CallParts(List<Region> regions, List<Slot> slots, List<Expr> operands) {

  private CallParts() {
    this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
  }

  static CallParts of(Call call) {
    CallParts parts = new CallParts();
    switch (call) {
      case Call.Put p -> {
        parts.move(p.to(), p.from(), p.extent(), p.context());
        p.notice()
            .ifPresent(n -> {
              parts.slots.add(n.slot(p.to()));
              parts.operands.add(n.value());
            });
        p.counter().ifPresent(parts.regions::add);
      }
      case Call.Get g -> parts.move(g.to(), g.from(), g.extent(), g.context());
      case Call.Change c -> {
        c.result().ifPresent(result -> parts.regions.add(result.into()));
        parts.regions.add(c.word());
        parts.operands.addAll(List.of(c.operand(), c.compare(), c.context()));
      }
      case Call.Fence(Expr context) -> parts.operands.add(context);
      case Call.MemoryFence f -> {}
      case Call.Bulk(Region to, Region from, Expr bytes) -> {
        parts.regions.addAll(List.of(to, from));
        parts.operands.add(bytes);
      }
      case Call.AwaitBulk w -> {}
      case Call.OrderProxy f -> {}
      case Call.Quiet(Expr context) -> parts.operands.add(context);
      case Call.Wait w -> {
        parts.regions.add(w.word());
        parts.operands.add(w.value());
      }
      case Call.Read r -> {
        parts.slots.add(r.slot());
        r.until().ifPresent(until -> parts.operands.add(until.value()));
      }
      case Call.LoadStrong l -> {
        parts.regions.add(l.word());
        l.until().ifPresent(until -> parts.operands.add(until.value()));
      }
      case Call.StoreStrong s -> {
        parts.regions.add(s.word());
        parts.operands.add(s.value());
      }
      case Call.Lock(Region word, Scope scope) -> parts.regions.add(word);
      case Call.Unlock(Region word, Scope scope) -> parts.regions.add(word);
      case Call.Meet m -> {}
    }
    return parts;
  }

  private void move(Region to, Region from, Call.Extent extent, Expr context) {
    regions.addAll(List.of(to, from));
    operands.add(extent.bytes());
    extent.stride().ifPresent(s -> operands.addAll(List.of(s.count(), s.to(), s.from())));
    operands.add(context);
  }
}

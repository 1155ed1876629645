package dev.oriel.ibverbs.run;

import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.Micro;
import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Op.Signal.Change;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who changes the words of which buffer so that each change is one step to all others.
 *
 * <p>An interface's atomic is one step to atomics of the same interface and to nothing else: not to
 * this host's processors, nor to a write. So where peers change words of a buffer and somebody's
 * change depends on what a word was, everybody changes them by atomics of their owner's first
 * interface, the owner by a queue to itself. Elsewhere a peer's set is a write, and an owner's
 * change a step of the processor. Lanes of a rank that add to slots of one signal use one interface
 * for the same reason.
 *
 * @param remote buffers whose words requests change
 * @param byInterface buffers whose words only atomics of the owner's interface change
 * @param loopback whether owners do so too, and need a queue to themselves
 * @param asked whether any request is an atomic
 * @param adders for each signal the lanes that add to slots of it by requests
 */
record Atomicity(
    Set<String> remote,
    Set<String> byInterface,
    boolean loopback,
    boolean asked,
    Map<String, Set<String>> adders) {
  Atomicity {
    remote = Set.copyOf(remote);
    byInterface = Set.copyOf(byInterface);
    adders = Map.copyOf(adders);
  }

  static Atomicity of(LoweredForm lowered) {
    List<Micro> steps =
        lowered.lanes().stream()
            .flatMap(lane -> lane.steps().stream())
            .map(step -> step.micro())
            .toList();
    Set<String> remote = new HashSet<>();
    Set<String> dependent = new HashSet<>();
    Set<String> own = new HashSet<>();
    boolean asked = false;
    for (Micro step : steps) {
      switch (step) {
        case Micro.Post(_, _, Micro.Request.ChangeWord c, _, _) -> {
          remote.add(c.word().buffer());
          if (c.change() != Atomic.SET || c.result().isPresent()) {
            dependent.add(c.word().buffer());
            asked = true;
          }
        }
        case Micro.Post(_, _, Micro.Request.Lock(var word), _, _) -> {
          remote.add(word.buffer());
          dependent.add(word.buffer());
          asked = true;
        }
        case Micro.Post(_, _, Micro.Request.AddSlot _, _, _) -> asked = true;
        case Micro.Post(_, _, Micro.Request.WriteAndSignal w, _, _) ->
            asked |= w.change() == Change.ADD;
        case Micro.Rmw r when r.change() != Atomic.FETCH -> {
          own.add(r.word().buffer());
          if (r.change() != Atomic.SET || !r.register().isEmpty()) {
            dependent.add(r.word().buffer());
          }
        }
        case Micro.Lock(var word, _) -> {
          own.add(word.buffer());
          dependent.add(word.buffer());
        }
        default -> {}
      }
    }
    Set<String> both = new HashSet<>(remote);
    both.retainAll(dependent);
    own.retainAll(both);
    return new Atomicity(remote, both, !own.isEmpty(), asked || !both.isEmpty(), adders(lowered));
  }

  private static Map<String, Set<String>> adders(LoweredForm lowered) {
    Map<String, Set<String>> adders = new HashMap<>();
    for (LoweredLane lane : lowered.lanes()) {
      lane.steps().stream()
          .flatMap(step -> added(step.micro()).stream())
          .forEach(signal ->
              adders.computeIfAbsent(signal, _ -> new HashSet<>()).add(lane.lane().name()));
    }
    return adders;
  }

  private static Optional<String> added(Micro step) {
    return switch (step) {
      case Micro.Post(_, _, Micro.Request.AddSlot a, _, _) -> Optional.of(a.slot().signal());
      case Micro.Post(_, _, Micro.Request.WriteAndSignal w, _, _) when w.change() == Change.ADD ->
          Optional.of(w.slot().signal());
      default -> Optional.empty();
    };
  }

  /**
   * Whether these lanes of one rank must post to its first interface: where words are changed by
   * interfaces alone, and where several lanes add to one signal. Other ranks' adders do not count:
   * they have slots of their own.
   */
  boolean together(List<LaneInstance> lanes) {
    return !byInterface.isEmpty()
        || adders.values().stream()
            .anyMatch(
                names -> lanes.stream().filter(l -> names.contains(l.lane().name())).count() > 1);
  }
}

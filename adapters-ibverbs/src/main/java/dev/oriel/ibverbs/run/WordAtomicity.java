package dev.oriel.ibverbs.run;

import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Op.Signal.Change;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * For each buffer, the way to change its words so that all changes are atomic with respect to each
 * other.
 *
 * <p>An interface's atomic is atomic with respect to atomics of the same interface only: not to
 * this host's processors, nor to a write. Suppose peers change words of a buffer, and some change
 * depends on the old value. Then all ranks change these words by atomics of the owner's first
 * interface, and the owner uses a queue to itself. Otherwise a peer's set is a write, and an
 * owner's change is a processor atomic. For the same reason, lanes of a rank that add to slots of
 * one signal use one interface.
 *
 * @param remote buffers whose words requests change
 * @param byInterface buffers whose words only atomics of the owner's interface change
 * @param loopback whether owners make such atomics as well, and need a queue to themselves
 * @param asked whether any request is an atomic
 * @param adders for each signal the lanes that add to its slots by requests
 */
record WordAtomicity(
    Set<String> remote,
    Set<String> byInterface,
    boolean loopback,
    boolean asked,
    Map<String, Set<String>> adders) {
  WordAtomicity {
    remote = Set.copyOf(remote);
    byInterface = Set.copyOf(byInterface);
    adders = Map.copyOf(adders);
  }

  static WordAtomicity of(LoweredForm lowered) {
    List<MicroOperation> steps =
        lowered.lanes().stream()
            .flatMap(lane -> lane.steps().stream())
            .map(step -> step.micro())
            .toList();
    Set<String> remote = new HashSet<>();
    Set<String> dependent = new HashSet<>();
    Set<String> own = new HashSet<>();
    boolean asked = false;
    for (MicroOperation step : steps) {
      switch (step) {
        case MicroOperation.Post(_, _, MicroOperation.Request.ChangeWord c, _, _) -> {
          remote.add(c.word().buffer());
          if (c.change() != Atomic.SET || c.result().isPresent()) {
            dependent.add(c.word().buffer());
            asked = true;
          }
        }
        case MicroOperation.Post(_, _, MicroOperation.Request.Lock(var word), _, _) -> {
          remote.add(word.buffer());
          dependent.add(word.buffer());
          asked = true;
        }
        case MicroOperation.Post(_, _, MicroOperation.Request.AddSlot _, _, _) -> asked = true;
        case MicroOperation.Post(_, _, MicroOperation.Request.WriteAndSignal w, _, _) ->
            asked |= w.change() == Change.ADD;
        case MicroOperation.Rmw r when r.change() != Atomic.FETCH -> {
          own.add(r.word().buffer());
          if (r.change() != Atomic.SET || !r.register().isEmpty()) {
            dependent.add(r.word().buffer());
          }
        }
        case MicroOperation.Lock(var word, _) -> {
          own.add(word.buffer());
          dependent.add(word.buffer());
        }
        default -> {}
      }
    }
    Set<String> both = new HashSet<>(remote);
    both.retainAll(dependent);
    own.retainAll(both);
    return new WordAtomicity(
        remote, both, !own.isEmpty(), asked || !both.isEmpty(), adders(lowered));
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

  private static Optional<String> added(MicroOperation step) {
    return switch (step) {
      case MicroOperation.Post(_, _, MicroOperation.Request.AddSlot a, _, _) ->
          Optional.of(a.slot().signal());
      case MicroOperation.Post(_, _, MicroOperation.Request.WriteAndSignal w, _, _)
          when w.change() == Change.ADD ->
          Optional.of(w.slot().signal());
      default -> Optional.empty();
    };
  }

  /**
   * Whether these lanes of one rank must all post to its first interface: if some words are changed
   * only by interfaces, or if several lanes add to one signal. Other ranks' adders do not count:
   * they have slots of their own.
   */
  boolean together(List<LaneInstance> lanes) {
    return !byInterface.isEmpty()
        || adders.values().stream()
            .anyMatch(
                names -> lanes.stream().filter(l -> names.contains(l.lane().name())).count() > 1);
  }
}

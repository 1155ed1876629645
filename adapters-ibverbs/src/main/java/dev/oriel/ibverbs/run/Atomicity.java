package dev.oriel.ibverbs.run;

import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.Micro;
import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Op.Signal.Change;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Who changes the words of which buffer so that each change is one step to all others.
 *
 * <p>An interface's atomic is one step to atomics of the same interface and to nothing else: not to
 * this host's processors, nor to a write. So where peers change words of a buffer and somebody's
 * change depends on what a word was, everybody changes them by atomics of their owner's first
 * interface, the owner by a queue to itself. Elsewhere a peer's set is a write, and an owner's
 * change a step of the processor.
 *
 * @param remote buffers whose words requests change
 * @param byInterface buffers whose words only atomics of the owner's interface change
 * @param loopback whether owners do so too, and need a queue to themselves
 * @param asked whether any request is an atomic
 */
record Atomicity(Set<String> remote, Set<String> byInterface, boolean loopback, boolean asked) {
  Atomicity {
    remote = Set.copyOf(remote);
    byInterface = Set.copyOf(byInterface);
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
    return new Atomicity(remote, both, !own.isEmpty(), asked || !both.isEmpty());
  }
}

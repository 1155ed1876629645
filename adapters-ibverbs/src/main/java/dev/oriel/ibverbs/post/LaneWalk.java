package dev.oriel.ibverbs.post;

import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.Micro;
import dev.oriel.domain.lowering.StepPrinter;
import dev.oriel.ports.MachineException;
import java.util.OptionalLong;

/** Walks one lane from its first step to its end. */
final class LaneWalk {
  private final int lane;
  private final LoweredLane code;
  private final LaneNames names;
  private final Links links;
  private final LoadedWords loaded;
  private final QueueLog log;
  private final Posting posting;
  private int failure;

  LaneWalk(
      int lane, LoweredLane code, LaneNames names, Links links, LoadedWords loaded, QueueLog log) {
    this.lane = lane;
    this.code = code;
    this.names = names;
    this.links = links;
    this.loaded = loaded;
    this.log = log;
    this.posting = new Posting(names);
  }

  /** The code of the first check that failed, or 0. */
  int failure() {
    return failure;
  }

  void run() {
    int at = 0;
    while (!(code.steps().get(at).micro() instanceof Micro.End)) {
      int label = jump(code.steps().get(at).micro());
      at = label < 0 ? at + 1 : code.position(label);
    }
  }

  /** Takes the step; the label to go on at, or a negative number for the next step. */
  private int jump(Micro micro) {
    switch (micro) {
      case Micro.Jump(int label) -> {
        return label;
      }
      case Micro.Unless(var condition, int label) -> {
        return names.holds(condition) ? -1 : label;
      }
      case Micro.UnlessKind u -> {
        return names.reaches(u, links, failure != 0) ? -1 : u.label();
      }
      case Micro.Set(var register, var value) -> names.set(register, names.value(value));
      case Micro.LoadWord load -> load(load);
      case Micro.Check(var condition, int code) -> {
        if (failure == 0 && !names.holds(condition)) {
          failure = code;
        }
      }
      case Micro.Post post -> post(post);
      case Micro.AwaitQueue(var peer, var queue) -> log.await(new Queue(lane, names.peer(peer)));
      case Micro.Label _, Micro.Bar _, Micro.Fence _, Micro.Consist _, Micro.End _ -> {}
      case Micro.PollSlot _, Micro.AwaitLane _ -> {}
      case Micro.OnWord w -> throw unsupported(StepPrinter.print(w));
      case Micro.ByProxy p -> throw unsupported(StepPrinter.print(p));
      case Micro.Copy _, Micro.WriteSlot _, Micro.StoreWord _ -> {}
    }
    return -1;
  }

  private void post(Micro.Post post) {
    boolean call = post.loose() || post.request() instanceof Micro.Request.OneSided;
    if (call || names.value(post.queue()) != 0) {
      throw unsupported(StepPrinter.print(post));
    }
    posting
        .operations(post, failure != 0)
        .forEach(o -> log.post(new Queue(lane, names.peer(post.peer())), o));
  }

  private void load(Micro.LoadWord load) {
    if (failure != 0) {
      names.set(load.register(), 0);
      return;
    }
    OptionalLong word = loaded.at(load.word().buffer(), names.value(load.word().offset()));
    if (word.isEmpty()) {
      names.forget(load);
    } else if (Long.compareUnsigned(word.getAsLong(), names.value(load.max())) > 0) {
      failure = load.code();
      names.set(load.register(), 0);
    } else {
      names.set(load.register(), word.getAsLong());
    }
  }

  private MachineException unsupported(String what) {
    return new MachineException(
        "not listed: %s, operation=%s; run the program to see what calls post"
            .formatted(names.where(), what));
  }
}

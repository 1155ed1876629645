package dev.oriel.ibverbs.run;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.connection.ConnectionOrder;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.lowering.LoweredLane;
import dev.oriel.domain.lowering.LoweredStep;
import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.ibverbs.post.LaneNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The pairs of ranks that a program makes post to each other. Every rank computes them for all
 * ranks; connections are made between these pairs only.
 *
 * <p>A peer that the program text fixes is one rank; a peer that a loop or a loaded word determines
 * may be any. Both ends of a connection request it, whichever of them posts.
 */
final class PostingPairs {
  private PostingPairs() {}

  /** The order in which each rank connects with its neighbours. */
  static ConnectionOrder of(Program program, LoweredForm lowered) {
    List<Set<Integer>> requests = new ArrayList<>();
    for (int rank = 0; rank < program.world(); rank++) {
      requests.add(new TreeSet<>());
    }
    for (int rank = 0; rank < program.world(); rank++) {
      for (int peer : posts(program.rank(rank), lowered)) {
        requests.get(rank).add(peer);
        requests.get(peer).add(rank);
      }
    }
    return ConnectionOrder.of(requests);
  }

  private static Set<Integer> posts(RankProgram rank, LoweredForm lowered) {
    Set<Integer> peers = new TreeSet<>();
    for (LaneInstance lane : rank.lanes()) {
      LoweredLane code = lowered.lane(lane.lane().name());
      LaneNames names = fixed(code, new LaneNames(rank, lane));
      for (LoweredStep step : code.steps()) {
        if (step.micro() instanceof MicroOperation.Post post) {
          peer(names, post.peer())
              .ifPresentOrElse(
                  peers::add, () -> IntStream.range(0, rank.program().world()).forEach(peers::add));
        }
      }
    }
    peers.remove(rank.rank());
    return peers;
  }

  /** The names that are assigned once and keep that value. */
  private static LaneNames fixed(LoweredLane code, LaneNames names) {
    Map<String, Integer> assignments = new HashMap<>();
    for (LoweredStep step : code.steps()) {
      switch (step.micro()) {
        case MicroOperation.Set set -> assignments.merge(set.register(), 1, Integer::sum);
        // Separate scopes may share a name: one assigns it, another loads it.
        case MicroOperation.LoadWord load -> assignments.merge(load.register(), 2, Integer::sum);
        case MicroOperation.ReadSlot read -> assignments.merge(read.register(), 2, Integer::sum);
        case MicroOperation.Rmw change -> assignments.merge(change.register(), 2, Integer::sum);
        default -> {}
      }
    }
    code.persistent().forEach(state -> assignments.merge(state.name(), 2, Integer::sum));
    for (LoweredStep step : code.steps()) {
      if (step.micro() instanceof MicroOperation.Set(var register, var value)
          && assignments.getOrDefault(register, 0) == 1) {
        value(names, value).ifPresent(known -> names.set(register, known));
      }
    }
    return names;
  }

  private static Optional<Integer> peer(LaneNames names, Expr peer) {
    return value(names, peer)
        .filter(rank -> rank >= 0 && rank < names.rank().program().world())
        .map(Math::toIntExact);
  }

  private static Optional<Long> value(LaneNames names, Expr expr) {
    try {
      return Optional.of(names.value(expr));
    } catch (ProgramException e) {
      return Optional.empty();
    }
  }
}

package dev.oriel.ibverbs.post;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.binding.RankProgram.LaneInstance;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.ports.MachineException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Walks a rank's lowered lanes and lists what they ask of the network interface.
 *
 * <p>The walk follows registers and jumps; waits count as satisfied and copies as done, since
 * neither changes what is posted. A request without bytes is not posted: it would do nothing, and
 * interfaces disagree about what an empty gather entry means.
 *
 * <p>Signalled are exactly the last request of a queue before the lane awaits that queue, and the
 * last one that a launch posts to a queue. The second is what frees the queue's entries when a
 * program never waits, and what lets a later launch await requests of an earlier one.
 */
public final class PostedRequests {
  private final Program program;
  private final LoweredForm lowered;
  private final Links links;

  /**
   * The requests of a program whose form was lowered for those links.
   *
   * @throws MachineException if the lowered form is another program's
   */
  public PostedRequests(Program program, LoweredForm lowered, Links links) {
    if (!program.form().equals(lowered.form())) {
      throw new MachineException(
          "lowered form is not the program's: lowered=%s, program=%s; lower the program's own form"
              .formatted(lowered.form().name(), program.form().name()));
    }
    this.program = program;
    this.lowered = lowered;
    this.links = links;
  }

  /**
   * What {@code rank} posts in the launch after {@code before}.
   *
   * @throws MachineException if a request needs a word that is not known, or a peer or slot that
   *     does not exist
   */
  public Launch launch(int rank, Carried before, LoadedWords loaded) {
    RankProgram ranked = program.rank(rank);
    List<LaneInstance> lanes = ranked.lanes();
    QueueLog log = new QueueLog(before.queues());
    Map<Integer, Map<String, Long>> words = new HashMap<>();
    Map<Integer, Integer> failures = new HashMap<>();
    long epoch = before.epoch() + 1;
    for (int l = 0; l < lanes.size(); l++) {
      LaneInstance lane = lanes.get(l);
      LaneNames names = new LaneNames(ranked, lane);
      names.set("epoch", epoch);
      for (var state : lane.lane().states()) {
        names.set(state.name(), before.word(l, state.name()));
      }
      LaneWalk walk = new LaneWalk(l, lowered.lane(lane.lane().name()), names, links, loaded, log);
      walk.run();
      if (walk.failure() != 0) {
        failures.put(l, walk.failure());
      }
      words.put(l, names.states());
    }
    List<Request> requests = log.end();
    return new Launch(rank, requests, failures, new Carried(epoch, words, log.states()));
  }
}

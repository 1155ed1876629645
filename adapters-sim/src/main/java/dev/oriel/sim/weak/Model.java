package dev.oriel.sim.weak;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.PacketFormat;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A program made ready to execute: lanes compiled, agents numbered.
 *
 * <pre>
 * agents   leader and worker of each lane | the caller of each rank | four stages of each queue
 * stages   source fetch, remote place, remote read, local place
 * </pre>
 */
final class Model {
  static final int FETCH = 0;
  static final int PLACE = 1;
  static final int READ = 2;
  static final int FILL = 3;
  static final int STAGES = 4;

  final Form form;
  final Topology topology;
  final List<RankProgram> ranks;
  final List<LaneCode> lanes = new ArrayList<>();

  /** First lane of each rank, and behind the last rank the number of lanes. */
  final int[] firstLane;

  /** For each lane the number of its first queue, -1 if it posts nothing. */
  final int[] firstQueue;

  private final List<Optional<PacketFormat>> packetFormats;
  final int queues;
  final int agents;

  /** For each lane the number of its first site; then two sites of each rank's caller. */
  final int[] firstSite;

  Model(Program program, Topology topology, LoweredForm lowered) {
    form = program.form();
    this.topology = topology;
    ranks = IntStream.range(0, program.world()).mapToObj(program::rank).toList();
    firstLane = new int[ranks.size() + 1];
    for (RankProgram rank : ranks) {
      firstLane[rank.rank()] = lanes.size();
      int first = lanes.size();
      for (var instance : rank.lanes()) {
        lanes.add(new LaneCode(rank, instance, first, lowered.lane(instance.lane().name())));
      }
    }
    firstLane[ranks.size()] = lanes.size();
    packetFormats = IntStream.range(0, form.buffers().size()).mapToObj(this::format).toList();
    firstQueue = new int[lanes.size()];
    firstSite = new int[lanes.size() + 1];
    int queue = 0;
    for (int l = 0; l < lanes.size(); l++) {
      boolean posts = lanes.get(l).posts();
      firstQueue[l] = posts ? queue : -1;
      queue += posts ? ranks.size() : 0;
      firstSite[l + 1] = firstSite[l] + lanes.get(l).actCount();
    }
    queues = queue;
    agents = 2 * lanes.size() + ranks.size() + STAGES * queues;
  }

  /** The format of the packets that lanes keep in that buffer. */
  Optional<PacketFormat> packetFormat(int buffer) {
    return packetFormats.get(buffer);
  }

  /** What lanes keep in a buffer: packets of one format, or plain bytes. */
  private Optional<PacketFormat> format(int buffer) {
    List<Optional<PacketFormat>> found =
        lanes.stream()
            .flatMap(lane -> lane.places().stream())
            .filter(place -> place.buffer() == buffer)
            .map(place -> Optional.ofNullable(place.format()))
            .distinct()
            .toList();
    if (found.size() > 1) {
      throw new MachineException(
          "buffer holds packets and other bytes: form=%s, buffer=%s; use a buffer of its own for packets of one format"
              .formatted(form.name(), form.buffers().get(buffer).name()));
    }
    return found.isEmpty() ? Optional.empty() : found.getFirst();
  }

  int world() {
    return ranks.size();
  }

  int leader(int lane) {
    return 2 * lane;
  }

  /** The threads of a lane that neither signal nor poll; the leader itself if there are none. */
  int worker(int lane) {
    return lanes.get(lane).threads() ? 2 * lane + 1 : 2 * lane;
  }

  int caller(int rank) {
    return 2 * lanes.size() + rank;
  }

  int queue(int lane, int peer) {
    return firstQueue[lane] + peer;
  }

  int stage(int queue, int stage) {
    return 2 * lanes.size() + world() + STAGES * queue + stage;
  }

  /** Where causality keeps what a queue's requests stand behind, and what it has fetched. */
  int causal(int queue) {
    return 2 * lanes.size() + queue;
  }

  int site(int lane, int act) {
    return firstSite[lane] + act;
  }

  int callerSite(int rank, boolean reads) {
    return firstSite[lanes.size()] + 2 * rank + (reads ? 1 : 0);
  }

  PeerKind kind(int from, int to) {
    return from == to ? PeerKind.SELF : topology.kind(from, to);
  }

  /** Who an agent is, and what it was doing. */
  String describe(int agent, int site) {
    int callers = firstSite[lanes.size()];
    if (site >= callers) {
      int rank = (site - callers) / 2;
      return "the caller at rank=%d %s"
          .formatted(
              rank,
              (site - callers) % 2 == 1
                  ? "reading its outputs after the launch"
                  : "filling inputs and outputs for the next launch");
    }
    int lane = 0;
    while (firstSite[lane + 1] <= site) {
      lane++;
    }
    int behind = agent - 2 * lanes.size() - world();
    String who =
        behind < 0
            ? ""
            : switch (behind % STAGES) {
              case FETCH -> "the interface's fetch for ";
              case PLACE -> "the interface's write for ";
              case READ -> "the interface's remote read for ";
              default -> "the interface's fill for ";
            };
    LaneCode code = lanes.get(lane);
    return "%s'%s' at rank=%d, lane=%s"
        .formatted(who, code.text(site - firstSite[lane]), code.rank(), code.instance().label());
  }
}

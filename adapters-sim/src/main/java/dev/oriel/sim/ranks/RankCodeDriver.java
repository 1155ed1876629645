package dev.oriel.sim.ranks;

import dev.oriel.ports.Abort;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.driver.LaneDriver;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.replay.Fault;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Guides the lane of each rank through the calls that the rank's code makes.
 *
 * <p>The code takes no time. Between two steps of the machine, every rank whose call has completed
 * runs until its next call, one rank after another. Only the answers to a rank's calls decide its
 * next call, so a history of them is kept for each rank.
 */
final class RankCodeDriver implements LaneDriver {
  /** Calls between two steps of the machine; more of them count as a loop without effect. */
  private static final int MAX_QUIET = 100_000;

  private final Simulation simulation;
  private final RankArena arena;

  /** All lanes in the order of the ranks; those of one rank are adjacent. */
  private final List<RequestSource> lanes;

  private final Runnable judge;
  private final int rounds;
  private final List<Seat> seats = new ArrayList<>();
  private final CollectiveRounds meetings;
  private final Map<Integer, Abort> aborts = new TreeMap<>();
  private List<RequestJournal> journals = List.of();
  private List<RequestJournal> before = List.of();
  private long now;

  /** The number of registrations that each rank has requested. */
  private final int[] registered;

  /** The calls that have completed; their texts are empty where nobody will read them. */
  private final List<String> ended = new ArrayList<>();

  private boolean described;

  /** The state of one lane's current call. */
  private static final class Seat {
    Optional<LaneRequest> request = Optional.empty();
    boolean begun;
    boolean ended;
    long deadline = NEVER;
    final PollTracker polls = new PollTracker();

    /** The answer to the previous call. */
    final Fingerprint answer = new Fingerprint();

    final Fingerprint history = new Fingerprint();
  }

  RankCodeDriver(
      Simulation simulation,
      List<? extends RequestSource> ranks,
      RankArena arena,
      Runnable judge,
      int rounds) {
    this.rounds = rounds;
    this.simulation = simulation;
    this.arena = arena;
    this.lanes =
        ranks.stream()
            .flatMap(rank -> Stream.concat(Stream.of(rank), rank.sides().stream()))
            .toList();
    this.judge = judge;
    this.meetings = new CollectiveRounds(ranks.size());
    this.registered = new int[ranks.size()];
  }

  @Override
  public int registrations() {
    return arena.keys() > 0 ? simulation.code().form().bufferIndex(WindowForm.KEYS) : -1;
  }

  @Override
  public int rounds() {
    return rounds;
  }

  @Override
  public void restart(boolean described) {
    before = journals;
    journals = lanes.stream().map(r -> new RequestJournal()).toList();
    seats.clear();
    meetings.restart();
    aborts.clear();
    Arrays.fill(registered, 0);
    now = 0;
    ended.clear();
    this.described = described;
    for (RequestSource lane : lanes) {
      lane.restart(described);
      Seat seat = new Seat();
      seat.history.clear();
      seats.add(seat);
    }
  }

  @Override
  public Optional<Finding> go() {
    for (int l = 0; l < lanes.size(); l++) {
      Seat seat = seats.get(l);
      int rank = rank(l);
      for (int i = 0; !seat.ended && simulation.idle(l) && !simulation.crashed(rank); i++) {
        Optional<Finding> wrong = i < MAX_QUIET ? next(l, seat) : Optional.of(endless(l, seat));
        if (wrong.isPresent()) {
          return wrong;
        }
      }
    }
    return Optional.empty();
  }

  private int rank(int lane) {
    return lane / arena.lanes();
  }

  /** Where the lane's bytes begin in the staging area of its rank. */
  private int staged(int lane) {
    return (int) (lane % arena.lanes() * arena.stage());
  }

  private Optional<Finding> next(int lane, Seat seat) {
    Optional<LaneReply> reply = seat.request.map(r -> reply(lane, seat, r));
    Optional<LaneRequest> next = lanes.get(lane).next(reply);
    journals.get(lane).add(next, reply);
    seat.begun = true;
    seat.request = next.map(r -> met(rank(lane), r));
    seat.deadline = NEVER;
    if (next.isEmpty()) {
      seat.ended = true;
      return lanes.get(lane).thrown().map(t -> thrown(lane, t));
    }
    LaneRequest request = seat.request.get();
    boolean endless = request.nanos() == NEVER || request.tries();
    seat.deadline = endless ? NEVER : now + request.nanos();
    if (!request.polls()) {
      seat.polls.end();
    }
    if (request.operation() == LaneOperation.WRITE) {
      simulation.fill(rank(lane), WindowForm.STAGE, staged(lane), request.written());
    }
    if (arena.keys() > 0) {
      simulation.name(lane, request.named().local(), request.named().remote());
    }
    if (begins(rank(lane), request)) {
      simulation.call(lane, request.words());
    }
    return Optional.empty();
  }

  /** The request with its effect: an interface may refuse to register memory. */
  private LaneRequest met(int rank, LaneRequest request) {
    if (request.operation() != LaneOperation.REGISTER || request.value() == 0) {
      return request;
    }
    Fault refusal = new Fault.RefuseRegistration(rank, registered[rank]++);
    return simulation.settings().faults().faults().contains(refusal) ? request.refused() : request;
  }

  /**
   * Executes the part of a request that is outside the machine. Returns whether the lane has a
   * part, too.
   */
  private boolean begins(int rank, LaneRequest request) {
    switch (request.operation()) {
      case ARRIVE_ALL -> {
        return meetings.arrive(rank, request.value(), request.written());
      }
      case LEAVE -> meetings.leave(rank);
      case ABORT ->
          aborts.putIfAbsent(
              request.group(),
              new Abort(rank, new String(request.written(), StandardCharsets.UTF_8)));
      default -> {
        // The lane executes all of it.
      }
    }
    return !request.operation().outside();
  }

  private LaneReply reply(int lane, Seat seat, LaneRequest request) {
    boolean timedOut =
        !request.operation().outside() && simulation.register(lane, LaneOperation.DONE) == 0;
    long value = simulation.register(lane, LaneOperation.RESULT);
    Optional<CollectiveRounds.Failure> failure = Optional.empty();
    byte[] bytes = {};
    switch (request.operation()) {
      case READ -> bytes = staged(lane, (int) request.bytes());
      case LOOK, LOOK_COUNT -> seat.polls.found(request, value);
      case TAKE_PACKETS -> {
        if (timedOut && request.tries()) {
          seat.polls.found(request, 0);
        } else {
          seat.polls.end();
        }
      }
      case ARRIVE_ALL -> failure = meetings.failure();
      case MEET_ALL -> {
        if (timedOut) {
          meetings.late(request.value(), simulation::crashed);
          failure = meetings.failure();
        } else {
          bytes = meetings.all(request.value());
        }
      }
      default -> {
        // The value is the whole answer.
      }
    }
    Optional<Abort> abort = Optional.ofNullable(aborts.get(request.group()));
    LaneReply reply = new LaneReply(value, bytes, timedOut, abort, failure);
    seat.answer.clear();
    digest(reply, seat.answer);
    digest(reply, seat.history);
    ended.add(described ? description(lane, request, reply) : "");
    return reply;
  }

  private static void digest(LaneReply reply, Fingerprint into) {
    into.add(reply.timedOut() ? 1 : 0);
    into.add(reply.value());
    into.add(reply.bytes().length);
    for (byte b : reply.bytes()) {
      into.add(b);
    }
    if (reply.abort().isPresent() || reply.failure().isPresent()) {
      into.add(reply.abort().hashCode());
      into.add(reply.failure().map(f -> f.message().hashCode()).orElse(0));
    }
  }

  private String description(int lane, LaneRequest request, LaneReply reply) {
    String found = request.tries() ? (reply.timedOut() ? "none" : "some") : "" + reply.value();
    String of = lane % arena.lanes() == 0 ? "" : ", lane=" + lane % arena.lanes();
    String answered = request.polls() ? " found " + found : reply.timedOut() ? " timed out" : "";
    return "rank=%d%s '%s'%s".formatted(rank(lane), of, request.description(), answered);
  }

  private byte[] staged(int lane, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) simulation.octet(rank(lane), WindowForm.STAGE, staged(lane) + i);
    }
    return bytes;
  }

  private Finding thrown(int lane, Throwable thrown) {
    if (thrown instanceof OutOfMemoryError full) {
      // The search shares the heap, so a full heap says nothing about the code.
      throw full;
    }
    return new Finding(
        Kind.THROWN,
        "rank code threw: rank=%d, at=%s, error=%s; see the last steps of the trace"
            .formatted(rank(lane), lanes.get(lane).where(thrown), oneLine(thrown)));
  }

  private static String oneLine(Throwable thrown) {
    return thrown.toString().replaceAll("\\s+", " ").strip();
  }

  private Finding endless(int lane, Seat seat) {
    return new Finding(
        Kind.LIVELOCK,
        "rank code makes calls without an effect for ever: rank=%d, calls=%d, call='%s'; let the loop end"
            .formatted(
                rank(lane), MAX_QUIET, seat.request.map(LaneRequest::description).orElse("none")));
  }

  @Override
  public Optional<Finding> ended() {
    try {
      judge.run();
      return Optional.empty();
    } catch (RuntimeException | AssertionError e) {
      return Optional.of(
          new Finding(
              Kind.THROWN,
              "what holds at the end does not: error=%s; see what each rank read"
                  .formatted(oneLine(e))));
    }
  }

  @Override
  public void stop() {
    lanes.forEach(RequestSource::stop);
  }

  @Override
  public String call(int lane) {
    return seats.get(lane).request.map(LaneRequest::description).orElse("");
  }

  @Override
  public long deadline(int lane) {
    return seats.get(lane).deadline;
  }

  @Override
  public boolean repeatsPoll(int lane) {
    Seat seat = seats.get(lane);
    return seat.request.filter(r -> r.polls() && seat.polls.again(r)).isPresent();
  }

  @Override
  public boolean tries(int lane) {
    return seats.get(lane).request.filter(LaneRequest::tries).isPresent();
  }

  @Override
  public boolean polls(int lane) {
    return seats
        .get(lane)
        .request
        .filter(r -> r.polls() || r.operation() == LaneOperation.READ)
        .isPresent();
  }

  @Override
  public boolean waits(int lane) {
    return seats.get(lane).request.filter(LaneRequest::awaits).isPresent();
  }

  @Override
  public boolean mayWake(int lane) {
    return seats.get(lane).request.filter(r -> r.operation().mayWake()).isPresent();
  }

  @Override
  public void describe(int lane, Fingerprint into) {
    Seat seat = seats.get(lane);
    into.add(seat.request.map(LaneRequest::hashBesideDeadline).orElse(0L));
    into.add(seat.answer.high() ^ seat.answer.low());
  }

  @Override
  public int calls() {
    return ended.size();
  }

  @Override
  public String callsSince(int number) {
    return String.join(", ", ended.subList(number, ended.size()));
  }

  @Override
  public boolean givesUp(int lane) {
    Optional<LaneRequest> waiting = seats.get(lane).request.filter(r -> r.nanos() != NEVER);
    return waiting
        .filter(r ->
            switch (r.operation()) {
              case MEET_ALL -> meetings.failure().isPresent() && !meetings.complete(r.value());
              default -> r.tries() || aborts.containsKey(r.group());
            })
        .isPresent();
  }

  @Override
  public void passes(long deadline) {
    now = Math.max(now, deadline);
  }

  @Override
  public void digest(Fingerprint into) {
    meetings.digest(into);
    for (int count : registered) {
      into.add(count);
    }
    aborts.forEach((group, abort) -> into.add(31L * group + abort.hashCode()));
    for (Seat seat : seats) {
      into.add(seat.history.high());
      into.add(seat.history.low());
      into.add((seat.begun ? 1 : 0) + (seat.ended ? 2 : 0));
      into.add(seat.deadline == NEVER ? -1 : seat.deadline - now);
    }
  }

  @Override
  public Optional<String> difference() {
    for (int r = 0; r < Math.min(journals.size(), before.size()); r++) {
      Optional<String> difference = journals.get(r).difference(before.get(r));
      if (difference.isPresent()) {
        return Optional.of("rank=%d, %s".formatted(rank(r), difference.get()));
      }
    }
    return Optional.empty();
  }
}

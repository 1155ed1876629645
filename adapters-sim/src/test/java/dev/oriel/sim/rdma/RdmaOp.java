package dev.oriel.sim.rdma;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * One step of an agent in a shape, and the accesses to places that it is made of, in order. Places
 * are words with names; an agent's queue pairs are numbered from 0 and its own.
 *
 * @param queues those of a request or a wait
 * @param told what an await waits for is in {@code value}, what a load finds goes to that register
 */
record RdmaOp(
    Kind kind,
    List<Integer> queues,
    Set<Mark> marks,
    List<Access> accesses,
    String told,
    long value) {

  enum Kind {
    STORE,
    LOAD,
    /** Goes on once the place holds the value; other executions do not count. */
    AWAIT,
    /** An atomic addition by the agent itself. */
    ADD,
    FENCE,
    /** Makes what NICs have placed so far visible to this agent. */
    CONSIST,
    PUT,
    GET,
    /** A remote atomic addition, which brings the old value back. */
    FETCH_ADD,
    /** Waits for the completion of all requests that the agent has posted to the queue. */
    WAIT,
    /** Waits until all that the agent has put through those queues is placed. */
    FLUSH
  }

  enum Mark {
    /** Ordered by fences only. */
    WEAK,
    /** Starts when all that earlier requests of its queue bring back is here. */
    FENCED,
    /** Placed behind the request just before it in its queue only: a weak signal. */
    BEHIND_PREVIOUS,
    /** Placed at any time: a region with relaxed ordering. */
    RELAXED
  }

  /** Who makes an access, and where. */
  enum Stage {
    /** The agent. */
    OWN,
    /** A request, from the agent's memory. */
    FETCH,
    /** A request, from the far memory. */
    READ,
    /** A request, to the far memory. */
    PLACE,
    /** A request, to the agent's memory. */
    RETURN
  }

  /**
   * A read, or a write of what the step has read, if it reads, plus {@code value}.
   *
   * @param block which 128 bytes of a message it belongs to
   */
  record Access(Stage stage, String place, boolean writes, long value, int block) {}

  private static RdmaOp of(Kind kind, List<Integer> queues, Access... accesses) {
    return new RdmaOp(kind, queues, EnumSet.noneOf(Mark.class), List.of(accesses), "", 0);
  }

  private static Access read(Stage stage, String place) {
    return new Access(stage, place, false, 0, 0);
  }

  private static Access write(Stage stage, String place, long value) {
    return new Access(stage, place, true, value, 0);
  }

  private RdmaOp with(Mark mark) {
    return new RdmaOp(kind, queues, EnumSet.of(mark), accesses, told, value);
  }

  boolean is(Mark mark) {
    return marks.contains(mark);
  }

  static RdmaOp store(String to, long value) {
    return of(Kind.STORE, List.of(), write(Stage.OWN, to, value));
  }

  static RdmaOp weakStore(String to, long value) {
    return store(to, value).with(Mark.WEAK);
  }

  static RdmaOp load(String register, String from) {
    List<Access> access = List.of(read(Stage.OWN, from));
    return new RdmaOp(Kind.LOAD, List.of(), EnumSet.noneOf(Mark.class), access, register, 0);
  }

  static RdmaOp await(String at, long value) {
    List<Access> access = List.of(read(Stage.OWN, at));
    return new RdmaOp(Kind.AWAIT, List.of(), EnumSet.noneOf(Mark.class), access, "", value);
  }

  static RdmaOp weakAwait(String at, long value) {
    return await(at, value).with(Mark.WEAK);
  }

  static RdmaOp add(String at, long value) {
    return of(Kind.ADD, List.of(), read(Stage.OWN, at), write(Stage.OWN, at, value));
  }

  static RdmaOp fence() {
    return of(Kind.FENCE, List.of(), read(Stage.OWN, ""));
  }

  static RdmaOp consist() {
    return of(Kind.CONSIST, List.of(), read(Stage.OWN, ""));
  }

  /** Places the bytes of {@code from} everywhere in blocks of 128 bytes, which are numbered. */
  static RdmaOp largePut(int queue, List<List<String>> blocks, String from) {
    List<Access> accesses = new ArrayList<>(List.of(read(Stage.FETCH, from)));
    for (int block = 0; block < blocks.size(); block++) {
      for (String to : blocks.get(block)) {
        accesses.add(new Access(Stage.PLACE, to, true, 0, block));
      }
    }
    return of(Kind.PUT, List.of(queue), accesses.toArray(Access[]::new));
  }

  static RdmaOp put(int queue, String to, String from) {
    return largePut(queue, List.of(List.of(to)), from);
  }

  static RdmaOp relaxedPut(int queue, String to, String from) {
    return put(queue, to, from).with(Mark.RELAXED);
  }

  static RdmaOp fencedPut(int queue, String to, String from) {
    return put(queue, to, from).with(Mark.FENCED);
  }

  static RdmaOp get(int queue, String to, String from) {
    return of(Kind.GET, List.of(queue), read(Stage.READ, from), write(Stage.RETURN, to, 0));
  }

  static RdmaOp fetchAdd(int queue, String result, String at) {
    return of(
        Kind.FETCH_ADD,
        List.of(queue),
        read(Stage.READ, at),
        write(Stage.PLACE, at, 1),
        write(Stage.RETURN, result, 0));
  }

  /** A remote addition of 1 whose old value nobody wants. */
  static RdmaOp signal(int queue, String at) {
    return fetchAdd(queue, "", at);
  }

  static RdmaOp weakSignal(int queue, String at) {
    return signal(queue, at).with(Mark.BEHIND_PREVIOUS);
  }

  static RdmaOp done(int queue) {
    return of(Kind.WAIT, List.of(queue), read(Stage.OWN, "")).with(Mark.FENCED);
  }

  static RdmaOp flush(Integer... queues) {
    return of(Kind.FLUSH, List.of(queues), read(Stage.OWN, ""));
  }
}

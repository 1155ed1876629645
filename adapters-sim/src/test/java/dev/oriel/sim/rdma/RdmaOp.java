package dev.oriel.sim.rdma;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * One step of an agent in a shape, and its accesses to places, in order. Places are words with
 * names; an agent's queue pairs are its own and numbered from 0.
 *
 * @param queues those of a request or a wait
 * @param register the register that receives the value of a load; an await's value is in {@code
 *     value}
 */
record RdmaOp(
    Kind kind,
    List<Integer> queues,
    Set<Mark> marks,
    List<Access> accesses,
    String register,
    long value) {

  enum Kind {
    STORE,
    LOAD,
    /** Continues once the place holds the value; other executions do not count. */
    AWAIT,
    /** An atomic addition by the agent itself. */
    ADD,
    FENCE,
    /** Makes earlier placed writes of NICs visible to this agent. */
    CONSIST,
    PUT,
    GET,
    /** A remote atomic addition, which returns the old value. */
    FETCH_ADD,
    /** Waits for the completion of all requests that the agent has posted to the queue. */
    WAIT,
    /** Waits until all earlier puts of the agent through those queues are placed. */
    FLUSH
  }

  enum Mark {
    /** Ordered by fences only. */
    WEAK,
    /** Starts after the data of all earlier requests of its queue has been returned. */
    FENCED,
    /** Placed only after the directly preceding request of its queue: a weak signal. */
    BEHIND_PREVIOUS,
    /** Placed at any time: a region with relaxed ordering. */
    RELAXED
  }

  /** The agent of an access, and its memory. */
  enum Stage {
    /** The agent. */
    OWN,
    /** A request, in the agent's memory. */
    FETCH,
    /** A request, in the remote memory. */
    READ,
    /** A request, into the remote memory. */
    PLACE,
    /** A request, into the agent's memory. */
    RETURN
  }

  /**
   * A read, or a write of the value that the step has read, if any, plus {@code value}.
   *
   * @param block the number of its block of 128 bytes in a message
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
    return new RdmaOp(kind, queues, EnumSet.of(mark), accesses, register, value);
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

  /** Writes the bytes of {@code from} to all places, in numbered blocks of 128 bytes. */
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

  /** A remote addition of 1 without a result. */
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

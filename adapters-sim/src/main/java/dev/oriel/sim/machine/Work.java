package dev.oriel.sim.machine;

import dev.oriel.domain.program.Lane;

/**
 * What an agent's next step has to do, for whoever puts a price on it: see {@link Simulation#work}.
 */
public final class Work {
  /** Who acts, and on what. */
  public enum Kind {
    /** A caller launches, or looks at what a launch left. */
    CALL,
    /** A lane copies by loads and stores. */
    MOVE,
    /** A lane copies what comes in packets, which it polls. */
    MOVE_PACKETS,
    /** A lane writes slots. */
    SIGNAL,
    /** A lane releases, then writes slots. */
    RELEASE,
    /** A lane polls slots or a word, or takes a lock. */
    AWAIT,
    /** A lane waits until its requests are complete. */
    COMPLETION,
    /** A lane reads a word or a slot. */
    LOAD,
    /** A lane stores a word, or issues an update. */
    STORE,
    /** A lane changes a word and learns what it was. */
    ATOMIC,
    /** A lane fences. */
    FENCE,
    /** A lane posts a request. */
    POST,
    /** A lane joins others or ends. */
    END,
    /** An interface starts a request. */
    FETCH,
    /** A request's bytes arrive at the peer. */
    PLACE,
    /** A request for bytes arrives at the peer. */
    READ,
    /** What was asked for is back. */
    FILL,
    /** A lane's update arrives. */
    UPDATE,
    /** A proxy looks at a ring and hands a request on, or tells what is done. */
    PROXY,
    /** A lane has waited too long. */
    PATIENCE
  }

  Kind kind = Kind.CALL;
  long bytes;
  int words;
  boolean mapped;
  Lane.Engine engine = new Lane.Engine.Host();

  /** What kind of step it is. */
  public Kind kind() {
    return kind;
  }

  /** How many bytes move; 0 where it is a word. */
  public long bytes() {
    return bytes;
  }

  /** How many slots are written. */
  public int words() {
    return words;
  }

  /** Whether loads and stores of another rank take part. */
  public boolean mapped() {
    return mapped;
  }

  /** What a lane runs on. */
  public Lane.Engine engine() {
    return engine;
  }
}

package dev.oriel.sim.machine.step;

import dev.oriel.domain.program.LaneFamily;

/** The kind and the size of an agent's next step, for cost models: see {@code Simulation.work}. */
public final class StepWork {
  /** The kinds of steps. */
  public enum Kind {
    /** A caller launches, or reads the outputs of a launch. */
    CALL,
    /** A lane copies by loads and stores. */
    MOVE,
    /** A lane copies packets, which it polls. */
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
    /** A lane stores a word, or issues an atomic without a result. */
    STORE,
    /** A lane changes a word and reads its old value. */
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
    /** The requested data arrives at its initiator. */
    FILL,
    /** A lane's pending atomic takes effect. */
    UPDATE,
    /** A proxy polls a ring and hands a request on, or reports completions. */
    PROXY,
    /** A lane gives up its wait. */
    TIMEOUT
  }

  public Kind kind = Kind.CALL;
  public long bytes;
  public int words;
  public boolean mapped;
  public LaneFamily.Engine engine = new LaneFamily.Engine.Host();

  /** The kind of step. */
  public Kind kind() {
    return kind;
  }

  /** How many bytes move; 0 for a word. */
  public long bytes() {
    return bytes;
  }

  /** How many slots are written. */
  public int words() {
    return words;
  }

  /** Whether loads or stores reach another rank. */
  public boolean mapped() {
    return mapped;
  }

  /** The engine that the lane runs on. */
  public LaneFamily.Engine engine() {
    return engine;
  }
}

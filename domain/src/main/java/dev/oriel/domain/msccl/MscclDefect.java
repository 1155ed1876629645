package dev.oriel.domain.msccl;

import dev.oriel.domain.program.TextPosition;
import java.util.List;

/** A mistake of a plan that its text alone shows; every execution has it. */
public record MscclDefect(Kind kind, String reason, List<Location> places) {
  public MscclDefect {
    places = List.copyOf(places);
  }

  /** What kind of mistake it is. */
  public enum Kind {
    /** Several blocks use one end of a connection, so their transfers mix. */
    CONNECTION,
    /** The ends of a connection differ in the number or sizes of transfers. */
    UNMATCHED,
    /** A wait for a step that no block announces. */
    DEADLOCK,
    /** A step changes the caller's source in a call that is not in place. */
    INPUT,
    /** A step writes chunks while it reads them from another place of the same buffer. */
    OVERLAP,
    /** A step uses chunks that nothing has written. */
    UNWRITTEN,
    /** A barrier that other blocks use than it counts. */
    BARRIER;

    /** The spelling in verdicts. */
    public String word() {
      return switch (this) {
        case CONNECTION -> "connection";
        case UNMATCHED -> "unmatched";
        case DEADLOCK -> "deadlock";
        case INPUT -> "input";
        case OVERLAP -> "overlap";
        case UNWRITTEN -> "unwritten";
        case BARRIER -> "barrier";
      };
    }
  }

  /** A part of the plan, in words, and its place in the file. */
  public record Location(String words, TextPosition at) {
    public static Location of(PlanStep step) {
      return new Location(step.words(), step.at());
    }

    static Location of(MscclPlan.ThreadBlock block) {
      return new Location(block.ids(), block.at());
    }
  }
}

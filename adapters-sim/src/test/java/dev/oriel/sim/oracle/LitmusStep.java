package dev.oriel.sim.oracle;

import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Scope;
import java.util.ArrayList;
import java.util.List;

/**
 * One step of a lane that both a program and a litmus test can express. Values are small and not
 * negative.
 */
sealed interface LitmusStep {
  /** How strong a load or a store is. */
  enum Strength {
    WEAK,
    RELAXED,
    /** Acquire of a load, release of a store. */
    ORDERING
  }

  /** A word of 64 bits and the rank that owns it. */
  record Word(String name, int owner) {
    Word at(int other) {
      return new Word(name, other);
    }
  }

  /** Where a step is: its lane, that lane's rank, and its place in the lane. */
  record Place(int lane, int rank, int index) {
    /** The register that the step sets, in the program and in the test. */
    String register() {
      return "v%d".formatted(index);
    }

    /** The register in which the test's loop reads a word. */
    String looked() {
      return "w%d".formatted(index);
    }

    /** A word of the lane's own memory that only this step uses. */
    String own() {
      return "mine[%d]".formatted(8 * (lane * LitmusProgram.MAX_STEPS + index));
    }

    /** The operand of a word as the program's lane names it. */
    String operand(Word word) {
      return word.owner() == rank
          ? word.name() + "[0]"
          : "%s@%d[0]".formatted(word.name(), word.owner());
    }
  }

  /** Whether the step gives a register a value that is part of the outcome. */
  boolean observes();

  /** The same step where every word belongs to that rank. */
  LitmusStep at(int owner);

  /** Steps that are simpler in one respect; no chain of them is a cycle. */
  List<LitmusStep> simpler();

  private static void require(boolean weak, Place place) {
    if (!weak) {
      throw new AssertionError("no strong access of another rank's word: " + place);
    }
  }

  /** The step as operations of a program, with semicolons between them. */
  String program(Place place, LitmusProgram whole);

  /** The step as cells of a litmus test's column. */
  List<String> litmus(Place place, LitmusProgram whole);

  /** A load; a weak one of another rank's word is a copy into the lane's own memory. */
  record Load(Word word, Strength strength) implements LitmusStep {
    @Override
    public boolean observes() {
      return true;
    }

    @Override
    public LitmusStep at(int owner) {
      return new Load(word.at(owner), strength);
    }

    @Override
    public List<LitmusStep> simpler() {
      return strength == Strength.ORDERING ? List.of(new Load(word, Strength.RELAXED)) : List.of();
    }

    @Override
    public String program(Place place, LitmusProgram whole) {
      if (word.owner() != place.rank()) {
        require(strength == Strength.WEAK, place);
        return "move %s <- %s bytes 8; sync; load %s <- %s"
            .formatted(place.own(), place.operand(word), name(place), place.own());
      }
      String order = orders(strength, "acquire");
      return "load %s <- %s %s".formatted(name(place), place.operand(word), order).strip();
    }

    @Override
    public List<String> litmus(Place place, LitmusProgram whole) {
      return List.of(
          "ld.%s %s, %s".formatted(qualifiers(strength, "acquire"), place.register(), word.name()));
    }
  }

  /** A store; a weak one of another rank's word is a copy from the lane's own memory. */
  record Store(Word word, int value, Strength strength) implements LitmusStep {
    @Override
    public boolean observes() {
      return false;
    }

    @Override
    public LitmusStep at(int owner) {
      return new Store(word.at(owner), value, strength);
    }

    @Override
    public List<LitmusStep> simpler() {
      List<LitmusStep> simpler = new ArrayList<>();
      if (strength == Strength.ORDERING) {
        simpler.add(new Store(word, value, Strength.RELAXED));
      }
      if (value > 1) {
        simpler.add(new Store(word, value - 1, strength));
      }
      return simpler;
    }

    @Override
    public String program(Place place, LitmusProgram whole) {
      if (word.owner() != place.rank()) {
        require(strength == Strength.WEAK, place);
        return "store %s <- %d; sync; move %s <- %s bytes 8"
            .formatted(place.own(), value, place.operand(word), place.own());
      }
      String order = orders(strength, "release");
      return "store %s <- %d %s".formatted(place.operand(word), value, order).strip();
    }

    @Override
    public List<String> litmus(Place place, LitmusProgram whole) {
      return List.of("st.%s %s, %d".formatted(qualifiers(strength, "release"), word.name(), value));
    }
  }

  /** An atomic change or a fetch; a fetch has a result. */
  record Change(Word word, Atomic change, int compare, int operand, boolean result)
      implements LitmusStep {
    @Override
    public boolean observes() {
      return result;
    }

    @Override
    public LitmusStep at(int owner) {
      return new Change(word.at(owner), change, compare, operand, result);
    }

    @Override
    public List<LitmusStep> simpler() {
      List<LitmusStep> simpler = new ArrayList<>();
      if (change == Atomic.CAS) {
        simpler.add(new Change(word, Atomic.ADD, 0, operand, result));
      } else if (change == Atomic.ADD) {
        simpler.add(new Change(word, Atomic.SET, 0, operand, result));
      }
      if (result && change != Atomic.FETCH) {
        simpler.add(new Change(word, Atomic.FETCH, 0, 0, true));
        simpler.add(new Change(word, change, compare, operand, false));
      }
      if (operand > 1) {
        simpler.add(new Change(word, change, compare, operand - 1, result));
      }
      return simpler;
    }

    @Override
    public String program(Place place, LitmusProgram whole) {
      String into = result ? place.own() + " <- " : "";
      String operands =
          switch (change) {
            case FETCH -> "";
            case SET, ADD -> " " + operand;
            case CAS -> " %d, %d".formatted(compare, operand);
          };
      return "atomic %s%s %s%s".formatted(into, place.operand(word), change.spelling(), operands);
    }

    @Override
    public List<String> litmus(Place place, LitmusProgram whole) {
      String name = word.name();
      String to = place.register();
      String changes =
          switch (change) {
            case FETCH -> "ld.relaxed.sys %s, %s".formatted(to, name);
            case SET ->
                result
                    ? "atom.relaxed.sys.exch %s, %s, %d".formatted(to, name, operand)
                    : "st.relaxed.sys %s, %d".formatted(name, operand);
            case ADD ->
                result
                    ? "atom.relaxed.sys.add %s, %s, %d".formatted(to, name, operand)
                    : "red.relaxed.sys.add %s, %d".formatted(name, operand);
            case CAS ->
                "%s.relaxed.sys.cas %s%s, %d, %d"
                    .formatted(
                        result ? "atom" : "red", result ? to + ", " : "", name, compare, operand);
          };
      // The simulator never issues a change ahead of a result, so the test uses its register at
      // once.
      return result ? List.of(changes, "add %su, %s, 0".formatted(to, to)) : List.of(changes);
    }
  }

  /** Waits until the word is equal to the value, or at least the value. */
  record Wait(Word word, boolean equal, int value, boolean acquire) implements LitmusStep {
    @Override
    public boolean observes() {
      return false;
    }

    @Override
    public LitmusStep at(int owner) {
      return new Wait(word.at(owner), equal, value, acquire);
    }

    @Override
    public List<LitmusStep> simpler() {
      List<LitmusStep> simpler = new ArrayList<>();
      if (acquire) {
        simpler.add(new Wait(word, equal, value, false));
      }
      if (equal) {
        simpler.add(new Wait(word, false, value, acquire));
      }
      if (value > 1) {
        simpler.add(new Wait(word, equal, value - 1, acquire));
      }
      return simpler;
    }

    @Override
    public String program(Place place, LitmusProgram whole) {
      return "wait %s %s %d %s"
          .formatted(
              place.operand(word), equal ? "==" : ">=", value, acquire ? "acquire" : "relaxed");
    }

    @Override
    public List<String> litmus(Place place, LitmusProgram whole) {
      return loop(place, word.name(), equal, value, acquire, Scope.SYS);
    }
  }

  record Fence(boolean strict, Scope scope) implements LitmusStep {
    @Override
    public boolean observes() {
      return false;
    }

    @Override
    public LitmusStep at(int owner) {
      return this;
    }

    @Override
    public List<LitmusStep> simpler() {
      return strict ? List.of(new Fence(false, scope)) : List.of();
    }

    @Override
    public String program(Place place, LitmusProgram whole) {
      return "order %s%s".formatted(strict ? "sc " : "", scope.spelling());
    }

    @Override
    public List<String> litmus(Place place, LitmusProgram whole) {
      return List.of("fence.%s.%s".formatted(strict ? "sc" : "acq_rel", scope.spelling()));
    }
  }

  /** Changes the lane's own slot at a rank. */
  record Signal(int target, boolean add, int value, boolean release, Scope scope)
      implements LitmusStep {
    @Override
    public boolean observes() {
      return false;
    }

    @Override
    public LitmusStep at(int owner) {
      return new Signal(owner, add, value, release, scope);
    }

    @Override
    public List<LitmusStep> simpler() {
      List<LitmusStep> simpler = new ArrayList<>();
      if (release) {
        simpler.add(new Signal(target, add, value, false, scope));
      }
      if (add) {
        simpler.add(new Signal(target, false, value, release, scope));
      }
      if (scope != Scope.SYS) {
        simpler.add(new Signal(target, add, value, release, Scope.SYS));
      }
      return simpler;
    }

    @Override
    public String program(Place place, LitmusProgram whole) {
      return "signal S[%d]@%d %s %d %s %s"
          .formatted(
              place.lane(),
              target,
              add ? "add" : "set",
              value,
              release ? "release" : "relaxed",
              scope.spelling());
    }

    @Override
    public List<String> litmus(Place place, LitmusProgram whole) {
      return List.of(
          "%s.%s.%s%s %s, %d"
              .formatted(
                  add ? "red" : "st",
                  release ? "release" : "relaxed",
                  scope.spelling(),
                  add ? ".add" : "",
                  LitmusProgram.slot(place.lane(), target),
                  value));
    }
  }

  /** Reads another lane's slot at the reader's rank. */
  record Read(int writer, boolean acquire) implements LitmusStep {
    @Override
    public boolean observes() {
      return true;
    }

    @Override
    public LitmusStep at(int owner) {
      return this;
    }

    @Override
    public List<LitmusStep> simpler() {
      return acquire ? List.of(new Read(writer, false)) : List.of();
    }

    @Override
    public String program(Place place, LitmusProgram whole) {
      return "read %s <- S[%d]@%d %s"
          .formatted(name(place), writer, whole.rank(writer), acquire ? "acquire" : "relaxed");
    }

    @Override
    public List<String> litmus(Place place, LitmusProgram whole) {
      return List.of(
          "ld.%s.sys %s, %s"
              .formatted(
                  acquire ? "acquire" : "relaxed",
                  place.register(),
                  LitmusProgram.slot(writer, place.rank())));
    }
  }

  /** Awaits another lane's slot at the reader's rank. */
  record Await(int writer, boolean equal, int value, boolean acquire, Scope scope)
      implements LitmusStep {
    @Override
    public boolean observes() {
      return false;
    }

    @Override
    public LitmusStep at(int owner) {
      return this;
    }

    @Override
    public List<LitmusStep> simpler() {
      List<LitmusStep> simpler = new ArrayList<>();
      if (acquire) {
        simpler.add(new Await(writer, equal, value, false, scope));
      }
      if (equal) {
        simpler.add(new Await(writer, false, value, acquire, scope));
      }
      if (scope != Scope.SYS) {
        simpler.add(new Await(writer, equal, value, acquire, Scope.SYS));
      }
      return simpler;
    }

    @Override
    public String program(Place place, LitmusProgram whole) {
      return "await S[%d]@%d %s %d %s %s"
          .formatted(
              writer,
              whole.rank(writer),
              equal ? "==" : ">=",
              value,
              acquire ? "acquire" : "relaxed",
              scope.spelling());
    }

    @Override
    public List<String> litmus(Place place, LitmusProgram whole) {
      String slot = LitmusProgram.slot(writer, place.rank());
      return loop(place, slot, equal, value, acquire, scope);
    }
  }

  private static String name(Place place) {
    return "v%d_%d".formatted(place.lane(), place.index());
  }

  private static String orders(Strength strength, String ordering) {
    return switch (strength) {
      case WEAK -> "";
      case RELAXED -> "relaxed";
      case ORDERING -> ordering;
    };
  }

  private static String qualifiers(Strength strength, String ordering) {
    return strength == Strength.WEAK ? "weak" : orders(strength, ordering) + ".sys";
  }

  /** A loop that reads until the value satisfies the comparison. */
  private static List<String> loop(
      Place place, String word, boolean equal, int value, boolean acquire, Scope scope) {
    String label = "L%d%s".formatted(place.lane(), place.looked());
    return List.of(
        label + ":",
        "ld.%s.%s %s, %s"
            .formatted(acquire ? "acquire" : "relaxed", scope.spelling(), place.looked(), word),
        "%s %s, %d, %s".formatted(equal ? "bne" : "blt", place.looked(), value, label));
  }
}

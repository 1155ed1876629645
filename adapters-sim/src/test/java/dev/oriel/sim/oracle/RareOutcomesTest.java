package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import dev.oriel.sim.oracle.MutantLoader.Engine;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Outcomes on which the simulator and the axioms once differed, about once in 50,000 drawn
 * programs: too rare for the programs of a build. Each has a mutant that differs again.
 */
class RareOutcomesTest {
  private static final Engine CODE =
      new Engine(
          "dev.oriel.sim.code",
          SimulatedOutcomes.class,
          List.of("dev.oriel.sim.code.", "dev.oriel.sim.machine.", "dev.oriel.sim.search."));

  /**
   * A program and an expected result of its search.
   *
   * @param head in the format of {@link SimulatedOutcomes}
   * @param line a line of the answer, the first of which holds the findings
   * @param shown whether the answer contains it
   */
  record Row(
      String name,
      String head,
      String line,
      boolean shown,
      Engine engine,
      EngineMutant mutant,
      String lanes) {
    String program() {
      return head
          + "\nform rare\nscratch x[8]\nscratch y[8]\nscratch d[8]\nscratch mine[64]\nsignal S[3]\n"
          + lanes;
    }

    boolean holds(UnaryOperator<String> simulator) {
      List<String> answer = Arrays.asList(simulator.apply(program()).split("\n", -1));
      return answer.contains(line) == shown;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Row> rows() {
    return List.of(
        new Row(
            "a late store keeps its place in coherence order when its lane acquires",
            "1x1 synchronisation races register:0:0:1 word:0:0:0 word:0:1:0",
            "1 1 1",
            true,
            Engine.DRAWN,
            new EngineMutant(
                "PendingAtomics",
                "words.predecessorFrom(s, word, oldest(s, lane, e), branch);",
                "words.predecessor(s, word, lane, branch);"),
            """
            lane a: sm(1) {
              load v <- x[0] relaxed
              store y[0] <- 2 relaxed
              wait x[0] >= 1 acquire
            }
            lane b: sm(1) {
              store y[0] <- 1 relaxed
              order gpu
              store x[0] <- 1 relaxed
            }
            """),
        new Row(
            "a message that enters in front moves the place of a late addition",
            "1x1 synchronisation races register:0:1:1 register:0:1:2 register:0:2:1 word:0:0:0 word:0:1:0",
            "0 0 1 1 1",
            true,
            Engine.DRAWN,
            new EngineMutant(
                "PendingAtomics",
                "words.predecessorFrom(s, word, oldest(s, lane, e), branch);",
                "words.predecessor(s, word, lane, branch);"),
            """
            lane a: sm(1) {
              atomic x[0] set 1
              order gpu
              atomic y[0] set 0
            }
            lane b: sm(1) {
              atomic mine[0] <- y[0] set 1
              atomic mine[8] <- x[0] set 0
            }
            lane c: sm(1) {
              atomic x[0] add 1
              load v <- y[0] acquire
            }
            """),
        new Row(
            "a plain load comes after its lane's late stores, also where another store races",
            "1x1 full values register:0:1:1",
            "2",
            false,
            Engine.DRAWN,
            new EngineMutant(
                "RaceDetector",
                "|| knowledge.followsWords(s, memory, shadow[at], end(s, memory, i), component);",
                "|| false;"),
            """
            lane a: sm(1) {
              store y[0] <- 1
            }
            lane b: sm(1) {
              store y[0] <- 2 relaxed
              store y[0] <- 1 relaxed
              load v <- y[0]
            }
            """),
        new Row(
            "a plain load that races returns the value before",
            "1x1 full values register:0:1:1",
            "0",
            true,
            Engine.DRAWN,
            new EngineMutant(
                "ObservedOrder",
                "while (at < end && followsLast(s, word(memory, at), component, renamed)) {",
                "while (at < end) {"),
            """
            lane a: sm(1) {
              store y[0] <- 1
              signal S[0]@0 set 1 relaxed
            }
            lane b: sm(1) {
              await S[0]@0 >= 1 relaxed
              load v <- y[0]
            }
            lane c: sm(1) {
              wait y[0] >= 1 relaxed
            }
            """),
        new Row(
            "a plain load by an alias returns the value before its lane's store by the other name",
            "1x1 full values register:0:0:1",
            "0",
            true,
            Engine.DRAWN,
            new EngineMutant(
                "ObservedOrder",
                "boolean renamed = !kept.aliased && hasAlias[memory % model.buffers] && ofLane(component);",
                "boolean renamed = false;"),
            """
            alias view of y
            lane a: sm(32) {
              store y[0] <- 1
              sync
              load v <- view[0]
            }
            lane b: sm(32) {
              wait y[0] >= 0 relaxed
            }
            """),
        new Row(
            "a strong read of a plain store orders no plain load after it",
            "1x1 full values register:0:1:1",
            "0",
            true,
            Engine.DRAWN,
            new EngineMutant(
                "ObservedOrder",
                "while (at < end && followsLast(s, word(memory, at), component, renamed)) {",
                "while (at < end && knowsLast(s, memory, at, component, renamed)) {"),
            """
            lane a: sm(1) {
              store y[0] <- 1
            }
            lane b: sm(1) {
              wait y[0] == 1 relaxed
              load v <- y[0]
            }
            """),
        new Row(
            "an acquire acquires what a relaxed load of the word found",
            "1x1 synchronisation races word:0:0:0",
            "[RACE]",
            false,
            Engine.DRAWN,
            new EngineMutant("SyncWords", "acquireFound(s, found, lane, reach);", ";"),
            """
            lane a: sm(1) {
              store d[0] <- 1
              store x[0] <- 1 release
            }
            lane b: sm(1) {
              wait x[0] >= 1 relaxed
              store x[0] <- 1 relaxed
              wait x[0] >= 1 acquire
              load v <- d[0]
            }
            """),
        new Row(
            "a relaxed load alone acquires nothing",
            "1x1 synchronisation races word:0:0:0",
            "[RACE]",
            true,
            Engine.DRAWN,
            new EngineMutant(
                "SyncWords", "int reach = !acquire ? -1 :", "int reach = false ? -1 :"),
            """
            lane a: sm(1) {
              store d[0] <- 1
              store x[0] <- 1 release
            }
            lane b: sm(1) {
              wait x[0] >= 1 relaxed
              load v <- d[0]
            }
            """),
        new Row(
            "strict fences close a cycle of load buffering",
            "1x1 synchronisation races word:0:0:0",
            "[] buffering",
            true,
            CODE,
            new EngineMutant("LoadStorePairs", "default -> strictFence(at);", "default -> false;"),
            """
            lane a: sm(1) {
              store x[0] <- 2 relaxed
              order sc gpu
              store y[0] <- 1 relaxed
            }
            lane b: sm(1) {
              load v <- y[0] relaxed
              store x[0] <- 1 relaxed
            }
            lane c: sm(1) {
              load v <- x[0] relaxed
              order sc gpu
              load w <- x[0] relaxed
            }
            """),
        new Row(
            "an addition that a release ends is a load of load buffering",
            "1x1 synchronisation races word:0:0:0",
            "[] buffering",
            true,
            CODE,
            new EngineMutant(
                "LoadStorePairs", "-> !AccessOrders.releases(ops[at + 6]);", "-> true;"),
            """
            lane a: sm(1) {
              atomic x[0] add 1
              signal S[0]@0 set 2 release sys
              atomic y[0] set 1
            }
            lane b: sm(1) {
              load v <- y[0] relaxed
              store x[0] <- 1 relaxed
            }
            """),
        new Row(
            "an addition comes before a later store of its word",
            "1x1 synchronisation races word:0:0:0",
            "[] buffering",
            true,
            CODE,
            new EngineMutant(
                "LoadStorePairs",
                "return issued(at) && unflushed && passes(store);",
                "return issued(at) && unflushed;"),
            """
            lane a: sm(1) {
              load v <- x[0] relaxed
              order gpu
              atomic mine[0] <- y[0] set 1
            }
            lane b: sm(1) {
              load v <- y[0] acquire
              store x[0] <- 1 relaxed
            }
            lane c: sm(1) {
              atomic y[0] add 1
              store y[0] <- 1 relaxed
            }
            """),
        new Row(
            "the scope of a second await of a value does not matter",
            "1x2 synchronisation races word:0:0:0",
            "[]",
            true,
            Engine.DRAWN,
            new EngineMutant("SyncWords", " && !knew(s, word, index, lane)", ""),
            """
            lane a: sm(1) {
              if r == 0 {
                signal S[0]@1 set 2 relaxed sys
              }
            }
            lane b: sm(1) {
              if r == 1 {
                await S[0]@0 >= 2 relaxed sys
                await S[0]@0 >= 2 relaxed gpu
              }
            }
            """),
        new Row(
            "the scope of a first await matters",
            "1x2 synchronisation races word:0:0:0",
            "[SCOPE]",
            true,
            Engine.DRAWN,
            new EngineMutant("SyncWords", " && !knew(s, word, index, lane)", " && false"),
            """
            lane a: sm(1) {
              if r == 0 {
                signal S[0]@1 set 2 relaxed sys
              }
            }
            lane b: sm(1) {
              if r == 1 {
                await S[0]@0 >= 2 relaxed gpu
                await S[0]@0 >= 2 relaxed sys
              }
            }
            """),
        new Row(
            "the scope of a second await matters where it may find a newer value",
            "1x2 synchronisation races word:0:0:0",
            "[SCOPE]",
            true,
            Engine.DRAWN,
            new EngineMutant("NarrowScopes", "boolean reads = ", "boolean reads = false && "),
            """
            lane a: sm(1) {
              if r == 0 {
                signal S[0]@1 set 1 relaxed sys
                signal S[0]@1 set 2 relaxed sys
              }
            }
            lane b: sm(1) {
              if r == 1 {
                await S[0]@0 >= 1 relaxed sys
                await S[0]@0 >= 1 relaxed gpu
              }
            }
            """),
        new Row(
            "a wait that misses a value ends with a later one",
            "1x1 synchronisation waits word:0:0:0",
            "[]",
            true,
            Engine.DRAWN,
            new EngineMutant("SimulatedMachine", "if (missed.unfair(s)) {", "if (false) {"),
            """
            lane a: sm(1) {
              wait x[0] == 1 relaxed
            }
            lane b: sm(1) {
              store x[0] <- 1 relaxed
              store x[0] <- 2 relaxed
              store x[0] <- 1 relaxed
            }
            """),
        new Row(
            "a wait that misses the last value lasts for ever",
            "1x1 synchronisation waits word:0:0:0",
            "[DEADLOCK]",
            true,
            Engine.DRAWN,
            new EngineMutant(
                "MissedAwaits",
                "int opcode = model.lane(lane).ops()[s.at[lane]];",
                "int opcode = -1;"),
            """
            lane a: sm(1) {
              wait x[0] == 1 relaxed
            }
            lane b: sm(1) {
              store x[0] <- 1 relaxed
              store x[0] <- 2 relaxed
            }
            """));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void simulatorShowsTheRightOutcome(Row row) {
    assertThat(row.holds(new SimulatedOutcomes()))
        .as(() -> new SimulatedOutcomes().apply(row.program()))
        .isTrue();
  }

  @ParameterizedTest
  @Sampled(every = 4)
  @MethodSource("rows")
  void mutantShowsTheWrongOutcome(Row row) throws Exception {
    assertThat(row.holds(MutantLoader.battery(row.engine(), row.mutant()))).isFalse();
  }

  /**
   * Words that only plain writes change are never narrow: an await that knows an older write and
   * not the newer one is a race, whichever of the two it finds.
   */
  @Test
  void awaitThatIsNotOrderedWithAPlainWriteIsARace() {
    String program =
        """
        1x1 synchronisation races word:0:0:0
        form rare
        scratch x[8]
        signal S[1]
        signal T[1]
        lane a: sm(32) {
          store x[0] <- 1
          signal S[0]@self set 1 release
        }
        lane b: sm(32) {
          await S[0]@self >= 1 acquire
          store x[0] <- 2
          signal T[0]@self set 1 release
        }
        lane c: sm(32) {
          await S[0]@self >= 1 acquire
          wait x[0] >= 1 acquire
        }
        """;
    assertThat(new SimulatedOutcomes().apply(program)).startsWith("[RACE]");
  }
}

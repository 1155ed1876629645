package dev.oriel.sim.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Data, then its notification: every pair of a transfer and a notification, over every queue, from
 * the same lane or another, to the same lane or another. A table of the language's guarantees gives
 * the verdict.
 */
class NotifyProperties {
  /** The transfer of the data. */
  enum Data {
    MOVE("move box@1[0] <- mine[0] bytes 8"),
    PUT("put box@1[0] <- mine[0] bytes 8 via 1"),
    PUT_NB("put box@1[0] <- mine[0] bytes 8 via 1 nb");

    final String text;

    Data(String text) {
      this.text = text;
    }
  }

  /** The operation between data and notification. */
  enum Between {
    NOTHING(""),
    FENCE("fence via 1"),
    OTHER_FENCE("fence via 2"),
    QUIET("quiet via 1"),
    OTHER_QUIET("quiet via 2"),
    FLUSH_LOCAL("flush @1 local"),
    FLUSH_REMOTE("flush @1 remote");

    final String text;

    Between(String text) {
      this.text = text;
    }
  }

  /** The notification. */
  enum Notice {
    SIGNAL("signal S[0]@1 set 1 release"),
    ATOMIC("atomic flag@1[0] set 1 via 1"),
    OTHER_ATOMIC("atomic flag@1[0] set 1 via 2"),
    OTHER_LANE("");

    final String text;

    Notice(String text) {
      this.text = text;
    }
  }

  /** The reader, and how it learns of the data. */
  enum Reader {
    SAME("acquire", "  load x <- box[0]\n", ""),
    RELAXED("relaxed", "  load x <- box[0]\n", ""),
    JOINED("acquire", "", "  if r == 1 { join main load x <- box[0] }\n"),
    APART("acquire", "", "  if r == 1 { load x <- box[0] }\n");

    final String order;
    final String here;
    final String there;

    Reader(String order, String here, String there) {
      this.order = order;
      this.here = here;
      this.there = there;
    }
  }

  /** One combination. */
  record Cell(boolean link, Data data, Between between, Notice notice, Reader reader) {
    String text() {
      boolean signal = notice == Notice.SIGNAL || notice == Notice.OTHER_LANE;
      String wait = signal ? "await S[0]@0 reached 1 " : "wait flag[0] == 1 ";
      String other =
          notice == Notice.OTHER_LANE
              ? "lane tell: sm(32) { if r == 0 { join main " + Notice.SIGNAL.text + " } }\n"
              : "";
      return """
      form cell
      scratch mine[8]
      scratch box[8]
      scratch flag[8]
      signal S[1]
      lane main: sm(32) {
        if r == 0 {
          %s
          %s
          %s
        }
        if r == 1 {
          %s %s
        %s
        }
      }
      %s
      lane reads: sm(32) {
      %s
      }
      """
          .formatted(
              data.text,
              between.text,
              notice.text,
              wait,
              reader.order,
              reader.here,
              other,
              reader.there);
    }

    /**
     * Whether the language guarantees that the reader finds the data; otherwise it may miss them.
     */
    boolean promised(boolean completesWhenPlaced) {
      boolean found = reader == Reader.SAME || reader == Reader.JOINED;
      return found && (link ? copied() : placed(completesWhenPlaced));
    }

    /**
     * Over a link the lane copies: a release covers that, and so does at least a fence before an
     * atomic.
     */
    private boolean copied() {
      boolean atomic = notice == Notice.ATOMIC || notice == Notice.OTHER_ATOMIC;
      return !atomic || (between != Between.NOTHING && between != Between.FLUSH_LOCAL);
    }

    private boolean placed(boolean completesWhenPlaced) {
      if (data == Data.MOVE) {
        boolean flushed = completesWhenPlaced && between == Between.FLUSH_LOCAL;
        return notice == Notice.SIGNAL || between == Between.FLUSH_REMOTE || flushed;
      }
      boolean ended = completesWhenPlaced && data == Data.PUT;
      boolean fenced = between == Between.FENCE && notice == Notice.ATOMIC;
      return between == Between.QUIET || fenced || ended;
    }

    String verdict(Profile profile) {
      return Judged.text(text(), Topology.parse(link ? "1x2" : "2x1"), profile, 1);
    }
  }

  @Provide
  Arbitrary<Cell> cells() {
    return Combinators.combine(
            Arbitraries.of(true, false),
            Arbitraries.of(Data.class),
            Arbitraries.of(Between.class),
            Arbitraries.of(Notice.class),
            Arbitraries.of(Reader.class))
        .as(Cell::new);
  }

  @Provide
  Arbitrary<Profile> profiles() {
    return Arbitraries.of(Judged.WEAK);
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void theVerdictIsTheGuaranteeOfTheLanguage(
      @ForAll("cells") Cell cell, @ForAll("profiles") Profile profile) {
    String verdict = cell.verdict(profile);
    if (cell.promised(profile.fused())) {
      assertThat(verdict).as("%s %s", cell, profile).isEqualTo(Judged.HOLDS);
    } else {
      assertThat(verdict).as("%s %s", cell, profile).startsWith("race: ");
    }
  }

  /** The verdicts would contradict a table that confused contexts or lanes. */
  @Example
  void theQueueAndTheLaneMatter() {
    for (Profile profile : Judged.WEAK) {
      for (boolean link : new boolean[] {true, false}) {
        Cell right = new Cell(link, Data.PUT_NB, Between.QUIET, Notice.OTHER_ATOMIC, Reader.JOINED);
        Cell apart = new Cell(link, Data.PUT_NB, Between.QUIET, Notice.OTHER_ATOMIC, Reader.APART);
        assertThat(right.verdict(profile)).isEqualTo(Judged.HOLDS);
        assertThat(apart.verdict(profile)).startsWith("race: ");
      }
      Cell other = new Cell(false, Data.PUT_NB, Between.OTHER_QUIET, Notice.SIGNAL, Reader.SAME);
      assertThat(other.verdict(profile)).startsWith("race: ");
    }
  }
}

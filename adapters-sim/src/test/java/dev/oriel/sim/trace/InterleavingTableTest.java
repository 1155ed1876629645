package dev.oriel.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The table in text. Examples and properties are in one class, since both parse its rows. */
class InterleavingTableTest {
  private static final Pattern ROW = Pattern.compile("(?m)^([ *!])( *\\d+)(?: |$)");
  private static final Pattern GAP = Pattern.compile("(?m)^ +\\.\\.\\. +(\\d+) events, actors ");

  @Example
  void showsActorsEventsAndCauses() {
    TraceBuilder s = new TraceBuilder();
    int sender = s.lane(0);
    int receiver = s.lane(1);
    int queue = s.actor(0, "nic to r1", ActorRole.QUEUE);
    s.actor(1, "nic to r0", ActorRole.QUEUE);
    s.add(receiver, TraceEventKind.WAIT, "await DATA[0]");
    int post = s.add(sender, TraceEventKind.POST, "move out@1 <- in");
    s.add(sender, TraceEventKind.END, "");
    int fetch = s.add(queue, TraceEventKind.FETCH, "move out@1 <- in", post);
    int place = s.add(queue, TraceEventKind.PLACE, "move out@1 <- in", fetch);
    int seen = s.add(receiver, TraceEventKind.OBSERVE, "await DATA[0] reached epoch", place);
    TraceFailure failure =
        new TraceFailure("value", "epoch is wrong: holds=2; start from 0", List.of(seen));
    assertThat(new InterleavingTable(80, 99).text(s.steps("p", "2x1", Optional.of(failure))))
        .isEqualTo(
            """
            program  p
            world    2x1
            failure  value: epoch is wrong: holds=2; start from 0
            token    oriel2:k3v9x2

             # r0.main                  r1.main                  r0.nic to r1
            -----------------------------------------------------------------------------
             1                          ? await DATA[0]
            *2 p move out@1 <- in       :
             3 )                        :
            *4                          :                        f move out@1 <- in <2
            *5                          :                        w move out@1 <- in <4
            !6                          o await DATA[0] reac~ <5

            ! 6      r1.main, launch 0: await DATA[0] reached epoch

            legend   ? starts to wait; o sees what it waited for; p hands a request to a
                     queue; f the queue reads the source; w the queue writes the target; )
                     an actor ends; ! named by the failure; * caused one of these; <7
                     because of event 7; | runs; : waits; ~ cut
            """);
  }

  @Example
  void showsValuesLinesAndTheBoundaryOfALaunch() {
    assertThat(new InterleavingTable(100, 99).text(SampleTraces.values()))
        .isEqualTo(
            """
            program  ring
            world    1x2
            failure  race: nothing orders them
            token    oriel2:k3v9x2

             # line r0.main                                       r1.main
            ---------------------------------------------------------------------------------------------------
             1      -- r0.caller: prepares and starts launch 1 ------------------------------------------------
            !2    2 W move out@1[24] <- in[0] bytes 8
            !3    3 |                                             o await DATA[0]@0 reached 1 acquire =7 <2

            ! 2      r0.main, launch 0: move out@1[24] <- in[0] bytes 8
                     line 2: move out@next[8 * i] <- in[0] bytes 8
                     values: i=3, next=1
            ! 3      r1.main, launch 0: await DATA[0]@0 reached 1 acquire
                     line 3: await <b>
                     values: epoch=1
                     read: DATA[0]@0=7
            waits    rank=0, lane=main waits for nothing before line 2 (launch 0, i=3)

            lines    2  move out@next[8 * i] <- in[0] bytes 8
                     3  await <b>

            legend   ( an actor begins; o sees what it waited for; W writes data; ! named by the failure; *
                     caused one of these; <7 because of event 7; =7 read the value 7; | runs; : waits; ~ cut
            """);
  }

  @Property(tries = 200)
  void fitsItsWidthAndHidesNoFailure(
      @ForAll long seed,
      @ForAll @IntRange(max = 300) int events,
      @ForAll @IntRange(min = 80, max = 200) int width) {
    TraceRecording recording = SampleTraces.random(seed, events);
    String table = new InterleavingTable(width, 20).text(recording);
    assertThat(table.lines().filter(line -> line.length() > width)).isEmpty();
    recording
        .failure()
        .ifPresent(failure -> {
          for (int event : failure.events()) {
            assertThat(marks(table, event)).as(table).isEqualTo("!");
            for (int e = event; e >= 0; e = recording.events().get(e).cause()) {
              assertThat(marks(table, e)).as(table).isIn("*", "!");
            }
          }
        });
  }

  @Property(tries = 200)
  void rowsAndGapsCoverAllEvents(@ForAll long seed, @ForAll @IntRange(max = 300) int events) {
    String table = new InterleavingTable(120, 20).text(SampleTraces.random(seed, events));
    String rows = table.substring(table.indexOf("\n\n") + 2);
    rows = rows.substring(0, rows.indexOf("\n\n"));
    long shown = ROW.matcher(rows).results().count();
    long hidden = GAP.matcher(rows).results().mapToLong(g -> Long.parseLong(g.group(1))).sum();
    assertThat(shown + hidden).as(table).isEqualTo(events);
  }

  @Example
  void manyActorsShareTheLastColumnWithANote() {
    assertThat(new InterleavingTable().text(SampleTraces.ring(16, true)))
        .contains("14 others")
        .contains("note     14 actors share the last column for want of width; width=120")
        .contains("r7.nic to r8 ")
        .contains("note     left out: ");
  }

  @Example
  void textsContainNoTerminalCommands() {
    assertThat(new InterleavingTable().text(SampleTraces.hostile()).chars())
        .allMatch(c -> c == '\n' || (c >= ' ' && c != 0x202e && c != 0x2028));
  }

  @Example
  void aRecordingMayBeEmpty() {
    TraceRecording nothing =
        new TraceRecording("p", "1x1", List.of(), List.of(), Optional.empty(), "");
    assertThat(new InterleavingTable().text(nothing)).contains("program  p", "legend");
  }

  @Example
  void rejectsAWidthThatIsTooSmall() {
    assertThatThrownBy(() -> new InterleavingTable(79, 1)).hasMessageContaining("width=79, rows=1");
    assertThatThrownBy(() -> new InterleavingTable(80, 0)).hasMessageContaining("rows=0");
  }

  private static String marks(String table, int event) {
    Matcher row = Pattern.compile("(?m)^([ *!]) *" + (event + 1) + "(?: |$)").matcher(table);
    return row.find() ? row.group(1) : "none";
  }
}

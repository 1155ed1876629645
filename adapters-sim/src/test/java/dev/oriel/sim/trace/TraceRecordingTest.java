package dev.oriel.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TraceRecordingTest {
  private static final TraceActor LANE = new TraceActor(0, "main", ActorRole.LANE);

  private static TraceEvent event(long time, int actor, int cause) {
    return new TraceEvent(
        time, actor, 0, cause, StepFacts.of(TraceEventKind.STEP, "step"), Optional.empty());
  }

  private static TraceRecording of(Optional<TraceFailure> failure, TraceEvent... events) {
    return new TraceRecording("p", "1x2", List.of(LANE, LANE), List.of(events), failure, "");
  }

  @Test
  void keepsItsOwnCopies() {
    List<TraceEvent> events = new ArrayList<>(List.of(event(0, 0, -1)));
    TraceRecording recording =
        new TraceRecording("p", "1x1", List.of(LANE), events, Optional.empty(), "");
    events.clear();
    assertThat(recording.events()).hasSize(1);
    assertThat(recording.actor(recording.events().get(0))).isEqualTo(LANE);
  }

  @Test
  void anEventBelongsToAnActor() {
    assertThatThrownBy(() -> of(Optional.empty(), event(0, 2, -1)))
        .hasMessage("event of an unknown actor: event=0, actor=2, actors=2; list every actor");
  }

  @Test
  void theTimeOfAnActorNeverDecreases() {
    assertThat(of(Optional.empty(), event(5, 0, -1), event(3, 1, -1), event(5, 0, -1)).events())
        .hasSize(3);
    assertThatThrownBy(() -> of(Optional.empty(), event(5, 0, -1), event(4, 0, -1)))
        .hasMessageContaining("event=1, time=4, before=5");
    assertThatThrownBy(() -> of(Optional.empty(), event(-1, 0, -1)))
        .hasMessageContaining("time=-1");
  }

  @Test
  void aCauseComesBeforeItsEffect() {
    assertThatThrownBy(() -> of(Optional.empty(), event(0, 0, 0)))
        .hasMessageContaining("does not stand before its effect: event=0, cause=0");
    assertThatThrownBy(() -> of(Optional.empty(), event(0, 0, -2)))
        .hasMessageContaining("cause=-2");
    assertThatThrownBy(() -> of(Optional.empty(), event(7, 0, -1), event(6, 1, 0)))
        .hasMessageContaining("a cause is later than its effect: event=1, cause=0, time=6");
  }

  @Test
  void aFailureNamesRecordedEvents() {
    assertThatThrownBy(
            () -> of(Optional.of(new TraceFailure("race", "", List.of(1))), event(0, 0, -1)))
        .hasMessageContaining("a failure names an unknown event: event=1, events=1");
  }

  @Test
  void anActorHasARankOrNone() {
    assertThat(LANE.name()).isEqualTo("r0.main");
    assertThat(new TraceActor(TraceActor.NO_RANK, "faults", ActorRole.FAULT).name())
        .isEqualTo("faults");
    assertThatThrownBy(() -> new TraceActor(-2, "x", ActorRole.LANE))
        .hasMessageContaining("rank=-2");
  }

  @Test
  void everyKindHasADifferentSymbol() {
    assertThat(Arrays.stream(TraceEventKind.values()).map(TraceEventKind::symbol))
        .doesNotHaveDuplicates();
    assertThat(Stream.of(TraceEventKind.values()).map(TraceEventKind::meaning))
        .doesNotHaveDuplicates();
  }
}

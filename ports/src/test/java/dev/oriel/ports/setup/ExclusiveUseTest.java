package dev.oriel.ports.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class ExclusiveUseTest {
  private final ExclusiveUse turn = new ExclusiveUse("abc");
  private final List<String> done = new ArrayList<>();

  private static void assertRefused(ThrowingCallable call, String why) {
    assertThatExceptionOfType(MachineException.class)
        .isThrownBy(call)
        .withMessageContainingAll(why, "program=abc");
  }

  @Test
  void concurrentCallsAreRejected() {
    String answer =
        turn.use(() -> {
          assertThat(turn.inUse()).isTrue();
          assertRefused(() -> turn.use(() -> 1), "instance is in use");
          assertRefused(() -> turn.close(() -> done.add("closed")), "instance is in use");
          return "mine";
        });
    assertThat(answer).isEqualTo("mine");
    assertThat(turn.inUse()).isFalse();
    assertThat(done).isEmpty();
  }

  @Test
  void aFailedCallReleasesTheTurn() {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() ->
            turn.use(() -> {
              throw new IllegalStateException("on purpose");
            }));
    assertThat(turn.use(() -> 7)).isEqualTo(7);
  }

  @Test
  void closesOnceAndRejectsLaterCalls() {
    turn.close(() -> done.add("closed"));
    turn.close(() -> done.add("again"));
    assertThat(done).containsExactly("closed");
    assertRefused(() -> turn.use(() -> 1), "instance is closed");
  }

  @Test
  void anObjectInUseStaysOpen() {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() ->
            turn.close(
                () -> {
                  throw new IllegalStateException("not yet");
                },
                () -> done.add("closed")));
    assertThat(turn.use(() -> 7)).isEqualTo(7);
    turn.close(() -> {}, () -> done.add("closed"));
    assertThat(done).containsExactly("closed");
  }
}

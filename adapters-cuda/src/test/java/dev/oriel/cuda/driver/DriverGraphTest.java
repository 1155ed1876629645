package dev.oriel.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.ports.MachineException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nothing of a graph is left if a step of it fails. */
class DriverGraphTest {

  /** A driver that counts its objects, and fails in one call: the first or the last of its kind. */
  private static final class Driver {
    private final Set<Long> there = new TreeSet<>();
    private final String failing;
    private int left;
    private long handles;
    private boolean capturing;

    Driver(String failing, int after) {
      this.failing = failing;
      this.left = after;
    }

    GraphCalls calls() {
      return (GraphCalls)
          Proxy.newProxyInstance(
              GraphCalls.class.getClassLoader(),
              new Class<?>[] {GraphCalls.class},
              (proxy, method, arguments) -> call(method.getName(), arguments));
    }

    private Object call(String name, Object[] arguments) {
      if (name.equals("end")) {
        capturing = false;
      }
      if (name.equals(failing) && left-- == 0) {
        throw new MachineException("the driver refuses: call=" + name);
      }
      switch (name) {
        case "begin" -> capturing = true;
        case "end", "instantiate", "event" -> there.add(++handles);
        case "destroyGraph", "destroyExecutable", "destroyEvent" ->
            assertThat(there.remove((Long) arguments[0])).isTrue();
        case "between" -> {
          return 0.5f;
        }
        default -> {}
      }
      return handles;
    }
  }

  @Test
  void aClosedGraphLeavesNothing() {
    Driver driver = new Driver("none", 0);
    try (DriverGraph graph = DriverGraph.of(driver.calls(), () -> {})) {
      graph.replay();
      assertThat(graph.elapsed()).hasNanos(500_000);
      assertThat(driver.there).as("executable and two events").hasSize(3);
    }
    assertThat(driver.there).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"end, 0", "instantiate, 0", "event, 0", "event, 1"})
  void aFailedCreationLeavesNothing(String call, int after) {
    Driver driver = new Driver(call, after);
    assertThatThrownBy(() -> DriverGraph.of(driver.calls(), () -> {}))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("the driver refuses");
    assertThat(driver.there).isEmpty();
    assertThat(driver.capturing).isFalse();
  }

  @Test
  void workThatFailsEndsTheCaptureAndLeavesNothing() {
    Driver driver = new Driver("none", 0);
    assertThatThrownBy(() ->
            DriverGraph.of(
                driver.calls(),
                () -> {
                  throw new IllegalStateException("no launch");
                }))
        .hasMessage("no launch");
    assertThat(driver.there).isEmpty();
    assertThat(driver.capturing).isFalse();
  }

  /** A graph owns its events: a replay that fails has made none. */
  @ParameterizedTest
  @CsvSource({"launch, 0", "mark, 0", "mark, 1"})
  void aReplayThatFailsLeavesNothing(String call, int after) {
    Driver driver = new Driver(call, after);
    try (DriverGraph graph = DriverGraph.of(driver.calls(), () -> {})) {
      assertThatThrownBy(graph::replay).hasMessageContaining("the driver refuses");
      assertThat(driver.there).hasSize(3);
    }
    assertThat(driver.there).isEmpty();
  }
}

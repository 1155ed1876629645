package dev.oriel.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResourceStackTest {
  private final List<String> freed = new ArrayList<>();
  private final ResourceStack owned = new ResourceStack();

  private void hold(String name) {
    owned.add(() -> freed.add(name));
  }

  private void holdOnTo(String name) {
    owned.add(() -> {
      throw new IllegalStateException(name);
    });
  }

  @Test
  void aFailedFreeBlocksNoOther() {
    hold("first");
    holdOnTo("second");
    hold("third");
    assertThatThrownBy(owned::close)
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("second");
    assertThat(freed).containsExactly("third", "first");
    owned.close();
    assertThat(freed).hasSize(2);
  }

  @Test
  void aFailureIsReportedBeforeLaterFailedFrees() {
    hold("first");
    holdOnTo("second");
    IllegalStateException failure = new IllegalStateException("failure");
    assertThat(owned.closeSuppressing(failure)).isSameAs(failure);
    assertThat(freed).containsExactly("first");
    assertThat(failure.getSuppressed()).hasSize(1);
    assertThat(failure.getSuppressed()[0]).hasMessageContaining("second");
  }
}

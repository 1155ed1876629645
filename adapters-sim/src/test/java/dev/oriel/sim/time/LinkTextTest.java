package dev.oriel.sim.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.ports.MachineException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkTextTest {

  private static String flat() {
    try (InputStream in = LinkText.class.getResourceAsStream("/links/flat50.links")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void everyProfileIsFoundByItsName() {
    for (String name : LinkText.PROFILES) {
      assertThat(LinkText.profile(name).name()).isEqualTo(name);
    }
  }

  @Test
  void aTextContainsEveryCost() {
    LinkModel model = LinkText.parse(flat().replace("rdma latency 1000", "rdma latency 7.5 -- ns"));
    assertThat(model.rdma().latency()).isEqualTo(7.5);
    assertThat(model.nvlink().bandwidth()).isEqualTo(50);
    assertThat(model.nic().rails()).isOne();
  }

  @ParameterizedTest
  @CsvSource({
    "nic post 0, '', cost missing",
    "nic post 0, nic pots 0, cost missing",
    "nic post 0, 'nic post 0\nnic pots 1', unknown costs",
    "nic post 0, 'nic post 0\nnic post 1', twice",
    "nic post 0, nic post -1, bad line",
    "nic post 0, nic post much, bad line",
    "nic post 0, nic post NaN, bad line",
    "nic post 0, nic post, bad line",
    "nic rails 1, nic rails 0, whole",
    "nic rails 1, nic rails 1.5, whole",
    "nvlink bandwidth 50, nvlink bandwidth 0, rate too small"
  })
  void anErrorNamesTheCost(String line, String replacement, String message) {
    assertThatThrownBy(() -> LinkText.parse(flat().replace(line, replacement)))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining(message);
  }

  @Test
  void anUnknownProfileNamesTheKnownOnes() {
    assertThatThrownBy(() -> LinkText.profile("h100"))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("h200, flat50");
  }
}

package dev.oriel.sim.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.launcher.EngineFilter.includeEngines;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.replay.ReplayToken;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The entries of a failed test in JUnit's report, as JUnit itself publishes them. */
class ExplorerExtensionTest {

  /** Static nested classes are not found by a build, only by an explicit selection. */
  @ExtendWith(ExplorerExtension.class)
  static class Failing {
    @Test
    void relaxed(Explorer explorer) {
      explorer.assertThatHolds(
          Program.bind(FormParser.parse(ReplayTexts.RELAXED), 4, Map.of("B", 100L)),
          Topology.parse("2x2"));
    }

    @Test
    void another() {
      throw new AssertionError("of its own");
    }
  }

  private static final class Listener implements TestExecutionListener {
    private final Map<String, String> reported = new HashMap<>();
    private final List<Throwable> thrown = new ArrayList<>();

    String entry(String name) {
      assertThat(reported).containsKey(name);
      return reported.getOrDefault(name, "");
    }

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
      reported.putAll(entry.getKeyValuePairs());
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      result.getThrowable().ifPresent(thrown::add);
    }
  }

  private static Listener run(String method, Class<?>... parameters) {
    Listener listener = new Listener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .filters(includeEngines("junit-jupiter"))
                .selectors(selectMethod(Failing.class, method, parameters))
                .build(),
            listener);
    return listener;
  }

  @Test
  void aFailureLeavesTokenTableAndPictureInTheReport() {
    Listener listener = run("relaxed", Explorer.class);
    String token = listener.entry("oriel.token");
    Path picture = Path.of(listener.entry("oriel.picture"));
    assertThat(ReplayToken.parse(token).world().world()).isEqualTo(2);
    assertThat(picture).isAbsolute().exists().asString().contains("Failing", "relaxed");
    assertThat(listener.thrown).singleElement().isInstanceOf(ProtocolError.class);
    String message = String.valueOf(listener.thrown.getFirst().getMessage());
    assertThat(message)
        .startsWith("handshake: race: buffer=out, owner=")
        .contains("\ntoken    " + token + "\n", "\npicture  " + picture + "\n", "found as oriel2:")
        .containsPattern("(?m)^! *\\d+ .*move out");
    // Reason and table describe the same execution.
    String reason = message.substring(message.indexOf("buffer="), message.indexOf(';'));
    assertThat(message.substring(message.indexOf("failure  "))).contains(reason);
  }

  @Test
  void otherExceptionsAreUnchanged() {
    Listener listener = run("another");
    assertThat(listener.reported).isEmpty();
    assertThat(listener.thrown)
        .singleElement()
        .extracting(Throwable::getMessage)
        .isEqualTo("of its own");
  }
}

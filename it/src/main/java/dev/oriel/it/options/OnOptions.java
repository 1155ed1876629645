package dev.oriel.it.options;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.levels.ClusterProvider;
import dev.oriel.sim.levels.SearchCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The workers on which an exhaustive search runs, and the folder that keeps it. */
public final class OnOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--on",
      paramLabel = "WORKERS",
      description =
          "with --strategy full: search on Apache Spark: local[*] or local[N] for cores of this host,"
              + " spark://host:port for a cluster; the verdict is the same")
  private @Nullable String address;

  @Option(
      names = "--keep",
      paramLabel = "FOLDER",
      description =
          "with --on: keep the search in a folder, from which the same command goes on if it was"
              + " stopped. On a cluster all hosts must share it")
  private @Nullable Path folder;

  /** Whether workers were named. */
  public boolean given() {
    return address != null;
  }

  /** Refuses what contradicts itself. */
  public void validate(SearchOptions search) {
    if (address != null) {
      search.manyWorkers();
    } else if (folder != null) {
      throw new ParameterException(
          spec.commandLine(),
          "nothing to keep: option=--keep, folder=%s; add --on with the workers that search"
              .formatted(folder));
    }
  }

  /**
   * Connects to the workers; empty if none were named.
   *
   * @throws MachineException if this build has none, or they cannot be had
   */
  public Optional<SearchCluster> connect() {
    if (address == null) {
      return Optional.empty();
    }
    List<ClusterProvider> providers =
        ServiceLoader.load(ClusterProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList();
    if (providers.isEmpty()) {
      throw MachineException.lacking(
          "no workers in this build: option=--on, workers=%s; build them in a checkout with mvn -Pspark -DskipTests package, and run its ./oriel"
              .formatted(address));
    }
    ClusterProvider provider =
        providers.stream()
            .filter(one -> one.knows(address))
            .findFirst()
            .orElseThrow(() ->
                new ParameterException(
                    spec.commandLine(),
                    "unknown workers: option=--on, workers=%s; write local[*], local[N] or spark://host:port"
                        .formatted(address)));
    return Optional.of(provider.connect(address, Optional.ofNullable(folder)));
  }
}

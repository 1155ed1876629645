package dev.oriel.it.ranks;

import dev.oriel.it.options.ReadTexts;
import dev.oriel.ports.MachineException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Model.CommandSpec;

/** The command that started this process, to be started again as one rank. */
public final class RankCommandLine {
  /** The hidden option with the number of the rank. */
  public static final String AS_RANK = "--as-rank";

  private static final int ORPHANED = 3;

  private final CommandSpec spec;
  private final List<String> options;

  /**
   * @param options of its JVM
   */
  public RankCommandLine(CommandSpec spec, List<String> options) {
    this.spec = spec;
    this.options = List.copyOf(options);
  }

  /** The words that start it, with this process's own Java, class path and native libraries. */
  public List<String> as(int rank, String... more) {
    List<String> given = spec.root().commandLine().getParseResult().originalArgs();
    if (given.contains(ReadTexts.INPUT)) {
      throw new MachineException(
          "standard input has one reader: program=-, processes=one for each rank; name a file");
    }
    if (System.getProperty("java.class.path", "").isEmpty()) {
      throw new MachineException("no class path to start ranks with; run it by the oriel launcher");
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.library.path=" + System.getProperty("java.library.path", ""),
            "-cp",
            System.getProperty("java.class.path"),
            spec.root().userObject().getClass().getName()));
    command.addAll(given);
    command.add(AS_RANK + "=" + rank);
    command.addAll(List.of(more));
    return command;
  }

  /** A port of this host that was free a moment ago, for the rendezvous of ranks. */
  public static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  /** Ends a process so started when its parent has ended, for whatever reason. */
  public static void endWithParent() {
    ProcessHandle parent = ProcessHandle.current().parent().orElseThrow();
    CompletableFuture<Void> ignored =
        parent.onExit().thenRun(() -> Runtime.getRuntime().halt(ORPHANED));
  }
}

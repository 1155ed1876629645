package dev.oriel.ibverbs.device;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.DeviceList;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** The emulated machine, in which suites may damage devices: such suites run nowhere else. */
final class Guest {
  /** Loaded once, as in any program: linking it is slow on an emulated processor. */
  private static final class Loaded {
    static final DeviceList DEVICES = DeviceList.load();
  }

  private Guest() {}

  /** The open device for suites: the first, unless another one is named. */
  static DeviceContext device() {
    return Loaded.DEVICES.open(System.getProperty("oriel.device", ""));
  }

  static void required() {
    assumeTrue(
        Boolean.getBoolean("oriel.guest"),
        "breaks devices and links: runs in the emulated machine of it/softroce only");
  }

  static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).inheritIO().start();
    if (process.waitFor() != 0) {
      throw new IOException("failed: " + String.join(" ", command));
    }
  }

  /** The command line of a small Java that runs that class, too briefly for compilation to pay. */
  static List<String> java(Class<?> main, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:+UseSerialGC",
                "-Xint",
                "-Xmx64m",
                // At its original path: moving a class cache takes most of a second.
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:ArchiveRelocationMode=0",
                "--enable-native-access=ALL-UNNAMED",
                "-Doriel.device=" + System.getProperty("oriel.device", ""),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    // With -Xint such a process is slow throughout; skip everything that it need not do.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("-XX:AOTCache="))
        .forEach(cache -> command.add(1, cache));
    command.addAll(List.of(arguments));
    return command;
  }
}

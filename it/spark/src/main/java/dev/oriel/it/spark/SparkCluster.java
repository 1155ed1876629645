package dev.oriel.it.spark;

import dev.oriel.domain.program.Form;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.levels.BuildName;
import dev.oriel.sim.levels.KeepFolder;
import dev.oriel.sim.levels.LevelFolder;
import dev.oriel.sim.levels.Levels;
import dev.oriel.sim.levels.SearchCluster;
import dev.oriel.sim.levels.SearchJob;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/**
 * One connection to Spark. Further settings of Spark are system properties, as in {@code
 * -Dspark.executor.memory=8g}.
 */
final class SparkCluster implements SearchCluster {
  /** Flags that Java asks for: Spark and its network library read memory by themselves. */
  private static final String FLAGS =
      "--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow";

  /** Executors on this host, and the MiB of each. */
  private static final Pattern SMALL_CLUSTER = Pattern.compile("local-cluster\\[.*,(\\d+)]");

  /** Parts for each core: the smallest tasks that still outweigh their start. */
  private static final int PARTS = 3;

  private static final int FEWEST = 8;

  private final JavaSparkContext context;
  private final KeepFolder folder;
  private final boolean temporary;

  private SparkCluster(JavaSparkContext context, KeepFolder folder, boolean temporary) {
    this.context = context;
    this.folder = folder;
    this.temporary = temporary;
  }

  static SparkCluster connect(String address, Optional<Path> folder) {
    SparkConf conf =
        new SparkConf()
            .setAppName("oriel check")
            .setMaster(address)
            .setIfMissing("spark.ui.enabled", "false")
            .setIfMissing("spark.executor.extraJavaOptions", FLAGS);
    if (address.startsWith("local")) {
      conf.setIfMissing("spark.driver.host", "127.0.0.1")
          .setIfMissing("spark.driver.bindAddress", "127.0.0.1");
    }
    Matcher small = SMALL_CLUSTER.matcher(address);
    if (small.matches()) {
      conf.setIfMissing("spark.executor.memory", small.group(1) + "m");
    }
    List<Path> own = classes();
    if (own.stream().allMatch(Files::isRegularFile)) {
      conf.setIfMissing("spark.jars", joined(own, ","));
    } else {
      conf.setIfMissing("spark.executor.extraClassPath", joined(own, File.pathSeparator));
    }
    try {
      Path kept = folder.isPresent() ? folder.get() : Files.createTempDirectory("oriel-levels");
      return new SparkCluster(new JavaSparkContext(conf), new KeepFolder(kept), folder.isEmpty());
    } catch (Exception e) {
      throw MachineException.lacking(
          "no workers: address=%s, reason=%s; start Apache Spark 4.2.0 there, with Java 25"
              .formatted(address, reason(e)),
          e);
    }
  }

  /** Where the classes of Oriel are that workers need. */
  private static List<Path> classes() {
    return Stream.of(
            Form.class, MachineException.class, BuildName.class, SparkCluster.class, Nullable.class)
        .map(SparkCluster::place)
        .distinct()
        .toList();
  }

  private static Path place(Class<?> one) {
    try {
      return Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static String joined(List<Path> paths, String by) {
    return paths.stream().map(Path::toString).collect(Collectors.joining(by));
  }

  /** What a failure of Spark says in its first line. A failure of a worker is text by then. */
  static String reason(Throwable failure) {
    String all = String.valueOf(failure.getMessage());
    String own = MachineException.class.getName() + ": ";
    int at = all.indexOf(own);
    String from = at < 0 ? all : all.substring(at + own.length());
    return from.lines().findFirst().orElse(failure.getClass().getSimpleName());
  }

  /** The failure of a level, by its name if a worker has one for it. */
  static MachineException failed(Throwable failure, int depth, String kept) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof MachineException named) {
        return named;
      }
      if (String.valueOf(e.getMessage()).contains(MachineException.class.getName() + ": ")) {
        return MachineException.lacking(reason(e), failure);
      }
    }
    Throwable last = failure instanceof SparkException ? failure : rooted(failure);
    return MachineException.lacking(
        "workers failed: level=%d, reason=%s; give them more memory or disk (-Dspark.executor.memory, SPARK_LOCAL_DIRS) and run again to go on%s"
            .formatted(depth, reason(last), kept),
        failure);
  }

  private static Throwable rooted(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  @Override
  public Levels levels(SearchJob job) {
    LevelFolder kept = folder.of(job);
    int parts = Math.max(FEWEST, PARTS * context.defaultParallelism());
    return new SparkLevels(context, job, kept, parts, temporary ? "" : " from " + folder.path());
  }

  @Override
  public void close() {
    context.close();
    if (temporary) {
      try {
        LevelFolder.remove(folder.path());
      } catch (IOException e) {
        throw MachineException.lacking(
            "a temporary folder stays: folder=%s, reason=%s; remove it".formatted(folder.path(), e),
            e);
      }
    }
  }
}

package dev.oriel.it.spark;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.levels.ClusterProvider;
import dev.oriel.sim.levels.SearchCluster;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** Connects to Spark: cores of this host, or a cluster. */
public final class SparkProvider implements ClusterProvider {
  private static final Pattern ONE_HOST =
      Pattern.compile("local(\\[(\\*|[1-9]\\d{0,3})\\])?|local-cluster\\[\\d+,\\d+,\\d+\\]");
  private static final Pattern HOSTS = Pattern.compile("spark://[\\w.:,\\[\\]-]+");

  @Override
  public boolean knows(String address) {
    return ONE_HOST.matcher(address).matches() || HOSTS.matcher(address).matches();
  }

  @Override
  public SearchCluster connect(String address, Optional<Path> folder) {
    if (folder.isEmpty() && HOSTS.matcher(address).matches()) {
      throw new MachineException(
          "no folder for kept levels: workers=%s; give --keep a folder that all of them share"
              .formatted(address));
    }
    return SparkCluster.connect(address, folder);
  }
}

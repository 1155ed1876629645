package dev.oriel.domain.tuning;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.topology.Digest128;
import dev.oriel.domain.topology.Topology;
import java.util.Locale;
import java.util.Optional;

/**
 * The inputs of a choice: only facts that are equal on every rank. A rank's number, host, pointers
 * and local sizes do not belong here.
 *
 * @param bytes of a rank, to all or to each, the same on every rank
 * @param element the elements and operator of a reduction, if it is one
 * @param shape of the topology
 * @param device the kind of machine and of its costs, in visible ASCII
 */
public record TuningKey(
    Collective collective,
    long bytes,
    Optional<Element> element,
    int world,
    Digest128 shape,
    String device) {
  /** How the device of a measured choice begins. */
  private static final String MEASURED = "measured:";

  /** Longest device, in characters. */
  public static final int MAX_DEVICE = 64;

  /** An operator and the type of its elements. */
  public record Element(ReduceOp op, DataType type) {
    @Override
    public String toString() {
      return op.name().toLowerCase(Locale.ROOT) + "-" + type.symbol();
    }
  }

  public TuningKey {
    if (bytes < 0) {
      throw new IllegalArgumentException("negative size: bytes=" + bytes + "; count from 0");
    }
    if (device.isEmpty()
        || device.length() > MAX_DEVICE
        || !device.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new IllegalArgumentException(
          "bad device: characters=%d; use 1 to %d visible ASCII characters"
              .formatted(device.length(), MAX_DEVICE));
    }
  }

  /** The key of a collective in the world that {@code topology} describes. */
  public static TuningKey of(
      Collective collective,
      long bytes,
      Optional<Element> element,
      Topology topology,
      String device) {
    return new TuningKey(collective, bytes, element, topology.world(), topology.digest(), device);
  }

  /** The same key for times that were measured on that kind of GPU, in place of predicted ones. */
  public TuningKey measuredOn(String gpu) {
    String name = MEASURED + gpu.replaceAll("[^!-~]+", "-");
    return new TuningKey(
        collective,
        bytes,
        element,
        world,
        shape,
        name.substring(0, Math.min(MAX_DEVICE, name.length())));
  }

  /** Whether a choice for this key was measured. */
  public boolean isMeasured() {
    return device.startsWith(MEASURED);
  }

  /** One line, the same for equal keys; its first word is the version of this format. */
  public String text() {
    return "tuning-1 %s bytes=%d element=%s world=%d shape=%s device=%s"
        .formatted(
            collective.word(),
            bytes,
            element.map(Element::toString).orElse("none"),
            world,
            shape,
            device);
  }
}

package dev.oriel.domain.tuning;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.topology.Digest128;
import dev.oriel.domain.topology.Topology;
import java.util.Locale;
import java.util.Optional;

/**
 * What a choice may depend on: facts that every rank knows alike. A rank's number, its host, its
 * pointers and the sizes that it alone sees have no place here.
 *
 * @param bytes of a rank, to all or to each, the same on every rank
 * @param element what is reduced and how, if anything is
 * @param shape of the topology
 * @param device the kind of machine, and the costs that stand for it: visible ASCII
 */
public record TuningKey(
    Collective collective,
    long bytes,
    Optional<Element> element,
    int world,
    Digest128 shape,
    String device) {
  /** Longest device, in characters. */
  public static final int MAX_DEVICE = 64;

  /** An operator and the elements that it takes. */
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

  /** One line, the same for equal keys; its first word is the version of this form. */
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

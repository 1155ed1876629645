package dev.oriel.sim.tuning;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.time.LinkModel;
import dev.oriel.sim.time.LinkText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Fits the costs of NVLink, blocks and copy engines to measured times. It changes one cost at a
 * time by a factor, keeps the change if the predictions come closer, and shrinks the factor when no
 * change helps. It uses neither a clock nor a random number, so equal readings give equal costs.
 */
public final class LinkCalibration {
  /** The costs that the GPUs of one host show; those of a network stay as they are. */
  private static final List<String> FITTED =
      List.of(
          "nvlink latency",
          "nvlink bandwidth",
          "nvlink overhead",
          "block launch",
          "block barrier",
          "block poll",
          "block fence",
          "block issue",
          "block load",
          "block line",
          "block thread",
          "block packet",
          "block most",
          "block step",
          "block divide",
          "engine start",
          "engine bandwidth");

  /**
   * Where the fit begins for costs that a model may leave out: a factor changes neither 0 nor a
   * limit that is never reached.
   */
  private static final Map<String, Double> FIRST =
      Map.of("block most", 50.0, "block step", 5.0, "block divide", 20.0);

  private static final double FIRST_FACTOR = 1.5;
  private static final double LAST_FACTOR = 1.02;

  /** Keeps a cost on which no reading depends where it was. */
  private static final double PULL = 1e-3;

  private final Map<String, Double> first;
  private final List<Reading> readings;

  /**
   * A measured call.
   *
   * @param nanos of one of many calls, on the slowest rank
   */
  public record Reading(Program program, Topology topology, double nanos) {
    /** The predicted time divided by the measured one. */
    public double ratio(LinkModel model) {
      return new TimedCost(model).nanos(program, topology) / nanos;
    }
  }

  /**
   * A calibration that begins with those costs.
   *
   * @param readings at least one
   */
  public LinkCalibration(LinkModel start, List<Reading> readings) {
    if (readings.isEmpty()) {
      throw new IllegalArgumentException("no reading to fit costs to; measure at least one size");
    }
    this.readings = List.copyOf(readings);
    first = new LinkedHashMap<>(LinkText.costs(start));
    FIRST.forEach((cost, value) -> {
      double given = first.getOrDefault(cost, 0.0);
      if (given == 0 || given >= 1e6) {
        first.put(cost, value);
      }
    });
  }

  /** The costs whose predictions are closest to the readings, under that name. */
  public LinkModel fitted(String name) {
    Map<String, Double> costs = new LinkedHashMap<>(first);
    double best = loss(costs);
    double factor = FIRST_FACTOR;
    while (factor > LAST_FACTOR) {
      double before = best;
      for (String cost : FITTED) {
        best = changed(costs, cost, factor, best);
      }
      if (best == before) {
        factor = StrictMath.sqrt(factor);
      }
    }
    return LinkText.model(name, costs);
  }

  /** The loss after the better change of a cost, or the same if neither is better. */
  private double changed(Map<String, Double> costs, String cost, double factor, double best) {
    double value = costs.getOrDefault(cost, 0.0);
    for (double tried : List.of(value * factor, value / factor)) {
      costs.put(cost, tried);
      double loss = loss(costs);
      if (loss < best) {
        return loss;
      }
    }
    costs.put(cost, value);
    return best;
  }

  /** Large errors count more than in proportion, so that no program is given up for the others. */
  private double loss(Map<String, Double> costs) {
    LinkModel model = LinkText.model("fit", costs);
    double sum = 0;
    for (Reading reading : readings) {
      double off = StrictMath.log(reading.ratio(model));
      sum += StrictMath.abs(off) + off * off;
    }
    double moved = 0;
    for (String cost : FITTED) {
      double from = first.getOrDefault(cost, 0.0);
      moved +=
          from == 0 ? 0 : StrictMath.abs(StrictMath.log(costs.getOrDefault(cost, from) / from));
    }
    return sum / readings.size() + PULL * moved;
  }
}

package dev.oriel.it.tune;

import dev.oriel.sim.time.LinkModel;
import dev.oriel.sim.tuning.LinkCalibration.Reading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How far a model's predictions are from measured times.
 *
 * @param errors of each time, as a share of the measured time; smallest first
 * @param choices the cases in which the programs of one collective and size were compared
 * @param right of these, those in which the model's fastest program is the fastest
 * @param loss by how much the model's choices are slower than the fastest, on average
 */
record PredictionErrors(List<Double> errors, int choices, int right, double loss) {
  /** Times that differ by less are equal: replays vary by as much. */
  private static final double EQUAL = 0.02;

  /** A time with the program it is of. */
  record Measured(MeasuredTimes.Time time, Reading reading) {}

  private record Compared(double measured, double predicted) {}

  static PredictionErrors of(List<Measured> times, LinkModel model) {
    List<Double> errors = new ArrayList<>();
    Map<String, List<Compared>> cases = new TreeMap<>();
    for (Measured one : times) {
      double ratio = one.reading().ratio(model);
      errors.add(Math.abs(ratio - 1));
      cases
          .computeIfAbsent(
              one.time().collective() + " " + one.time().bytes(), key -> new ArrayList<>())
          .add(new Compared(one.reading().nanos(), ratio * one.reading().nanos()));
    }
    errors.sort(null);
    int right = 0;
    double loss = 0;
    for (List<Compared> compared : cases.values()) {
      double fastest = compared.stream().mapToDouble(Compared::measured).min().orElseThrow();
      double chosen =
          compared.stream()
              .min(Comparator.comparingDouble(Compared::predicted))
              .orElseThrow()
              .measured();
      right += chosen <= fastest * (1 + EQUAL) ? 1 : 0;
      loss += chosen / fastest - 1;
    }
    return new PredictionErrors(
        errors, cases.size(), right, cases.isEmpty() ? 0 : loss / cases.size());
  }

  double median() {
    return errors.get(errors.size() / 2);
  }

  /** The share of the times that are predicted to within that share of them. */
  double within(double error) {
    return (double) errors.stream().filter(e -> e <= error).count() / errors.size();
  }

  String words() {
    return String.format(
        Locale.ROOT,
        "median error %.1f %%, %.0f %% within 10 %%, %.0f %% within 15 %% of %d times; fastest program named in %d of %d cases, %.1f %% slower on average",
        100 * median(),
        100 * within(0.10),
        100 * within(0.15),
        errors.size(),
        right,
        choices,
        100 * loss);
  }
}

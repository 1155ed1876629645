package dev.oriel.sim.rows;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A shape of the catalogue, its world and the expected findings.
 *
 * @param name the catalogue's number
 * @param file the shape's text, which the edits change
 * @param world hosts and GPUs of each; of a litmus test, whether it asks for its outcome or its end
 * @param launches how often every rank runs it
 * @param profile the hardware; of a litmus test, the model
 * @param found the findings of all detectors together, and those by values alone; F for none
 * @param full whether every order of every step is tried as well
 * @param note the machine's behaviour where it is known to be wrong; without a file, why the shape
 *     is not expressible
 */
record Row(
    String name,
    String file,
    String world,
    int launches,
    String profile,
    List<String> found,
    boolean full,
    String note,
    List<Edit> edits) {

  private static final String STEPS = "steps: ";

  /** A part of the text, which occurs in it once, and its replacement. */
  record Edit(String old, String replacement) {}

  boolean expressible() {
    return !file.isEmpty();
  }

  boolean litmus() {
    return file.endsWith(".litmus");
  }

  boolean allowed() {
    return !found.getFirst().equals("F");
  }

  /** The expected findings of all detectors together. */
  String byDetectors() {
    return allowed() ? found.get(1) : "none";
  }

  /** The expected findings by values. */
  String byValues() {
    return allowed() && found.size() > 2 ? found.get(2) : "none";
  }

  String edited(String text) {
    String edited = text;
    for (Edit e : edits) {
      int at = edited.indexOf(e.old);
      if (!steps(e) && (at < 0 || edited.indexOf(e.old, at + 1) >= 0)) {
        throw new IllegalArgumentException(this + ": not there, or there twice: " + e.old);
      }
      edited = steps(e) ? edited : edited.replace(e.old, e.replacement);
    }
    return edited;
  }

  /** Whether the edit changes lowered steps and not the text. */
  static boolean steps(Edit edit) {
    return edit.old.startsWith(STEPS);
  }

  /** The edits of lowered steps, in the format of {@link StepEdits}. */
  List<String> stepEdits() {
    return edits.stream().filter(Row::steps).map(e -> e.old.substring(STEPS.length())).toList();
  }

  /** The number of edits that turn this row's shape into the other's. */
  int distance(Row other) {
    Map<String, String> mine = byPlace(edits);
    Map<String, String> others = byPlace(other.edits);
    List<String> places = new ArrayList<>(mine.keySet());
    others.keySet().stream().filter(p -> !mine.containsKey(p)).forEach(places::add);
    int apart = file.equals(other.file) ? 0 : places.size() + 1000;
    apart += world.equals(other.world) ? 0 : 1;
    apart += profile.equals(other.profile) ? 0 : 1;
    apart += launches == other.launches ? 0 : 1;
    for (String place : places) {
      apart += String.valueOf(mine.get(place)).equals(String.valueOf(others.get(place))) ? 0 : 1;
    }
    return apart;
  }

  private static Map<String, String> byPlace(List<Edit> edits) {
    return new HashMap<>(edits.stream().collect(Collectors.toMap(Edit::old, Edit::replacement)));
  }

  @Override
  public String toString() {
    String changes =
        edits.stream()
            .map(e -> " '" + e.old + "' => '" + e.replacement + "'")
            .collect(Collectors.joining());
    String runs = launches == 1 ? world : world + "*" + launches;
    return "%s %s %s %s%s".formatted(name, file, runs, profile, changes).strip();
  }
}

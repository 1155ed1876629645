package dev.oriel.domain.rewrite;

import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.SignalArray;
import java.util.ArrayList;
import java.util.List;

/** Forms, lanes and lists with one part changed. */
public final class FormEdits {
  private FormEdits() {}

  /** The form under another name; binding rejects an invalid one. */
  public static Form withName(Form f, String name) {
    return new Form(
        name,
        f.params(),
        f.definitions(),
        f.requirements(),
        f.buffers(),
        f.signals(),
        f.teams(),
        f.ensures(),
        f.lanes());
  }

  public static Form withParams(Form f, List<Form.Param> params) {
    return new Form(
        f.name(),
        params,
        f.definitions(),
        f.requirements(),
        f.buffers(),
        f.signals(),
        f.teams(),
        f.ensures(),
        f.lanes());
  }

  public static Form withDefinitions(Form f, List<Form.Definition> definitions) {
    return new Form(
        f.name(),
        f.params(),
        definitions,
        f.requirements(),
        f.buffers(),
        f.signals(),
        f.teams(),
        f.ensures(),
        f.lanes());
  }

  public static Form withBuffers(Form f, List<Buffer> buffers) {
    return new Form(
        f.name(),
        f.params(),
        f.definitions(),
        f.requirements(),
        buffers,
        f.signals(),
        f.teams(),
        f.ensures(),
        f.lanes());
  }

  public static Form withSignals(Form f, List<SignalArray> signals) {
    return new Form(
        f.name(),
        f.params(),
        f.definitions(),
        f.requirements(),
        f.buffers(),
        signals,
        f.teams(),
        f.ensures(),
        f.lanes());
  }

  public static Form withEnsures(Form f, List<Ensure> ensures) {
    return new Form(
        f.name(),
        f.params(),
        f.definitions(),
        f.requirements(),
        f.buffers(),
        f.signals(),
        f.teams(),
        ensures,
        f.lanes());
  }

  public static Form withLanes(Form f, List<LaneFamily> lanes) {
    return new Form(
        f.name(),
        f.params(),
        f.definitions(),
        f.requirements(),
        f.buffers(),
        f.signals(),
        f.teams(),
        f.ensures(),
        lanes);
  }

  public static LaneFamily withIndices(LaneFamily l, List<LaneFamily.Index> indices) {
    return new LaneFamily(l.name(), indices, l.engine(), l.states(), l.body());
  }

  public static LaneFamily withEngine(LaneFamily l, LaneFamily.Engine engine) {
    return new LaneFamily(l.name(), l.indices(), engine, l.states(), l.body());
  }

  public static LaneFamily withStates(LaneFamily l, List<LaneFamily.State> states) {
    return new LaneFamily(l.name(), l.indices(), l.engine(), states, l.body());
  }

  public static LaneFamily withBody(LaneFamily l, List<Op> body) {
    return new LaneFamily(l.name(), l.indices(), l.engine(), l.states(), body);
  }

  /** The list with another element at that place. */
  public static <T> List<T> with(List<T> list, int place, T element) {
    List<T> changed = new ArrayList<>(list);
    changed.set(place, element);
    return changed;
  }

  /** The list without {@code count} elements from {@code place} on. */
  public static <T> List<T> without(List<T> list, int place, int count) {
    List<T> fewer = new ArrayList<>(list);
    fewer.subList(place, place + count).clear();
    return fewer;
  }
}

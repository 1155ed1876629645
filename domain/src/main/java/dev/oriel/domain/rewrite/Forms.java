package dev.oriel.domain.rewrite;

import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Lane;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.SignalArray;
import java.util.ArrayList;
import java.util.List;

/** Forms, lanes and lists with one part changed. */
public final class Forms {
  private Forms() {}

  /** The form under another name; binding rejects an invalid one. */
  public static Form withName(Form f, String name) {
    return new Form(
        name,
        f.params(),
        f.definitions(),
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
        f.buffers(),
        f.signals(),
        f.teams(),
        ensures,
        f.lanes());
  }

  public static Form withLanes(Form f, List<Lane> lanes) {
    return new Form(
        f.name(),
        f.params(),
        f.definitions(),
        f.buffers(),
        f.signals(),
        f.teams(),
        f.ensures(),
        lanes);
  }

  public static Lane withIndices(Lane l, List<Lane.Index> indices) {
    return new Lane(l.name(), indices, l.engine(), l.states(), l.body());
  }

  public static Lane withEngine(Lane l, Lane.Engine engine) {
    return new Lane(l.name(), l.indices(), engine, l.states(), l.body());
  }

  public static Lane withStates(Lane l, List<Lane.State> states) {
    return new Lane(l.name(), l.indices(), l.engine(), states, l.body());
  }

  public static Lane withBody(Lane l, List<Op> body) {
    return new Lane(l.name(), l.indices(), l.engine(), l.states(), body);
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

package dev.oriel.domain.program.check;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Op;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rejects forms in which lanes would wait for each other's end. */
final class JoinCycles {
  /** A join and its place among the operations of its lane. */
  private record Place(Op.Join join, int number) {}

  private final FormErrors complaints;
  private final Map<String, LaneFamily> lanes = new LinkedHashMap<>();
  private final List<String> path = new ArrayList<>();
  private final Set<String> done = new HashSet<>();

  private JoinCycles(Form form, FormErrors complaints) {
    this.complaints = complaints;
    form.lanes().forEach(lane -> lanes.put(lane.name(), lane));
  }

  static void reject(Form form, FormErrors complaints) {
    JoinCycles search = new JoinCycles(form, complaints);
    form.lanes().forEach(search::visit);
  }

  private void visit(LaneFamily lane) {
    if (!done.add(lane.name())) {
      return;
    }
    path.add(lane.name());
    for (Place place : joins(lane).values()) {
      String joined = place.join().lane();
      int seen = path.indexOf(joined);
      if (seen >= 0) {
        complaints.enter(lane);
        complaints.at(place.number(), place.join());
        String cycle = String.join(" -> ", path.subList(seen, path.size())) + " -> " + joined;
        throw complaints.fail(place.join(), "cyclic joins", "lanes=" + cycle, "remove one join");
      }
      LaneFamily next = lanes.get(joined);
      if (next != null) {
        visit(next);
      }
    }
    path.removeLast();
  }

  /** The first join of each other lane, in the order of the text. */
  private static Map<String, Place> joins(LaneFamily lane) {
    Map<String, Place> joins = new LinkedHashMap<>();
    collect(lane.body(), 0, joins);
    return joins;
  }

  private static int collect(List<Op> ops, int before, Map<String, Place> into) {
    int number = before;
    for (Op op : ops) {
      number++;
      switch (op) {
        case Op.Join join -> into.putIfAbsent(join.lane(), new Place(join, number));
        case Op.If branch ->
            number = collect(branch.otherwise(), collect(branch.then(), number, into), into);
        case Op.For loop -> number = collect(loop.body(), number, into);
        case Op.Each each -> number = collect(each.body(), number, into);
        case Op.Leader leader -> number = collect(leader.body(), number, into);
        default -> {}
      }
    }
    return number;
  }
}

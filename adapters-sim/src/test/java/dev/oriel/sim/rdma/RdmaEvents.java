package dev.oriel.sim.rdma;

import java.util.ArrayList;
import java.util.List;

/** Expands the steps of a shape's agents into the events that they cause, in program order. */
final class RdmaEvents {
  /** An agent's own step, or a stage of a request: a put starts with the fetch of each part. */
  enum Stage {
    OWN,
    START,
    READ,
    PLACE,
    RETURN,
    DONE
  }

  record Step(int agent, int at, RdmaOp op) {}

  /** A write stores what event {@code from} read, if that is not -1, plus the value. */
  record Event(
      Step step, Stage stage, int part, String reads, String writes, int from, long value) {
    RdmaOp op() {
      return step.op();
    }
  }

  final List<Event> events = new ArrayList<>();

  RdmaEvents(RdmaRow row) {
    for (int agent = 0; agent < row.agents().size(); agent++) {
      List<RdmaOp> ops = row.agents().get(agent).ops();
      for (int at = 0; at < ops.size(); at++) {
        expand(new Step(agent, at, ops.get(at)));
      }
    }
    List<String> places =
        events.stream()
            .map(e -> e.reads() + e.writes())
            .filter(p -> !p.isEmpty())
            .distinct()
            .toList();
    for (String place : places) {
      long first = row.initial().getOrDefault(place, 0L);
      add(new Step(-1, 0, RdmaOp.store(place, first)), Stage.OWN, 0, "", place, -1, first);
    }
  }

  private void expand(Step step) {
    int own = events.size();
    switch (step.op()) {
      case RdmaOp.Store s -> add(step, Stage.OWN, 0, "", s.to(), -1, s.value());
      case RdmaOp.Load l -> add(step, Stage.OWN, 0, l.from(), "", -1, 0);
      case RdmaOp.Await a -> add(step, Stage.OWN, 0, a.at(), "", -1, 0);
      case RdmaOp.Add a -> add(step, Stage.OWN, 0, a.at(), "", -1, 0);
      default -> add(step, Stage.OWN, 0, "", "", -1, 0);
    }
    switch (step.op()) {
      case RdmaOp.Add a -> add(step, Stage.OWN, 0, "", a.at(), own, a.value());
      case RdmaOp.Put put -> {
        for (int part = 0; part < put.parts().size(); part++) {
          add(step, Stage.START, part, put.parts().get(part).from(), "", -1, 0);
          add(step, Stage.PLACE, part, "", put.parts().get(part).to(), events.size() - 1, 0);
        }
        add(step, Stage.DONE, 0, "", "", -1, 0);
      }
      case RdmaOp.Get get -> {
        add(step, Stage.START, 0, "", "", -1, 0);
        add(step, Stage.READ, 0, get.from(), "", -1, 0);
        add(step, Stage.RETURN, 0, "", get.to(), own + 2, 0);
        add(step, Stage.DONE, 0, "", "", -1, 0);
      }
      case RdmaOp.FetchAdd fetch -> {
        add(step, Stage.START, 0, "", "", -1, 0);
        add(step, Stage.READ, 0, fetch.at(), "", -1, 0);
        add(step, Stage.PLACE, 0, "", fetch.at(), own + 2, fetch.value());
        add(step, Stage.RETURN, 0, "", fetch.result(), own + 2, 0);
        add(step, Stage.DONE, 0, "", "", -1, 0);
      }
      default -> {}
    }
  }

  private void add(
      Step s, Stage stage, int part, String reads, String writes, int from, long value) {
    events.add(new Event(s, stage, part, reads, writes, from, value));
  }
}

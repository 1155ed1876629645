package dev.oriel.sim.weak;

/** One lane of one execution: where it is and what its registers hold. */
final class LaneRun {
  final int lane;
  final LaneCode code;
  final int leader;
  final int worker;
  final long[] registers;
  int at;
  int failure;
  boolean ended = true;

  LaneRun(Model model, int lane) {
    this.lane = lane;
    this.code = model.lanes.get(lane);
    this.leader = model.leader(lane);
    this.worker = model.worker(lane);
    this.registers = new long[code.registerCount()];
  }

  int rank() {
    return code.rank();
  }

  Act act() {
    return code.act(at);
  }

  long value(Term term) {
    return term.eval(registers);
  }

  int[] ranks(Act.Ranks ranks) {
    Term one = ranks.one();
    return one == null ? ranks.fixed() : new int[] {Math.toIntExact(value(one))};
  }

  int rank(Act.Ranks ranks) {
    return ranks(ranks)[0];
  }
}

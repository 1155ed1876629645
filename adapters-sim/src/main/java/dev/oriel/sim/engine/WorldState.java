package dev.oriel.sim.engine;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * One state of a whole world: every rank's memory and slots, every lane, and the number of launches
 * of each rank. Ranks launch independently; only the program synchronises them.
 */
public final class WorldState {
  final Form form;
  final Topology topology;
  final List<RankProgram> ranks;
  final byte[][][] memory;
  final long[][][] slots;
  final List<List<LaneState>> lanes;
  final int[] launched;

  /** A world before the first launch: scratch and slots are 0, outputs are poisoned. */
  public WorldState(Program program, Topology topology, LoweredForm lowered) {
    this.form = program.form();
    this.topology = topology;
    this.ranks = IntStream.range(0, program.world()).mapToObj(program::rank).toList();
    this.memory = new byte[ranks.size()][form.buffers().size()][];
    this.slots = new long[ranks.size()][form.signals().size()][];
    this.lanes = new ArrayList<>();
    this.launched = new int[ranks.size()];
    for (RankProgram rank : ranks) {
      int r = rank.rank();
      for (int b = 0; b < memory[r].length; b++) {
        memory[r][b] = new byte[Math.toIntExact(rank.bytes(form.buffers().get(b).name()))];
      }
      for (int s = 0; s < slots[r].length; s++) {
        slots[r][s] =
            new long[Math.multiplyExact(rank.slots(form.signals().get(s).name()), ranks.size())];
      }
      lanes.add(
          new ArrayList<>(
              rank.lanes().stream()
                  .map(i -> new LaneState(rank, i, lowered.lane(i.lane().name())))
                  .toList()));
    }
  }

  /** An independent copy. */
  public WorldState(WorldState other) {
    form = other.form;
    topology = other.topology;
    ranks = other.ranks;
    memory = new byte[other.memory.length][][];
    slots = new long[other.slots.length][][];
    lanes = new ArrayList<>();
    launched = other.launched.clone();
    for (int r = 0; r < memory.length; r++) {
      memory[r] = Arrays.stream(other.memory[r]).map(byte[]::clone).toArray(byte[][]::new);
      slots[r] = Arrays.stream(other.slots[r]).map(long[]::clone).toArray(long[][]::new);
      List<LaneState> copies = new ArrayList<>();
      other.lanes.get(r).forEach(lane -> copies.add(new LaneState(lane)));
      lanes.add(copies);
    }
  }

  /** The number of ranks. */
  public int size() {
    return ranks.size();
  }

  /** The bytes of a rank's buffer, shared with this world. */
  public byte[] bytes(int rank, String buffer) {
    return memory[rank][buffer(buffer)];
  }

  /** Starts the next launch of a rank whose earlier one has ended. */
  public void launch(int rank) {
    launched[rank]++;
    for (LaneState lane : lanes.get(rank)) {
      lane.at = 0;
      lane.failure = 0;
      lane.ended = false;
      lane.registers.merge("epoch", 1L, Long::sum);
    }
  }

  /** Whether every lane of the rank has ended and its stores have arrived. */
  public boolean ended(int rank) {
    return lanes.get(rank).stream().allMatch(lane -> lane.ended && lane.stores.isEmpty());
  }

  /** The code with which a lane of the rank failed, if one did. */
  public Optional<Integer> failure(int rank) {
    return lanes.get(rank).stream().map(lane -> lane.failure).filter(c -> c != 0).findFirst();
  }

  /**
   * Lets every enabled lane take one step, in order; its stores and requests arrive at once. Time
   * passes only if no lane can take a step: then the first read that waits for a limited time
   * returns without what it waits for.
   *
   * @return whether any lane took a step
   */
  public boolean round() {
    boolean any = false;
    Transition.Step over = null;
    for (int r = 0; r < size(); r++) {
      List<LaneState> mine = lanes.get(r);
      for (int l = 0; l < mine.size(); l++) {
        LaneState lane = mine.get(l);
        LaneStepper stepper = new LaneStepper(this, lane);
        if (stepper.enabled() && stepper.waits()) {
          over = over == null ? new Transition.Step(r, l) : over;
        } else if (stepper.enabled()) {
          new Transition.Step(r, l).apply(this);
          arriveAll(lane);
          any = true;
        }
      }
    }
    if (!any && over != null) {
      over.apply(this);
      arriveAll(lanes.get(over.rank()).get(over.lane()));
      any = true;
    }
    return any;
  }

  private void arriveAll(LaneState lane) {
    lane.stores.forEach(this::apply);
    lane.stores.clear();
  }

  int buffer(String name) {
    return form.bufferIndex(form.base(name));
  }

  int signal(String name) {
    return form.signalIndex(name);
  }

  /** The index of slot {@code index} in the row of {@code source}, in any owner's memory. */
  int slot(String signal, int source, long index) {
    return Math.toIntExact(source * (long) ranks.getFirst().slots(signal) + index);
  }

  PeerKind kind(int from, int to) {
    return from == to ? PeerKind.SELF : topology.kind(from, to);
  }

  void apply(PendingStore store) {
    switch (store.kind()) {
      case BYTES ->
          System.arraycopy(
              store.bytes(),
              0,
              memory[store.rank()][store.buffer()],
              (int) store.offset(),
              store.bytes().length);
      case SLOT_SET -> slots[store.rank()][store.buffer()][(int) store.offset()] = store.value();
      case SLOT_ADD -> slots[store.rank()][store.buffer()][(int) store.offset()] += store.value();
    }
  }
}

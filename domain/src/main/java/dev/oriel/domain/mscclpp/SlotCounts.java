package dev.oriel.domain.mscclpp;

import dev.oriel.domain.mscclpp.ExecutionPlan.Channel;
import dev.oriel.domain.mscclpp.ExecutionPlan.ChannelType;
import dev.oriel.domain.mscclpp.LaneStep.Awaited;
import dev.oriel.domain.mscclpp.LaneStep.Signalled;
import dev.oriel.domain.mscclpp.LaneStep.SlotOfPair;
import dev.oriel.domain.program.MistakeList;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.ProgramException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Signals of values as signals that are counted. A program sets a slot to growing values and awaits
 * that it has reached one. A channel of a plan counts its signals, and each wait takes one more.
 * The two are the same if
 *
 * <ul>
 *   <li>one lane signals the slot, so that its values have an order,
 *   <li>signal i of launch e has the value {@code growth * e + base(i)}, and values never fall, and
 *   <li>an awaited value is one of these or between two, and grows alike.
 * </ul>
 *
 * <p>An await of the first value that signal i of this launch reaches becomes waits until i signals
 * were taken. A lane takes those that are left at its end, so that all launches are alike. Each
 * lane that awaits a slot has a channel of its own.
 */
final class SlotCounts {
  private final MistakeList mistakes;
  private final Map<SlotOfPair, SlotUse> slots = new LinkedHashMap<>();

  /** For each signalling and awaiting gpu the number of channels. */
  private final Map<List<Integer>, Integer> pairs = new HashMap<>();

  /** The signals of a slot in a launch, and the lanes that await it with the numbers of pairs. */
  private static final class SlotUse {
    private final List<Signalled> signals = new ArrayList<>();
    private final List<ExportedLane> signallers = new ArrayList<>();
    private final Map<ExportedLane, List<Awaited>> awaits = new LinkedHashMap<>();
    private final Map<ExportedLane, Integer> pairs = new LinkedHashMap<>();
    private final List<Long> bases = new ArrayList<>();
    private long growth;
  }

  /** What a lane takes of a slot: the count after each of its awaits, and at its end. */
  record Taken(List<Integer> counts, int acquiredAtEnd, int all) {
    /** Whether a lane takes at its end what its next launch awaits. */
    boolean early() {
      return counts.isEmpty() || counts.getLast() < acquiredAtEnd;
    }
  }

  SlotCounts(List<ExportedLane> lanes, MistakeList mistakes) {
    this.mistakes = mistakes;
    for (ExportedLane lane : lanes) {
      for (LaneStep step : lane.steps()) {
        if (step instanceof Signalled signalled) {
          SlotUse use = slots.computeIfAbsent(signalled.slot(), s -> new SlotUse());
          use.signals.add(signalled);
          if (!use.signallers.contains(lane)) {
            use.signallers.add(lane);
          }
        } else if (step instanceof Awaited awaited) {
          slots
              .computeIfAbsent(awaited.slot(), s -> new SlotUse())
              .awaits
              .computeIfAbsent(lane, l -> new ArrayList<>())
              .add(awaited);
        }
      }
    }
    slots.forEach((slot, use) -> mistakes.attempt(() -> count(slot, use)));
  }

  private void count(SlotOfPair slot, SlotUse use) {
    if (use.awaits.isEmpty()) {
      return;
    }
    ExportedLane waits = use.awaits.keySet().iterator().next();
    Op await = Objects.requireNonNull(use.awaits.get(waits)).getFirst().op();
    if (use.signals.isEmpty()) {
      throw refused(waits, await, "await of a slot that nothing signals", "", "signal it");
    }
    ExportedLane lane = use.signallers.getFirst();
    if (use.signallers.size() > 1) {
      throw refused(
          lane,
          use.signals.getFirst().op(),
          "slot that several lanes signal",
          "also=" + use.signallers.get(1).label(),
          "give each lane a slot of its own");
    }
    use.growth = growth(lane, use.signals);
    bases(lane, use);
    for (ExportedLane each : use.awaits.keySet()) {
      use.pairs.put(each, pairs.merge(List.of(slot.from(), slot.to()), 1, Integer::sum) - 1);
    }
  }

  private static long growth(ExportedLane lane, List<Signalled> signals) {
    long sum = 0;
    for (Signalled signal : signals) {
      boolean alike = signal.value().alike() && !signal.value().flag();
      if (!alike || signal.adds() != signals.getFirst().adds()) {
        throw refused(
            lane,
            signal.op(),
            "signal whose value no count gives",
            "",
            "set values that grow by the same in each launch");
      }
      if (signal.adds() && signal.value().slope() != 0) {
        throw refused(lane, signal.op(), "signal that adds more in each launch", "", "add alike");
      }
      sum += signal.adds() ? signal.value().even() : 0;
    }
    long growth = signals.getFirst().adds() ? sum : signals.getFirst().value().slope();
    if (growth <= 0) {
      throw refused(
          lane,
          signals.getFirst().op(),
          "signal whose value does not grow with the launch",
          "growth=" + growth,
          "let it contain epoch");
    }
    return growth;
  }

  private static void bases(ExportedLane lane, SlotUse use) {
    long before = -use.growth;
    for (Signalled signal : use.signals) {
      long base = signal.value().even();
      if (signal.adds()) {
        before += base;
        base = before;
      } else if (signal.value().slope() != use.growth) {
        throw refused(
            lane,
            signal.op(),
            "signals of one slot whose values grow differently",
            "growth=%d and %d".formatted(use.growth, signal.value().slope()),
            "let them grow alike");
      }
      boolean falls = !use.bases.isEmpty() && base < use.bases.getLast();
      if (falls || base > use.growth + use.bases.stream().findFirst().orElse(base)) {
        throw refused(
            lane,
            signal.op(),
            "signal whose value may fall",
            "",
            "let each signal of the slot set at least the value of the one before");
      }
      use.bases.add(base);
    }
  }

  /** The channels on which a signal goes: one for each lane that awaits its slot. */
  List<Channel> channels(SlotOfPair slot) {
    return use(slot).pairs.values().stream()
        .map(pair -> channel(slot.from(), slot.to(), pair))
        .toList();
  }

  /** The channel at which a lane awaits a slot. */
  Channel channel(ExportedLane lane, SlotOfPair slot) {
    return channel(slot.to(), slot.from(), Objects.requireNonNull(use(slot).pairs.get(lane)));
  }

  private SlotUse use(SlotOfPair slot) {
    return Objects.requireNonNull(slots.get(slot));
  }

  private Channel channel(int gpu, int peer, int pair) {
    int id = pair;
    for (int earlier = 0; earlier < peer; earlier++) {
      id += channels(gpu, earlier);
    }
    return new Channel(ChannelType.MEMORY, peer, id, pair);
  }

  /** The number of channels that a gpu has to a peer: one serves both directions. */
  private int channels(int gpu, int peer) {
    return Math.max(
        pairs.getOrDefault(List.of(gpu, peer), 0), pairs.getOrDefault(List.of(peer, gpu), 0));
  }

  /** The peers of a gpu's channels, in the order of their ids. */
  List<Integer> connected(int gpu, int world) {
    List<Integer> connected = new ArrayList<>();
    for (int peer = 0; peer < world; peer++) {
      for (int k = 0; k < channels(gpu, peer); k++) {
        connected.add(peer);
      }
    }
    return connected;
  }

  /** Where plans wait at the end of a launch for what the program awaits in the next one. */
  List<String> notes(List<ExportedLane> lanes) {
    return lanes.stream()
        .flatMap(lane ->
            taken(lane).entrySet().stream()
                .filter(taken -> taken.getValue().early())
                .map(taken ->
                    "lane %s takes signals of %s at the end of a launch, which the program awaits in the next one"
                        .formatted(lane.family().name(), taken.getKey().signal())))
        .distinct()
        .toList();
  }

  /** The slots that a lane awaits, in the order of its first awaits, and what it takes of each. */
  Map<SlotOfPair, Taken> taken(ExportedLane lane) {
    Map<SlotOfPair, Taken> taken = new LinkedHashMap<>();
    slots.forEach((slot, use) -> {
      List<Awaited> awaits = use.awaits.get(lane);
      if (awaits != null && use.pairs.containsKey(lane)) {
        mistakes.attempt(() -> taken.put(slot, taken(lane, use, awaits)));
      }
    });
    return taken;
  }

  private static Taken taken(ExportedLane lane, SlotUse use, List<Awaited> awaits) {
    List<Integer> counts = new ArrayList<>();
    int all = use.signals.size();
    int most = 0;
    int earlier = 0;
    for (Awaited await : awaits) {
      LaunchValue value = await.value();
      if (!value.alike() || value.flag() || value.slope() != use.growth) {
        throw refused(
            lane,
            await.op(),
            "awaited value that grows differently from those that are signalled",
            "growth=%d and %d".formatted(value.slope(), use.growth),
            "let both grow alike");
      }
      long base = value.even();
      if (use.bases.getLast() < base) {
        throw refused(
            lane,
            await.op(),
            "await of a signal that only a later launch sends",
            "",
            "signal the value in the same launch");
      }
      int before = 0;
      while (use.bases.getLast() - use.growth * (before + 1) >= base) {
        before++;
      }
      long shifted = base + use.growth * before;
      int signal = 1;
      while (use.bases.get(signal - 1) < shifted) {
        signal++;
      }
      // In the first launches there was no launch before; then the slot's start must suffice.
      boolean start = use.growth * before + base <= 0;
      if (before > 0 ? !start : use.growth + base <= 0) {
        throw refused(
            lane,
            await.op(),
            "await that the first launches see differently from later ones",
            "",
            "await a value that only this launch signals, or none that the first launches lack");
      }
      if (before > 0) {
        earlier = Math.max(earlier, signal);
        counts.add(0);
      } else {
        most = Math.max(most, signal);
        counts.add(most);
      }
    }
    return new Taken(List.copyOf(counts), Math.max(most, earlier), all);
  }

  private static ProgramException refused(
      ExportedLane lane, Op op, String what, String facts, String remedy) {
    return new ProgramException(
        LaneUnrolling.mistake(lane.rank(), lane.label(), op, what, facts, remedy));
  }
}

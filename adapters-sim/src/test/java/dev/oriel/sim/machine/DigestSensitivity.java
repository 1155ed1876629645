package dev.oriel.sim.machine;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.code.LaneOpcode.Request;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.RequestLayout;
import dev.oriel.sim.machine.layout.ShadowLayout;
import dev.oriel.sim.machine.layout.WordLayout;
import dev.oriel.sim.machine.rows.ClockTable;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Whether digests without earlier launches notice each change of a state that whole digests notice.
 * The first line of the argument holds the world and a seed, the others a program's text. One
 * random execution is run. In each of its states, one item after another is changed. The answer
 * names the parts of the state that hold a change that only the whole digest noticed, with their
 * number. Loaded together with a changed engine, so its interface consists of strings.
 */
@SuppressWarnings("StringSplitter")
public final class DigestSensitivity implements UnaryOperator<String> {
  private static final int STEPS = 40;
  private static final int LAUNCHES = 4;

  private final Map<String, Integer> unnoticed = new TreeMap<>();
  private final Fingerprint print = new Fingerprint();
  private long wholeHigh;
  private long relativeHigh;

  @Override
  public String apply(String program) {
    String[] parts = program.split("\n", 2);
    Topology topology = Topology.parse(parts[0].split(" ")[0]);
    Program bound = Program.bind(FormParser.parse(parts[1]), topology.world(), Map.of());
    Simulation simulation =
        new Simulation(
            bound,
            topology,
            FormLowering.lower(bound.form(), topology.kinds()),
            new ExecutionSettings(Profile.L2, 1, DetectorSet.ALL, TimeoutPolicy.NEVER)
                .closing(LAUNCHES));
    String against = simulation.forgetLaunches();
    if (!against.isEmpty()) {
      return "not looked at: " + against;
    }
    unnoticed.clear();
    SplittableRandom random = new SplittableRandom(Long.parseLong(parts[0].split(" ")[1]));
    simulation.exploring(() -> {
      run(simulation, random);
      return true;
    });
    return unnoticed.toString();
  }

  private void run(Simulation simulation, SplittableRandom random) {
    simulation.restart();
    Optional<Finding> found = Optional.empty();
    for (int i = 0; i < STEPS && found.isEmpty() && simulation.enabled() > 0; i++) {
      int agent = simulation.enabledAt(random.nextInt(simulation.enabled()));
      found = simulation.step(agent, random::nextInt);
      if (found.isEmpty() && !simulation.endless()) {
        state(simulation);
      }
    }
  }

  private void state(Simulation simulation) {
    MachineModel model = simulation.model();
    MachineState s = simulation.state();
    wholeHigh = whole(s);
    relativeHigh = relative(simulation);
    longs(simulation, "registers", s.registers, new BitSet());
    longs(simulation, "bytes", s.bytes, new BitSet());
    longs(simulation, "wordValues", s.wordValues, emptyAwaits(model, s));
    longs(simulation, "locks", s.locks, new BitSet());
    longs(simulation, "updateValues", s.updateValues, new BitSet());
    ints(simulation, "at", s.at, new BitSet());
    ints(simulation, "failure", s.failure, new BitSet());
    ints(simulation, "settled", s.settled, new BitSet());
    ints(simulation, "words", s.words, skippedWords(model, s));
    ints(simulation, "shadow", s.shadow, skippedShadow(model, s));
    ints(simulation, "updates", s.updates, skippedUpdates(model, s));
    rows(simulation, "clocks", s.clocks, s.clocks.width);
    rows(simulation, "seen", s.seen, s.seen.width);
    requests(simulation, model, s);
    carried(simulation, model, s);
  }

  private long whole(MachineState s) {
    Arrays.fill(s.releases.hashes, 0);
    Arrays.fill(s.causes.hashes, 0);
    print.clear();
    s.digest(print);
    return print.high();
  }

  private long relative(Simulation simulation) {
    print.clear();
    simulation.digest(print);
    return print.high();
  }

  private void judge(Simulation simulation, String part) {
    if (whole(simulation.state()) != wholeHigh && relative(simulation) == relativeHigh) {
      unnoticed.merge(part, 1, Integer::sum);
    }
  }

  private void longs(Simulation simulation, String part, long[] items, BitSet skipped) {
    for (int i = skipped.nextClearBit(0); i < items.length; i = skipped.nextClearBit(i + 1)) {
      long before = items[i];
      items[i] = before ^ 1;
      judge(simulation, part);
      items[i] = before;
    }
  }

  /** Each item becomes 0, or 1 if it is 0, which no order of ticks preserves. */
  private void ints(Simulation simulation, String part, int[] items, BitSet skipped) {
    for (int i = skipped.nextClearBit(0); i < items.length; i = skipped.nextClearBit(i + 1)) {
      int before = items[i];
      items[i] = before == 0 ? 1 : 0;
      judge(simulation, part);
      items[i] = before;
    }
  }

  private void rows(Simulation simulation, String part, ClockTable rows, int width) {
    int count = (int) (rows.footprint() / Integer.BYTES / width);
    for (int row = 0; row < count; row++) {
      for (int c = 0; c < width; c++) {
        int before = rows.at(row, c);
        rows.set(row, c, before == 0 ? 1 : 0);
        judge(simulation, part);
        int other = row == 0 ? before : rows.at(row - 1, c);
        rows.set(row, c, before == 0 || other == 0 ? before : other);
        judge(simulation, part);
        rows.set(row, c, before);
      }
    }
  }

  /** The values of awaits that no reader remembers. */
  private static BitSet emptyAwaits(MachineModel model, MachineState s) {
    BitSet skipped = new BitSet();
    WordLayout table = model.words;
    for (int w = 0; w < table.count; w++) {
      int kind = table.kindOf[w];
      for (int i = 0; i < table.awaits[kind] * table.readers[kind]; i++) {
        int reader = table.reader(kind, table.fields[w], i / table.awaits[kind]);
        int taken = reader + WordLayout.TAKEN + 2 * (i % table.awaits[kind]);
        skipped.set(table.values[w] + i, s.words[taken] == 0);
      }
    }
    return skipped;
  }

  /**
   * Numbers from which others are counted, counts, views of messages that are gone, and what
   * belongs to no await.
   */
  private static BitSet skippedWords(MachineModel model, MachineState s) {
    BitSet skipped = new BitSet();
    WordLayout table = model.words;
    for (int w = 0; w < table.count; w++) {
      int at = table.fields[w];
      int kind = table.kindOf[w];
      skipped.set(at, at + 2);
      for (int r = 0; r < table.readers[kind]; r++) {
        int reader = table.reader(kind, at, r);
        skipped.set(reader + WordLayout.VIEW, s.words[reader + WordLayout.VIEW] < s.words[at]);
        for (int i = 0; i < table.awaits[kind]; i++) {
          int taken = reader + WordLayout.TAKEN + 2 * i;
          skipped.set(taken + 1, s.words[taken] == 0);
        }
      }
    }
    for (int i = 0; i < s.words.length; i++) {
      skipped.set(i, skipped.get(i) || s.words[i] == 0);
    }
    return skipped;
  }

  /** Where intervals begin, how many there are, and how many accesses they have. */
  private static BitSet skippedShadow(MachineModel model, MachineState s) {
    BitSet skipped = new BitSet();
    int fields = ShadowLayout.FIELDS + 2 * ShadowLayout.accesses(model);
    skipped.set(0, s.shadow.length);
    for (int m = 0; m < model.bytes.length; m++) {
      int base = model.firstShadow[m];
      for (int i = 0; i < s.shadow[base]; i++) {
        int at = base + 1 + i * fields;
        if (s.shadow[at + 1] >= 0) {
          skipped.clear(at + 1, at + 3);
        }
        int accesses = at + ShadowLayout.FIELDS;
        skipped.clear(accesses, accesses + 2 * s.shadow[at + 3]);
      }
    }
    return skipped;
  }

  private static BitSet skippedUpdates(MachineModel model, MachineState s) {
    BitSet skipped = new BitSet();
    int size = s.updates.length / model.lanes;
    for (int l = 0; size > 0 && l < model.lanes; l++) {
      skipped.set(l * size);
    }
    for (int i = 0; i < s.updates.length; i++) {
      skipped.set(i, skipped.get(i) || s.updates[i] == 0);
    }
    return skipped;
  }

  /** Fields of pending requests. */
  private void requests(Simulation simulation, MachineModel model, MachineState s) {
    int room = RequestLayout.room(model);
    BitSet skipped = new BitSet();
    skipped.set(0, s.requests.length);
    for (int q = 0; q < model.agents.queues; q++) {
      int header = q * (RequestLayout.HEADER + room * RequestLayout.FIELDS);
      for (int e = s.requests[header + RequestLayout.RETIRED];
          e < s.requests[header + RequestLayout.POSTED];
          e++) {
        int f = header + RequestLayout.HEADER + e % room * RequestLayout.FIELDS;
        for (int i = 0; i < RequestLayout.FIELDS; i++) {
          boolean names =
              i == RequestLayout.KIND
                  || i == RequestLayout.WORD
                  || i == RequestLayout.BYTES
                  || i == RequestLayout.STAGE;
          skipped.set(f + i, names || s.requests[f + i] <= 0);
        }
      }
    }
    ints(simulation, "requests", s.requests, skipped);
  }

  /** Values of pending requests that have any, and bytes that they carry. */
  private void carried(Simulation simulation, MachineModel model, MachineState s) {
    int room = RequestLayout.room(model);
    int bytes = RequestLayout.bytes(model);
    BitSet values = new BitSet();
    BitSet payload = new BitSet();
    values.set(0, s.requestValues.length);
    payload.set(0, s.payload.length);
    for (int q = 0; q < model.agents.queues; q++) {
      int header = q * (RequestLayout.HEADER + room * RequestLayout.FIELDS);
      for (int e = s.requests[header + RequestLayout.RETIRED];
          e < s.requests[header + RequestLayout.POSTED];
          e++) {
        int slot = q * room + e % room;
        int f = header + RequestLayout.HEADER + e % room * RequestLayout.FIELDS;
        int kind = s.requests[f + RequestLayout.KIND];
        if (kind == Request.SLOT || kind == Request.CHANGE || kind == Request.WRITE_AND_SIGNAL) {
          values.clear(RequestLayout.VALUES * slot, RequestLayout.VALUES * (slot + 1));
        }
        payload.clear(slot * bytes, slot * bytes + s.requests[f + RequestLayout.BYTES]);
      }
      int fetched = s.requests[header + RequestLayout.FETCHED];
      if (fetched > s.requests[header + RequestLayout.RETIRED]) {
        s.requests[header + RequestLayout.FETCHED]--;
        judge(simulation, "fetched");
        s.requests[header + RequestLayout.FETCHED]++;
      }
    }
    longs(simulation, "requestValues", s.requestValues, values);
    longs(simulation, "payload", s.payload, payload);
  }
}

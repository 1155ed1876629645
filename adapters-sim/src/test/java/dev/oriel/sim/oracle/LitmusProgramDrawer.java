package dev.oriel.sim.oracle;

import dev.oriel.domain.program.Atomic;
import dev.oriel.domain.program.Scope;
import dev.oriel.sim.oracle.LitmusProgram.LitmusLane;
import dev.oriel.sim.oracle.LitmusStep.Await;
import dev.oriel.sim.oracle.LitmusStep.Change;
import dev.oriel.sim.oracle.LitmusStep.Fence;
import dev.oriel.sim.oracle.LitmusStep.Load;
import dev.oriel.sim.oracle.LitmusStep.Read;
import dev.oriel.sim.oracle.LitmusStep.Signal;
import dev.oriel.sim.oracle.LitmusStep.Store;
import dev.oriel.sim.oracle.LitmusStep.Strength;
import dev.oriel.sim.oracle.LitmusStep.Wait;
import dev.oriel.sim.oracle.LitmusStep.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Draws programs of two to four lanes on one or two GPUs. A third publish a data word: a lane
 * writes it and releases a flag; others may hand the flag on or overwrite it; a lane waits for the
 * flag and reads the data. A third are cycles of words, in which each lane accesses one word and
 * then the next. A quarter of the others signal twice with two scopes; the rest are unrestricted.
 */
final class LitmusProgramDrawer {
  private static final Scope[] SCOPES = {Scope.CTA, Scope.GPU, Scope.SYS};

  private final SplittableRandom random;
  private final int ranks;
  private final int[] rank;
  private final boolean[] block;
  private final List<List<LitmusStep>> steps = new ArrayList<>();
  private final Word x;
  private final Word y;
  private final Word data;

  private LitmusProgramDrawer(SplittableRandom random) {
    this.random = random;
    ranks = random.nextInt(3) == 0 ? 2 : 1;
    int lanes = 2 + (random.nextInt(6) + 1) / 3;
    rank = new int[lanes];
    block = new boolean[lanes];
    boolean blocks = random.nextBoolean();
    for (int lane = 0; lane < lanes; lane++) {
      rank[lane] = random.nextInt(ranks);
      block[lane] = blocks;
      steps.add(new ArrayList<>());
    }
    x = new Word("x", random.nextInt(ranks));
    y = new Word("y", random.nextInt(ranks));
    data = new Word("d", random.nextInt(ranks));
  }

  /** A program of at most about that many steps. */
  static LitmusProgram draw(SplittableRandom random, int most) {
    LitmusProgramDrawer drawer = new LitmusProgramDrawer(random);
    int count = 4 + random.nextInt(most - 3);
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> drawer.publish(count);
      case 4, 5, 6, 7 -> drawer.cycle(count);
      case 8 -> drawer.signals(count);
      default -> drawer.free(count);
    }
    return drawer.program();
  }

  private LitmusProgram program() {
    for (int lane = 0; lane < rank.length; lane++) {
      int reader = lane;
      steps.get(lane).removeIf(step -> step instanceof Await await && !isWritten(reader, await));
    }
    for (int lane = 0; lane < rank.length; lane++) {
      if (block[lane]) {
        boolean stores = steps.get(lane).stream().anyMatch(this::storesData);
        steps.get(lane).removeIf(step -> stores && loadsData(step));
      }
    }
    List<LitmusLane> lanes = new ArrayList<>();
    for (int lane = 0; lane < rank.length; lane++) {
      lanes.add(new LitmusLane(rank[lane], block[lane], steps.get(lane)));
    }
    return new LitmusProgram(ranks, lanes, List.of(x, y, data));
  }

  private boolean storesData(LitmusStep step) {
    return step instanceof Store store && store.word().equals(data);
  }

  private boolean loadsData(LitmusStep step) {
    return step instanceof Load load && load.word().equals(data);
  }

  /** Whether the awaited slot is ever written: binding rejects an await of one that is not. */
  private boolean isWritten(int reader, Await await) {
    return steps.get(await.writer()).stream()
        .anyMatch(step -> step instanceof Signal signal && signal.target() == rank[reader]);
  }

  private void add(int lane, LitmusStep step) {
    if (steps.get(lane).size() < LitmusProgram.MAX_STEPS) {
      steps.get(lane).add(step);
    }
  }

  private boolean one(int in) {
    return random.nextInt(in) == 0;
  }

  private int anyLane() {
    return random.nextInt(rank.length);
  }

  private int value() {
    return one(6) ? 3 : 1 + random.nextInt(2);
  }

  /**
   * One lane writes the data and then a flag; another waits for the flag and reads the data. The
   * other lanes hand the flag on, or write it too.
   */
  private void publish(int count) {
    int first = anyLane();
    int last = (first + 1 + random.nextInt(rank.length - 1)) % rank.length;
    Word flag = one(4) ? y : x;
    rank[last] = flag.owner();
    boolean signals = one(6);
    int left = count - 4;
    add(first, new Store(data, 1, Strength.WEAK));
    if (signals) {
      signal(first, rank[last], !one(4));
    } else {
      write(first, flag, !one(4));
    }
    while (left > 0) {
      int lane = anyLane();
      if (lane == last || one(4)) {
        step(lane);
        left--;
      } else {
        if (lane != first && one(2)) {
          // Earlier steps of the lane were drawn for its rank.
          rank[lane] = steps.get(lane).isEmpty() ? flag.owner() : rank[lane];
          waitFor(lane, flag);
          left--;
        }
        write(lane, one(6) ? y : flag, one(4));
        left--;
      }
    }
    if (signals) {
      await(last, first, !one(3));
    } else if (one(5)) {
      read(last, flag);
    } else {
      waitFor(last, flag);
    }
    maybeFence(last, 3);
    add(last, one(6) ? new Store(data, 2, Strength.WEAK) : new Load(data, Strength.WEAK));
  }

  /** A slot's later value has a wider or a narrower scope than the one before. */
  private void signals(int count) {
    int writer = anyLane();
    int reader = (writer + 1 + random.nextInt(rank.length - 1)) % rank.length;
    rank[reader] = ranks - 1 - rank[writer];
    boolean wide = one(2);
    add(writer, new Signal(rank[reader], false, 1, one(2), wide ? Scope.SYS : Scope.GPU));
    add(writer, new Signal(rank[reader], false, 2, one(2), wide ? Scope.GPU : Scope.SYS));
    add(reader, new Await(writer, one(4), 1, one(2), one(4) ? Scope.GPU : Scope.SYS));
    for (int left = count - 3; left > 0; left--) {
      access(anyLane(), one(3) ? y : x);
    }
  }

  /** A third of them write first and read last, as store buffering does. */
  private void cycle(int count) {
    Word[] words = {x, y};
    boolean buffers = one(3);
    int strict = one(2) ? 1 : 4;
    int left = count;
    for (int lane = 0; lane < rank.length && left > 0; lane++) {
      Word first = words[lane % 2];
      Word second = one(6) ? first : words[(lane + 1) % 2];
      if (buffers) {
        write(lane, first, one(4));
      } else {
        access(lane, first);
      }
      if (one(2)) {
        fence(lane, one(strict));
      }
      if (buffers) {
        read(lane, second);
      } else {
        access(lane, second);
      }
      left -= 2;
    }
    for (; left > 0; left--) {
      step(anyLane());
    }
  }

  private void free(int count) {
    for (int left = count; left > 0; left--) {
      step(anyLane());
    }
  }

  private void step(int lane) {
    switch (random.nextInt(12)) {
      case 0 -> fence(lane);
      case 1 -> signal(lane, random.nextInt(ranks), one(2));
      case 2 -> {
        int writer = anyLane();
        if (one(2)) {
          add(lane, new Read(writer, one(2)));
        } else if (writer != lane) {
          await(lane, writer, one(2));
        }
      }
      case 3 -> waitFor(lane, one(3) ? y : x);
      case 4 -> weak(lane);
      default -> access(lane, one(3) ? y : x);
    }
  }

  private void weak(int lane) {
    Word word = one(3) ? (one(2) ? x : y) : data;
    // The threads of a block execute plain and strong steps of one word unordered.
    add(lane, weakly(block[lane] ? data : word));
  }

  private LitmusStep weakly(Word word) {
    return one(2) ? new Store(word, value(), Strength.WEAK) : new Load(word, Strength.WEAK);
  }

  private void access(int lane, Word word) {
    if (one(2)) {
      write(lane, word, one(2));
    } else {
      read(lane, word);
    }
  }

  private void maybeFence(int lane, int in) {
    if (one(in)) {
      fence(lane);
    }
  }

  private void fence(int lane) {
    fence(lane, one(3));
  }

  private void fence(int lane, boolean strict) {
    Scope scope = one(3) ? SCOPES[random.nextInt(3)] : ranks == 1 ? Scope.GPU : Scope.SYS;
    add(lane, new Fence(strict, scope));
  }

  /** A strong write: a store by a lane of the owner, or an atomic. */
  private void write(int lane, Word word, boolean release) {
    if (word.owner() == rank[lane] && (release || one(2))) {
      add(lane, new Store(word, value(), release ? Strength.ORDERING : Strength.RELAXED));
      return;
    }
    if (release) {
      fence(lane);
    }
    Atomic change =
        switch (random.nextInt(5)) {
          case 0, 1 -> Atomic.SET;
          case 2, 3 -> Atomic.ADD;
          default -> Atomic.CAS;
        };
    add(lane, new Change(word, change, random.nextInt(3), value(), one(2)));
  }

  private void read(int lane, Word word) {
    if (word.owner() == rank[lane] && !one(5)) {
      add(lane, new Load(word, one(2) ? Strength.RELAXED : Strength.ORDERING));
    } else {
      add(lane, new Change(word, one(2) ? Atomic.FETCH : Atomic.ADD, 0, 0, true));
    }
  }

  private void waitFor(int lane, Word word) {
    if (word.owner() == rank[lane]) {
      add(lane, new Wait(word, one(3), 1 + random.nextInt(2), one(2)));
    }
  }

  private Scope signalScope() {
    return one(3) ? Scope.GPU : Scope.SYS;
  }

  private void signal(int lane, int to, boolean release) {
    add(lane, new Signal(to, one(4), value(), release, signalScope()));
  }

  private void await(int lane, int writer, boolean acquire) {
    add(lane, new Await(writer, one(3), 1 + random.nextInt(2), acquire, signalScope()));
  }
}

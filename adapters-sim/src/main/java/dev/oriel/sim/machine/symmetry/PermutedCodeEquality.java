package dev.oriel.sim.machine.symmetry;

import dev.oriel.domain.window.Comparison;
import dev.oriel.sim.code.CopyLayout;
import dev.oriel.sim.code.InstructionBounds;
import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.LaneOpcode.Request;
import dev.oriel.sim.code.OperandTable;
import dev.oriel.sim.machine.launch.LaneValues;
import dev.oriel.sim.machine.launch.MonotoneSignals;
import dev.oriel.sim.machine.layout.CopyCombiners;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.PermutedPlaces;
import dev.oriel.sim.machine.provenance.SourceCombiner;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Whether a lane does what another one does after a renaming of ranks. Their instructions must be
 * the same, except for the ranks that they name and the places that {@link PermutedPlaces} moves.
 * Ranks must be known before anything runs, and all else must be equal for both. So no register
 * depends on a rank, and no byte but those of inputs.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
final class PermutedCodeEquality {
  private final MachineModel model;
  private final OperandTable operands;
  private final ExecutionSettings settings;
  private final MonotoneSignals growth;
  private final RankPermutation names;
  private final PermutedPlaces places;
  private final int[] rank;

  /** The rank of the examined lane, and the registers that distinguish its states. */
  private int own;

  private BitSet live = new BitSet();

  /** Known values of operands: of the lane, and of the lane of its new name. */
  private LaneValues one;

  private LaneValues other;

  PermutedCodeEquality(
      MachineModel model,
      ExecutionSettings settings,
      MonotoneSignals growth,
      RankPermutation names) {
    this.model = model;
    this.settings = settings;
    this.growth = growth;
    this.names = names;
    places = names.places;
    rank = names.rank;
    operands = model.code.operands();
    one = new LaneValues(model, 0, settings);
    other = one;
  }

  /** Describes where the lane differs from the lane of its new name; empty if nowhere. */
  String difference(int of) {
    int as = names.lane[of];
    LaneInstructions code = model.lane(of);
    LaneInstructions codeAs = model.lane(as);
    int[] a = code.ops();
    int[] b = codeAs.ops();
    own = model.rank(of);
    boolean alike =
        a.length == b.length
            && code.registers() == codeAs.registers()
            && code.threads() == codeAs.threads()
            && code.engine().equals(codeAs.engine());
    if (!alike) {
      return "%s and %s differ".formatted(model.laneName(of), model.laneName(as));
    }
    one = new LaneValues(model, of, settings);
    other = new LaneValues(model, as, settings);
    live = names.live(of);
    for (int at = 0; at < a.length; at = InstructionBounds.next(a, at)) {
      if (a[at] != b[at] || !same(a, b, at)) {
        return "'%s' of %s is not '%s' of %s renamed"
            .formatted(code.text(at), model.laneName(of), codeAs.text(at), model.laneName(as));
      }
      one.over(at);
      other.over(at);
    }
    return "";
  }

  /**
   * For a lane that keeps its name: registers in operands that the epoch alone does not determine.
   */
  BitSet live(int of) {
    String difference = difference(of);
    if (!difference.isEmpty()) {
      throw new AssertionError("a lane differs from itself: " + difference);
    }
    return one.live;
  }

  private boolean same(int[] a, int[] b, int at) {
    return switch (a[at]) {
      case LaneOpcode.BAR, LaneOpcode.CONSIST, LaneOpcode.AWAIT_BULK, LaneOpcode.END -> true;
      case LaneOpcode.JUMP, LaneOpcode.PROXY -> raw(a, b, at + 1, 1);
      case LaneOpcode.FENCE -> raw(a, b, at + 1, 3);
      case LaneOpcode.UNLESS, LaneOpcode.CHECK -> conditions(a, b, at + 1);
      case LaneOpcode.UNLESS_KIND -> peer(a[at + 1], b[at + 1]) && raw(a, b, at + 2, 2);
      // A value that the epoch determines is compared where it is used.
      case LaneOpcode.SET -> raw(a, b, at + 1, 1) && (values(a, b, at + 2) || !live.get(a[at + 1]));
      case LaneOpcode.COPY -> copy(a, b, at);
      case LaneOpcode.BULK ->
          values(a, b, at + 1)
              && copied(a, b, at + 2, one.of(a[at + 1]))
              && copied(a, b, at + 5, one.of(a[at + 1]));
      case LaneOpcode.WRITE_SLOT ->
          raw(a, b, at + 1, 1)
              && ranks(a[at + 3], b[at + 3])
              && slots(a[at + 1], owners(a[at + 3]), self(), a[at + 2], b[at + 2])
              && raw(a, b, at + 4, 1)
              && values(a, b, at + 5)
              && raw(a, b, at + 6, 2);
      case LaneOpcode.POLL_SLOT ->
          raw(a, b, at + 1, 1)
              && (inOrder(a[at + 3], b[at + 3]) || (anyOrder(a, at) && ranks(a[at + 3], b[at + 3])))
              && slots(a[at + 1], self(), owners(a[at + 3]), a[at + 2], b[at + 2])
              && raw(a, b, at + 4, 2)
              && values(a, b, at + 6)
              && raw(a, b, at + 7, 2);
      case LaneOpcode.READ_SLOT ->
          raw(a, b, at + 1, 2)
              && ranks(a[at + 4], b[at + 4])
              && slots(a[at + 2], self(), owners(a[at + 4]), a[at + 3], b[at + 3])
              && raw(a, b, at + 5, 2);
      case LaneOpcode.AWAIT_LANES -> members(a[at + 1], b[at + 1], names.lane);
      case LaneOpcode.AWAIT_QUEUE -> peer(a[at + 1], b[at + 1]) && values(a, b, at + 2);
      case LaneOpcode.LOAD ->
          raw(a, b, at + 1, 2)
              && raw(a, b, at + 4, 1)
              && word(a, b, at + 2, self(), at + 3, a[at + 4])
              && values(a, b, at + 5)
              && raw(a, b, at + 6, 1);
      case LaneOpcode.STORE ->
          raw(a, b, at + 1, 1)
              && raw(a, b, at + 3, 1)
              && word(a, b, at + 1, self(), at + 2, a[at + 3])
              && values(a, b, at + 4);
      case LaneOpcode.RMW ->
          raw(a, b, at + 1, 2)
              // The lane changes each owner's word after it observed the one before.
              && inOrder(a[at + 3], b[at + 3])
              && word(a, b, at + 2, owners(a[at + 3]), at + 4, Long.BYTES)
              && raw(a, b, at + 5, 1)
              && values(a, b, at + 6)
              && values(a, b, at + 7)
              && raw(a, b, at + 8, 2);
      case LaneOpcode.POLL_WORD ->
          raw(a, b, at + 1, 1)
              && word(a, b, at + 1, self(), at + 2, Long.BYTES)
              && raw(a, b, at + 3, 1)
              && values(a, b, at + 4)
              && raw(a, b, at + 5, 2);
      case LaneOpcode.LOCK ->
          raw(a, b, at + 1, 1)
              && inOrder(a[at + 2], b[at + 2])
              && word(a, b, at + 1, owners(a[at + 2]), at + 3, Long.BYTES)
              && raw(a, b, at + 4, 1);
      case LaneOpcode.POST ->
          raw(a, b, at + 1, 1)
              && peer(a[at + 2], b[at + 2])
              && values(a, b, at + 3)
              && raw(a, b, at + 4, 2)
              && request(a, b, at + 1, owners(~a[at + 2]), at + 6);
      default -> false;
    };
  }

  private boolean request(int[] a, int[] b, int kind, int[] peer, int at) {
    return switch (a[kind]) {
      case Request.WRITE, Request.READ -> transfer(a, b, peer, at);
      case Request.SLOT -> slot(a, b, peer, at) && raw(a, b, at + 4, 2);
      case Request.WRITE_AND_SIGNAL -> transfer(a, b, peer, at) && slot(a, b, peer, at + 5);
      case Request.CHANGE ->
          raw(a, b, at, 1)
              && (a[at] < 0 || word(a, b, at, self(), at + 1, Long.BYTES))
              && raw(a, b, at + 2, 1)
              && word(a, b, at + 2, peer, at + 3, Long.BYTES)
              && raw(a, b, at + 4, 1)
              && values(a, b, at + 5)
              && values(a, b, at + 6);
      case Request.LOCK -> raw(a, b, at, 1) && word(a, b, at, peer, at + 1, Long.BYTES);
      case Request.COUNT -> raw(a, b, at, 1) && word(a, b, at, self(), at + 1, Long.BYTES);
      case Request.READ_BACK, Request.ARRANGE -> true;
      default -> false;
    };
  }

  private boolean transfer(int[] a, int[] b, int[] peer, int at) {
    long[] bytes = one.of(a[at + 4]);
    return raw(a, b, at, 1)
        && raw(a, b, at + 2, 1)
        && values(a, b, at + 4)
        && places(a[at], self(), a[at + 1], b[at + 1], bytes)
        && places(a[at + 2], peer, a[at + 3], b[at + 3], bytes);
  }

  private boolean slot(int[] a, int[] b, int[] peer, int at) {
    return raw(a, b, at, 1)
        && slots(a[at], peer, self(), a[at + 1], b[at + 1])
        && raw(a, b, at + 2, 1)
        && values(a, b, at + 3);
  }

  private boolean conditions(int[] a, int[] b, int at) {
    boolean same = a[at] == b[at];
    int p = at + 1;
    for (int i = 0; same && i < a[at]; i++, p += 3) {
      same = raw(a, b, p, 1) && values(a, b, p + 1) && values(a, b, p + 2);
    }
    return same && raw(a, b, p, 1);
  }

  /**
   * Every source must be the one of its new name, in the position that {@link PermutedBytes#source}
   * gives.
   */
  private boolean copy(int[] a, int[] b, int at) {
    int count = CopyLayout.destinations(a, at);
    int sources = CopyLayout.sources(a, at);
    boolean same =
        values(a, b, at + 1) && raw(a, b, at + 2, 2) && sources == CopyLayout.sources(b, at);
    long[] length = one.of(a[at + 1]);
    for (int d = 0; same && d < count; d++) {
      int place = CopyLayout.destination(at, d);
      same = place(a, b, place, place, length, LongUnaryOperator.identity());
      if (model.profile.ordered() && words(a[place + CopyLayout.BUFFER])) {
        // Each overwritten word has a tick of its own.
        same &= inOrder(a[place + CopyLayout.RANKS], b[place + CopyLayout.RANKS]);
      }
    }
    @Nullable SourceCombiner making = model.makings.fixed(a[at + 2]);
    for (int i = 0; same && i < sources; i++) {
      int source = i;
      int from = CopyLayout.source(a, at, i);
      int as = making == null ? i : names.bytes.source(making, i, sources);
      int into = CopyLayout.source(b, at, as);
      same = place(a, b, from, into, length, l -> CopyCombiners.taken(making, source, l));
    }
    return same;
  }

  private boolean words(int buffer) {
    return model.scan.format[model.base[buffer]] >= 0
        || model.scan.wordBuffers.get(model.base[buffer]);
  }

  /** One end of a move. */
  private boolean place(
      int[] a, int[] b, int at, int as, long @Nullable [] length, LongUnaryOperator taken) {
    boolean same =
        a[at + CopyLayout.BUFFER] == b[as + CopyLayout.BUFFER]
            && ranks(a[at + CopyLayout.RANKS], b[as + CopyLayout.RANKS])
            && a[at + CopyLayout.FORMAT] == b[as + CopyLayout.FORMAT]
            && one.same(a[at + CopyLayout.FLAG], other, b[as + CopyLayout.FLAG]);
    if (!same) {
      return false;
    }
    int format = a[at + CopyLayout.FORMAT];
    long[] bytes = length == null ? null : new long[length.length];
    for (int i = 0; length != null && bytes != null && i < bytes.length; i++) {
      long plain = length[i] < 0 ? length[i] : taken.applyAsLong(length[i]);
      bytes[i] = format < 0 || plain < 0 ? plain : PermutedPlaces.image(format, plain);
    }
    return places(
        a[at + CopyLayout.BUFFER],
        owners(a[at + CopyLayout.RANKS]),
        a[at + CopyLayout.OFFSET],
        b[as + CopyLayout.OFFSET],
        bytes);
  }

  /** One end of a bulk copy. */
  private boolean copied(int[] a, int[] b, int at, long @Nullable [] bytes) {
    return raw(a, b, at, 1)
        && inOrder(a[at + 1], b[at + 1])
        && places(a[at], owners(a[at + 1]), a[at + 2], b[at + 2], bytes);
  }

  private boolean word(int[] a, int[] b, int buffer, int[] owners, int offset, int width) {
    long[] bytes = new long[one.count()];
    Arrays.fill(bytes, width);
    return places(a[buffer], owners, a[offset], b[offset], bytes);
  }

  /**
   * Moves bytes of the owners' buffer to the places of the other offset; false if that is
   * impossible.
   */
  private boolean places(int buffer, int[] owners, int offset, int there, long @Nullable [] bytes) {
    long[] from = one.of(offset);
    long[] to = other.of(there);
    if (from == null || to == null || bytes == null) {
      return one.same(offset, other, there)
          && Arrays.stream(owners).allMatch(owner -> places.stays(owner, buffer));
    }
    boolean same = true;
    for (int owner : owners) {
      for (int i = 0; same && i < bytes.length; i++) {
        same = places.bytes(owner, buffer, from[i], to[i], bytes[i]);
      }
    }
    return same;
  }

  private boolean slots(int signal, int[] owners, int[] sources, int index, int there) {
    long[] from = one.of(index);
    long[] to = other.of(there);
    boolean known = from != null && to != null;
    boolean same = known || one.same(index, other, there);
    for (int owner : owners) {
      for (int source : sources) {
        same = same && (known || places.slotsStay(owner, signal, source));
        for (int i = 0; from != null && to != null && same && i < from.length; i++) {
          same = places.slot(owner, signal, source, from[i], to[i]);
        }
      }
    }
    return same;
  }

  private int[] self() {
    return new int[] {own};
  }

  /** The named ranks, which are known. */
  private int[] owners(int ranks) {
    return ranks >= 0 ? model.code.members(ranks) : new int[] {operands.known(~ranks, -1)};
  }

  private static boolean raw(int[] a, int[] b, int at, int count) {
    return Arrays.equals(a, at, at + count, b, at, at + count);
  }

  private boolean values(int[] a, int[] b, int at) {
    return one.same(a[at], other, b[at]);
  }

  private boolean peer(int a, int b) {
    int from = operands.known(a, -1);
    int to = operands.known(b, -1);
    return from >= 0 && from < rank.length && to == rank[from];
  }

  private boolean ranks(int a, int b) {
    if (a < 0 || b < 0) {
      return a < 0 && b < 0 && peer(~a, ~b);
    }
    return members(a, b, rank);
  }

  private boolean inOrder(int a, int b) {
    if (a < 0 || b < 0) {
      return ranks(a, b);
    }
    int[] renamed = Arrays.stream(model.code.members(a)).map(m -> rank[m]).toArray();
    return Arrays.equals(renamed, model.code.members(b));
  }

  /**
   * Whether an await has the same result in whichever order it visits its ranks. A read from one
   * rank may order the lane after a newer value of another. The order matters if that value no
   * longer satisfies the await, or releases less.
   */
  private boolean anyOrder(int[] a, int at) {
    boolean sum = a[at + 4] == 1;
    int comparison = a[at + 5];
    boolean growing =
        comparison == Comparison.REACHED.ordinal()
            || comparison == Comparison.GE.ordinal()
            || comparison == Comparison.GT.ordinal();
    long[] wanted = one.of(a[at + 6]);
    for (int i = 0; i < one.count(); i++) {
      growing &= wanted != null && wanted[i] >= 0;
    }
    return sum || (growing && growth.grows(a[at + 1]) && !model.scan.uneven(a[at + 1]));
  }

  private boolean members(int a, int b, int[] as) {
    int[] renamed = Arrays.stream(model.code.members(a)).map(m -> as[m]).sorted().toArray();
    return Arrays.equals(renamed, Arrays.stream(model.code.members(b)).sorted().toArray());
  }
}

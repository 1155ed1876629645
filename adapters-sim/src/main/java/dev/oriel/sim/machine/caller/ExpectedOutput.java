package dev.oriel.sim.machine.caller;

import dev.oriel.domain.binding.BoundHook;
import dev.oriel.domain.binding.BoundPostCondition;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Grouping;
import dev.oriel.domain.program.Space;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.provenance.InputPattern;
import dev.oriel.sim.machine.provenance.ReductionCombiner;
import dev.oriel.sim.machine.provenance.SourceCombiner;
import dev.oriel.sim.machine.provenance.TaggedBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The expected bytes of a post-condition in one launch, with value and origin. */
public final class ExpectedOutput {
  /** The number of the buffer that the post-condition constrains. */
  public final int actual;

  private final MachineModel model;
  final BoundPostCondition claim;
  public final long[] bytes;
  private final @Nullable SourceCombiner making;

  /** Bytes that several sources form: no input holds them as they are. Null until it is asked. */
  private @Nullable BitSet made;

  /** For each byte: its place in the buffer, relative to the post-condition's first byte. */
  private final int[] places;

  /** The number of the launch, from 0. */
  private final long launch;

  /** The turn of the launch's input words. */
  private final int turn;

  /** A launch before any write, for memory that was never written. */
  private static final long NEVER = -2;

  /** One source of the post-condition, at the begin of that launch, counted from 0. */
  private record Taken(BoundPostCondition.Source source, long launch) {}

  private ExpectedOutput(MachineModel model, BoundPostCondition claim, int launch, int turn) {
    this.model = model;
    this.claim = claim;
    this.launch = launch - 1L;
    this.turn = turn;
    actual = model.code.form().bufferIndex(claim.actual());
    making = SourceCombiner.of(claim.combine(), model.code);
    bytes = made(taken(), 0, Math.toIntExact(claim.bytes()));
    values(bytes);
    places = new int[bytes.length];
    for (BoundHook.Run run : claim.runs()) {
      for (int i = 0; i < run.length(); i++) {
        places[run.from() + i] = run.to() + i;
      }
    }
    int least = Arrays.stream(places).min().orElse(0);
    first = Math.toIntExact(claim.actualOffset() + least);
    length = places.length == 0 ? 0 : Arrays.stream(places).max().getAsInt() + 1 - least;
  }

  /** The first place in the buffer, and how many from there on include all others. */
  final int first;

  final int length;

  /** The place in the buffer of the post-condition's byte with that number. */
  public long place(int at) {
    return claim.actualOffset() + places[at];
  }

  /** The expected outputs of one rank in that launch, counted from 1, with words of that turn. */
  public static ExpectedOutput[] of(MachineModel model, int rank, int launch, int turn) {
    return model.code.ranks().get(rank).claims(start(model, launch - 1L, turn)).stream()
        .map(c -> new ExpectedOutput(model, c, launch, turn))
        .toArray(ExpectedOutput[]::new);
  }

  private static BoundPostCondition.InitialContents start(
      MachineModel model, long launch, int turn) {
    return (source, length) -> {
      int buffer = model.code.form().bufferIndex(source.buffer());
      byte[] start = new byte[length];
      for (int i = 0; i < length; i++) {
        start[i] = (byte) start(model, source, launch, turn, buffer, i);
      }
      return start;
    };
  }

  /**
   * A byte of the source at the start of that launch. Only an input has bytes of its own. The text
   * of a program names other memory only for bytes that stay as they are.
   */
  private static long start(
      MachineModel model,
      BoundPostCondition.Source source,
      long launch,
      int turn,
      int buffer,
      long at) {
    Space space = model.space(buffer);
    if (space.filled()) {
      return model.inputs.at(source.rank(), launch, turn, buffer, source.offset() + at);
    }
    return space == Space.OUTPUT ? InputPattern.POISON : 0;
  }

  private List<Taken> taken() {
    return claim.sources().stream().map(s -> new Taken(s, launch)).toList();
  }

  /** The result of those sources, from {@code first} on. */
  private long[] made(List<Taken> sources, int first, int length) {
    List<long[]> each = new ArrayList<>();
    for (int k = 0; k < sources.size(); k++) {
      int taken = making == null ? length : making.taken(k, length);
      each.add(start(sources.get(k), first, taken));
    }
    return making == null
        ? each.getFirst()
        : Grouping.over(claim.grouping(), each, some -> made(making, some, length));
  }

  private long[] start(Taken taken, int first, int length) {
    BoundPostCondition.Source source = taken.source;
    int buffer = model.code.form().bufferIndex(source.buffer());
    long[] data = new long[length];
    for (int i = 0; i < length && taken.launch != NEVER; i++) {
      data[i] = start(model, source, taken.launch, turn, buffer, (long) first + i);
    }
    return data;
  }

  private long[] made(SourceCombiner making, List<long[]> sources, int length) {
    long[] data = new long[Math.max(length, sources.stream().mapToInt(s -> s.length).sum())];
    int at = 0;
    for (long[] source : sources) {
      System.arraycopy(source, 0, data, at, source.length);
      at += source.length;
    }
    model.made.make(making, data, sources.size(), length);
    return Arrays.copyOf(data, length);
  }

  private boolean formed(int at) {
    if (made == null) {
      made = new BitSet();
      Set<Long> sources = new HashSet<>();
      for (int k = 0; making != null && k < claim.sources().size(); k++) {
        for (long octet : start(taken().get(k), 0, making.taken(k, bytes.length))) {
          sources.add(octet & TaggedBytes.ORIGIN);
        }
      }
      for (int i = 0; making != null && i < bytes.length; i++) {
        made.set(i, !sources.contains(bytes[i] & TaggedBytes.ORIGIN));
      }
    }
    return made.get(at);
  }

  /**
   * Whether the byte that was found is the expected one: the same value of the same origin. For a
   * byte that a lane computed, only the value is known and compared. The same holds if several
   * sources form the expected byte and lanes had them in registers. Lanes may have formed it in
   * another way, such as a maximum by comparing.
   */
  boolean keeps(long found, int at) {
    boolean value = ((found ^ bytes[at]) & 0xFF) == 0;
    boolean carried = (found & TaggedBytes.CARRIED) != 0;
    return TaggedBytes.same(found, bytes[at])
        || (value && (TaggedBytes.computed(found) || (carried && formed(at))));
  }

  /**
   * Sets the values to those that the definition of a reduction gives, not those of the machine.
   */
  private void values(long[] bytes) {
    byte[] values = claim.expected(start(model, launch, turn));
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (bytes[i] & ~0xFFL) | (values[i] & 0xFF);
    }
  }

  /** Describes the one mistake that makes the found byte from the sources; empty if none does. */
  String mistake(long found, int at) {
    if (!(making instanceof ReductionCombiner)) {
      return "";
    }
    List<Taken> right = taken();
    for (int k = 0; k < right.size(); k++) {
      Taken source = right.get(k);
      String name = "the contribution of rank " + source.source.rank();
      List<Taken> wrong = new ArrayList<>(right);
      wrong.remove(k);
      if (makes(wrong, found, at)) {
        return name + " is missing";
      }
      wrong.add(k, new Taken(source.source, source.launch - 1));
      if (makes(wrong, found, at)) {
        return name + " is that of the launch before";
      }
      wrong.set(k, new Taken(source.source, NEVER));
      if (makes(wrong, found, at)) {
        return name + " has not come";
      }
      for (int twice = 0; twice <= right.size(); twice++) {
        wrong = new ArrayList<>(right);
        wrong.add(twice, source);
        if (makes(wrong, found, at)) {
          return name + " went in twice";
        }
      }
      for (int other = k + 1; other < right.size(); other++) {
        wrong = new ArrayList<>(right);
        Collections.swap(wrong, k, other);
        if (makes(wrong, found, at)) {
          return name + " and that of rank " + right.get(other).source.rank() + " changed places";
        }
      }
    }
    if (isRotated(right, found, at)) {
      return "the contributions went in from another one on";
    }
    return addsZeros(right, found, at) ? zeros() : "";
  }

  private String zeros() {
    boolean signed = claim.combine() instanceof Combine.Reduce r && r.op() == ReduceOp.SUM;
    return "zeros went in as one more source%s: begin with the first source, or name the zeros in the post-condition"
        .formatted(signed ? ", and 0 + -0 is 0" : "");
  }

  private boolean isRotated(List<Taken> right, long found, int at) {
    for (int k = 1; k < right.size(); k++) {
      List<Taken> rotated = new ArrayList<>(right);
      Collections.rotate(rotated, k);
      if (makes(rotated, found, at)) {
        return true;
      }
    }
    return false;
  }

  private boolean addsZeros(List<Taken> right, long found, int at) {
    for (int k = 0; k <= right.size(); k++) {
      List<Taken> more = new ArrayList<>(right);
      more.add(k, new Taken(right.getFirst().source, NEVER));
      if (makes(more, found, at)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the sources give the found byte's origin; the element may begin before the byte. */
  private boolean makes(List<Taken> sources, long found, int at) {
    if (sources.isEmpty() || !(claim.combine() instanceof Combine.Reduce reduce)) {
      return false;
    }
    int width = reduce.type().bytes();
    long[] made = made(sources, at / width * width, width);
    return (made[at % width] & TaggedBytes.ORIGIN) == (found & TaggedBytes.ORIGIN);
  }
}

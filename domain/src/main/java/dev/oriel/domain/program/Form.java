package dev.oriel.domain.program;

import java.util.List;
import java.util.Optional;

/**
 * A protocol as data, the same for every rank: its parameters, its memory, the operations of each
 * lane and the post-conditions. Immutable; equal when every part is equal.
 *
 * @param requirements what the world and the parameters must satisfy; it is bound to no others
 */
public record Form(
    String name,
    List<Param> params,
    List<Definition> definitions,
    List<Cond> requirements,
    List<Buffer> buffers,
    List<SignalArray> signals,
    List<Team> teams,
    List<Ensure> ensures,
    List<LaneFamily> lanes) {

  /** A value given at binding time, from 0 to {@code max}. */
  public record Param(String name, long max) {}

  /** A name for a value that the world and the parameters determine. */
  public record Definition(String name, Expr value) {}

  /** The ranks for which the condition holds; the condition names ranks only by {@code r}. */
  public record Team(String name, Cond members) {}

  public Form {
    params = List.copyOf(params);
    definitions = List.copyOf(definitions);
    requirements = List.copyOf(requirements);
    buffers = List.copyOf(buffers);
    signals = List.copyOf(signals);
    teams = List.copyOf(teams);
    ensures = List.copyOf(ensures);
    lanes = List.copyOf(lanes);
  }

  /** The buffer of that name. */
  public Optional<Buffer> buffer(String name) {
    return buffers.stream().filter(b -> b.name().equals(name)).findFirst();
  }

  /**
   * The name of the buffer that holds the bytes of the named one: the same name, except for an
   * alias.
   */
  public String base(String name) {
    return buffer(name).filter(Buffer::isAlias).map(Buffer::of).orElse(name);
  }

  /** Whether the buffer of that name is a second mapping of another one. */
  public boolean isAlias(String name) {
    return buffer(name).filter(Buffer::isAlias).isPresent();
  }

  /** The signal array of that name. */
  public Optional<SignalArray> signal(String name) {
    return signals.stream().filter(s -> s.name().equals(name)).findFirst();
  }

  /** The team of that name. */
  public Optional<Team> team(String name) {
    return teams.stream().filter(t -> t.name().equals(name)).findFirst();
  }

  /** The ranks that meet at that barrier; absent if all ranks do. */
  public Optional<Team> members(String barrier) {
    return signal(barrier)
        .filter(s -> s.use() instanceof SignalArray.Use.Barrier)
        .flatMap(s -> team(((SignalArray.Use.Barrier) s.use()).team()));
  }

  /**
   * The position of the buffer of that name.
   *
   * @throws ProgramException if there is none
   */
  public int bufferIndex(String name) {
    return index("buffer", buffers.stream().map(Buffer::name).toList(), name);
  }

  /**
   * The position of the signal array of that name.
   *
   * @throws ProgramException if there is none
   */
  public int signalIndex(String name) {
    return index("signal", signals.stream().map(SignalArray::name).toList(), name);
  }

  private static int index(String what, List<String> names, String name) {
    int index = names.indexOf(name);
    if (index < 0) {
      throw new ProgramException(
          "unknown %s: name=%s; known: %s".formatted(what, name, String.join(", ", names)));
    }
    return index;
  }

  /** The lane of that name. */
  public Optional<LaneFamily> lane(String name) {
    return lanes.stream().filter(l -> l.name().equals(name)).findFirst();
  }

  /** A 128-bit digest of the canonical text: comments and lane names do not change it. */
  public String digest() {
    return TextDigest.of(FormPrinter.canonical(this));
  }
}

package dev.oriel.sim.machine.memory;

import static dev.oriel.sim.machine.layout.ShadowLayout.ALIAS;
import static dev.oriel.sim.machine.layout.ShadowLayout.CELL;
import static dev.oriel.sim.machine.layout.ShadowLayout.PUT;
import static dev.oriel.sim.machine.layout.ShadowLayout.STRONG;
import static dev.oriel.sim.machine.layout.ShadowLayout.WRITE;

import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.finding.FindingException;
import dev.oriel.sim.machine.layout.AtomicCells;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.ShadowLayout;
import dev.oriel.sim.machine.race.RaceDetector;
import dev.oriel.sim.machine.report.FindingReporter;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.replay.ChoiceSource;

/**
 * The bytes of every rank. A byte is one word: its value in the low 8 bits and its origin above. So
 * two equal values of different origin differ.
 */
public final class SimulatedMemory {
  private final MachineModel model;
  private final RaceDetector shadow;
  private final boolean races;
  private final FindingReporter reports;

  SimulatedMemory(
      MachineModel model, RaceDetector shadow, DetectorSet detectors, FindingReporter reports) {
    this.model = model;
    this.shadow = shadow;
    races = detectors.finds(Kind.RACE);
    this.reports = reports;
  }

  /** The place of a range in memory, after a check that it lies inside its buffer. */
  public int checked(int rank, int buffer, long offset, long length) {
    int memory = rank * model.buffers + buffer;
    if (offset < 0 || length < 0 || offset > model.bytes[memory] - length) {
      throw new FindingException(
          new Finding(
              Kind.BOUNDS,
              "access outside its buffer: buffer=%s, owner=%d, offset=%d, length=%d, size=%d; bound it"
                  .formatted(model.buffer(buffer), rank, offset, length, model.bytes[memory])));
    }
    return (int) offset;
  }

  /**
   * Notes an access with those {@link ShadowLayout} marks. With the race detector on, an unordered
   * access ends the execution.
   */
  public boolean access(
      MachineState s,
      int component,
      int rank,
      int buffer,
      int from,
      int length,
      int marks,
      int seen) {
    if (model.ordered) {
      return true;
    }
    int memory = rank * model.buffers + model.base[buffer];
    int alias = model.base[buffer] != buffer ? ALIAS : 0;
    boolean write = (marks & WRITE) != 0;
    boolean clean = shadow.access(s, component, memory, from, length, marks | alias, seen);
    if (!clean && races) {
      throw new FindingException(
          reports.race(shadow.other(), component, rank, model.base[buffer], write));
    }
    boolean strong = (marks & ShadowLayout.STRONG) != 0;
    reports.access(s, component, rank, model.base[buffer], from, length, write, strong);
    return clean;
  }

  /**
   * Reads into {@code into}. For bytes whose last write is not ordered before it, a read may return
   * the previous value.
   */
  public void read(
      MachineState s,
      int component,
      int rank,
      int buffer,
      long offset,
      int length,
      long[] into,
      int at,
      boolean strong,
      int seen,
      ChoiceSource branch) {
    int from = checked(rank, buffer, offset, length);
    boolean clean = access(s, component, rank, buffer, from, length, strong ? STRONG : 0, seen);
    int start = model.firstByte[rank * model.buffers + buffer] + from;
    System.arraycopy(s.bytes, start, into, at, length);
    if (clean || s.before.length == 0) {
      return;
    }
    int memory = rank * model.buffers + model.base[buffer];
    boolean alias = model.base[buffer] != buffer;
    int end = from + length;
    int next = shadow.unknown(s, component, memory, from, end, strong, alias);
    boolean old = next < end && branch.choose(2) == 1;
    while (old && next < end) {
      int known = shadow.end(s, memory, next, end);
      System.arraycopy(s.before, start + next - from, into, at + next - from, known - next);
      next = shadow.unknown(s, component, memory, known, end, strong, alias);
    }
  }

  /** Writes bytes of {@code from}. */
  public void write(
      MachineState s,
      int component,
      int rank,
      int buffer,
      long offset,
      int length,
      long[] from,
      int at,
      int seen) {
    int to = checked(rank, buffer, offset, length);
    boolean polled =
        model.whole
            && model.agents.interfaceOf[component] >= 0
            && model.words.hasWords(rank * model.buffers + buffer);
    access(s, component, rank, buffer, to, length, polled ? WRITE | STRONG | PUT : WRITE, seen);
    put(s, rank, buffer, to, length, from, at);
  }

  /** Writes the first bytes of {@code from}, the first {@code whole} of them by whole cells. */
  public void store(
      MachineState s,
      int component,
      int rank,
      int buffer,
      long offset,
      int length,
      int whole,
      long[] from,
      int seen) {
    int to = checked(rank, buffer, offset, length);
    for (int i = 0; i < whole; i += AtomicCells.BYTES) {
      access(s, component, rank, buffer, to + i, AtomicCells.BYTES, WRITE | CELL, seen);
    }
    if (whole < length) {
      access(s, component, rank, buffer, to + whole, length - whole, WRITE, seen);
    }
    put(s, rank, buffer, to, length, from, 0);
  }

  /** Sets bytes without a check. */
  void put(MachineState s, int rank, int buffer, int to, int length, long[] from, int at) {
    int start = model.firstByte[rank * model.buffers + buffer] + to;
    if (s.before.length > 0) {
      System.arraycopy(s.bytes, start, s.before, start, length);
    }
    System.arraycopy(from, at, s.bytes, start, length);
  }
}

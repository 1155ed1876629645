package dev.oriel.sim.machine.layout;

import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.sim.code.CopyLayout;
import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.machine.rows.ClockTable;
import dev.oriel.sim.machine.settings.Profile;
import java.util.Arrays;

/**
 * Aligned 16 bytes that threads store at once, where a profile makes such a store atomic. An agent
 * that acquires a word of the cell is ordered after the store of the whole cell. It is ordered
 * after nothing else that the storing lane did.
 *
 * <p>So a cell has a clock component of its own, which counts its stores. Release clocks carry it
 * like any other component. Cells exist where threads copy plain bytes into a buffer whose words
 * are awaited or changed in place.
 */
public final class AtomicCells {
  public static final int BYTES = 16;

  /** Whether there are any cells. */
  final boolean any;

  /** One past the component of the last cell. */
  final int end;

  private final int buffers;

  /** By rank * buffers + buffer: the component of its first cell, -1 for none, and how many. */
  private final int[] first;

  private final int[] count;

  AtomicCells(WorldCode code, CodeScan scan, Profile profile, int from) {
    buffers = code.form().buffers().size();
    first = MachineModel.filled(code.world() * buffers, -1);
    count = new int[first.length];
    int component = from;
    // In one total order every store is atomic.
    for (int m = 0; profile.cells() && !profile.ordered() && m < first.length; m++) {
      if (scan.cells.get(m % buffers)) {
        String name = code.form().buffers().get(m % buffers).name();
        first[m] = component;
        count[m] = Math.toIntExact(code.ranks().get(m / buffers).bytes(name) / BYTES);
        component = Math.addExact(component, count[m]);
      }
    }
    end = component;
    any = end > from;
  }

  /** How many cells there are. */
  int size() {
    return Arrays.stream(count).sum();
  }

  /** Sets the rank whose memory each cell's component belongs to. */
  void describe(int[] rankOf) {
    for (int m = 0; m < first.length; m++) {
      if (count[m] > 0) {
        Arrays.fill(rankOf, first[m], first[m] + count[m], m / buffers);
      }
    }
  }

  /** Whether threads store cells of that memory; false for an alias. */
  public boolean in(int memory) {
    return first[memory] >= 0;
  }

  /** The component of the cell of that byte. */
  public int of(int memory, int offset) {
    return first[memory] + offset / BYTES;
  }

  /** Whether the component is ordered after the last store of that byte's cell. */
  public boolean known(ClockTable clocks, int memory, int offset, int component) {
    int cell = of(memory, offset);
    return clocks.at(component, cell) == clocks.at(cell, cell);
  }

  /** Gives cells the components that they have after a renaming of ranks and bytes. */
  public void rename(int[] rank, PermutedPlaces places, int[] component) {
    for (int m = 0; m < first.length; m++) {
      int owner = m / buffers;
      int buffer = m % buffers;
      for (int i = 0; i < count[m]; i++) {
        int offset = places.at(owner, buffer, i * BYTES);
        component[first[m] + i] = of(rank[owner] * buffers + buffer, offset);
      }
    }
  }

  /** Whether the lane copies plain bytes by stores of its threads. */
  public static boolean copies(WorldCode code, int lane, int at) {
    LaneInstructions of = code.lanes().get(lane);
    return of.engine() instanceof LaneFamily.Engine.Sm
        && code.combineAt(of.ops()[at + 2]) instanceof Combine.Copy
        && of.ops()[CopyLayout.source(of.ops(), at, 0) + CopyLayout.FORMAT] < 0;
  }

  /** How many of so many bytes are stored in whole cells between those offsets. */
  public static int whole(long from, long to, int length) {
    return ((from | to) & (BYTES - 1)) == 0 ? length & -BYTES : 0;
  }
}

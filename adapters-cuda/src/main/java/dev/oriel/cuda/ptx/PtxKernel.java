package dev.oriel.cuda.ptx;

import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.ports.queue.QueueFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A generated kernel and its parameters: one block per lane instance, family after family.
 *
 * <pre>
 * parameter   its value, or the memory at its address
 * bases       u64[buffer][rank]: that rank's buffer as mapped here; then u64[rank]: its slots;
 *             the array itself, as long as for {@link #MAX_WORLD} ranks
 * state       per lane instance one 128-byte line: epoch, then the state words in order
 * status      {@link LaneStatus}: 0, or the first reason why a lane gave up
 * abort       u64 in host memory: not 0 once the host wants the end
 * patience    nanoseconds that one wait may last
 * queues      only if there are network peers: {@link QueueTable}
 * remote      likewise: a bit for each rank that is such a peer
 * sink        likewise: for each lane instance, in memory that peers reach, one word for returned values that are not used, and one for the returned value that a lock waits for
 * v_NAME      the value of each name that the binding and the rank determine, {@code values} in order
 * </pre>
 *
 * <p>A rank's slots are lines of 128 bytes: row by row of the source, in a row signal by signal.
 */
public record PtxKernel(
    String entry, String ptx, int threads, int cluster, boolean networked, List<String> values) {
  /** Bytes of a slot, and of a lane's state. */
  public static final int LINE = 128;

  /** Bytes of a lane instance's two words for returned values. */
  public static final int SINK = 2 * Long.BYTES;

  /**
   * The most ranks whose addresses fit into a kernel's parameters, which its threads read fastest.
   */
  public static final int MAX_WORLD = 8;

  /** The number of addresses in the parameters. */
  public static int bases(Form form) {
    return MAX_WORLD * (form.buffers().size() + 1);
  }

  /**
   * The properties that all lane families of a kernel share.
   *
   * @param several whether there is more than one family
   * @param queues the format of the queues to network peers; empty if there are none
   * @param part the part of a launch of its lanes that the kernel is
   * @param early whether it may start before the previous kernel of its stream has ended
   */
  record Shape(
      List<String> values,
      boolean several,
      Optional<QueueFormat> queues,
      Part part,
      boolean early) {}

  /** The part of a launch of its lanes that a kernel is. */
  enum Part {
    /** The whole launch. */
    WHOLE,
    /** A stage of a chain that later stages follow: the state words stay as they are. */
    INNER,
    /** The last stage of a chain. */
    LAST
  }

  /** The names that are parameters. */
  static List<String> values(Form form) {
    List<String> values = new ArrayList<>(List.of("n", "r"));
    form.params().forEach(p -> values.add(p.name()));
    form.definitions().forEach(d -> values.add(d.name()));
    return values;
  }

  /** The number of blocks of the families before that one. */
  static Expr before(Form form, int family) {
    Expr blocks = Expr.of(0);
    for (LaneFamily lane : form.lanes().subList(0, family)) {
      Expr count = Expr.of(1);
      for (LaneFamily.Index index : lane.indices()) {
        count = count.times(index.count());
      }
      blocks = blocks.plus(count);
    }
    return blocks;
  }

  public PtxKernel {
    values = List.copyOf(values);
  }
}

package dev.oriel.domain.placement;

import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Forms whose caller buffers begin at an offset after an aligned address. Buffers are aligned to at
 * least 16 bytes, so an offset of 4 gives a base that is a multiple of 4 and no more. The bytes
 * before the offset belong to the buffer and are never touched.
 */
public final class BufferOffsets {
  /** Largest offset; beyond it only the same alignments recur. */
  public static final long MOST = 4096;

  private BufferOffsets() {}

  /**
   * The form with each named buffer moved by its offset.
   *
   * @throws ProgramException if one is no buffer of the caller, or the form cannot begin there, for
   *     instance because loaded words or reduced elements would not be aligned
   */
  public static Form of(Form form, Map<String, Long> offsets) {
    Map<String, Long> moved = new TreeMap<>(offsets);
    moved.forEach((name, offset) -> check(form, name, offset));
    moved.values().removeIf(offset -> offset == 0);
    if (moved.isEmpty()) {
      return form;
    }
    List<Buffer> buffers =
        form.buffers().stream()
            .map(
                b -> new Buffer(b.space(), b.name(), later(b.bytes(), by(moved, b.name())), b.of()))
            .toList();
    String name =
        moved.entrySet().stream()
            .map(e -> "-" + e.getKey() + "-" + e.getValue())
            .collect(Collectors.joining("", form.name() + "-at", ""));
    return RegionRelocation.moved(
        form,
        name,
        buffers,
        g -> new Region(g.buffer(), g.at(), later(g.offset(), by(moved, g.buffer())), g.access()));
  }

  /** The offset for every buffer of the caller. */
  public static Map<String, Long> everywhere(Form form, long offset) {
    return form.buffers().stream()
        .filter(b -> b.space().callers())
        .collect(Collectors.toMap(Buffer::name, b -> offset));
  }

  private static long by(Map<String, Long> offsets, String buffer) {
    return offsets.getOrDefault(buffer, 0L);
  }

  private static Expr later(Expr expr, long offset) {
    return offset == 0 ? expr : RegionRelocation.sum(Expr.of(offset), expr);
  }

  private static void check(Form form, String name, long offset) {
    List<String> callers =
        form.buffers().stream().filter(b -> b.space().callers()).map(Buffer::name).toList();
    if (!callers.contains(name)) {
      throw new ProgramException(
          "no buffer of the caller: name=%s, form=%s; move one of %s"
              .formatted(name, form.name(), callers));
    }
    if (offset < 0 || offset > MOST) {
      throw new ProgramException(
          "offset out of range: buffer=%s, offset=%d, min=0, max=%d; give one in between"
              .formatted(name, offset, MOST));
    }
  }
}

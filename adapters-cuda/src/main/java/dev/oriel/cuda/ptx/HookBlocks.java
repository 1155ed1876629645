package dev.oriel.cuda.ptx;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.program.MapForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Generates square blocks of a matrix that a hook transposes as it reads or as it writes. A thread
 * holds the rows of a block in registers and stores its columns, or the reverse: threads exchange
 * nothing, and none waits. A warp's blocks are adjacent, up to eight along a row: the warp then
 * reads and writes whole sectors of memory.
 */
final class HookBlocks {
  private static final int UNIT = 16;

  /** The most rows of a block: its words stay in registers. */
  private static final int MOST = 8;

  /** A warp has 2^5 blocks, at most 2^3 of them along a row. */
  private static final int WARP_SHIFT = 5;

  private static final int ROW_SHIFT = 3;

  private final HookTools tools;
  private final PtxBuilder ptx;
  private final VectorCode vectors;
  private final HookSite site;

  /** Rows and columns of a block. */
  private final int side;

  /** Sources with one element for all outputs; the others follow the matrix's map. */
  private final Set<Integer> shared;

  private HookBlocks(HookTools tools) {
    this.tools = tools;
    this.ptx = tools.ptx();
    this.vectors = tools.vectors();
    this.site = tools.site();
    this.side = side(site.hook());
    this.shared =
        IntStream.range(0, site.from().size())
            .filter(k -> oneForAll(site.source(k).map()))
            .boxed()
            .collect(Collectors.toSet());
  }

  /** Blocks of that hook; empty unless all arrays at one end are transposed in the same way. */
  static Optional<HookBlocks> of(HookTools tools) {
    HookForm hook = tools.site().hook();
    List<MapForm> maps = hook.sources().stream().map(HookForm.Source::map).toList();
    MapForm running =
        hook.scatters()
            ? MapForm.identity()
            : maps.stream()
                .filter(MapForm.Transpose.class::isInstance)
                .findFirst()
                .orElse(MapForm.identity());
    boolean turned = hook.target() instanceof MapForm.Transpose || !hook.scatters();
    boolean fit =
        turned
            && !running.equals(hook.target())
            && maps.contains(running)
            && maps.stream().allMatch(map -> map.equals(running) || oneForAll(map));
    return fit ? Optional.of(new HookBlocks(tools)) : Optional.empty();
  }

  private static boolean oneForAll(MapForm map) {
    return map instanceof MapForm.Affine(Expr _, Expr stride) && stride.equals(Expr.of(0));
  }

  private static int side(HookForm hook) {
    int widest =
        hook.sources().stream()
            .filter(s -> !oneForAll(s.map()))
            .mapToInt(s -> s.type().bytes())
            .max()
            .orElseThrow();
    return Math.min(MOST, UNIT / Math.max(widest, hook.result().bytes()));
  }

  /** The numbers of the matrix's map. */
  private List<String> matrix() {
    return site.hook().scatters()
        ? site.to()
        : site.numbers()
            .get(
                IntStream.range(0, site.from().size())
                    .filter(k -> !shared.contains(k))
                    .findFirst()
                    .orElseThrow());
  }

  /**
   * Makes the blocks of whole columns, and by {@code single} the remaining rows of these columns.
   * Leaves in {@code index} the first output that a thread then makes element by element.
   */
  void make(WorkSharingCode threads, String index, Consumer<String> single) {
    String rows = matrix().get(0);
    String columns = matrix().get(1);
    String scalar = ptx.label("scalar");
    String unaligned = ptx.label("loose");
    String rest = ptx.label("rest");
    String size = ptx.word();
    String several = ptx.predicate();
    String unfit = ptx.predicate();
    ptx.op("mul.lo.s64 %s, %s, %s", size, rows, columns);
    ptx.op("setp.gt.u64 %s, %s, %s", several, site.count(), size);
    ptx.opIf(several, "bra %s", scalar);
    Grid grid = grid(rows, columns);
    ptx.op("setp.ne.u64 %s, %s, 0", unfit, unfit(rows, columns));
    ptx.opIf(unfit, "bra %s", unaligned);
    blocks(threads, grid, true);
    ptx.op("bra %s", rest);
    ptx.place(unaligned);
    blocks(threads, grid, false);
    ptx.place(rest);
    leftover(threads, grid, single);
    ptx.op("mul.lo.s64 %s, %s, %s", index, grid.across, rows);
    ptx.op("mad.lo.s64 %s, %s, %d, %s", index, index, side, threads.self());
    ptx.place(scalar);
  }

  /**
   * The layout of the blocks.
   *
   * @param rows of the matrix
   * @param columns of the matrix
   * @param down the number of blocks in a column
   * @param across the number of blocks in a row, of columns that are outputs as a whole
   */
  private record Grid(String rows, String columns, String down, String across) {}

  private Grid grid(String rows, String columns) {
    String down = ptx.word();
    String across = ptx.word();
    int shift = Integer.numberOfTrailingZeros(side);
    ptx.op("shr.u64 %s, %s, %d", down, rows, shift);
    ptx.op("div.u64 %s, %s, %s", across, site.count(), rows);
    ptx.op("shr.u64 %s, %s, %d", across, across, shift);
    return new Grid(rows, columns, down, across);
  }

  private void blocks(WorkSharingCode threads, Grid grid, boolean whole) {
    String log = ptx.half();
    String wide = ptx.half();
    String high = ptx.half();
    String tilesDown = ptx.word();
    String tiles = ptx.word();
    String items = ptx.word();
    // A warp's blocks in a row: the largest power of two that the row has, up to 8; the warp's
    // others are below them.
    ptx.op("cvt.u32.u64 %s, %s", log, grid.across);
    ptx.op("max.u32 %s, %s, 1", log, log);
    ptx.op("bfind.u32 %s, %s", wide, log);
    ptx.op("min.u32 %s, %s, %d", wide, wide, ROW_SHIFT);
    ptx.op("sub.u32 %s, %d, %s", high, WARP_SHIFT, wide);
    tiles(tilesDown, grid.down, high);
    tiles(tiles, grid.across, wide);
    ptx.op("mul.lo.s64 %s, %s, %s", items, tiles, tilesDown);
    ptx.op("shl.b64 %s, %s, %d", items, items, WARP_SHIFT);
    threads.share(
        items,
        item -> {
          String tile = ptx.word();
          String column = ptx.word();
          String row = ptx.word();
          String within = ptx.word();
          String beside = ptx.word();
          String outside = ptx.predicate();
          String next = ptx.label("beyond");
          ptx.op("shr.u64 %s, %s, %d", tile, item, WARP_SHIFT);
          ptx.op("and.b64 %s, %s, %d", within, item, (1 << WARP_SHIFT) - 1);
          ptx.op("div.u64 %s, %s, %s", column, tile, tilesDown);
          ptx.op("mul.lo.s64 %s, %s, %s", row, column, tilesDown);
          ptx.op("sub.s64 %s, %s, %s", row, tile, row);
          ptx.op("shl.b64 %s, %s, %s", column, column, wide);
          ptx.op("shl.b64 %s, %s, %s", row, row, high);
          ptx.op("shr.u64 %s, %s, %s", beside, within, high);
          ptx.op("add.s64 %s, %s, %s", column, column, beside);
          ptx.op("shl.b64 %s, %s, %s", beside, beside, high);
          ptx.op("sub.s64 %s, %s, %s", within, within, beside);
          ptx.op("add.s64 %s, %s, %s", row, row, within);
          ptx.op("setp.ge.u64 %s, %s, %s", outside, column, grid.across);
          ptx.opIf(outside, "bra %s", next);
          ptx.op("setp.ge.u64 %s, %s, %s", outside, row, grid.down);
          ptx.opIf(outside, "bra %s", next);
          ptx.op("mul.lo.s64 %s, %s, %d", row, row, side);
          ptx.op("mul.lo.s64 %s, %s, %d", column, column, side);
          block(grid, row, column, whole);
          ptx.place(next);
        });
  }

  /** The number of tiles of 2^{@code shift} blocks that cover so many blocks. */
  private void tiles(String tiles, String blocks, String shift) {
    String more = ptx.word();
    ptx.op("mov.b64 %s, 1", more);
    ptx.op("shl.b64 %s, %s, %s", more, more, shift);
    ptx.op("add.s64 %s, %s, %s", tiles, blocks, more);
    ptx.op("add.s64 %s, %s, -1", tiles, tiles);
    ptx.op("shr.u64 %s, %s, %s", tiles, tiles, shift);
  }

  /** The block whose first element has that row and column. */
  private void block(Grid grid, String row, String column, boolean whole) {
    if (site.hook().scatters()) {
      scattered(grid, row, column, whole);
    } else {
      gathered(grid, row, column, whole);
    }
  }

  /** Reads rows, and makes and stores columns. */
  private void gathered(Grid grid, String row, String column, boolean whole) {
    List<List<List<String>>> read = new ArrayList<>();
    for (int k = 0; k < site.from().size(); k++) {
      read.add(shared.contains(k) ? List.of(one(k)) : rows(k, grid, row, column, whole));
    }
    String first = ptx.word();
    ptx.op("mad.lo.s64 %s, %s, %s, %s", first, column, grid.rows, row);
    for (int c = 0; c < side; c++) {
      int at = c;
      String index = shifted(first, grid.rows, c);
      List<List<String>> words = new ArrayList<>();
      for (int k = 0; k < read.size(); k++) {
        DataType type = site.type(k);
        words.add(
            shared.contains(k)
                ? read.get(k).getFirst()
                : vectors.packed(
                    type, read.get(k).stream().map(r -> vectors.element(type, r, at)).toList()));
      }
      List<String> made = vectors.make(index, side, words, shared);
      store(index, made, whole);
    }
  }

  /** Reads and makes columns, and stores rows. */
  private void scattered(Grid grid, String row, String column, boolean whole) {
    Map<Integer, List<String>> ones = new TreeMap<>();
    shared.stream().sorted().forEach(k -> ones.put(k, one(k)));
    String first = ptx.word();
    ptx.op("mad.lo.s64 %s, %s, %s, %s", first, column, grid.rows, row);
    List<List<String>> made = new ArrayList<>();
    for (int c = 0; c < side; c++) {
      String index = shifted(first, grid.rows, c);
      List<List<String>> words = new ArrayList<>();
      for (int k = 0; k < site.from().size(); k++) {
        List<String> one = ones.get(k);
        words.add(one == null ? words(k, index, whole) : one);
      }
      made.add(vectors.make(index, side, words, shared));
    }
    String place = ptx.word();
    ptx.op("mad.lo.s64 %s, %s, %s, %s", place, row, grid.columns, column);
    DataType type = site.hook().result();
    for (int j = 0; j < side; j++) {
      int at = j;
      List<String> across = made.stream().map(c -> vectors.element(type, c, at)).toList();
      store(shifted(place, grid.columns, j), vectors.packed(type, across), whole);
    }
  }

  /** The number of the element so many rows, or columns, after another. */
  private String shifted(String first, String each, int many) {
    String element = ptx.word();
    ptx.op("mad.lo.s64 %s, %s, %d, %s", element, each, many, first);
    return element;
  }

  private List<String> one(int source) {
    return List.of(tools.load(source, site.number(source, 0)));
  }

  /** The words of each row of a block. */
  private List<List<String>> rows(int k, Grid grid, String row, String column, boolean whole) {
    List<List<String>> rows = new ArrayList<>();
    String first = ptx.word();
    ptx.op("mad.lo.s64 %s, %s, %s, %s", first, row, grid.columns, column);
    for (int j = 0; j < side; j++) {
      rows.add(words(k, shifted(first, grid.columns, j), whole));
    }
    return rows;
  }

  /** The words of a run of elements as long as a block is wide. */
  private List<String> words(int k, String element, boolean whole) {
    DataType type = site.type(k);
    String address = tools.address(k, element);
    return whole
        ? vectors.load(address, side * type.bytes())
        : vectors.packed(type, singles(type, address));
  }

  private List<String> singles(DataType type, String address) {
    List<String> singles = new ArrayList<>();
    for (int i = 0; i < side; i++) {
      String next = ptx.word();
      ptx.op("add.s64 %s, %s, %d", next, address, i * type.bytes());
      singles.add(tools.convert().load(type, next));
    }
    return singles;
  }

  private void store(String element, List<String> words, boolean whole) {
    DataType type = site.hook().result();
    tools
        .places()
        .destinations(to -> {
          String address = tools.elements().address(to, element, type);
          if (whole) {
            vectors.store(address, words, side * type.bytes());
            return;
          }
          for (int i = 0; i < side; i++) {
            String next = ptx.word();
            ptx.op("add.s64 %s, %s, %d", next, address, i * type.bytes());
            ptx.op("st.global.u%d [%s], %s", type.bits(), next, vectors.element(type, words, i));
          }
        });
  }

  /** The last rows of the columns that have blocks, if they are too few for a block. */
  private void leftover(WorkSharingCode threads, Grid grid, Consumer<String> single) {
    String above = ptx.word();
    String left = ptx.word();
    String items = ptx.word();
    ptx.op("mul.lo.s64 %s, %s, %d", above, grid.down, side);
    ptx.op("sub.s64 %s, %s, %s", left, grid.rows, above);
    ptx.op("mul.lo.s64 %s, %s, %d", items, grid.across, side);
    ptx.op("mul.lo.s64 %s, %s, %s", items, items, left);
    threads.share(
        items,
        item -> {
          String column = ptx.word();
          String index = ptx.word();
          String row = ptx.word();
          ptx.op("div.u64 %s, %s, %s", column, item, left);
          ptx.op("mul.lo.s64 %s, %s, %s", row, column, left);
          ptx.op("sub.s64 %s, %s, %s", row, item, row);
          ptx.op("add.s64 %s, %s, %s", row, row, above);
          ptx.op("mad.lo.s64 %s, %s, %s, %s", index, column, grid.rows, row);
          single.accept(index);
        });
  }

  /** 0 if every row and column of a block can be loaded and stored as a whole. */
  private String unfit(String rows, String columns) {
    String mixed = tools.obstacles();
    tools.obstacle(mixed, rows, side);
    tools.obstacle(mixed, columns, side);
    for (int k = 0; k < site.from().size(); k++) {
      if (!shared.contains(k)) {
        tools.obstacle(mixed, site.from().get(k), side * site.type(k).bytes());
      }
    }
    tools
        .places()
        .destinations(to -> tools.obstacle(mixed, to, side * site.hook().result().bytes()));
    return mixed;
  }
}

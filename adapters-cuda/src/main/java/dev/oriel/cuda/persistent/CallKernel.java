package dev.oriel.cuda.persistent;

import dev.oriel.cuda.driver.Function;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.Launch;
import dev.oriel.cuda.ptx.Kernel;
import dev.oriel.cuda.ptx.PtxCompiler;
import dev.oriel.cuda.ptx.Target;
import dev.oriel.domain.lowering.Lowering;
import dev.oriel.domain.persistent.Exchange;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.Parser;
import dev.oriel.domain.topology.PeerKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/**
 * The kernel of all calls of one kind on one GPU: addresses, sizes and the request are parameters.
 *
 * <p>Its form is explored like any program; see {@code persistent} among the domain's resources.
 */
final class CallKernel implements AutoCloseable {
  /** Lanes to each peer at most, as the forms say too. */
  static final int MAX_LANES = 40;

  /** The largest bytes of a call, as the forms say too. */
  static final long MAX_BYTES = 1L << 28;

  /**
   * Bytes for which one more lane to each peer is worth its while, and for which a first few are.
   */
  private static final long LANE_BYTES = 1 << 16;

  private static final long FEW_LANES_BYTES = 1 << 14;
  private static final long FEW_LANES = 4;

  private final Form form;
  private final Kernel kernel;
  private final Function function;
  private final boolean early;

  /**
   * @param alone whether no other rank is on the GPU, so that a launch may begin early without
   *     taking the place of what it waits for
   */
  CallKernel(Gpu gpu, Exchange exchange, boolean alone) {
    Target target = gpu.capability() >= 90 ? Target.SM_90 : Target.SM_80;
    form = form(exchange);
    kernel = compile(form, target);
    early = alone && gpu.launchesEarly();
    function = gpu.load(kernel.ptx(), kernel.entry());
  }

  static Kernel compile(Form form, Target target) {
    return new PtxCompiler(target).compile(Lowering.lower(form, Set.of(PeerKind.NVLINK)));
  }

  /** What each lane does. */
  static Form form(Exchange exchange) {
    String name = exchange.name().toLowerCase(Locale.ROOT);
    try (InputStream in = Form.class.getResourceAsStream("/persistent/" + name + ".oriel")) {
      if (in == null) {
        throw new AssertionError("a form is missing: name=" + name);
      }
      return Parser.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lanes to each peer of a request for so many bytes at most. */
  static int lanes(long bytes) {
    long few = Math.clamp(Math.ceilDiv(bytes, FEW_LANES_BYTES), 1, FEW_LANES);
    return (int) Math.clamp(Math.ceilDiv(bytes, LANE_BYTES), few, MAX_LANES);
  }

  /** Blocks of a call. */
  static int blocks(int world, int lanes) {
    return Math.max(1, world - 1) * lanes;
  }

  /** How many blocks are on the GPU at once. */
  int resident() {
    return function.resident(kernel.threads());
  }

  /** A launch whose parameters are all 0 but for those given; the rest is set by name. */
  Call call(int blocks) {
    return new Call(blocks);
  }

  @Override
  public void close() {
    function.close();
  }

  /** The one launch of a request, whose parameters each call sets anew. */
  final class Call implements AutoCloseable {
    private static final int STATE = 1;
    private static final int STATUS = 2;
    private static final int ABORT = 3;
    private static final int PATIENCE = 4;
    private static final int VALUES = 5;

    private final long[] bases = new long[Kernel.bases(form)];
    private final Launch launch;

    private Call(int blocks) {
      long[][] parameters = new long[VALUES + kernel.values().size()][1];
      parameters[0] = bases;
      launch = new Launch(function, blocks, kernel.threads(), 1, early, parameters);
    }

    /** Where a rank's buffer is, or its slots where there is no buffer of that name. */
    void base(int world, String buffer, int rank, long address) {
      int index = buffer.isEmpty() ? form.buffers().size() : form.bufferIndex(buffer);
      bases[world * index + rank] = address;
    }

    void value(String name, long value) {
      launch.set(VALUES + kernel.values().indexOf(name), value);
    }

    void place(long state, long status, long abort) {
      launch.set(STATE, state);
      launch.set(STATUS, status);
      launch.set(ABORT, abort);
    }

    void patience(long nanos) {
      launch.set(PATIENCE, nanos);
    }

    /** As it is to be put into a stream now. */
    Launch launch() {
      launch.set(0, bases);
      return launch;
    }

    @Override
    public void close() {
      launch.close();
    }
  }
}

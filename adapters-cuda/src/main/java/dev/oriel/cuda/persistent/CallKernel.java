package dev.oriel.cuda.persistent;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.KernelFunction;
import dev.oriel.cuda.driver.KernelLaunch;
import dev.oriel.cuda.ptx.PtxCompiler;
import dev.oriel.cuda.ptx.PtxKernel;
import dev.oriel.cuda.ptx.PtxTarget;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.persistent.ExchangePattern;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
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
 * <p>Its form is checked like any program; see {@code persistent} among the domain's resources.
 */
final class CallKernel implements AutoCloseable {
  /** The most lanes to each peer, as in the forms. */
  static final int MAX_LANES = 40;

  /** The most bytes of a call, as in the forms. */
  static final long MAX_BYTES = 1L << 28;

  /** Bytes of a call for each further lane to a peer; the first few lanes need fewer. */
  private static final long LANE_BYTES = 1 << 16;

  private static final long FEW_LANES_BYTES = 1 << 14;
  private static final long FEW_LANES = 4;

  private final Form form;
  private final PtxKernel kernel;
  private final KernelFunction function;
  private final boolean early;

  /**
   * Loads the kernel.
   *
   * @param alone whether no other rank is on the GPU: a launch may then begin early without taking
   *     the room of one that it waits for
   */
  CallKernel(Gpu gpu, ExchangePattern exchange, boolean alone) {
    PtxTarget target = gpu.capability() >= 90 ? PtxTarget.SM_90 : PtxTarget.SM_80;
    form = form(exchange);
    kernel = compile(form, target);
    early = alone && gpu.launchesEarly();
    function = gpu.load(kernel.ptx(), kernel.entry());
  }

  static PtxKernel compile(Form form, PtxTarget target) {
    return new PtxCompiler(target).compile(FormLowering.lower(form, Set.of(PeerKind.NVLINK)));
  }

  /** The form of the exchange: the steps of each lane. */
  static Form form(ExchangePattern exchange) {
    String name = exchange.name().toLowerCase(Locale.ROOT);
    try (InputStream in = Form.class.getResourceAsStream("/persistent/" + name + ".oriel")) {
      if (in == null) {
        throw new AssertionError("a form is missing: name=" + name);
      }
      return FormParser.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lanes to each peer of a request for at most so many bytes. */
  static int lanes(long bytes) {
    long few = Math.clamp(Math.ceilDiv(bytes, FEW_LANES_BYTES), 1, FEW_LANES);
    return (int) Math.clamp(Math.ceilDiv(bytes, LANE_BYTES), few, MAX_LANES);
  }

  /** Blocks of a call. */
  static int blocks(int world, int lanes) {
    return Math.max(1, world - 1) * lanes;
  }

  /** The number of co-resident blocks on the GPU. */
  int resident() {
    return function.resident(kernel.threads());
  }

  /** Lays out a launch whose parameters are all 0; they are set by name. */
  Call call(int blocks) {
    return new Call(blocks);
  }

  @Override
  public void close() {
    function.close();
  }

  /** The one launch of a request; each call sets its parameters anew. */
  final class Call implements AutoCloseable {
    private static final int STATE = 1;
    private static final int STATUS = 2;
    private static final int ABORT = 3;
    private static final int TIMEOUT = 4;
    private static final int VALUES = 5;

    private final long[] bases = new long[PtxKernel.bases(form)];
    private final KernelLaunch launch;

    private Call(int blocks) {
      long[][] parameters = new long[VALUES + kernel.values().size()][1];
      parameters[0] = bases;
      launch = new KernelLaunch(function, blocks, kernel.threads(), 1, early, parameters);
    }

    /** Sets the address of a rank's buffer, or of its slots if the name is empty. */
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

    void timeout(long nanos) {
      launch.set(TIMEOUT, nanos);
    }

    /** The launch with its present parameters, ready for a stream. */
    KernelLaunch launch() {
      launch.set(0, bases);
      return launch;
    }

    @Override
    public void close() {
      launch.close();
    }
  }
}

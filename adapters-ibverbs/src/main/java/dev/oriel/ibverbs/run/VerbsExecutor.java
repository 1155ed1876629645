package dev.oriel.ibverbs.run;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.connection.ConnectionOrder;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.fabric.PeerConnections;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.ucx.UcxConnections;
import dev.oriel.ibverbs.verbs.ClosingSequence;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.DeviceList;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs programs in host memory over an RDMA device; every peer is a network peer.
 *
 * <p>The launching thread interprets all lanes: there is no kernel and no GPU memory. A run shows
 * that a program's work requests do what the program says, not how fast.
 */
public final class VerbsExecutor implements Executor {
  private final DeviceWiring wiring;
  private final ProcessGroup company;
  private final FabricListener listener;
  private final Clock clock;
  private final List<VerbsInstance> open = new ArrayList<>();
  private int prepared;
  private int renewed;
  private boolean closed;

  /** An executor on open devices, which it closes with itself. */
  public VerbsExecutor(
      List<DeviceContext> devices,
      ProcessGroup company,
      VerbsSettings settings,
      FabricListener listener,
      Clock clock) {
    this(DeviceWiring.over(devices, settings), company, listener, clock);
  }

  VerbsExecutor(DeviceWiring wiring, ProcessGroup company, FabricListener listener, Clock clock) {
    this.wiring = wiring;
    this.company = company;
    this.listener = listener;
    this.clock = clock;
  }

  /**
   * Opens the devices of the settings.
   *
   * @throws MachineException saying what this host lacks
   */
  public static VerbsExecutor open(
      ProcessGroup company, VerbsSettings settings, FabricListener listener, Clock clock) {
    List<DeviceContext> devices = DeviceList.load().open(settings.devices());
    return new VerbsExecutor(devices, company, settings, listener, clock);
  }

  /**
   * Reaches peers over UCX. A launch ends on a rank once it has ended on all peers that it is
   * connected with, or at its deadline: the rank may have to execute their requests itself.
   *
   * @throws MachineException saying what this host lacks
   */
  public static VerbsExecutor ucx(ProcessGroup company, FabricListener listener, Clock clock) {
    String _ = UcxConnections.version();
    int depth = VerbsSettings.USUAL.depth();
    return new VerbsExecutor(DeviceWiring.ucx(depth), company, listener, clock);
  }

  @Override
  public String name() {
    return wiring.name();
  }

  /** The number of bytes that are registered now. */
  public synchronized long registered() {
    return open.stream().mapToLong(VerbsInstance::bytes).sum();
  }

  @Override
  public synchronized Instance prepare(Program program, Topology topology) {
    if (closed) {
      throw new MachineException("executor is closed: name=" + name() + "; open another");
    }
    LoweredForm lowered = ProgramRequirements.lower(program, topology);
    company.checkWorld(program.world());
    ConnectionOrder order = PostingPairs.of(program, lowered);
    String step = "program " + prepared++;
    List<RankRun> ranks = new ArrayList<>();
    try {
      List<byte[]> mine =
          company.together(step + ": allocate", () -> allocate(program, lowered, order, ranks));
      List<byte[]> all = company.exchange(step + ": exchange", mine);
      company.together(step + ": connect", () -> connect(ranks, order, all, program.digest()));
      VerbsInstance[] made = new VerbsInstance[1];
      made[0] =
          new VerbsInstance(program, ranks, listener, clock, () -> closed(step, ranks, made[0]));
      open.add(made[0]);
      return made[0];
    } catch (RuntimeException e) {
      throw ClosingSequence.closeAfter(e, () -> close(ranks));
    }
  }

  private List<byte[]> allocate(
      Program program, LoweredForm lowered, ConnectionOrder order, List<RankRun> ranks) {
    List<byte[]> greetings = new ArrayList<>();
    for (int rank : company.local(program.world())) {
      PeerConnections connections = wiring.connections(rank, program.world());
      RankRun run;
      try {
        run = new RankRun(program.rank(rank), lowered, connections, clock);
      } catch (RuntimeException e) {
        throw ClosingSequence.closeAfter(e, connections::close);
      }
      ranks.add(run);
      greetings.add(PreparePayload.of(run, order.peers(rank), program.digest()).bytes());
    }
    return greetings;
  }

  private static List<byte[]> connect(
      List<RankRun> ranks, ConnectionOrder order, List<byte[]> all, String digest) {
    List<PreparePayload> greetings = new ArrayList<>();
    for (int rank = 0; rank < all.size(); rank++) {
      PreparePayload greeting = PreparePayload.parse(all.get(rank));
      greeting.check(rank, digest, all.size());
      greetings.add(greeting);
    }
    for (RankRun run : ranks) {
      int self = run.program().rank();
      run.meet(greetings.stream().map(PreparePayload::export).toList());
      run.connectToItself();
      for (int peer : order.peers(self)) {
        run.connect(peer, greetings.get(peer).offer(self));
      }
    }
    return all;
  }

  /**
   * Restores a failed instance of this executor to its state after preparation. Queue pairs are
   * reset and connected anew, and all memory but inputs and outputs is zero. Collective: every rank
   * calls it, and none continues before all have.
   *
   * @throws MachineException on every rank, if one of them cannot; close the instance then
   */
  public synchronized void renew(Instance instance) {
    VerbsInstance mine =
        open.stream()
            .filter(i -> i == instance)
            .findFirst()
            .orElseThrow(() ->
                new MachineException(
                    "no open instance of this executor: name=%s; prepare it".formatted(name())));
    String step = "renewal " + renewed++;
    mine.renew(ranks -> {
      company.together(step + ": reset", () -> each(ranks, RankRun::reset));
      company.together(step + ": connect", () -> each(ranks, RankRun::reconnect));
    });
  }

  private static List<RankRun> each(List<RankRun> ranks, Consumer<RankRun> action) {
    ranks.forEach(action);
    return ranks;
  }

  /**
   * Frees an instance. Peers write to its memory until all ranks have come. Then the queue pairs
   * are closed before the memory: a request under way finds no valid key.
   */
  private synchronized void closed(String step, List<RankRun> ranks, VerbsInstance instance) {
    open.remove(instance);
    new ClosingSequence().then(() -> company.meet(step + ": close")).then(() -> close(ranks)).end();
  }

  private static void close(List<RankRun> ranks) {
    new ClosingSequence().each(ranks, RankRun::close).end();
  }

  @Override
  public synchronized void close() {
    if (!open.isEmpty()) {
      throw new MachineException(
          "instances are still open: instances=%d; close them before their executor"
              .formatted(open.size()));
    }
    if (!closed) {
      closed = true;
      wiring.close();
    }
  }
}

package dev.oriel.it.options;

import dev.oriel.cuda.CudaExecutor;
import dev.oriel.cuda.NetworkPath;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.queue.Mlx5Network;
import dev.oriel.ibverbs.queue.ProxyNetwork;
import dev.oriel.ibverbs.queue.QueueCarrier;
import dev.oriel.ibverbs.queue.SoftNetwork;
import dev.oriel.ibverbs.queue.UcxNetwork;
import dev.oriel.ibverbs.queue.VerbsCarrier;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.queue.RemoteNetwork;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options of the machine that runs programs. */
public final class MachineOptions {

  /** The transport to ranks on other hosts, all of which are simulated on this one. */
  enum Network {
    /** None: NVLink connects all ranks. */
    NONE,
    /**
     * An interface in software. GPUs post to its queues, and the memory that peers reach is on the
     * GPUs.
     */
    SOFT,
    /** The same, with the memory that peers reach on the host. */
    SOFT_HOST,
    /** Like the first, through a proxy thread on the host, to which GPUs pass requests. */
    PROXY,
    /**
     * RDMA devices of this host. A thread posts the requests of GPUs, and the memory that peers
     * reach is on the host.
     */
    VERBS,
    /** The same, with the memory that peers reach on the GPUs; never run. */
    VERBS_GPU,
    /** ConnectX devices of this host, to whose own queues GPUs post; never run. */
    MLX5,
    /**
     * UCX, with a process for each rank, on this host or on others. A thread posts the requests of
     * GPUs, and the memory that peers reach is on the host.
     */
    UCX,
    /** The same with the memory that peers reach on GPUs, and NVLink between ranks of one host. */
    UCX_GPU;

    public Optional<NetworkPath> open() {
      return switch (this) {
        case NONE -> Optional.empty();
        case SOFT -> Optional.of(new NetworkPath(SoftNetwork.usual(), false));
        case PROXY ->
            Optional.of(
                new NetworkPath(
                    new ProxyNetwork(
                        new QueueCarrier(SoftNetwork.usual()), SoftNetwork.USUAL_SLOTS),
                    false));
        case VERBS, VERBS_GPU ->
            Optional.of(
                new NetworkPath(
                    new ProxyNetwork(VerbsCarrier.of(VerbsSettings.USUAL), SoftNetwork.USUAL_SLOTS),
                    this == VERBS));
        case MLX5 -> Optional.of(new NetworkPath(Mlx5Network.of(VerbsSettings.USUAL), false));
        case UCX, UCX_GPU ->
            throw new IllegalArgumentException(
                "one process has all ranks: network=%s; start a process for each rank, by torchrun, mpirun or ORIEL_RANK"
                    .formatted(name().toLowerCase(Locale.ROOT)));
        case SOFT_HOST -> Optional.of(new NetworkPath(SoftNetwork.usual(), true));
      };
    }
  }

  @Spec(Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--machine",
      defaultValue = "sequential",
      description = "the machine: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private MachineKind machine = MachineKind.SEQUENTIAL;

  @Option(
      names = "--network",
      defaultValue = "none",
      description =
          "the transport to ranks of other hosts, which all run on this one but with ucx:"
              + " ${COMPLETION-CANDIDATES}; cuda only (default: ${DEFAULT-VALUE})")
  private Network network = Network.NONE;

  @Option(
      names = "--share",
      description =
          "let several ranks take turns on one GPU, as with --network; cuda only, and nothing else may run on these GPUs")
  private boolean share;

  /** The GPUs of this host, for commands that have no other machine. */
  public static MachineOptions gpus() {
    MachineOptions options = new MachineOptions();
    options.machine = MachineKind.CUDA;
    return options;
  }

  public boolean cuda() {
    return machine == MachineKind.CUDA;
  }

  /** Whether there is a transport to ranks on other hosts. */
  public boolean networked() {
    return network != Network.NONE || machine == MachineKind.IBVERBS || machine == MachineKind.UCX;
  }

  /**
   * Whether ranks may be in other processes. Other networks than UCX reach no other process. On one
   * GPU, kernels of several processes take turns, which needs --share.
   */
  public boolean meets() {
    boolean reaching =
        network == Network.UCX || network == Network.UCX_GPU || (network == Network.NONE && !share);
    return machine != MachineKind.SEQUENTIAL && reaching;
  }

  /** One rank in this process. */
  public Executor join(Bootstrap ranks, int localRank, FabricListener listener) {
    if (network == Network.NONE) {
      return machine.join(ranks, localRank, listener);
    }
    requireCuda();
    int depth = VerbsSettings.USUAL.depth();
    RemoteNetwork ucx =
        network == Network.UCX_GPU
            ? UcxNetwork.copying(SoftNetwork.USUAL_SLOTS, depth)
            : new UcxNetwork(SoftNetwork.USUAL_SLOTS, depth);
    return MachineKind.compiling(
        share
            ? CudaExecutor.joinShared(ranks, localRank, ucx, listener, System::nanoTime)
            : CudaExecutor.join(ranks, localRank, ucx, listener, System::nanoTime));
  }

  public Executor open(FabricListener listener) {
    if (network == Network.NONE && !share) {
      return machine.open(listener);
    }
    requireCuda();
    return MachineKind.compiling(
        network == Network.NONE
            ? CudaExecutor.shared(listener, System::nanoTime)
            : CudaExecutor.open(network.open(), listener, System::nanoTime));
  }

  private void requireCuda() {
    if (!cuda()) {
      throw new ParameterException(
          spec.commandLine(),
          "no such network here: option=%s, machine=%s; use --machine cuda"
              .formatted(share ? "--share" : "--network", this));
    }
  }

  /** The place where steps are executed, for a person. */
  public String words() {
    String where =
        switch (machine) {
          case SEQUENTIAL -> "one step after another in this process";
          case CUDA -> "GPUs of this host";
          case IBVERBS -> "host memory, over the RDMA device of this host";
          case UCX -> "host memory, over UCX";
        };
    return where
        + (network == Network.NONE ? "" : ", network " + network.name().toLowerCase(Locale.ROOT))
        + (share ? ", ranks take turns" : "");
  }

  /** The machine's name, as users write it. */
  @Override
  public String toString() {
    return machine.name().toLowerCase(Locale.ROOT);
  }
}

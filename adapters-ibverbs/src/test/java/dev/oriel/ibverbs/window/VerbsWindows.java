package dev.oriel.ibverbs.window;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.Window;
import dev.oriel.ports.channel.ChannelMode;
import dev.oriel.ports.contract.ChannelContract;
import dev.oriel.ports.contract.CommunicatorContract;
import dev.oriel.ports.contract.LaneContract;
import dev.oriel.ports.contract.PersistentContract;
import dev.oriel.ports.contract.UserMemoryContract;
import dev.oriel.ports.contract.WindowContract;
import dev.oriel.ports.contract.WorldFixture;
import dev.oriel.ports.persistent.CallStream;
import dev.oriel.ports.persistent.StepStream;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of windows over RDMA, on a real or a fake device. */
public final class VerbsWindows {
  private VerbsWindows() {}

  private static Communicator join(Supplier<DeviceContext> devices, Bootstrap ranks, long bytes) {
    return new VerbsCommunicators(devices, VerbsSettings.USUAL, bytes, System::nanoTime)
        .join(ranks);
  }

  /** Windows. */
  public abstract static class Windows extends WindowContract {
    protected Windows() {
      super(Set.of());
    }

    /** An open device for a rank. */
    protected abstract DeviceContext device();

    @Override
    protected Topology topology(int world) {
      return Topology.grid(world, 1);
    }

    @Override
    protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
      return VerbsWindows.join(this::device, bootstrap, bytes);
    }
  }

  /** Channels over them; packets of 128 bytes are not sent through interfaces. */
  @ParameterizedClass
  @EnumSource(
      value = ChannelMode.class,
      names = {"SIMPLE", "LL"})
  public abstract static class Channels extends ChannelContract {
    protected Channels(ChannelMode mode) {
      super(mode);
    }

    /** An open device for a rank. */
    protected abstract DeviceContext device();

    @Override
    protected Topology topology(int world) {
      return Topology.grid(world, 1);
    }

    @Override
    protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
      return VerbsWindows.join(this::device, bootstrap, bytes);
    }
  }

  /** Lanes that use them concurrently. */
  public abstract static class Lanes extends LaneContract {
    /** An open device for a rank. */
    protected abstract DeviceContext device();

    @Override
    protected Topology topology(int world) {
      return Topology.grid(world, 1);
    }

    @Override
    protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
      return VerbsWindows.join(this::device, bootstrap, bytes);
    }
  }

  /** The communicators that make them. */
  public abstract static class Communicators extends CommunicatorContract {
    protected Communicators() {
      super(Set.of());
    }

    /** An open device for a rank. */
    protected abstract DeviceContext device();

    @Override
    protected Topology topology(int world) {
      return Topology.grid(world, 1);
    }

    @Override
    protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
      return VerbsWindows.join(this::device, bootstrap, bytes);
    }
  }

  /** Persistent calls over them, made by the calling thread. */
  public abstract static class Persistent extends PersistentContract {
    @Override
    protected CallStream stream(Window window, long id) {
      return new StepStream(id);
    }

    /** An open device for a rank. */
    protected abstract DeviceContext device();

    @Override
    protected Topology topology(int world) {
      return Topology.grid(world, 1);
    }

    @Override
    protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
      return VerbsWindows.join(this::device, bootstrap, bytes);
    }
  }

  /** Memory of the application, of this host. */
  public abstract static class UserMemories extends UserMemoryContract {
    protected UserMemories() {
      super(Set.of());
    }

    /** An open device for a rank. */
    protected abstract DeviceContext device();

    @Override
    protected Topology topology(int world) {
      return Topology.grid(world, 1);
    }

    @Override
    protected Member member(Bootstrap bootstrap, Topology topology, long bytes) {
      return new Member(VerbsWindows.join(this::device, bootstrap, bytes), new HostApplication());
    }

    @Override
    protected UserMemory nowhere(Communicator self) {
      return new UserMemory(4096, 64);
    }
  }

  /** Without suites: a world for other tests. */
  public abstract static class Bare extends WorldFixture {
    /** An open device for a rank. */
    protected abstract DeviceContext device();

    @Override
    protected Topology topology(int world) {
      return Topology.grid(world, 1);
    }

    @Override
    protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
      return VerbsWindows.join(this::device, bootstrap, bytes);
    }
  }
}

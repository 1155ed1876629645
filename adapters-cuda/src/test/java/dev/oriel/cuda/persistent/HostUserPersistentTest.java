package dev.oriel.cuda.persistent;

import dev.oriel.cuda.window.TestDevices;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Window;
import dev.oriel.ports.contract.PersistentContract;
import dev.oriel.ports.contract.UserMemoryCommunicator;
import dev.oriel.ports.contract.UserMemoryContract;
import dev.oriel.ports.persistent.CallStream;
import dev.oriel.ports.persistent.StepStream;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Persistent calls over windows in memory of the application, as on GPUs, among threads. */
@EnabledOnOs(OS.LINUX)
final class HostUserPersistentTest extends PersistentContract {
  @Override
  protected CallStream stream(Window window, long id) {
    return new StepStream(id);
  }

  @Override
  protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    UserMemoryContract.Member member = TestDevices.member(bootstrap, bytes);
    return new UserMemoryCommunicator(member.communicator(), member.memory());
  }
}

package dev.oriel.sim.ranks;

import dev.oriel.domain.registration.AddressRange;
import dev.oriel.domain.registration.NetworkInterfaces;
import dev.oriel.domain.registration.RegistrationKeys;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.driver.MemoryKeyFormat;
import java.util.function.UnaryOperator;

/**
 * The interfaces of one rank. Records that the machine reads hold the memory that each interface
 * may access.
 */
final class RankInterfaces implements NetworkInterfaces {
  private final RankGroup group;
  private final UnaryOperator<LaneRequest> describe;

  RankInterfaces(RankGroup group, UnaryOperator<LaneRequest> describe) {
    this.group = group;
    this.describe = describe;
  }

  @Override
  public int count() {
    return group.lane.memory.interfaces();
  }

  @Override
  public RegistrationKeys register(int number, AddressRange memory) {
    ArenaAllocator.Slot slot = group.lane.memory.takeKey();
    long word = MemoryKeyFormat.word(slot.generation(), number);
    if (write(slot.number(), word, memory).value() != 0) {
      group.lane.memory.freeKey(slot.number());
      throw MachineException.lacking(
          "memory not registered: rank=%d, interface=%d, base=%d, bytes=%d; it has no room: give leases back and try again, or tell the peers who wait"
              .formatted(group.lane.rank, number, memory.base(), memory.length()));
    }
    int rank = group.lane.rank;
    return new RegistrationKeys(
        MemoryKeyFormat.key(rank, word, slot.number(), false),
        MemoryKeyFormat.key(rank, word, slot.number(), true));
  }

  @Override
  public void deregister(int number, RegistrationKeys key) {
    int slot = MemoryKeyFormat.slot(key.remote());
    LaneReply ignored = write(slot, 0, new AddressRange(0, 0));
    group.lane.memory.freeKey(slot);
  }

  private LaneReply write(int slot, long word, AddressRange memory) {
    LaneRequest record =
        LaneRequest.transfer(
            LaneOperation.REGISTER, group.lane.rank, 0, memory.base(), memory.length());
    return group.askAnyway(describe.apply(record.with(slot * MemoryKeyFormat.RECORD, word)));
  }
}

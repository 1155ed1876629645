package dev.oriel.sim.ranks;

import dev.oriel.domain.registration.Interfaces;
import dev.oriel.domain.registration.Key;
import dev.oriel.domain.registration.Span;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.Keys;
import java.util.function.UnaryOperator;

/**
 * The interfaces of one rank. Records that the machine reads hold the memory that each interface
 * may access.
 */
final class RankInterfaces implements Interfaces {
  private final RankGroup group;
  private final UnaryOperator<Request> told;

  RankInterfaces(RankGroup group, UnaryOperator<Request> told) {
    this.group = group;
    this.told = told;
  }

  @Override
  public int count() {
    return group.lane.memory.interfaces();
  }

  @Override
  public Key register(int number, Span memory) {
    ArenaMemory.Slot slot = group.lane.memory.takeKey();
    long word = Keys.word(slot.generation(), number);
    if (write(slot.number(), word, memory).value() != 0) {
      group.lane.memory.freeKey(slot.number());
      throw MachineException.lacking(
          "memory not registered: rank=%d, interface=%d, base=%d, bytes=%d; it has no room: give leases back and try again, or tell the peers who wait"
              .formatted(group.lane.rank, number, memory.base(), memory.length()));
    }
    int rank = group.lane.rank;
    return new Key(
        Keys.key(rank, word, slot.number(), false), Keys.key(rank, word, slot.number(), true));
  }

  @Override
  public void deregister(int number, Key key) {
    int slot = Keys.slot(key.remote());
    Reply ignored = write(slot, 0, new Span(0, 0));
    group.lane.memory.freeKey(slot);
  }

  private Reply write(int slot, long word, Span memory) {
    Request record =
        Request.transfer(Operation.REGISTER, group.lane.rank, 0, memory.base(), memory.length());
    return group.askAnyway(told.apply(record.with(slot * Keys.RECORD, word)));
  }
}

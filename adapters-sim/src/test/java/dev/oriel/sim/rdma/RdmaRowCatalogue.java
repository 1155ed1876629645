package dev.oriel.sim.rdma;

import static dev.oriel.sim.rdma.RdmaOp.add;
import static dev.oriel.sim.rdma.RdmaOp.await;
import static dev.oriel.sim.rdma.RdmaOp.consist;
import static dev.oriel.sim.rdma.RdmaOp.done;
import static dev.oriel.sim.rdma.RdmaOp.fence;
import static dev.oriel.sim.rdma.RdmaOp.fencedPut;
import static dev.oriel.sim.rdma.RdmaOp.fetchAdd;
import static dev.oriel.sim.rdma.RdmaOp.flush;
import static dev.oriel.sim.rdma.RdmaOp.get;
import static dev.oriel.sim.rdma.RdmaOp.largePut;
import static dev.oriel.sim.rdma.RdmaOp.load;
import static dev.oriel.sim.rdma.RdmaOp.put;
import static dev.oriel.sim.rdma.RdmaOp.relaxedPut;
import static dev.oriel.sim.rdma.RdmaOp.signal;
import static dev.oriel.sim.rdma.RdmaOp.store;
import static dev.oriel.sim.rdma.RdmaOp.weakAwait;
import static dev.oriel.sim.rdma.RdmaOp.weakSignal;
import static dev.oriel.sim.rdma.RdmaOp.weakStore;
import static dev.oriel.sim.rdma.RdmaRow.allowed;
import static dev.oriel.sim.rdma.RdmaRow.forbidden;

import dev.oriel.sim.rdma.RdmaRow.Setting;
import java.util.List;
import java.util.Map;

/**
 * The catalogue of one-sided communication, row by row. Rows of one number differ by an edit that
 * changes the verdict, or belong to a chain of such edits. Places x, y, z, w, a and b hold data, f
 * is a flag and c a counter; registers are called r.
 */
final class RdmaRowCatalogue {
  private RdmaRowCatalogue() {}

  /** Rows of the catalogue without a shape here, with the reason. */
  static final Map<String, String> LEFT_OUT =
      Map.of(
          "R13", "a second put of each warp adds nothing to the shape",
          "R18", "which of the two is the default is not settled in the sources",
          "R19", "a GPU as the reader of an in-order message: the capability speaks of CPUs",
          "R30", "the fence of the put lowers to nothing where one queue is in order",
          "R31", "a torn flag: every place here is read whole",
          "R34", "a lost message itself: only the order in which messages arrive is seen");

  static final List<RdmaRow> ALL =
      List.of(
          forbidden("R1a", "a store before the put that sends it")
              .agent(store("x", 1), put(0, "y", "x"))
              .ends("y", 0),
          allowed("R1b", "... unless the store is weak")
              .agent(weakStore("x", 1), put(0, "y", "x"))
              .ends("y", 0),
          allowed("R2", "the source is reused without a completion")
              .agent(put(0, "y", "x"), store("x", 1))
              .ends("y", 1),
          forbidden("R3", "... and with it")
              .agent(put(0, "y", "x"), done(0), store("x", 1))
              .ends("y", 1),
          allowed("R4a", "what a get brings is read at once")
              .initially("y", 1)
              .agent(get(0, "x", "y"), load("r", "x"))
              .ends("r", 0),
          forbidden("R4b", "... after its completion")
              .initially("y", 1)
              .agent(get(0, "x", "y"), done(0), load("r", "x"))
              .ends("r", 0),
          allowed("R5a", "a put overtakes a get: its bytes are from after a later store")
              .initially("w", 1)
              .agent(get(0, "y", "w"), put(0, "z", "x"), store("x", 2))
              .agent(await("z", 2), load("r", "y"))
              .ends("r", 0),
          forbidden("R5b", "... not a put that waits for the get")
              .initially("w", 1)
              .agent(get(0, "y", "w"), fencedPut(0, "z", "x"), store("x", 2))
              .agent(await("z", 2), load("r", "y"))
              .ends("r", 0),
          allowed("R6a", "what a get brings is sent on at once")
              .initially("y", 1)
              .agent(get(0, "x", "y"), put(0, "z", "x"))
              .ends("z", 0),
          forbidden("R6b", "... by a put that waits for the get")
              .initially("y", 1)
              .agent(get(0, "x", "y"), fencedPut(0, "z", "x"))
              .ends("z", 0),
          forbidden("R6c", "... after its completion")
              .initially("y", 1)
              .agent(get(0, "x", "y"), done(0), put(0, "z", "x"))
              .ends("z", 0),
          forbidden("R6d", "... after a put that waits for the get")
              .initially("y", 1)
              .agent(get(0, "x", "y"), fencedPut(0, "z", "x"), put(0, "w", "x"))
              .ends("w", 0),
          allowed("R6e", "... after one that does not")
              .initially("y", 1)
              .agent(get(0, "x", "y"), put(0, "z", "x"), put(0, "w", "x"))
              .ends("w", 0),
          forbidden("R7a", "two puts of one queue into a strict region")
              .initially("x", 1)
              .agent(put(0, "a", "x"), put(0, "b", "x"))
              .agent(await("b", 1), load("r", "a"))
              .ends("r", 0),
          allowed("R7b", "... the second into a region with relaxed ordering")
              .initially("x", 1)
              .agent(put(0, "a", "x"), relaxedPut(0, "b", "x"))
              .agent(await("b", 1), load("r", "a"))
              .ends("r", 0),
          allowed("R8a", "two puts of two queues")
              .initially("x", 1)
              .agent(put(0, "a", "x"), put(1, "b", "x"))
              .agent(await("b", 1), load("r", "a"))
              .ends("r", 0),
          forbidden("R8b", "... the first flushed")
              .initially("x", 1)
              .agent(put(0, "a", "x"), flush(0), put(1, "b", "x"))
              .agent(await("b", 1), load("r", "a"))
              .ends("r", 0),
          allowed("R9a", "put on one lane, signal on another")
              .initially("x", 1)
              .agent(put(1, "a", "x"), signal(0, "f"))
              .agent(await("f", 1), load("r", "a"))
              .ends("r", 0),
          forbidden("R9b", "... on its own")
              .initially("x", 1)
              .agent(put(1, "a", "x"), signal(1, "f"))
              .agent(await("f", 1), load("r", "a"))
              .ends("r", 0),
          forbidden("R10a", "a signal fused to its put, even a weak one")
              .initially("x", 1)
              .agent(relaxedPut(0, "a", "x"), weakSignal(0, "f"))
              .agent(await("f", 1), load("r", "a"))
              .ends("r", 0),
          allowed("R10b", "... on another lane than its put")
              .initially("x", 1)
              .agent(relaxedPut(0, "a", "x"), weakSignal(1, "f"))
              .agent(await("f", 1), load("r", "a"))
              .ends("r", 0),
          allowed("R11a", "puts on two lanes, a signal on a third")
              .initially("x", 1)
              .agent(put(0, "a", "x"), put(1, "b", "x"), signal(2, "f"))
              .agent(await("f", 1), load("r1", "a"), load("r2", "b"))
              .ends("r2", 0),
          forbidden("R11b", "... both lanes flushed first")
              .initially("x", 1)
              .agent(put(0, "a", "x"), put(1, "b", "x"), flush(0, 1), signal(2, "f"))
              .agent(await("f", 1), load("r1", "a"), load("r2", "b"))
              .ends("r2", 0),
          allowed("R11c", "... one of them")
              .initially("x", 1)
              .agent(put(0, "a", "x"), put(1, "b", "x"), flush(0), signal(2, "f"))
              .agent(await("f", 1), load("r1", "a"), load("r2", "b"))
              .ends("r2", 0),
          forbidden("R12a", "a strong signal after unordered puts")
              .initially("x", 1)
              .agent(relaxedPut(0, "a", "x"), relaxedPut(0, "b", "x"), signal(0, "f"))
              .agent(await("f", 1), load("r1", "a"), load("r2", "b"))
              .ends("r1", 0),
          allowed("R12b", "... a weak one: an earlier put is late")
              .initially("x", 1)
              .agent(relaxedPut(0, "a", "x"), relaxedPut(0, "b", "x"), weakSignal(0, "f"))
              .agent(await("f", 1), load("r1", "a"), load("r2", "b"))
              .ends("r1", 0),
          allowed("R13a", "two warps count their puts in one word; one signal is seen")
              .initially("x", 1)
              .agent(put(0, "a", "x"), signal(0, "c"))
              .agent(put(0, "b", "x"), signal(0, "c"))
              .agent(await("c", 1), load("r1", "a"), load("r2", "b"))
              .ends("r2", 0),
          forbidden("R13b", "... both are")
              .initially("x", 1)
              .agent(put(0, "a", "x"), signal(0, "c"))
              .agent(put(0, "b", "x"), signal(0, "c"))
              .agent(await("c", 2), load("r1", "a"), load("r2", "b"))
              .ends("r2", 0),
          allowed("R14", "completed here, told by another path")
              .initially("x", 1)
              .agent(put(0, "y", "x"), done(0), store("f", 1))
              .agent(await("f", 1), load("r", "y"))
              .ends("r", 0),
          forbidden("R15a", "... a get through the queue completed before")
              .initially("x", 1)
              .agent(put(0, "y", "x"), get(0, "z", "w"), done(0), store("f", 1))
              .agent(await("f", 1), load("r", "y"))
              .ends("r", 0),
          forbidden("R15b", "... the queue flushed before")
              .initially("x", 1)
              .agent(put(0, "y", "x"), flush(0), store("f", 1))
              .agent(await("f", 1), load("r", "y"))
              .ends("r", 0),
          forbidden("R16a", "a get after a put of the same place and queue")
              .initially("x", 1)
              .agent(put(0, "y", "x"), get(0, "z", "y"))
              .ends("z", 0),
          allowed("R16b", "... through another queue")
              .initially("x", 1)
              .agent(put(0, "y", "x"), get(1, "z", "y"))
              .ends("z", 0),
          forbidden("R17a", "two puts to one place through one queue: the older stays")
              .initially("x", 1)
              .initially("z", 2)
              .agent(put(0, "y", "x"), put(0, "y", "z"))
              .ends("y", 1),
          allowed("R17b", "... from two origins")
              .initially("x", 1)
              .initially("z", 2)
              .agent(put(0, "y", "x"))
              .agent(put(0, "y", "z"))
              .ends("y", 1),
          allowed("R18a", "two gets of one place see new, then old")
              .agent(store("y", 1))
              .agent(get(0, "a", "y"), get(0, "b", "y"))
              .ends("a", 1)
              .ends("b", 0),
          forbidden("R18b", "... where remote reads of a queue are in order")
              .with(Setting.GETS_IN_ORDER)
              .agent(store("y", 1))
              .agent(get(0, "a", "y"), get(0, "b", "y"))
              .ends("a", 1)
              .ends("b", 0),
          allowed("R19a", "the tail of a large put is polled, its body is late")
              .initially("x", 1)
              .agent(largePut(0, List.of(List.of("a", "b")), "x"))
              .agent(await("b", 1), load("r", "a"))
              .ends("r", 0),
          forbidden("R19b", "... where whole messages are in order")
              .with(Setting.MESSAGES_IN_ORDER)
              .initially("x", 1)
              .agent(largePut(0, List.of(List.of("a", "b")), "x"))
              .agent(await("b", 1), load("r", "a"))
              .ends("r", 0),
          forbidden("R19c", "... and its head is polled and loaded again")
              .with(Setting.MESSAGES_IN_ORDER)
              .initially("x", 1)
              .agent(largePut(0, List.of(List.of("a", "b")), "x"))
              .agent(await("a", 1), load("r", "a"))
              .ends("r", 0),
          allowed("R19d", "the head of a message in order is polled, its tail is late")
              .with(Setting.MESSAGES_IN_ORDER)
              .initially("x", 1)
              .agent(largePut(0, List.of(List.of("a", "b")), "x"))
              .agent(await("a", 1), load("r", "b"))
              .ends("r", 0),
          allowed("R20a", "aligned blocks are in order, the body is in another than the tail")
              .with(Setting.BLOCKS_IN_ORDER)
              .initially("x", 1)
              .agent(largePut(0, List.of(List.of("a"), List.of("b")), "x"))
              .agent(await("b", 1), load("r", "a"))
              .ends("r", 0),
          forbidden("R20b", "... in the same")
              .with(Setting.BLOCKS_IN_ORDER)
              .initially("x", 1)
              .agent(largePut(0, List.of(List.of("a", "b")), "x"))
              .agent(await("b", 1), load("r", "a"))
              .ends("r", 0),
          forbidden("R21", "two remote additions through one NIC lose one")
              .agent(fetchAdd(0, "x", "c"))
              .agent(fetchAdd(1, "y", "c"))
              .ends("c", 1),
          allowed("R22a", "a remote addition against a local one")
              .agent(fetchAdd(0, "x", "c"))
              .agent(add("c", 1))
              .ends("c", 1),
          forbidden("R22b", "... on a platform that makes them atomic with each other")
              .with(Setting.PLATFORM_ATOMICS)
              .agent(fetchAdd(0, "x", "c"))
              .agent(add("c", 1))
              .ends("c", 1),
          allowed("R23a", "two remote additions through two NICs lose one")
              .with(Setting.NIC_PER_QUEUE)
              .agent(fetchAdd(0, "x", "c"))
              .agent(fetchAdd(1, "y", "c"))
              .ends("c", 1),
          forbidden("R23b", "... on a platform that makes them atomic with each other")
              .with(Setting.NIC_PER_QUEUE)
              .with(Setting.PLATFORM_ATOMICS)
              .agent(fetchAdd(0, "x", "c"))
              .agent(fetchAdd(1, "y", "c"))
              .ends("c", 1),
          allowed("R24a", "the result of an addition is used at once")
              .initially("c", 5)
              .agent(fetchAdd(0, "x", "c"), load("r", "x"))
              .ends("r", 0),
          forbidden("R24b", "... after its completion")
              .initially("c", 5)
              .agent(fetchAdd(0, "x", "c"), done(0), load("r", "x"))
              .ends("r", 0),
          allowed("R25a", "a GPU acquires a flag in its own memory, no ordering attribute")
              .with(Setting.VISIBLE_TO_NONE)
              .initially("x", 1)
              .agent(put(0, "a", "x"), signal(0, "f"))
              .agent(await("f", 1), load("r", "a"))
              .ends("r", 0),
          forbidden("R25b", "... ordered for the owner")
              .with(Setting.VISIBLE_TO_OWNER)
              .initially("x", 1)
              .agent(put(0, "a", "x"), signal(0, "f"))
              .agent(await("f", 1), load("r", "a"))
              .ends("r", 0),
          allowed("R26a", "another GPU reads, ordered for the owner only")
              .with(Setting.VISIBLE_TO_OWNER)
              .initially("x", 1)
              .agent(put(0, "a", "x"), signal(0, "f"))
              .peer(await("f", 1), load("r", "a"))
              .ends("r", 0),
          forbidden("R26b", "... ordered for all devices")
              .initially("x", 1)
              .agent(put(0, "a", "x"), signal(0, "f"))
              .peer(await("f", 1), load("r", "a"))
              .ends("r", 0),
          allowed("R27a", "a get into GPU memory has completed, nothing else")
              .with(Setting.VISIBLE_TO_NONE)
              .initially("y", 1)
              .agent(get(0, "x", "y"), done(0), load("r", "x"))
              .ends("r", 0),
          forbidden("R27b", "... and a consistency operation")
              .with(Setting.VISIBLE_TO_NONE)
              .initially("y", 1)
              .agent(get(0, "x", "y"), done(0), consist(), load("r", "x"))
              .ends("r", 0),
          allowed("R28a", "a GPU writes the source and rings without a system fence")
              .agent(weakStore("x", 1), put(0, "y", "x"))
              .ends("y", 0),
          forbidden("R28b", "... with one")
              .agent(weakStore("x", 1), fence(), put(0, "y", "x"))
              .ends("y", 0),
          allowed("R29a", "a get returns what a later put of the queue brings")
              .initially("x", 1)
              .agent(get(0, "z", "y"), put(0, "y", "x"))
              .ends("z", 1),
          forbidden("R29b", "... not if it waits for the get")
              .initially("x", 1)
              .agent(get(0, "z", "y"), fencedPut(0, "y", "x"))
              .ends("z", 1),
          forbidden("R30a", "put, then flag; read after the wait")
              .initially("x", 1)
              .agent(put(0, "a", "x"), signal(0, "f"))
              .agent(await("f", 1), load("r", "a"))
              .ends("r", 0),
          allowed("R30b", "... before it")
              .initially("x", 1)
              .agent(put(0, "a", "x"), signal(0, "f"))
              .agent(load("r", "a"), await("f", 1))
              .ends("r", 0),
          forbidden("R31a", "a flag polled by an ordered read")
              .initially("x", 1)
              .agent(relaxedPut(0, "a", "x"), weakSignal(0, "f"))
              .agent(await("f", 1), load("r", "a"))
              .ends("r", 0),
          allowed("R31b", "... by a plain load")
              .initially("x", 1)
              .agent(relaxedPut(0, "a", "x"), weakSignal(0, "f"))
              .agent(weakAwait("f", 1), load("r", "a"))
              .ends("r", 0),
          forbidden("R32a", "put, quiet, then the ranks meet")
              .initially("x", 1)
              .agent(put(0, "a", "x"), flush(0), store("f", 1))
              .agent(await("f", 1), load("r", "a"))
              .ends("r", 0),
          allowed("R32b", "... they do not meet")
              .initially("x", 1)
              .agent(put(0, "a", "x"), flush(0), store("f", 1))
              .agent(load("r", "a"))
              .ends("r", 0),
          forbidden("R33a", "a put of one context, which is waited for before the source is reused")
              .agent(put(1, "y", "x"), done(1), store("x", 1))
              .ends("y", 1),
          allowed("R33b", "... another context is waited for")
              .agent(put(1, "y", "x"), done(0), store("x", 1))
              .ends("y", 1),
          forbidden("R34a", "two puts of one queue, resent in order")
              .initially("x", 1)
              .agent(put(0, "a", "x"), put(0, "b", "x"))
              .agent(await("b", 1), load("r", "a"))
              .ends("r", 0),
          allowed("R34b", "... a transport that delivers each by itself")
              .with(Setting.UNORDERED_TRANSPORT)
              .initially("x", 1)
              .agent(put(0, "a", "x"), put(0, "b", "x"))
              .agent(await("b", 1), load("r", "a"))
              .ends("r", 0));
}

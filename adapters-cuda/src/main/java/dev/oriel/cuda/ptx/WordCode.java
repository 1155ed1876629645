package dev.oriel.cuda.ptx;

import dev.oriel.domain.lowering.MicroOperation;
import dev.oriel.domain.program.Call;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Generates steps on single words, all by thread 0: they keep their order. A loaded value is passed
 * to the other threads through shared memory: a register holds the same value in every thread of a
 * lane.
 */
final class WordCode {
  private final PtxBuilder ptx;
  private final ExprCode exprs;
  private final AddressCode addresses;
  private final BoundedWaitCode waits;
  private final WorkSharingCode threads;

  WordCode(
      PtxBuilder ptx,
      ExprCode exprs,
      AddressCode addresses,
      BoundedWaitCode waits,
      WorkSharingCode threads) {
    this.ptx = ptx;
    this.exprs = exprs;
    this.addresses = addresses;
    this.waits = waits;
    this.threads = threads;
  }

  void step(MicroOperation.WordStep step) {
    switch (step) {
      case MicroOperation.ReadSlot r -> read(r);
      case MicroOperation.Rmw r -> change(r);
      case MicroOperation.PollWord p -> poll(p);
      case MicroOperation.Lock(Region word, Scope scope) -> lock(word, scope);
    }
  }

  private void read(MicroOperation.ReadSlot r) {
    String source = rank(r.slot().at(), r.slot().signal());
    String address = addresses.slot(r.slot(), exprs.register("r"), source);
    String register = exprs.register(r.register());
    read(register, address, r.order(), r.scope(), r.until());
    spread(register);
  }

  /** Reads a word once, or until its condition holds or its time is over. */
  private void read(
      String register, String address, Order order, Scope scope, Optional<Call.Until> until) {
    if (until.isEmpty()) {
      byLeader(() -> load(register, address, order, scope));
      return;
    }
    Call.Until condition = until.get();
    String wanted = exprs.of(condition.value());
    byLeader(() -> {
      String since = ptx.word();
      ptx.op("mov.u64 %s, %%globaltimer", since);
      waits.until(
          address,
          () -> {
            load(register, address, order, scope);
            String now = ptx.word();
            String late = ptx.predicate();
            String over = ptx.predicate();
            ptx.op("mov.u64 %s, %%globaltimer", now);
            ptx.op("sub.u64 %s, %s, %s", now, now, since);
            ptx.op("setp.ge.u64 %s, %s, %d", late, now, condition.nanoseconds());
            String holds = exprs.compare(condition.comparison(), register, wanted);
            ptx.op("or.pred %s, %s, %s", over, holds, late);
            return over;
          });
    });
  }

  private void change(MicroOperation.Rmw r) {
    switch (r.word().at()) {
      case Peers.All() -> threads.eachPeer(false, exprs.register("n"), own(), peer -> one(r, peer));
      case Peers.Others() ->
          threads.eachPeer(true, exprs.register("n"), own(), peer -> one(r, peer));
      default -> one(r, rank(r.word().at(), r.word().buffer()));
    }
  }

  private void one(MicroOperation.Rmw r, String owner) {
    String operand = exprs.of(r.operand());
    String compare = exprs.of(r.compare());
    String address = addresses.buffer(r.word().buffer(), owner, r.word().offset());
    String old = r.register().isEmpty() ? "" : exprs.register(r.register());
    if (r.until().isPresent()) {
      read(old, address, r.order(), r.scope(), r.until());
    } else {
      byLeader(() -> change(r, old, address, operand, compare));
    }
    if (!old.isEmpty()) {
      spread(old);
    }
  }

  private void change(
      MicroOperation.Rmw r, String old, String address, String operand, String compare) {
    String how = qualifiers(r.order(), r.scope());
    ptx.edge(r.order());
    boolean unused = old.isEmpty();
    String to = unused ? ptx.word() : old;
    switch (r.change()) {
      case FETCH -> ptx.op("ld.%s.global.u64 %s, [%s]", how, to, address);
      case SET -> {
        if (unused) {
          ptx.op("st.%s.global.u64 [%s], %s", how, address, operand);
        } else {
          ptx.op("atom.%s.global.exch.b64 %s, [%s], %s", how, to, address, operand);
        }
      }
      case ADD -> {
        if (unused) {
          ptx.op("red.%s.global.add.u64 [%s], %s", how, address, operand);
        } else {
          ptx.op("atom.%s.global.add.u64 %s, [%s], %s", how, to, address, operand);
        }
      }
      case CAS ->
          ptx.op("atom.%s.global.cas.b64 %s, [%s], %s, %s", how, to, address, compare, operand);
    }
  }

  private void load(String register, String address, Order order, Scope scope) {
    ptx.edge(order);
    ptx.op("ld.%s.global.u64 %s, [%s]", qualifiers(order, scope), register, address);
  }

  private static String qualifiers(Order order, Scope scope) {
    return order.spelling() + "." + scope.spelling();
  }

  private void poll(MicroOperation.PollWord p) {
    String expected = exprs.of(p.value());
    String address = addresses.buffer(p.word().buffer(), own(), p.word().offset());
    byLeader(() -> {
      String seen = ptx.word();
      until(
          address,
          () -> load(seen, address, p.order(), p.scope()),
          () -> exprs.compare(p.comparison(), seen, expected));
    });
  }

  private void lock(Region word, Scope scope) {
    String address = addresses.buffer(word.buffer(), rank(word.at(), word.buffer()), word.offset());
    byLeader(() -> {
      String seen = ptx.word();
      String free = ptx.predicate();
      until(
          address,
          () -> {
            ptx.comment("acquire: the new holder sees all accesses of the previous holder");
            ptx.op(
                "atom.acquire.%s.global.cas.b64 %s, [%s], 0, 1", scope.spelling(), seen, address);
          },
          () -> {
            ptx.op("setp.eq.u64 %s, %s, 0", free, seen);
            return free;
          });
    });
  }

  /** Tries until the predicate holds, or the thread gives up. */
  private void until(String address, Runnable attempt, Supplier<String> done) {
    waits.until(
        address,
        () -> {
          attempt.run();
          return done.get();
        });
  }

  /** Runs the body in thread 0 unless the lane has failed. */
  private void byLeader(Runnable body) {
    String skip = ptx.label("failed");
    threads.working(skip);
    threads.leader(body);
    ptx.place(skip);
  }

  /** Gives every thread the value that thread 0 has in the register. */
  private void spread(String register) {
    threads.leader(() -> ptx.op("st.shared.u64 [block_word], %s", register));
    ptx.comment("barrier: the word that thread 0 read is in shared memory");
    waits.meet();
    ptx.op("ld.shared.u64 %s, [block_word]", register);
    ptx.comment("every thread has it before another word takes its place");
    waits.meet();
  }

  private String own() {
    return exprs.register("r");
  }

  private String rank(Peers peers, String what) {
    return switch (peers) {
      case Peers.Self() -> own();
      case Peers.One(Expr rank) -> exprs.of(rank);
      default ->
          throw new ProgramException(
              "a word of several ranks has no PTX form: word=%s; name one rank".formatted(what));
    };
  }
}

package dev.oriel.sim.oracle;

/** The rules that order calls over RDMA, each with the sentence that it was taken from. */
enum CallAxiom {
  LANE("L2 model: a component ticks on its own events; a host lane is one thread"),
  CALL("the memory model, L2: requests in stages (source read, placed, read there, filled here)"),
  RETURN(
      "the language: a put returns when the source may be reused, a get when the bytes are there"),
  RETURNS_ALL(
      "the memory model: who waits for one call or ticket waits for all that the lane sent to that rank on"
          + " that context before"),
  FENCE(
      "the language: a fence delivers puts, atomics and, on context 0, signals before it before those"
          + " after it, to each rank, on its context"),
  FENCE_ORDERS("the language: a fence is also an order sys"),
  QUIET("the language: quiet waits until every call of its context has ended; puts are visible"),
  QUIET_FENCES("the memory model: who calls quiet fences first, before the quiet waits"),
  FLUSH("the language: flush waits for moves to those peers: sources reusable, or visible there"),
  STRICT(
      "the language: a signal covers the lane's earlier moves to the same rank, not its puts; the memory model,"
          + " L3: a later move may come before it (undecided elsewhere, so the weaker)"),
  READS_AFTER("memory models, R16: a get after a put of its queue; L2 model, R read"),
  NOTIFY(
      "the language: a notification comes once the bytes have come and covers this put's bytes alone"),
  POST(
      "the memory model: who posts a put, a get or an atomic with a result, or signals with release, fences"),
  HANDS_ON(
      "the memory model: with every atomic a lane hands on what it acquired, and a consistency step is a part"
          + " of an acquire"),
  ACQUIRE(
      "the language: with acquire, what was delivered before the change seen, or released, is seen"),
  ACQUIRES_AGAIN(
      "PTX: a strong read and a later acquire of the same word by the same lane are one acquire"),
  ORDER_ACQUIRES("the language: order makes relaxed awaits before it acquire"),
  ORDER_RELEASES("the language: order makes relaxed stores and signals after it release"),
  GOES_ON(
      "the memory model: what a lane releases, its later relaxed ones to the same word release too"),
  CHAIN("memory models, G12: an addition passes on what the value that it found released"),
  RESULT(
      "the language: no atomic without a result is ordered after an agent that changed the word"),
  STRICT_FENCES("the language: one order of all strict fences whose scopes reach each other"),
  COHERENCE(
      "PTX: what is ordered before an access of a word, and visible to a read, is not undone by"
          + " it"),
  ONE_AT_A_TIME("the language: an atomic is one indivisible step; memory models, R21"),
  NO_LOOPS("the memory model: loads end before later stores; nothing happens before its own cause"),
  FOUND(
      "the memory model: a strong store that a strong load found comes before what comes after the load"),
  VISIBLE(
      "the memory model, L3: nobody sees what an interface wrote before a step that makes it consistent,"
          + " which acquiring reads, order, quiet and the end of a get or of an atomic with a result"
          + " take for their own GPU, a fence and a flush take none (undecided elsewhere, so the"
          + " weaker); what its writer's quiet, or flush to remote, has placed is there for any"),
  SOURCE(
      "the language: a put's source is read before any agent answers its notify, or a signal sent after"
          + " a fence: a write because of the answer comes after the read, acquired or not"),
  REPLACED(
      "PTX, causality: a read after a write finds nothing that comes before that write in coherence"
          + " order; the memory model: a write of the owner replaces what an interface wrote"),
  POLLS("L2 model, AWAIT: a lane that polls finds at last what stays there");

  private final String source;

  CallAxiom(String source) {
    this.source = source;
  }

  String source() {
    return source;
  }
}

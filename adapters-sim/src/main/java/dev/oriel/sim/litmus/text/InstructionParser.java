package dev.oriel.sim.litmus.text;

import dev.oriel.sim.litmus.test.ArithmeticOp;
import dev.oriel.sim.litmus.test.InstructionOperand;
import dev.oriel.sim.litmus.test.LitmusInstruction;
import dev.oriel.sim.litmus.test.LitmusScope;
import dev.oriel.sim.litmus.test.MemoryOrder;
import dev.oriel.sim.litmus.test.MemoryProxy;
import dev.oriel.sim.litmus.test.ValueComparison;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Reads one instruction; an unknown one is counted by name and skipped. */
final class InstructionParser {
  private final LexemeCursor lexemes;
  private final LocationTable locations;
  private final SortedMap<String, Integer> unsupported;
  private final ValueTypes types;
  private final OperandParser operands;
  private final AddressParser addresses;
  private final ArithmeticParser arithmetic;
  private final BarrierParser barriers;
  private boolean shared;

  /** The offset of the address read last; null if it has none. */
  private @Nullable String offset;

  InstructionParser(
      LexemeCursor lexemes,
      LocationTable locations,
      SortedMap<String, Integer> unsupported,
      ValueTypes types,
      BarrierUses uses) {
    this.lexemes = lexemes;
    this.locations = locations;
    this.unsupported = unsupported;
    this.types = types;
    operands = new OperandParser(lexemes, locations);
    addresses = new AddressParser(lexemes, locations, operands, unsupported, types);
    arithmetic = new ArithmeticParser(lexemes, operands, types);
    barriers = new BarrierParser(lexemes, operands, uses);
  }

  void parse(ThreadBuilder thread) {
    if (lexemes.accept("@")) {
      ValueComparison skips = lexemes.accept("!") ? ValueComparison.NE : ValueComparison.EQ;
      InstructionOperand predicate = new InstructionOperand.Register(lexemes.word("a predicate"));
      int at = thread.size();
      thread.add(
          new LitmusInstruction.Branch(skips, predicate, new InstructionOperand.Constant(0), 0));
      if (!lexemes.isWord()) {
        throw lexemes.peek().unexpected("an instruction after its predicate");
      }
      instruction(thread);
      thread.endSkip(at);
    } else {
      instruction(thread);
    }
  }

  private void instruction(ThreadBuilder thread) {
    Lexeme start = lexemes.next();
    Mnemonic mnemonic = new Mnemonic(start.text());
    if (addresses.parse(thread, mnemonic)) {
      return;
    }
    types.named(mnemonic.type());
    shared = mnemonic.shared();
    boolean known =
        switch (mnemonic.head()) {
          case "ld" -> load(thread, mnemonic);
          case "st" -> store(thread, mnemonic);
          case "suld" -> mnemonic.plain() && proxyLoad(thread, MemoryProxy.SURFACE);
          case "tld" -> mnemonic.plain() && proxyLoad(thread, MemoryProxy.TEXTURE);
          case "cold" -> mnemonic.plain() && proxyLoad(thread, MemoryProxy.CONSTANT);
          case "sust" -> mnemonic.plain() && surfaceStore(thread);
          case "atom" -> atomic(thread, mnemonic, true);
          case "red" -> atomic(thread, mnemonic, false);
          case "fence", "membar" -> fence(thread, mnemonic);
          case "bar", "barrier" -> barriers.parse(thread, mnemonic);
          case "mov" -> mnemonic.typedOnly() && move(thread);
          case "goto" -> mnemonic.bare() && jump(thread);
          case "ret", "exit" -> mnemonic.bare() && end(thread);
          case "nanosleep" -> mnemonic.rest().equals("u32") && sleep(thread);
          case "bra" -> (mnemonic.bare() || mnemonic.rest().equals("uni")) && jump(thread);
          case "beq", "bne", "blt", "ble", "bgt", "bge" ->
              mnemonic.bare() && branch(thread, mnemonic.head());
          default -> arithmetic.parse(thread, mnemonic);
        };
    if (!known) {
      refuse(start.text());
    }
  }

  /** Counts an unknown instruction and skips the rest of its cell. */
  private void refuse(String name) {
    unsupported.merge(name, 1, Integer::sum);
    while (!TableParser.endsCell(lexemes.peek())) {
      lexemes.next();
    }
  }

  private boolean load(ThreadBuilder thread, Mnemonic mnemonic) {
    Optional<Mnemonic.Access> access = mnemonic.access(MemoryOrder.ACQUIRE);
    if (access.isEmpty()) {
      return false;
    }
    String to = destination(thread);
    comma();
    boolean register = mnemonic.typedOnly() && operands.isRegister(thread, lexemes.peek());
    if (register || (mnemonic.plain() && lexemes.isNumber())) {
      thread.add(new LitmusInstruction.Move(to, operand(thread)));
      return true;
    }
    int location = location(thread);
    thread.add(
        new LitmusInstruction.Load(
            to, location, MemoryProxy.GENERIC, access.get().order(), access.get().scope()));
    AddressParser.returned(thread, to, offset);
    return true;
  }

  private boolean store(ThreadBuilder thread, Mnemonic mnemonic) {
    Optional<Mnemonic.Access> access = mnemonic.access(MemoryOrder.RELEASE);
    if (access.isEmpty()) {
      return false;
    }
    int location = location(thread);
    comma();
    InstructionOperand value = AddressParser.stored(thread, operand(thread), offset);
    thread.add(
        new LitmusInstruction.Store(
            location, value, MemoryProxy.GENERIC, access.get().order(), access.get().scope()));
    return true;
  }

  private boolean proxyLoad(ThreadBuilder thread, MemoryProxy proxy) {
    String to = destination(thread);
    comma();
    int location = location(thread);
    thread.add(new LitmusInstruction.Load(to, location, proxy, MemoryOrder.WEAK, LitmusScope.CTA));
    AddressParser.returned(thread, to, offset);
    return true;
  }

  private boolean surfaceStore(ThreadBuilder thread) {
    int location = location(thread);
    comma();
    InstructionOperand value = AddressParser.stored(thread, operand(thread), offset);
    thread.add(
        new LitmusInstruction.Store(
            location, value, MemoryProxy.SURFACE, MemoryOrder.WEAK, LitmusScope.CTA));
    return true;
  }

  private boolean atomic(ThreadBuilder thread, Mnemonic mnemonic, boolean returns) {
    Optional<Mnemonic.Update> update = mnemonic.update();
    if (update.isEmpty()) {
      return false;
    }
    ArithmeticOp op = update.get().op();
    String to = null;
    if (returns) {
      to = destination(thread);
      comma();
    }
    int location = location(thread);
    comma();
    InstructionOperand value = operand(thread);
    InstructionOperand expected = null;
    if (update.get().compares()) {
      comma();
      expected = value;
      value = operand(thread);
    }
    value = AddressParser.stored(thread, value, offset);
    thread.add(
        new LitmusInstruction.Atomic(
            to,
            location,
            op == null ? null : types.typed(op, mnemonic.type()),
            expected,
            value,
            update.get().order(),
            update.get().scope()));
    AddressParser.returned(thread, to, offset);
    return true;
  }

  private static boolean fence(ThreadBuilder thread, Mnemonic mnemonic) {
    Optional<LitmusInstruction> fence = mnemonic.fence();
    fence.ifPresent(thread::add);
    return fence.isPresent();
  }

  private boolean move(ThreadBuilder thread) {
    String to = destination(thread);
    comma();
    thread.add(new LitmusInstruction.Move(to, operand(thread)));
    return true;
  }

  private boolean jump(ThreadBuilder thread) {
    thread.addJump(new LitmusInstruction.Jump(0), label());
    return true;
  }

  /** A delay, which orders nothing. */
  private boolean sleep(ThreadBuilder thread) {
    operand(thread);
    return true;
  }

  private static boolean end(ThreadBuilder thread) {
    thread.addReturn();
    return true;
  }

  private boolean branch(ThreadBuilder thread, String head) {
    InstructionOperand a = operand(thread);
    comma();
    InstructionOperand b = operand(thread);
    comma();
    ValueComparison comparison =
        ValueComparison.valueOf(head.substring(1).toUpperCase(Locale.ROOT));
    if (comparison.orders()) {
      types.orders();
    }
    thread.addJump(new LitmusInstruction.Branch(comparison, a, b, 0), label());
    return true;
  }

  private Lexeme label() {
    Lexeme label = lexemes.peek();
    lexemes.word("a label");
    return label;
  }

  private void comma() {
    operands.comma();
  }

  private String destination(ThreadBuilder thread) {
    return operands.destination(thread);
  }

  private int location(ThreadBuilder thread) {
    boolean bracket = lexemes.accept("[");
    Lexeme name = lexemes.peek();
    lexemes.word("a location");
    if (bracket) {
      beside();
      lexemes.expect("]");
    }
    Lexeme address = thread.address(name.text());
    if (address == null && operands.isRegister(thread, name)) {
      unsupported.merge("address in a register", 1, Integer::sum);
    }
    offset = address == null ? null : thread.accessed(name.text());
    int location = locations.index(address == null ? name : address);
    if (shared) {
      locations.share(location);
    }
    return location;
  }

  /**
   * Rejects offsets to a location: locations have no known size, so their neighbours are unknown.
   */
  private void beside() {
    if ((lexemes.accept("+") || lexemes.peek().is("-")) && lexemes.number("an offset") != 0) {
      unsupported.merge("address with an offset", 1, Integer::sum);
    }
  }

  private InstructionOperand operand(ThreadBuilder thread) {
    return operands.operand(thread);
  }
}

package dev.oriel.it.readback;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A kernel's text as instructions; comments are dropped, so they prove nothing. */
final class PtxText {
  private static final Pattern OPERAND = Pattern.compile("\\{[^}]*}|\\[[^\\]]*]|[^,\\s]+");
  private static final Pattern DECLARED =
      Pattern.compile("\\.(?:shared|param) .*?(\\w+)(?:\\[(\\d+)])?[;,]?");
  private static final Pattern GUARDED = Pattern.compile("@(!?)(%\\w+) (.*)");

  /**
   * One instruction.
   *
   * @param line its line, from 1
   * @param scope the block to which its names belong; 0 for the kernel's own
   * @param guard its predicate; empty if it always executes
   */
  record Instruction(
      int line,
      String text,
      int scope,
      String guard,
      boolean negated,
      String opcode,
      List<String> operands) {

    /** The part before the first dot of the opcode. */
    String kind() {
      int dot = opcode.indexOf('.');
      return dot < 0 ? opcode : opcode.substring(0, dot);
    }
  }

  private final List<Instruction> instructions = new ArrayList<>();
  private final Map<String, Integer> labels = new HashMap<>();
  private final List<String> parameters = new ArrayList<>();
  private final List<String> shared = new ArrayList<>();
  private boolean dependent;

  PtxText(String text) {
    List<String> lines = text.lines().toList();
    int scopes = -1;
    int depth = 0;
    for (int i = 0; i < lines.size(); i++) {
      String line = code(lines.get(i));
      int scope = depth > 1 ? scopes : 0;
      if (line.equals("{")) {
        depth++;
        scopes++;
      } else if (line.equals("}")) {
        depth--;
      } else if (line.startsWith(".")) {
        declare(line);
      } else if (line.endsWith(":")) {
        labels.put(scope + line.substring(0, line.length() - 1), instructions.size());
      } else if (depth > 0 && !line.isEmpty()) {
        instructions.add(instruction(i + 1, scope, line.substring(0, line.lastIndexOf(';'))));
      }
    }
  }

  /** The part before a comment. */
  private static String code(String line) {
    int comment = line.indexOf("//");
    return (comment < 0 ? line : line.substring(0, comment)).strip();
  }

  private void declare(String line) {
    Matcher found = DECLARED.matcher(line);
    if (found.matches()) {
      (line.startsWith(".param") ? parameters : shared).add(found.group(1));
    }
  }

  private Instruction instruction(int number, int scope, String text) {
    Matcher guarded = GUARDED.matcher(text);
    boolean has = guarded.matches();
    String rest = has ? guarded.group(3) : text;
    int space = rest.indexOf(' ');
    String opcode = space < 0 ? rest : rest.substring(0, space);
    List<String> operands = new ArrayList<>();
    Matcher operand = OPERAND.matcher(space < 0 ? "" : rest.substring(space));
    while (operand.find()) {
      operands.add(operand.group());
    }
    dependent |= opcode.equals("griddepcontrol.launch_dependents");
    return new Instruction(
        number,
        text,
        scope,
        has ? guarded.group(2) : "",
        has && !guarded.group(1).isEmpty(),
        opcode,
        operands);
  }

  List<Instruction> instructions() {
    return instructions;
  }

  List<String> parameters() {
    return parameters;
  }

  List<String> shared() {
    return shared;
  }

  /**
   * Whether the kernel lets dependent kernels start before it ends, and so may itself start early.
   */
  boolean dependent() {
    return dependent;
  }

  /** Whether the instruction accesses the target of that parameter. */
  boolean aims(Instruction i, String parameter) {
    return instructions.stream()
        .filter(load -> load.scope() == i.scope() && load.opcode().startsWith("ld.param"))
        .filter(load -> load.operands().getLast().equals("[" + parameter + "]"))
        .anyMatch(load -> i.operands().contains("[" + load.operands().getFirst() + "]"));
  }

  /** The instruction after a label, of the block or otherwise of the kernel. */
  int target(String label, int scope) {
    Integer own = labels.get(scope + label);
    Integer at = own != null ? own : labels.get(0 + label);
    if (at == null) {
      throw new Mismatch("no such label: label=" + label);
    }
    return at;
  }
}

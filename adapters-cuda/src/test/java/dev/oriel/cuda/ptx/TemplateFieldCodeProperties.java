package dev.oriel.cuda.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ports.queue.ElementTemplate;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.TemplateField;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The instructions' effect on a template equals the port's definition. */
class TemplateFieldCodeProperties {
  private static final int BYTES = 32;

  @Property(tries = 5_000)
  void instructionsFillFieldsAsThePortDefines(
      @ForAll @Size(BYTES) byte[] image,
      @ForAll @IntRange(max = BYTES - 1) int offset,
      @ForAll @IntRange(min = 1, max = 8) int width,
      @ForAll boolean big,
      @ForAll long value,
      @ForAll @IntRange(max = BYTES - 1) int second,
      @ForAll long other) {
    ByteOrder order = big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    List<TemplateField> holes = new ArrayList<>();
    holes.add(
        new TemplateField(RequestField.VALUE, offset, Math.min(width, BYTES - offset), order));
    holes.add(new TemplateField(RequestField.COUNT, second, Math.min(2, BYTES - second), order));
    Map<RequestField, Long> fields =
        new EnumMap<>(Map.of(RequestField.VALUE, value, RequestField.COUNT, other));

    PtxBuilder ptx = new PtxBuilder();
    Machine machine = new Machine();
    List<String> words = new ArrayList<>();
    ByteBuffer bytes = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at < BYTES; at += Long.BYTES) {
      words.add(ptx.word());
      machine.registers.put(words.getLast(), bytes.getLong(at));
    }
    Map<RequestField, String> registers = new EnumMap<>(RequestField.class);
    fields.forEach((field, number) -> {
      registers.put(field, ptx.word());
      machine.registers.put(registers.get(field), number);
    });
    new TemplateFieldCode(ptx).fill(words, holes, registers);
    ptx.body().lines().forEach(machine::execute);

    ByteBuffer filled = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    words.forEach(word -> filled.putLong(machine.get(word)));
    assertThat(filled.array()).isEqualTo(new ElementTemplate(image).filled(holes, fields));
  }

  /** Interprets the few instructions that fill fields. */
  private static final class Machine {
    private static final Pattern TOKEN = Pattern.compile("%?[\\w.]+");

    private final Map<String, Long> registers = new HashMap<>();

    long get(String operand) {
      Long value = registers.get(operand);
      return value != null ? value : Long.decode(operand);
    }

    void execute(String line) {
      List<String> t = new ArrayList<>();
      Matcher matcher = TOKEN.matcher(line);
      while (matcher.find()) {
        t.add(matcher.group());
      }
      switch (t.getFirst()) {
        case "or.b64" -> registers.put(t.get(1), get(t.get(2)) | get(t.get(3)));
        case "shl.b64" -> registers.put(t.get(1), get(t.get(2)) << get(t.get(3)));
        case "shr.u64" -> registers.put(t.get(1), get(t.get(2)) >>> get(t.get(3)));
        case "prmt.b32" -> {
          assertThat(t.subList(3, 5)).containsExactly("0", "0x0123");
          registers.put(
              t.get(1), Integer.toUnsignedLong(Integer.reverseBytes((int) get(t.get(2)))));
        }
        case "mov.b64" -> {
          if (line.contains("{") && line.indexOf('{') < line.indexOf(',')) {
            long whole = get(t.get(3));
            registers.put(t.get(1), whole & 0xffff_ffffL);
            registers.put(t.get(2), whole >>> Integer.SIZE);
          } else {
            registers.put(t.get(1), get(t.get(3)) << Integer.SIZE | get(t.get(2)));
          }
        }
        default -> throw new AssertionError("not an instruction of holes: " + line);
      }
    }
  }
}

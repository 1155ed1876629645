package dev.oriel.sim.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.text.LitmusException;
import dev.oriel.sim.litmus.text.LitmusParser;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * A text with pieces removed, duplicated or inserted is parsed, or rejected with a place inside it.
 */
class BrokenTextProperties {
  private static final String[] PIECES = {
    "|",
    ";",
    "{",
    "}",
    "(",
    ")",
    "\"",
    "(*",
    "//",
    "[",
    ":",
    "@",
    ",",
    "\n",
    "\0",
    "\uD800",
    "-",
    "0x",
    "99999999999999999999",
    "P0",
    "P9999",
    "P1:r1",
    "exists",
    "forall",
    "filter",
    "locations",
    "scopes:",
    "LC00:",
    "goto LC00",
    "beq r1, 0, LC00",
    "atom.relaxed.gpu.cas",
    "ld.",
    "bar.cta.sync",
    "aliases",
    "/\\",
    "~",
    "=="
  };

  @Property(tries = 4000)
  void aBrokenTextIsParsedOrRejectedWithAPlace(@ForAll long seed, @ForAll MemoryModel model) {
    SplittableRandom random = new SplittableRandom(seed);
    String text = RandomLitmus.draw(random, 5).text(false);
    for (int edits = random.nextInt(1, 4); edits > 0; edits--) {
      int from = random.nextInt(text.length());
      int to = Math.min(text.length(), from + random.nextInt(8));
      text = text.substring(0, from) + middle(random, text, from, to) + text.substring(to) + "\n";
    }
    try {
      new LitmusChecker(model, 10_000, 1).check(LitmusParser.parse(text));
    } catch (LitmusException refused) {
      assertThat(refused).as(text).hasMessageContaining("; expected ");
      assertThat(String.valueOf(refused.getMessage()).length()).as(text).isLessThan(300);
      assertThat(refused.line()).as(text).isBetween(1, text.split("\n", -1).length);
      assertThat(refused.column()).as(text).isPositive();
    }
  }

  private static String middle(SplittableRandom random, String text, int from, int to) {
    return switch (random.nextInt(3)) {
      case 0 -> "";
      case 1 -> text.substring(from, to).repeat(2);
      default -> " " + PIECES[random.nextInt(PIECES.length)] + " ";
    };
  }
}

package dev.oriel.domain.program.parse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.FormTape;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.MistakeList;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.check.FormValidator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class FormTextProperties {

  @Provide
  Arbitrary<List<Integer>> tapes() {
    return Arbitraries.integers().between(0, 9_999).list().ofMinSize(30).ofMaxSize(600);
  }

  @Property(tries = 1000)
  void readsBackWhatItPrints(@ForAll("tapes") List<Integer> tape) {
    Form form = FormTape.form(tape);
    String text = FormPrinter.print(form);
    Form again = FormParser.parse(text);
    assertThat(again).isEqualTo(form);
    assertThat(FormPrinter.print(again)).isEqualTo(text);
    assertThat(again.digest()).isEqualTo(form.digest());
  }

  @Property(tries = 300)
  void neitherSpaceNorCommentsMatter(@ForAll("tapes") List<Integer> tape, @ForAll long seed) {
    Form form = FormTape.form(tape);
    Form respaced = FormParser.parse(respaced(FormPrinter.print(form), new Random(seed)));
    assertThat(respaced).isEqualTo(form);
    assertThat(respaced.digest()).isEqualTo(form.digest());
  }

  @Property(tries = 300)
  void theLayoutKeepsTheForm(@ForAll("tapes") List<Integer> tape, @ForAll long seed) {
    Form form = FormTape.form(tape);
    String text = FormPrinter.print(form);
    assertThat(FormFormatter.format(text)).isEqualTo(text);
    String formatted = FormFormatter.format(respaced(text, new Random(seed)));
    assertThat(FormParser.parse(formatted)).isEqualTo(form);
    assertThat(FormFormatter.format(formatted)).isEqualTo(formatted);
  }

  @Property(tries = 300)
  void theDigestKnowsLanesByTheirPositionOnly(@ForAll("tapes") List<Integer> tape) {
    Form form = FormTape.form(tape);
    Map<String, String> names = new TreeMap<>();
    form.lanes().forEach(lane -> names.put(lane.name(), "other_" + (names.size() * 7) % 5));
    Form renamed = FormValidator.validate(renamed(form, name -> names.getOrDefault(name, name)));
    assertThat(renamed).isNotEqualTo(form);
    assertThat(renamed.digest()).isEqualTo(form.digest());
  }

  @Property(tries = 1000)
  void theDigestChangesExactlyWithTheForm(
      @ForAll("tapes") List<Integer> tape, @ForAll int place, @ForAll int value) {
    List<Integer> edited = new ArrayList<>(tape);
    edited.set(Math.floorMod(place, Math.min(150, tape.size())), Math.floorMod(value, 9_999));
    Form form = FormTape.form(tape);
    Form other = FormTape.form(edited);
    boolean sameLaneNames =
        form.lanes().stream()
            .map(LaneFamily::name)
            .toList()
            .equals(other.lanes().stream().map(LaneFamily::name).toList());
    if (form.equals(other) || sameLaneNames) {
      assertThat(form.digest().equals(other.digest())).isEqualTo(form.equals(other));
    }
  }

  private static String respaced(String text, Random random) {
    String[] gaps = {
      " ", "\n", "\t", "\r\n", "  \n ", " -- } { let x = 1\n", "\n--\n", " -- é\u0000\n"
    };
    StringBuilder out = new StringBuilder();
    for (FormToken token : FormLexer.tokens(text, new MistakeList(m -> m))) {
      out.append(gaps[random.nextInt(gaps.length)]).append(token.text());
    }
    return out.toString();
  }

  private static Form renamed(Form form, UnaryOperator<String> name) {
    List<LaneFamily> lanes =
        form.lanes().stream()
            .map(l ->
                new LaneFamily(
                    name.apply(l.name()),
                    l.indices(),
                    l.engine(),
                    l.states(),
                    renamed(l.body(), name)))
            .toList();
    return new Form(
        form.name(),
        form.params(),
        form.definitions(),
        form.requirements(),
        form.buffers(),
        form.signals(),
        form.teams(),
        form.ensures(),
        lanes);
  }

  private static List<Op> renamed(List<Op> ops, UnaryOperator<String> name) {
    return ops.stream()
        .map(op ->
            switch (op) {
              case Op.Join(String lane) -> new Op.Join(name.apply(lane));
              case Op.If(var condition, var then, var otherwise) ->
                  new Op.If(condition, renamed(then, name), renamed(otherwise, name));
              case Op.For(var variable, var count, var body) ->
                  new Op.For(variable, count, renamed(body, name));
              case Op.Each(var variable, var peers, var body) ->
                  new Op.Each(variable, peers, renamed(body, name));
              default -> op;
            })
        .toList();
  }
}

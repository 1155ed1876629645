package dev.oriel.sim.mutate;

import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.SignalArray;
import dev.oriel.domain.rewrite.FormEdits;
import dev.oriel.domain.rewrite.OperationPlace;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Mistakes in the declarations of a form, outside its operations. */
enum DeclarationMutation {
  /** Half a buffer, under all its names. */
  HALF_THE_BUFFER {
    @Override
    Stream<Declared> of(Form form) {
      return IntStream.range(0, form.buffers().size())
          .filter(i -> !form.buffers().get(i).isAlias())
          .mapToObj(i -> {
            Buffer b = form.buffers().get(i);
            return new Declared(place(i, b.name(), b.bytes()), shrunk(form, b.name()));
          });
    }

    private static Form shrunk(Form form, String name) {
      return FormEdits.withBuffers(
          form,
          form.buffers().stream()
              .map(b ->
                  form.base(b.name()).equals(name)
                      ? new Buffer(b.space(), b.name(), half(b.bytes()), b.of())
                      : b)
              .toList());
    }
  },

  /** Half the slots of each source; a barrier has but one. */
  HALF_THE_SLOTS {
    @Override
    Stream<Declared> of(Form form) {
      return IntStream.range(0, form.signals().size())
          .filter(i -> form.signals().get(i).use() instanceof SignalArray.Use.Slots)
          .mapToObj(i -> {
            SignalArray s = form.signals().get(i);
            SignalArray fewer = new SignalArray(s.name(), half(s.count()), s.use());
            return new Declared(
                place(i, s.name(), s.count()),
                FormEdits.withSignals(form, FormEdits.with(form.signals(), i, fewer)));
          });
    }
  };

  /** A form with the mistake in one declaration, and that declaration. */
  record Declared(OperationPlace place, Form form) {}

  /** Every form with the mistake, in the order of the declarations. */
  abstract Stream<Declared> of(Form form);

  private static Expr half(Expr expr) {
    return expr.over(Expr.of(2));
  }

  private static OperationPlace place(int index, String name, Expr size) {
    return new OperationPlace("declared", index + 1, name + "[" + FormPrinter.print(size) + "]");
  }

  /** The name of the mistake, in words joined by hyphens. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}

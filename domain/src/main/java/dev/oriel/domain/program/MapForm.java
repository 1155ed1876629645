package dev.oriel.domain.program;

import dev.oriel.domain.hook.IndexMap;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Maps output i to an element of a hook's source, with numbers that a binding determines. */
public sealed interface MapForm {

  /** Element i for output i. */
  static MapForm identity() {
    return new Affine(Expr.of(0), Expr.of(1));
  }

  /** See {@link IndexMap.Affine}. */
  record Affine(Expr offset, Expr stride) implements MapForm {}

  /** See {@link IndexMap.Blocks}. */
  record Blocks(Expr size) implements MapForm {}

  /** See {@link IndexMap.Transpose}. */
  record Transpose(Expr rows, Expr columns) implements MapForm {}

  /** See {@link IndexMap.Permutation}. */
  record Permutation(List<Integer> order) implements MapForm {
    public Permutation {
      order = List.copyOf(order);
    }
  }

  /** See {@link IndexMap.Gather}. */
  record Gather(int table, Expr rows, Expr width) implements MapForm {}

  /** The numbers that a binding determines, in the order of the text. */
  default List<Expr> numbers() {
    return switch (this) {
      case Affine(Expr offset, Expr stride) -> List.of(offset, stride);
      case Blocks(Expr size) -> List.of(size);
      case Transpose(Expr rows, Expr columns) -> List.of(rows, columns);
      case Permutation _ -> List.of();
      case Gather(int _, Expr rows, Expr width) -> List.of(rows, width);
    };
  }

  /** The map with other numbers. */
  default MapForm with(UnaryOperator<Expr> number) {
    return switch (this) {
      case Affine(Expr offset, Expr stride) ->
          new Affine(number.apply(offset), number.apply(stride));
      case Blocks(Expr size) -> new Blocks(number.apply(size));
      case Transpose(Expr rows, Expr columns) ->
          new Transpose(number.apply(rows), number.apply(columns));
      case Permutation _ -> this;
      case Gather(int table, Expr rows, Expr width) ->
          new Gather(table, number.apply(rows), number.apply(width));
    };
  }

  /**
   * The map with those numbers.
   *
   * @throws IllegalArgumentException if one is out of bounds
   */
  default IndexMap map(ToLongFunction<Expr> value) {
    return switch (this) {
      case Affine(Expr offset, Expr stride) ->
          new IndexMap.Affine(value.applyAsLong(offset), value.applyAsLong(stride));
      case Blocks(Expr size) -> new IndexMap.Blocks(value.applyAsLong(size));
      case Transpose(Expr rows, Expr columns) ->
          new IndexMap.Transpose(value.applyAsLong(rows), value.applyAsLong(columns));
      case Permutation(List<Integer> order) -> new IndexMap.Permutation(order);
      case Gather(int table, Expr rows, Expr width) ->
          new IndexMap.Gather(table, value.applyAsLong(rows), value.applyAsLong(width));
    };
  }

  /** The map with constant numbers. */
  static MapForm of(IndexMap map) {
    return switch (map) {
      case IndexMap.Affine(long offset, long stride) ->
          new Affine(Expr.of(offset), Expr.of(stride));
      case IndexMap.Blocks(long size) -> new Blocks(Expr.of(size));
      case IndexMap.Transpose(long rows, long columns) ->
          new Transpose(Expr.of(rows), Expr.of(columns));
      case IndexMap.Permutation(List<Integer> order) -> new Permutation(order);
      case IndexMap.Gather(int table, long rows, long width) ->
          new Gather(table, Expr.of(rows), Expr.of(width));
    };
  }

  /** The spelling in the text form. */
  default String text() {
    return switch (this) {
      case Affine(Expr offset, Expr stride) ->
          "affine(offset="
              + FormPrinter.print(offset)
              + ", stride="
              + FormPrinter.print(stride)
              + ")";
      case Blocks(Expr size) -> "blocks(size=" + FormPrinter.print(size) + ")";
      case Transpose(Expr rows, Expr columns) ->
          "transpose(rows="
              + FormPrinter.print(rows)
              + ", columns="
              + FormPrinter.print(columns)
              + ")";
      case Permutation(List<Integer> order) ->
          order.stream()
              .map(String::valueOf)
              .collect(Collectors.joining(", ", "permutation(", ")"));
      case Gather(int table, Expr rows, Expr width) ->
          "gather(in%d, rows=%s, width=%s)"
              .formatted(table, FormPrinter.print(rows), FormPrinter.print(width));
    };
  }
}

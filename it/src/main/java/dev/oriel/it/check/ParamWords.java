package dev.oriel.it.check;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Parameter values in words, each with the range that the program declares. */
final class ParamWords {
  private ParamWords() {}

  /** The program's name and its parameter values; with several combinations, all values of each. */
  static List<String> program(CheckCoverage coverage) {
    Program program = coverage.shown().combination().program();
    List<Form.Param> params = new ArrayList<>(program.form().params());
    params.sort(Comparator.comparing(Form.Param::name));
    List<String> words = new ArrayList<>();
    String name = coverage.failed() ? program.form().name() : names(coverage);
    for (Form.Param param : params) {
      String values = coverage.failed() ? value(program, param) : values(coverage, param);
      words.add("%s=%s of 0..%d".formatted(param.name(), values, param.max()));
    }
    boolean lists = words.stream().anyMatch(word -> word.contains(", "));
    if (lists) {
      words.addFirst(name);
      if (!coverage.failed() && !every(coverage, params)) {
        words.add("not each with each");
      }
      return words;
    }
    words.addFirst(name);
    return List.of(String.join(", ", words));
  }

  /** The names of all programs: a plan has several. */
  private static String names(CheckCoverage coverage) {
    return coverage.checked().stream()
        .map(one -> one.combination().program().form().name())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /** Whether every combination of the parameters' values was checked. */
  private static boolean every(CheckCoverage coverage, List<Form.Param> params) {
    long product = 1;
    for (Form.Param param : params) {
      product *= all(coverage, param).size();
    }
    return product
        == coverage.checked().stream()
            .map(one -> one.combination().program().params())
            .distinct()
            .count();
  }

  private static String value(Program program, Form.Param param) {
    return String.valueOf(program.params().get(param.name()));
  }

  private static String values(CheckCoverage coverage, Form.Param param) {
    return runs(all(coverage, param));
  }

  private static SortedSet<Long> all(CheckCoverage coverage, Form.Param param) {
    SortedSet<Long> values = new TreeSet<>();
    coverage
        .checked()
        .forEach(one -> values.add(one.combination().program().params().get(param.name())));
    return values;
  }

  /** Three or more consecutive values as a range. */
  static String runs(SortedSet<Long> values) {
    List<String> words = new ArrayList<>();
    List<Long> all = List.copyOf(values);
    int next = 0;
    while (next < all.size()) {
      int end = next;
      while (end + 1 < all.size() && all.get(end + 1) == all.get(end) + 1) {
        end++;
      }
      if (end - next < 2) {
        end = next;
      }
      words.add(end == next ? all.get(next).toString() : all.get(next) + ".." + all.get(end));
      next = end + 1;
    }
    return String.join(", ", words);
  }
}

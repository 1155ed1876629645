package dev.oriel.it.options;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.msccl.FlagOrder;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.HookForm;
import dev.oriel.domain.rewrite.AttachedHook;
import dev.oriel.domain.rewrite.FormOrigins;
import dev.oriel.domain.rewrite.GraphReplay;
import dev.oriel.domain.rewrite.ParameterByLaunch;
import dev.oriel.domain.rewrite.ReductionEdits;
import dev.oriel.domain.tuning.ShippedProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Changes to a program before it is bound: other elements, or other places for the caller's memory.
 * A token names the changed form, so a replay needs the same options.
 */
public final class FormOptions {
  /** A hook's name is not followed by a colon. */
  private static final Pattern NAMED = Pattern.compile("(\\w+)\\s*:\\s*(.*)", Pattern.DOTALL);

  /** A number of launches, with other launches in between or not. */
  private static final Pattern GRAPH = Pattern.compile("(\\d{1,4})(,eager)?");

  /** The most parameters that differ between launches. */
  private static final int MOST_VARIED = 4;

  /** The most combinations of their values. */
  private static final int MOST_TOGETHER = 64;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Mixin private PlaceOptions places = new PlaceOptions();

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      converter = OptionSpellings.OfType.class,
      description =
          "elements of a program that reduces: int8 to int64, fp8_e4m3, fp8_e5m2, fp16, bf16, fp32 or fp64 (default: as its text says)")
  private @Nullable DataType type;

  @Option(
      names = "--op",
      paramLabel = "OP",
      converter = OptionSpellings.OfOperator.class,
      description =
          "operator of the reduction: sum, min, max, prod or avg (default: as its text says)")
  private @Nullable ReduceOp operator;

  @Option(
      names = "--hook",
      paramLabel = "[BUFFER:]HOOK",
      description =
          "put a hook on each element that leaves an input, such as 'relu(in0: f32) -> f32 = max(in0, 0.0:f32)' or 'half = scale(f32, 0.5)' (default BUFFER: in)")
  private @Nullable String hook;

  @Option(
      names = "--hook-output",
      paramLabel = "[BUFFER:]HOOK",
      description = "the same on each element that arrives in an output (default BUFFER: out)")
  private @Nullable String hookOutput;

  @Option(
      names = "--vary",
      paramLabel = "NAME=VALUES",
      description =
          "let a parameter have another value in each launch, the same on all ranks, such as B=0,17,1000: memory and signals stay. Buffers are as large as the largest value needs")
  private List<String> varied = new ArrayList<>();

  @Option(
      names = "--as-written",
      description =
          "with a plan in MSCCL XML: flags between blocks as runtimes write them, volatile and without release or acquire")
  private boolean asWritten;

  @Option(
      names = "--graph-replay",
      paramLabel = "LAUNCHES[,eager]",
      description =
          "let the host pass the number of the launch, as an argument of the kernel, and replay a captured CUDA graph of so many launches: each replay passes the numbers of the capture again. With ',eager' other launches come between replays. For an MSCCL++ execution plan, each replay reuses the packet flags of the capture")
  private String graph = "";

  private @Nullable PlanPrograms plan;

  /** The form of that name or path, with all requested changes. */
  public Form form(String program) {
    return forms(program).getFirst();
  }

  /** The same; a plan has a form for each kind of call that decides it. */
  public List<Form> forms(String program) {
    Optional<PlanPrograms> of = plan(program);
    return of.isPresent()
        ? of.get().forms(spec, places.inPlace()).stream()
            .map(form -> places.offset(varied(hooked(typed(program, form)))))
            .toList()
        : List.of(placed(of(program), ShippedProgram.named(program).isPresent()));
  }

  /** The programs of a plan, which is read only once; empty for all other programs. */
  Optional<PlanPrograms> plan(String program) {
    if (plan == null) {
      if (asWritten && !ProgramTexts.isXml(spec, program)) {
        throw nothingWritten(program);
      }
      if (replay().replayed() && ProgramTexts.isXml(spec, program)) {
        throw nothingReplayed(program);
      }
      plan = ProgramTexts.plan(spec, program, planMode()).map(PlanPrograms::new).orElse(null);
    }
    return Optional.ofNullable(plan);
  }

  /** The lines of the program's file; empty if it has none, or if options changed the form. */
  public Optional<SourceText> source(String program, Form form) {
    if (varied.isEmpty() && (!replay().replayed() || plan(program).isPresent())) {
      return SourceText.of(spec, program, form, plan(program));
    }
    Form base = hooked(of(program));
    Optional<SourceText> lines = SourceText.of(spec, program, base, plan(program));
    if (!replay().of(varied(base)).lanes().equals(form.lanes())) {
      return Optional.empty();
    }
    for (Varied each : varied()) {
      FormOrigins origins = ParameterByLaunch.origins(base, each.param(), each.values());
      lines = lines.map(before -> before.with(each.param(), origins));
      base = ParameterByLaunch.of(base, each.param(), each.values());
    }
    Form last = base;
    return replay().replayed() ? lines.map(before -> before.with(replay().origins(last))) : lines;
  }

  /** The form before its parameters differ between launches; empty if none does. */
  public Optional<VariedForm> varied(String program) {
    if (varied.isEmpty()) {
      return Optional.empty();
    }
    Form before = hooked(of(program));
    List<Map<String, Long>> values = List.of(Map.of());
    for (Varied each : varied()) {
      values =
          values.stream()
              .flatMap(some ->
                  each.values().stream()
                      .map(value -> {
                        Map<String, Long> more = new TreeMap<>(some);
                        more.put(each.param(), value);
                        return more;
                      }))
              .toList();
    }
    return Optional.of(
        new VariedForm(before, values, SourceText.of(spec, program, before, plan(program))));
  }

  /** The form of that name or path, with the requested elements. */
  Form of(String program) {
    return typed(program, ProgramTexts.form(spec, program));
  }

  private Form typed(String program, Form form) {
    if (type == null && operator == null) {
      return form;
    }
    Combine.Reduce by =
        ReductionEdits.first(form)
            .orElseThrow(() ->
                new ParameterException(
                    spec.commandLine(),
                    "program does not reduce: name=%s; leave out --type and --op"
                        .formatted(program)));
    return ReductionEdits.with(
        form, operator == null ? by.op() : operator, type == null ? by.type() : type);
  }

  /** How plans are executed. */
  PlanMode planMode() {
    return new PlanMode(asWritten ? FlagOrder.AS_WRITTEN : FlagOrder.INTENDED, replay());
  }

  /** The graph that is replayed. */
  private GraphReplay replay() {
    if (graph.isEmpty()) {
      return GraphReplay.NONE;
    }
    Matcher value = GRAPH.matcher(graph);
    int launches = value.matches() ? Integer.parseInt(value.group(1)) : 0;
    if (launches < 1 || launches > GraphReplay.MOST) {
      throw new ParameterException(
          spec.commandLine(),
          "option out of range: option=--graph-replay, value=%s, min=1, max=%d; give the number of launches in the graph, such as 2, or 2,eager"
              .formatted(graph, GraphReplay.MOST));
    }
    return new GraphReplay(launches, value.group(2) != null);
  }

  private ParameterException nothingReplayed(String program) {
    return new ParameterException(
        spec.commandLine(),
        "no number of the host: option=--graph-replay, program=%s; leave it out, since MSCCL XML has no packet flags"
            .formatted(program));
  }

  private ParameterException nothingWritten(String program) {
    return new ParameterException(
        spec.commandLine(),
        "no flags between blocks: option=--as-written, program=%s; leave it out, or give a plan in MSCCL XML"
            .formatted(program));
  }

  /** The requested offset of each buffer that has one. */
  public Map<String, Long> offsets(Form form) {
    return places.offsets(form);
  }

  /** The form with its buffers in the requested places. */
  Form placed(Form form, boolean shipped) {
    if (asWritten) {
      throw nothingWritten(form.name());
    }
    return places.placed(replay().of(varied(hooked(form))), shipped);
  }

  /** The form with the parameters that differ between launches. */
  private Form varied(Form form) {
    Form changed = form;
    for (Varied each : varied()) {
      changed = ParameterByLaunch.of(changed, each.param(), each.values());
    }
    return changed;
  }

  private List<Varied> varied() {
    List<Varied> all = parsed();
    long together = all.stream().mapToLong(each -> each.values().size()).reduce(1, (a, b) -> a * b);
    if (all.size() > MOST_VARIED || together > MOST_TOGETHER) {
      throw new ParameterException(
          spec.commandLine(),
          "too many values together: option=--vary, parameters=%d, max=%d, values=%d, max=%d; vary fewer parameters, or give fewer values"
              .formatted(all.size(), MOST_VARIED, together, MOST_TOGETHER));
    }
    return all;
  }

  /** The parameters that differ between launches. */
  List<String> variedNames() {
    return parsed().stream().map(Varied::param).toList();
  }

  private List<Varied> parsed() {
    return varied.stream()
        .map(text -> {
          int at = text.indexOf('=');
          if (at <= 0) {
            throw new ParameterException(
                spec.commandLine(),
                "not a parameter and its values: option=--vary, value=%s; write NAME=VALUES, such as B=0,17,1000"
                    .formatted(text));
          }
          String param = text.substring(0, at);
          return new Varied(
              param, ParamValues.parse("--vary", param, text.substring(at + 1)).values());
        })
        .toList();
  }

  /** A parameter that differs between launches, and its values. */
  private record Varied(String param, List<Long> values) {}

  /** The form with the requested hooks. */
  private Form hooked(Form form) {
    Form input = hook == null ? form : hooked(form, "--hook", "in", hook, AttachedHook::onInput);
    return hookOutput == null
        ? input
        : hooked(input, "--hook-output", "out", hookOutput, AttachedHook::onOutput);
  }

  private Form hooked(Form form, String option, String usual, String value, Attachment by) {
    Matcher named = NAMED.matcher(value);
    boolean buffer = named.matches();
    String text = buffer ? named.group(2) : value;
    String declaration = text.startsWith("hook ") ? text : "hook " + text;
    HookForm parsed = ReadTexts.of(spec).hook(option, declaration);
    return by.to(form, buffer ? named.group(1) : usual, parsed);
  }

  /** Puts a hook on a buffer of a form. */
  private interface Attachment {
    Form to(Form form, String buffer, HookForm hook);
  }

  @Nullable DataType type() {
    return type;
  }

  @Nullable ReduceOp operator() {
    return operator;
  }
}

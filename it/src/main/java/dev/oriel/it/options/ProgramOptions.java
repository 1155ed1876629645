package dev.oriel.it.options;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.Buffer;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.OneSidedForms;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.ShippedProgram;
import dev.oriel.domain.tuning.WorldParams;
import dev.oriel.sim.museum.CaseStudyPrograms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The program, its world and its parameters: the options of every command that has a program. */
public final class ProgramOptions {
  private static final String SIZE = "B";

  /** Two ranks that only a network connects. */
  public static final String NETWORK = "2x1";

  /** Bytes of a rank up to which its size is taken by default: every machine has so many. */
  private static final long MEMORY = 16L << 20;

  /** The first value for a parameter whose maximum needs more memory. */
  private static final long LARGE = 1L << 24;

  private static final long ROWS = 3;
  private static final long TOKENS = 3;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Mixin private WorldOption world = new WorldOption();

  @Mixin private FormOptions made = new FormOptions();

  @Parameters(
      index = "0",
      paramLabel = "PROGRAM",
      description =
          "the path of a program text, or - for standard input; a program of the library, such as allgather; the path of a plan in MSCCL XML, or of an MSCCL++ execution plan; museum:ROW, or museum:ROW/twin for its repair; auto:COLLECTIVE for the program that oriel tune chooses; group:FROM-TO=BYTES,... for sends and receives. check also takes a folder",
      arity = "0..1")
  private String name = "";

  @Option(
      names = "--algorithm",
      paramLabel = "WORD",
      description =
          "with a collective as PROGRAM: the program that does it in that way, such as ll, push, ring or rail; auto chooses as oriel tune does")
  private @Nullable String algorithm;

  @Option(
      names = "--bytes",
      paramLabel = "BYTES",
      converter = OptionSpellings.OfBytes.class,
      description =
          "the size, such as 1000 or 64KiB: value of parameter B, or of the only parameter")
  private @Nullable Long bytes;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description =
          "value of a parameter, such as B=1024 or B=1KiB. check, prove and export also take several: B=0..6 or B=1,15,16. Defaults: for check, prove and mutate small values that the text implies; for explain at most 1000; for run, kills and export the maximum, or less if a rank would need more than 16 MiB; otherwise the maximum. A parameter named domain has the number of ranks of a host")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--tuning",
      paramLabel = "FILE",
      description = "choices for auto:COLLECTIVE, a file that oriel tune --keep wrote")
  private @Nullable Path tuning;

  private @Nullable Form chosen;

  /** Whether no program is named. */
  public boolean nameless() {
    return name.isEmpty();
  }

  public Form form() {
    return forms().getFirst();
  }

  /** The program's form; a plan has one for each kind of call that decides it. */
  public List<Form> forms() {
    String program = named();
    return AutoProgram.named(program)
        ? List.of(made.placed(chosen(program), true))
        : named(program);
  }

  /** The programs of the plan; empty if the program is no plan. */
  public Optional<PlanPrograms> plan() {
    return nameless() || AutoProgram.named(program()) ? Optional.empty() : made.plan(program());
  }

  /** How plans are executed. */
  public PlanMode planMode() {
    return made.planMode();
  }

  /** The exhibit of the museum that is the program; empty for all others. */
  public Optional<CaseStudyPrograms> showcase() {
    return nameless() ? Optional.empty() : ProgramTexts.showcase(spec, program());
  }

  /** The program as {@code oriel replay} takes it; empty if only an automatic choice names it. */
  public Optional<String> replayed() {
    return Optional.of(program()).filter(program -> !AutoProgram.named(program));
  }

  /** The folder that is named in place of a program; empty if none is. */
  public Optional<Path> folder() {
    boolean other = nameless() || algorithm != null || ShippedProgram.named(name).isPresent();
    return Optional.of(name)
        .filter(text -> !other && !text.contains(":"))
        .map(Path::of)
        .filter(Files::isDirectory);
  }

  /** The program's file; null if it is shipped or has no file. */
  public @Nullable Path file() {
    String program = named();
    boolean file = !program.equals(ReadTexts.INPUT) && ProgramTexts.own(spec, program).isPresent();
    return file ? Path.of(program) : null;
  }

  /** The name of the program's text as messages write it; empty if it is shipped. */
  public Optional<String> textName() {
    String program = named();
    return ProgramTexts.own(spec, program).map(_ -> ReadTexts.shown(program));
  }

  /** The text of the program's file, or of standard input; empty if it is shipped. */
  public Optional<String> text() {
    return ProgramTexts.own(spec, named());
  }

  /** The lines of the program's file; empty if it has none, or if options changed the form. */
  public Optional<SourceText> source(Form form) {
    return made.source(program(), form);
  }

  /** The requested offset of each buffer of the caller that has one. */
  public Map<String, Long> offsets(Form form) {
    return made.offsets(form);
  }

  /** The form before its parameters differ between launches; empty if none does. */
  public Optional<VariedForm> varied() {
    return nameless() || AutoProgram.named(program()) ? Optional.empty() : made.varied(program());
  }

  private List<Form> named(String program) {
    if (tuning != null) {
      throw new ParameterException(
          spec.commandLine(),
          "nothing to choose: option=--tuning, program=%s; name auto:COLLECTIVE".formatted(name));
    }
    return made.forms(program);
  }

  /** The program's name, which must be given. */
  private String named() {
    if (nameless()) {
      throw new ParameterException(
          spec.commandLine(),
          "no program: give a name, the path of a program text, or - for standard input");
    }
    return program();
  }

  /** The program's name, after applying the algorithm option. */
  public String program() {
    return algorithm == null ? name : CollectivePrograms.named(spec, name, algorithm);
  }

  /** Chosen once, because the comparison takes time. */
  private Form chosen(String program) {
    if (chosen == null) {
      chosen =
          new AutoProgram(spec, program)
              .form(topology(), size(program), made.type(), made.operator(), tuning);
    }
    return chosen;
  }

  private long size(String program) {
    String set = values().get(SIZE);
    if (set != null) {
      return number(SIZE, set);
    }
    if (bytes != null) {
      return bytes;
    }
    throw new ParameterException(
        spec.commandLine(),
        "size missing: program=%s, parameter=%s; a choice depends on it, give --bytes BYTES"
            .formatted(program, SIZE));
  }

  public Topology topology() {
    return fitting().topology();
  }

  /** The world; a plan is for one number of ranks, and an exhibit has a world of its own. */
  private WorldOption fitting() {
    showcase()
        .filter(_ -> !spec.commandLine().getParseResult().hasMatchedOption("--world"))
        .ifPresent(exhibit -> world.prefer(exhibit.world()));
    plan()
        .ifPresent(plan -> {
          if (!spec.commandLine().getParseResult().hasMatchedOption("--world")) {
            world.prefer(plan.world());
          } else if (!world.text().equals(plan.world())) {
            throw new ParameterException(
                spec.commandLine(),
                "a plan has one world: option=--world, world=%s, ngpus=%d; leave it out, since connections are modelled as memory that all gpus map"
                    .formatted(world.text(), plan.plan().world()));
          }
        });
    return world;
  }

  /**
   * Puts a program with one-sided calls on a network if no world was requested. Unordered calls
   * show there; on mapped memory many calls complete at once.
   */
  public void preferNetwork() {
    boolean asked =
        spec.commandLine().getParseResult().hasMatchedOption("--world") || showcase().isPresent();
    if (!asked && !nameless() && !AutoProgram.named(program()) && OneSidedForms.in(form())) {
      world.prefer(NETWORK);
    }
  }

  /** The world as it was written. */
  public String world() {
    return fitting().text();
  }

  public Program bind() {
    return bind(Long.MAX_VALUE);
  }

  /** Whether the command line gives the world, or implies it, as where a choice depends on it. */
  public boolean worldGiven() {
    return spec.commandLine().getParseResult().hasMatchedOption("--world")
        || AutoProgram.named(program())
        || showcase().isPresent()
        || plan().isPresent();
  }

  /** The values of each parameter on the command line. */
  public Map<String, List<Long>> given() {
    Map<String, List<Long>> given = new TreeMap<>();
    values()
        .forEach((param, text) ->
            given.put(param, inRange(param, ParamValues.parse("--set", param, text))));
    Long size = bytes;
    if (size != null) {
      plan()
          .ifPresent(plan -> {
            throw new ParameterException(
                spec.commandLine(),
                "a plan has no size: option=--bytes, plan=%s; leave it out, since all sizes of the file's window are checked at once"
                    .formatted(plan.plan().name()));
          });
      given.put(size(form()), List.of(size));
    }
    return given;
  }

  private List<Long> inRange(String name, ParamValues values) {
    List<Form.Param> named =
        form().params().stream().filter(param -> param.name().equals(name)).toList();
    if (values.values().size() > 1 && !named.isEmpty()) {
      long max = named.getFirst().max();
      long least = values.values().getFirst();
      long most = values.values().getLast();
      if (least < 0 || most > max) {
        throw new ParameterException(
            spec.commandLine(),
            "parameter out of range: option=--set, parameter=%s, value=%d, min=0, max=%d; give values in between"
                .formatted(name, least < 0 ? least : most, max));
      }
    }
    return values.values();
  }

  /**
   * The program; a parameter without a value takes its maximum, or less if a rank would need more
   * memory than {@link #MEMORY}.
   */
  public Program fit() {
    return fit(topology());
  }

  /** The same in that topology. */
  public Program fit(Topology topology) {
    return fit(topology, single());
  }

  /**
   * As {@link #fit()}, for each combination of the values on the command line, in their order.
   *
   * @param limit the most combinations
   */
  public List<Program> fitEach(int limit) {
    List<Map<String, Long>> chosen = List.of(Map.of());
    for (Map.Entry<String, List<Long>> param : given().entrySet()) {
      if ((long) chosen.size() * param.getValue().size() > limit) {
        throw new ParameterException(
            spec.commandLine(),
            "too many combinations: option=--set, max=%d; give fewer values".formatted(limit));
      }
      List<Map<String, Long>> longer = new ArrayList<>();
      for (Map<String, Long> some : chosen) {
        for (long value : param.getValue()) {
          Map<String, Long> one = new TreeMap<>(some);
          one.put(param.getKey(), value);
          longer.add(one);
        }
      }
      chosen = longer;
    }
    Topology topology = topology();
    return chosen.stream().map(values -> fit(topology, values)).toList();
  }

  private Program fit(Topology topology, Map<String, Long> values) {
    Program program = bind(topology, Long.MAX_VALUE, values);
    for (long most = LARGE; most > 0 && bytes(program) > MEMORY; most /= 2) {
      program = bind(topology, most, values);
    }
    return program;
  }

  /** Bytes of the buffers of the first rank; others need about as many. */
  private static long bytes(Program program) {
    RankProgram rank = program.rank(0);
    long bytes = 0;
    for (Buffer buffer : program.form().buffers()) {
      bytes += buffer.isAlias() ? 0 : rank.bytes(buffer.name());
    }
    return bytes;
  }

  /** The program; a parameter without a value takes its maximum, but at most {@code most}. */
  public Program bind(long most) {
    return bind(topology(), most);
  }

  /** The same in that topology. */
  public Program bind(Topology topology, long most) {
    return bind(topology, most, single());
  }

  private Program bind(Topology topology, long most, Map<String, Long> values) {
    Form form = form();
    Map<String, Long> params = new TreeMap<>();
    form.params()
        .forEach(p ->
            params.put(p.name(), WorldParams.value(p, topology).orElse(Math.min(p.max(), most))));
    params.putAll(values);
    return Program.bind(form, topology.world(), params);
  }

  /** The values on the command line, one of each parameter. */
  private Map<String, Long> single() {
    Map<String, Long> single = new TreeMap<>();
    values().forEach((param, value) -> single.put(param, number(param, value)));
    Long size = bytes;
    if (size != null) {
      single.put(size(form()), size);
    }
    return single;
  }

  /** The parameter of the size: {@code B}, or the only one. */
  private String size(Form form) {
    List<String> names = form.params().stream().map(Form.Param::name).toList();
    String size = names.size() == 1 ? names.getFirst() : SIZE;
    if (!names.contains(size)) {
      made.variedNames().forEach(varied -> requireOneValue("--bytes", varied));
      throw new ParameterException(
          spec.commandLine(),
          "no size: option=--bytes, program=%s, parameters=%s; give them by --set"
              .formatted(form.name(), names));
    }
    if (values().containsKey(size)) {
      throw new ParameterException(
          spec.commandLine(),
          "size given twice: option=--bytes, parameter=%s; leave out one".formatted(size));
    }
    return size;
  }

  /** A value that shows more than the simplest would: some rows or tokens, not the first root. */
  public static long representative(Form.Param param, Topology topology) {
    long other =
        switch (param.name()) {
          case "R" -> ROWS;
          case "T" -> TOKENS;
          default -> 1;
        };
    return Math.min(WorldParams.value(param, topology).orElse(other), param.max());
  }

  /** Values by the names of their parameters. */
  private Map<String, String> values() {
    Map<String, String> values = new TreeMap<>();
    for (String setting : settings) {
      int at = setting.indexOf('=');
      if (at <= 0) {
        throw new ParameterException(
            spec.commandLine(),
            "not a parameter and its value: option=--set, value=%s; write NAME=VALUE, such as B=1024"
                .formatted(setting));
      }
      String earlier = values.put(setting.substring(0, at), setting.substring(at + 1));
      if (earlier != null) {
        throw new ParameterException(
            spec.commandLine(),
            "parameter set twice: option=--set, parameter=%s, values=%s and %s; leave out one"
                .formatted(setting.substring(0, at), earlier, setting.substring(at + 1)));
      }
      requireOneValue("--set", setting.substring(0, at));
    }
    return values;
  }

  /** Refuses a value of a parameter that has several. */
  private void requireOneValue(String option, String param) {
    if (made.variedNames().contains(param)) {
      throw new ParameterException(
          spec.commandLine(),
          "parameter set and varied: options=%s and --vary, parameter=%s; leave out one"
              .formatted(option, param));
    }
  }

  private long number(String param, String value) {
    try {
      return OptionNumbers.size(value);
    } catch (NumberFormatException e) {
      throw new ParameterException(
          spec.commandLine(),
          "not a number: option=--set, parameter=%s, value=%s; give a whole number, or a size such as 64KiB; check, prove and export take several"
              .formatted(param, value));
    }
  }
}

package dev.oriel.it.litmus;

import dev.oriel.cuda.sampling.KernelSampler;
import dev.oriel.cuda.sampling.SampledKernel;
import dev.oriel.it.measure.ResourceMeter;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.OptionNumbers;
import dev.oriel.it.options.UnreadableReason;
import dev.oriel.it.run.LaunchedProcesses;
import dev.oriel.sim.litmus.LitmusChecker;
import dev.oriel.sim.litmus.answer.LitmusVerdict;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.kernel.HardwareTest;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.text.LitmusException;
import dev.oriel.sim.litmus.text.LitmusParser;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code oriel sample}: outcomes of litmus tests on this host's GPUs, compared with those that
 * models allow.
 */
@Command(
    name = "sample",
    description =
        "Run many copies of PTX litmus tests on this host's GPUs; the model must allow every outcome.",
    footer = {
      "",
      "Prints one line for each test and one for each observed outcome, with its count. asked for:"
          + " the outcome satisfies the test's condition. An outcome outside the model ends the"
          + " command with exit code 1. gave up: copies whose loop made 4,096 rounds; they are no"
          + " samples. left out: the reason why a test is not run: proxies, block barriers that some"
          + " thread may not pass, or more GPUs than the host has."
    },
    mixinStandardHelpOptions = true)
public final class SampleCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private TestOptions tests = new TestOptions();

  @Option(
      names = "--samples",
      defaultValue = "1000000",
      description = "copies of each test, rounded up to whole launches (default: ${DEFAULT-VALUE})")
  private long samples;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "seed of the delays (default: ${DEFAULT-VALUE})")
  private long seed;

  private record Named(Path file, LitmusTest test) {}

  private int run;
  private int skipped;
  private long sampled;
  private long outside;

  @Override
  public Integer call() {
    OptionNumbers.atLeast(spec, "--samples", 1, samples);
    LaunchedProcesses.requireAlone("sample");
    PrintWriter out = spec.commandLine().getOut();
    MemoryModel model = tests.model();
    LitmusChecker checker = new LitmusChecker(model);
    List<Named> all = read();
    try (KernelSampler sampler = KernelSampler.open()) {
      out.printf("machine  %s; %d x %s%n", ResourceMeter.machine(), sampler.gpus(), sampler.name());
      out.printf("method   model=%s, samples=%d or more a test, seed=%d%n", model, samples, seed);
      for (Named one : all) {
        sample(one.file(), one.test(), checker, sampler, out);
        out.flush();
      }
    }
    out.printf(
        "total    tests=%d left-out=%d samples=%d outside the model=%d%n",
        run, skipped, sampled, outside);
    return outside > 0 ? ExitCodes.VIOLATION : ExitCodes.FINE;
  }

  /** Reads all tests before a GPU runs one of them. */
  private List<Named> read() {
    return tests.files().stream()
        .filter(found -> found.skipReason().isEmpty())
        .map(found -> new Named(found.path(), read(found.path())))
        .toList();
  }

  private LitmusTest read(Path file) {
    try {
      return LitmusParser.parse(Files.readString(file));
    } catch (IOException e) {
      throw wrong(
          "cannot read the test: path=%s, reason=%s; check the file"
              .formatted(file, UnreadableReason.reason(e)));
    } catch (LitmusException e) {
      throw wrong("cannot read the test: path=%s, reason=%s".formatted(file, e.getMessage()));
    }
  }

  private void sample(
      Path file, LitmusTest test, LitmusChecker checker, KernelSampler sampler, PrintWriter out) {
    LitmusVerdict verdict = checker.check(test);
    Optional<String> reason =
        HardwareTest.unsupported(test)
            .or(() ->
                verdict.bounds().isEmpty()
                    ? Optional.empty()
                    : Optional.of("the model's answer is bounded: " + verdict.bounds()));
    if (reason.isEmpty()) {
      HardwareTest hardware = HardwareTest.of(test, checker);
      reason = lacking(hardware, sampler);
      if (reason.isEmpty()) {
        sample(file, verdict, hardware, sampler, out);
        return;
      }
    }
    skipped++;
    out.printf("%s  left out  %s%n", file, reason.orElseThrow());
  }

  /** What the host lacks; empty if it lacks nothing. */
  private static Optional<String> lacking(HardwareTest test, KernelSampler sampler) {
    if (test.gpus() > sampler.gpus()) {
      return Optional.of("it needs %d GPUs".formatted(test.gpus()));
    }
    return test.needsClusters() && !sampler.target().equals("sm_90")
        ? Optional.of("it needs GPUs with clusters of blocks, sm_90 or newer")
        : Optional.empty();
  }

  private void sample(
      Path file, LitmusVerdict verdict, HardwareTest test, KernelSampler sampler, PrintWriter out) {
    OutcomeTally tally = new OutcomeTally(test);
    int launches = Math.toIntExact(Math.ceilDiv(samples, (long) sampler.copies()));
    sampler.run(
        kernel(test, sampler.target()),
        launches,
        seed,
        test.observesMemory(),
        (outputs, cells) -> tally.add(outputs, cells, sampler.copies()));
    run++;
    sampled += tally.samples();
    outside += tally.outside();
    out.printf(
        "%s  %s  gpus=%d samples=%d outcomes=%d, allowed=%d%s%n",
        file,
        verdict.answer(),
        test.gpus(),
        tally.samples(),
        tally.outcomes(),
        test.allowed(),
        tally.gaveUp() > 0 ? ", gave up=" + tally.gaveUp() : "");
    tally.print(out);
  }

  private static SampledKernel kernel(HardwareTest test, String target) {
    return new SampledKernel(
        test.ptx(target),
        HardwareTest.ENTRY,
        IntStream.range(0, test.gpus()).mapToObj(test::blocks).toList(),
        test.threadsOfBlock(),
        test.initial(),
        test.outputs(),
        HardwareTest.STRIDE);
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
